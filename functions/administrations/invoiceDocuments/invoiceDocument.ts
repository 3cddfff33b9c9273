import { CENT_OF_PRODUCT, type Cents, type Decimal8, divide, HUNDRED, sum } from '../../../shared/money.ts';
import type { CalendarDate } from '../../../shared/wire/calendarDate.ts';

/*
 * An invoice as its PDF and its e-invoice show it: everything they contain, read once from the database.
 */

export const languages = ['nl', 'fr', 'en'] as const;
export type Language = (typeof languages)[number];

/**
 * How VAT applies, by the codes of UNCL 5305: standard rate (any rate above zero), zero rate, exempt, reverse charge,
 * supply to another EU country, export, outside the scope of VAT.
 */
export const vatCategories = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const;
export type VatCategory = (typeof vatCategories)[number];

export type Address = {
  street: string;
  unit: string;
  unitAppendix: string;
  postalCode: string;
  city: string;
  /** ISO 3166, two letters; "" when unknown. */
  countryCode: string;
};

/** The sender of the invoice. Unknown values are "". */
export type Issuer = {
  name: string;
  address: Address;
  vatNumber: string;
  /** The national company number: KvK, or the Belgian enterprise number. */
  companyNumber: string;
  iban: string;
  bic: string;
  email: string;
  phone: string;
};

export type Customer = {
  name: string;
  number: string;
  isBusiness: boolean;
  /** The person it is addressed to; "" for none. */
  contact: string;
  email: string;
  address: Address;
  vatNumber: string;
  registrationNumber: string;
};

/** A picture: PNG or JPEG. */
type Picture = Uint8Array;

/** The look of an administration's documents, and their texts. Texts may contain HTML. */
type Template = {
  /** `#rrggbb`. */
  color: string;
  logo: Picture | null;
  textBefore: string;
  textAfter: string;
  /**
   * Plain text; "" is the default. `{amount}`, `{dueDate}`, `{iban}`, `{name}`, `{reference}` and `{number}` are filled
   * in.
   */
  paymentText: string;
};

export type TextLine = { kind: 'text'; category: string; description: string };

export type ArticleLine = {
  kind: 'article';
  /** May hold HTML. */
  description: string;
  productNumber: string;
  ean: string;
  quantity: Decimal8;
  /** As the administration names it; "" for none. */
  unit: string;
  /** Without tax. */
  unitPrice: Decimal8;
  discountPercentage: Decimal8;
  taxCode: string;
  category: VatCategory;
  rate: Decimal8;
  /** Without tax, after the line's own discount and before the document's discount. */
  net: Cents;
  /** Without tax, after both discounts, and the tax: the amounts of the journal. */
  excl: Cents;
  tax: Cents;
  deliveryDate: CalendarDate | null;
};

type VatTotal = { taxCode: string; category: VatCategory; rate: Decimal8; base: Cents; tax: Cents };

export type InvoiceDocument = {
  number: string;
  isDraft: boolean;
  date: CalendarDate;
  dueDate: CalendarDate | null;
  /** The customer's own reference. */
  reference: string;
  /** For a credit: the number of the credited invoice; "" when unknown. */
  credited: string;
  project: { number: string; name: string } | null;
  issuer: Issuer;
  customer: Customer;
  /** The delivery address, when it is not the customer's own address. */
  delivery: Address | null;
  lines: readonly (TextLine | ArticleLine)[];
  discountPercentage: Decimal8;
  vat: readonly VatTotal[];
  excl: Cents;
  tax: Cents;
  incl: Cents;
  /** The structured remittance; "" for none. */
  ogm: string;
  /** May hold HTML. */
  notes: string;
  language: Language;
  template: Template;
};

export const DEFAULT_COLOR = '#1f5c4a';
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** A document with a negative total is a credit note: it is shown with reversed signs. */
export const isCredit = ({ incl, excl }: Pick<InvoiceDocument, 'incl' | 'excl'>): boolean =>
  incl < 0n || (incl === 0n && excl < 0n);

export const articleLines = ({ lines }: Pick<InvoiceDocument, 'lines'>): ArticleLine[] =>
  lines.filter((line) => line.kind === 'article');

/** The total of the lines before the document's discount, and the amount of that discount. */
export function discountOf(document: InvoiceDocument): { subtotal: Cents; discount: Cents } {
  const subtotal = sum(articleLines(document).map(({ net }) => net));
  return { subtotal, discount: subtotal - document.excl };
}

/** Without discount. */
export const grossOf = ({ quantity, unitPrice }: Pick<ArticleLine, 'quantity' | 'unitPrice'>): Cents =>
  divide(quantity * unitPrice, CENT_OF_PRODUCT);

/**
 * A line with its amount after its own discount and before the document's. Without a document discount this is the
 * stored amount; with one, it follows from quantity, price and discount.
 */
export function withNet(line: Omit<ArticleLine, 'net'>, documentDiscount: Decimal8): ArticleLine {
  const { quantity, unitPrice, discountPercentage, excl } = line;
  if (documentDiscount === 0n) return { ...line, net: excl };
  const listed = quantity * unitPrice;
  if (listed !== 0n) {
    return { ...line, net: divide(listed * (HUNDRED - discountPercentage), HUNDRED * CENT_OF_PRODUCT) };
  }
  const net = documentDiscount < HUNDRED ? divide(excl * HUNDRED, HUNDRED - documentDiscount) : 0n;
  return { ...line, net };
}

/** VAT per code from lines, in the order in which codes first appear. */
export function vatTotals(lines: readonly ArticleLine[]): VatTotal[] {
  const totals = new Map<string, VatTotal>();
  for (const { taxCode, category, rate, excl, tax } of lines) {
    const sum = totals.get(taxCode) ?? { taxCode, category, rate, base: 0n, tax: 0n };
    totals.set(taxCode, { ...sum, base: sum.base + excl, tax: sum.tax + tax });
  }
  return [...totals.values()];
}
