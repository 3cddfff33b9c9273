import type * as z from 'zod/mini';
import * as field from '../../wire/field.ts';
import * as response from '../../wire/response.ts';

/** The most items of a page. */
export const MAX_OPEN_ITEMS = 25_000;

/** A query for open items at the end of a day. */
export const openItemQuery = field.object(() => ({
  /** A period, at whose end items are open. Left out: today. */
  at: field.optional(field.text({ max: 10, trimmed: true })),
  /** A RelationGUID. */
  relation: field.optional(field.long()),
  /** `next` of the page before. */
  after: field.optional(field.text({ max: 1000 })),
  limit: field.otherwise(field.integer({ min: 1, max: MAX_OPEN_ITEMS, clamped: true }), MAX_OPEN_ITEMS),
}));
export type OpenItemQuery = z.output<typeof openItemQuery>;

/** What is open of a document of a relation. What the relation owes is positive, what it is owed negative. */
export const openItem = response.record(() => ({
  relationGUID: response.long(),
  customerNumber: response.integer(),
  supplierNumber: response.integer(),
  relationName: response.text(),
  /** That of customers or of suppliers. */
  account: response.text(),
  /** As it was booked; "" for what was booked without one, such as a payment that is not matched. */
  document: response.text(),
  /** Of its first line, as yyyy-MM-dd. */
  date: response.text(),
  /** Of an invoice that is here; null for any other. */
  dueDate: response.textOrNull(),
  /** The number of the sales invoice that it is, if that is here; null for any other. */
  salesInvoice: response.textOrNull(),
  debit: response.decimal('number', 2),
  credit: response.decimal('number', 2),
  open: response.decimal('number', 2),
}));
export type OpenItem = z.output<typeof openItem>;

/** A page of open items, by relation and date. */
export const openItemPage = response.record(() => ({
  /** The day of the query, as yyyy-MM-dd. */
  at: response.text(),
  items: response.list(openItem),
  /** What the accounts of customers and of suppliers have at the end of the day, whatever their lines name. */
  controls: response.list(
    response.record(() => ({
      account: response.text(),
      name: response.text(),
      balance: response.decimal('number', 2),
    })),
  ),
  /** Where the next page begins; null after the last one. */
  next: response.textOrNull(),
}));
export type OpenItemPage = z.output<typeof openItemPage>;
