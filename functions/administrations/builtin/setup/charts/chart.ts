import type { LedgerType } from '../../../../../shared/resources/ledgerAccount.ts';
import { belgium } from './belgium.ts';
import { netherlands } from './netherlands.ts';

export type ChartAccount = { number: string; name: string; type: LedgerType; side: 'debet' | 'credit' };

/** The chart of accounts an administration of a country starts with. */
export type Chart = {
  accounts: ChartAccount[];
  defaultRevenueAccount: string;
  defaultCostAccount: string;
  /** What every entry of a sale or a purchase is balanced on. */
  controlAccounts: { debtor: string; creditor: string; vatPayable: string; vatReceivable: string };
};

/** @throws Error when the table itself is wrong */
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
