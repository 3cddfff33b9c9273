import * as z from 'zod/mini';
import * as field from '../../wire/field.ts';
import { listOf } from '../../wire/issues.ts';
import * as response from '../../wire/response.ts';

/** The kinds of journal of entries. */
export const journalKinds = ['sales', 'purchases', 'bank', 'cash', 'memorial'] as const;

/** The most lines of a page. */
export const MAX_ENTRY_LINES = 2000;
/** The most accounts, ranges and wildcards of a query. */
export const MAX_ACCOUNTS = 200;

/** A query for lines of the journal; what is left out selects all. */
export const entryQuery = field.object(() => ({
  /** Account numbers, ranges as 4000:4999, and beginnings as 4*; any of them. */
  account: listOf(MAX_ACCOUNTS, z.array(field.text({ max: field.MAX_NAME_LENGTH, trimmed: true }))),
  /** `entry` of a line. */
  entry: field.optional(field.long()),
  /** A RelationGUID. */
  relation: field.optional(field.long()),
  /** The number of an invoice, or another document as it was booked. */
  document: field.optional(field.text({ max: field.MAX_NAME_LENGTH, trimmed: true })),
  /** Periods: from the first day of one to the last day of the other. */
  from: field.optional(field.text({ max: 10, trimmed: true })),
  to: field.optional(field.text({ max: 10, trimmed: true })),
  /** `next` of the page before. */
  after: field.optional(field.text({ max: 100 })),
  limit: field.otherwise(field.integer({ min: 1, max: MAX_ENTRY_LINES, clamped: true }), 500),
}));
export type EntryQuery = z.output<typeof entryQuery>;

/** A line of the journal, with what its entry says. */
const entryLine = response.record(() => ({
  /** The entry; its lines have one. */
  entry: response.long(),
  journal: response.choice(...journalKinds),
  entryNumber: response.text(),
  date: response.text(),
  account: response.text(),
  accountName: response.text(),
  /** Of the line; else of the entry. */
  description: response.text(),
  debit: response.decimal('number', 2),
  credit: response.decimal('number', 2),
  relationGUID: response.long(),
  relationName: response.text(),
  document: response.text(),
  costCenter: response.text(),
  taxCode: response.text(),
  /** What is taxed, and the tax: debit is positive, credit negative. */
  taxBase: response.decimal('number', 2),
  taxAmount: response.decimal('number', 2),
}));
export type EntryLine = z.output<typeof entryLine>;

/** What an invoice taxes on an account, with a tax code that no line of its entry has. Signs are those of lines. */
const taxedWithoutLine = response.record(() => ({
  account: response.text(),
  costCenter: response.text(),
  taxCode: response.text(),
  /** The part of the line on the account, with tax that may not be deducted. */
  amount: response.decimal('number', 2),
  taxBase: response.decimal('number', 2),
  taxAmount: response.decimal('number', 2),
}));

/** A page of lines, by date and entry. */
export const entryPage = response.record(() => ({
  lines: response.list(entryLine),
  /** Of an entry that is asked for by `entry`, and of an invoice: what it taxes without a line of tax, as at 0 %. */
  taxedWithoutLine: response.list(taxedWithoutLine),
  /** Where the next page begins; null after the last one. */
  next: response.textOrNull(),
}));
export type EntryPage = z.output<typeof entryPage>;
