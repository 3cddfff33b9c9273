import type { LedgerType } from '../../../../../shared/resources/ledgerAccount.ts';
import { belgium } from './belgium.ts';
import { netherlands } from './netherlands.ts';

type ChartAccount = { number: string; name: string; type: LedgerType; side: 'debet' | 'credit' };

/** The chart of accounts of a new administration in a country. */
export type Chart = {
  accounts: ChartAccount[];
  defaultRevenueAccount: string;
  defaultCostAccount: string;
  /** The control accounts of sales and purchases. */
  controlAccounts: { debtor: string; creditor: string; vatPayable: string; vatReceivable: string };
};

/** @throws Error when the table is malformed */
export function usualChart(country: 'NL' | 'BE'): Chart {
  const { accounts, firstOfIncomeStatement, ...defaults } = { NL: netherlands, BE: belgium }[country];
  return {
    ...defaults,
    accounts: accounts
      .trim()
      .split('\n')
      .map((line): ChartAccount => {
        const [, number, side, name] = /^(\d+) ([dc]) (.+)$/.exec(line) ?? [];
        if (number === undefined || name === undefined) throw new Error(`Not an account: ${line}`);
        return {
          number,
          name,
          type: number < firstOfIncomeStatement ? 'BalanceSheet' : 'IncomeStatement',
          side: side === 'd' ? 'debet' : 'credit',
        };
      }),
  };
}
