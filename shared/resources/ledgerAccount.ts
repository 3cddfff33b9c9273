import type { z } from 'zod';
import * as answer from '../wire/answer.ts';
import * as field from '../wire/field.ts';

export const ledgerTypes = ['BalanceSheet', 'IncomeStatement'] as const;
export type LedgerType = (typeof ledgerTypes)[number];

export const ledgerAccountQuery = field.object(() => ({
  /** Left out: the latest fiscal year. */
  FiscalYear: field.optional(field.integer({ min: 1900, max: 9999 })),
  LedgerType: field.optional(field.choice(...ledgerTypes)),
}));
export type LedgerAccountQuery = z.output<typeof ledgerAccountQuery>;

export const ledgerAccount = answer.record(() => ({
  Number: answer.text(),
  Name: answer.text(),
  /** A year, as text. */
  FiscalYear: answer.text(),
  LedgerType: answer.choice(...ledgerTypes),
  Countrycode: answer.text(),
  DebetOrCredit: answer.choice('debet', 'credit'),
}));
export type LedgerAccount = z.output<typeof ledgerAccount>;
