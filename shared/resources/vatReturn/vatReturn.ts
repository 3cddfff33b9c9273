import type * as z from 'zod/mini';
import * as field from '../../wire/field.ts';
import * as response from '../../wire/response.ts';

/** How amounts of a Dutch return become whole euros: half away from zero, or in favour of who declares. */
export const vatRoundings = ['nearest', 'favourable'] as const;

/** What an amount of a return is: a base, or a tax. */
const vatParts = ['base', 'tax'] as const;

/** The natures of supplies in the listing of supplies within the EU. */
export const vatNatures = ['goods', 'services', 'triangular'] as const;

/** The kinds of document that a line is of: an invoice here, or an entry without one. */
const vatDocumentKinds = ['sales', 'purchases', 'entry'] as const;

const period = () => field.text({ max: 10, trimmed: true });

/** A query for the return of a period: a year (2026), a quarter (2026-Q1) or a month (2026-03). */
export const vatReturnQuery = field.object(() => ({
  period: period(),
  /** Left out: as the administration has it. */
  rounding: field.optional(field.choice(...vatRoundings)),
  /** Of a return that was filed: as a supplement would have it, with what was entered or changed since. */
  supplement: field.optional(field.boolean()),
}));
export type VatReturnQuery = z.output<typeof vatReturnQuery>;

/** A query for the Belgian return of a month or a quarter as a file for Intervat. */
export const intervatQuery = field.object(() => ({
  period: period(),
  /** That a balance in box 72 be paid out. */
  refund: field.optional(field.boolean()),
  /** In the last return of a year: that no customer is in the yearly client listing. */
  noClients: field.optional(field.boolean()),
}));
export type IntervatQuery = z.output<typeof intervatQuery>;

/** A query for a page of the lines of a return. */
export const vatLinesQuery = field.object(() => ({
  period: period(),
  /** `next` of the page before. */
  after: field.optional(field.text({ max: 30, trimmed: true })),
}));
export type VatLinesQuery = z.output<typeof vatLinesQuery>;

/** An amount of a box. */
const boxAmount = response.record(() => ({
  box: response.text(),
  /** Its name on the form, in Dutch. */
  name: response.text(),
  part: response.choice(...vatParts),
  /** To the cent, and as the return has it. */
  exact: response.decimal('number', 2),
  declared: response.decimal('number', 2),
}));

/** A code with its values (`vatRemark.ts`), and the English sentence of both. */
const remark = response.record(() => ({
  code: response.text(),
  values: response.list(response.text()),
  message: response.text(),
}));

/** What a customer in another country of the EU was supplied with, less credits. */
const suppliedCustomer = response.record(() => ({
  vatNumber: response.text(),
  name: response.text(),
  nature: response.choice(...vatNatures),
  amount: response.decimal('number', 2),
}));

/** What a Belgian customer with a VAT number bought in a year, less credits. */
const yearlyClient = response.record(() => ({
  vatNumber: response.text(),
  name: response.text(),
  turnover: response.decimal('number', 2),
  tax: response.decimal('number', 2),
}));

/** The return of a period, without the lines behind it. */
export const vatReturnResponse = response.record(() => ({
  period: response.text(),
  /** Its days, as yyyy-MM-dd. */
  from: response.text(),
  to: response.text(),
  country: response.choice('NL', 'BE'),
  rounding: response.choice(...vatRoundings),
  /** Seconds since 1970; null when it was not filed. */
  filedOn: response.long(),
  boxes: response.list(boxAmount),
  /** The SHA-256 of what the boxes declare, as hexadecimal digits: a filing can name it. */
  figures: response.text(),
  listing: response.list(suppliedCustomer),
  /** The sum of the listing. */
  listingTotal: response.decimal('number', 2),
  /** Of a Belgian year; else none. */
  clients: response.list(yearlyClient),
  clientsTurnover: response.decimal('number', 2),
  clientsTax: response.decimal('number', 2),
  remarks: response.list(remark),
}));
export type VatReturnResponse = z.output<typeof vatReturnResponse>;

/** An amount of a document in a box. */
const vatLine = response.record(() => ({
  /** What identifies the line at every reading, as long as its document and boxes do not change. */
  key: response.text(),
  box: response.text(),
  part: response.choice(...vatParts),
  amount: response.decimal('number', 2),
  kind: response.choice(...vatDocumentKinds),
  document: response.text(),
  date: response.text(),
  relationName: response.text(),
  vatNumber: response.text(),
  country: response.text(),
  taxCode: response.text(),
  /** What the document has on its tax code. */
  base: response.decimal('number', 2),
  tax: response.decimal('number', 2),
  /** Whether its own period had been filed before it was entered. */
  isLate: response.boolean(),
}));
export type VatReturnLine = z.output<typeof vatLine>;

/** A page of lines, by date. A line of a tax code without a rule has the box "". */
export const vatLinePage = response.record(() => ({
  lines: response.list(vatLine),
  /** Where the next page begins; null after the last one. */
  next: response.textOrNull(),
}));
export type VatLinePage = z.output<typeof vatLinePage>;

/** Marks the return of a period as filed, with the figures that it has as the administration rounds them. */
export const vatFiling = field.object(() => ({
  Period: period(),
  /** Again, with what has changed since. */
  Supplement: field.optional(field.boolean()),
  /** `figures` of the return that was looked at: others are not filed. Left out: whatever it has now. */
  Figures: field.optional(field.text({ max: 64, trimmed: true })),
}));
export type VatFiling = z.output<typeof vatFiling>;
