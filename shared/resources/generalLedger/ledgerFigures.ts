import * as z from 'zod/mini';
import * as field from '../../wire/field.ts';
import { listOf } from '../../wire/issues.ts';
import * as response from '../../wire/response.ts';

/** The most periods of a query, and the most days of open amounts. */
export const MAX_FIGURES = 25;

const periods = listOf(MAX_FIGURES, z.array(field.text({ max: 30, trimmed: true })));

/** A query for figures of several periods. */
export const figuresQuery = field.object(() => ({
  /** `from..to`, both periods; or `..to`, which begins with the fiscal year of `to`. */
  period: periods,
  /** Periods, at whose ends amounts are open. */
  open: periods,
}));
export type FiguresQuery = z.output<typeof figuresQuery>;

const accountFigures = response.record(() => ({
  /** "" for results of earlier years without a result account. */
  number: response.text(),
  debit: response.decimal('number', 2),
  credit: response.decimal('number', 2),
  closing: response.decimal('number', 2),
}));

const openAmount = response.record(() => ({
  relationGUID: response.long(),
  customerNumber: response.integer(),
  supplierNumber: response.integer(),
  name: response.text(),
  /** What the relation owes is positive, what it is owed negative. */
  amount: response.decimal('number', 2),
}));

/** Figures of several periods, all of one moment. */
export const ledgerFigures = response.record(() => ({
  /** The state of the administration: while it stays the same, so do the figures. */
  version: response.text(),
  /** All accounts, by number. */
  accounts: response.list(response.record(() => ({ number: response.text(), name: response.text() }))),
  /** The first and the last day on which entries can be booked, as yyyy-MM-dd. */
  bookable: response.record(() => ({ first: response.text(), last: response.text() })),
  /** In the order of the query, each with the accounts that have an opening or movements. */
  periods: response.list(
    response.record(() => ({
      /** A period that begins after its end has no figures. */
      isBackwards: response.boolean(),
      figures: response.list(accountFigures),
    })),
  ),
  /** In the order of the query, each with the relations that were ever booked on the account of customers or suppliers. */
  open: response.list(response.record(() => ({ relations: response.list(openAmount) }))),
}));
export type LedgerFigures = z.output<typeof ledgerFigures>;
