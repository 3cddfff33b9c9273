import type * as z from 'zod/mini';
import * as field from '../../wire/field.ts';
import * as response from '../../wire/response.ts';
import { ledgerTypes } from '../ledgerAccount.ts';

/** A query for balances: from the first day of one period to the last day of the other. */
export const balanceQuery = field.object(() => ({
  /** Left out: the fiscal year of `to`. */
  from: field.optional(field.text({ max: 10, trimmed: true })),
  /** Left out: `from`; without that, the fiscal year of today. */
  to: field.optional(field.text({ max: 10, trimmed: true })),
}));
export type BalanceQuery = z.output<typeof balanceQuery>;

/** An account in a period. Balances are positive for debit, negative for credit. */
const accountBalance = response.record(() => ({
  /** "" for results of earlier years without a result account. */
  number: response.text(),
  name: response.text(),
  type: response.choice(...ledgerTypes),
  opening: response.decimal('number', 2),
  debit: response.decimal('number', 2),
  credit: response.decimal('number', 2),
  closing: response.decimal('number', 2),
}));
export type AccountBalance = z.output<typeof accountBalance>;

/** The accounts with an opening or movements, by number. */
export const balanceList = response.record(() => ({
  /** The days of the period, as yyyy-MM-dd. */
  from: response.text(),
  to: response.text(),
  /** The state of the administration: while it stays the same, so do the balances. */
  version: response.text(),
  balances: response.list(accountBalance),
}));
export type BalanceList = z.output<typeof balanceList>;
