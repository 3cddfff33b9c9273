import type { NewRow } from '../../sql/schema.ts';
import { belgium } from './belgium.ts';
import { netherlands } from './netherlands.ts';

type ChartAccount = Omit<NewRow<'ledger_account'>, 'administration_id' | 'fiscal_year'>;

/** The chart of accounts of a new administration, and the accounts that it books on by itself. */
export function usualChart(country: 'NL' | 'BE') {
  const { accounts, firstOfIncomeStatement, controlAccounts } = { NL: netherlands, BE: belgium }[country];
  const lines = accounts.trim().split('\n');
  return {
    controlAccounts,
    accounts: lines.map((line): ChartAccount => {
      const [number = '', side, ...name] = line.split(' ');
      return {
        number,
        name: name.join(' '),
        ledger_type: number < firstOfIncomeStatement ? 'BalanceSheet' : 'IncomeStatement',
        debet_or_credit: side === 'd' ? 'debet' : 'credit',
      };
    }),
  };
}
