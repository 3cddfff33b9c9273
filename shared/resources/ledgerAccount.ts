import type * as z from 'zod/mini';
import * as field from '../wire/field.ts';
import * as response from '../wire/response.ts';

export const ledgerTypes = ['BalanceSheet', 'IncomeStatement'] as const;
export type LedgerType = (typeof ledgerTypes)[number];

/** On which side an account usually is. */
export const balanceSides = ['debet', 'credit'] as const;

export const ledgerAccountQuery = field.object(() => ({
  /** Left out: the latest fiscal year. */
  FiscalYear: field.optional(field.integer({ min: 1900, max: 9999 })),
  LedgerType: field.optional(field.choice(...ledgerTypes)),
}));
export type LedgerAccountQuery = z.output<typeof ledgerAccountQuery>;

export const ledgerAccount = response.record(() => ({
  Number: response.text(),
  Name: response.text(),
  /** A year, as text. */
  FiscalYear: response.text(),
  LedgerType: response.choice(...ledgerTypes),
  Countrycode: response.text(),
  DebetOrCredit: response.choice(...balanceSides),
}));
export type LedgerAccount = z.output<typeof ledgerAccount>;
