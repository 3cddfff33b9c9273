import type { LedgerAccount } from '../../../shared/resources/ledgerAccount.ts';
import type { TableSpec } from '../../excel/table.ts';
import type { Administration } from '../../excel/tableMemory.ts';
import type { Messages } from '../locales/en.ts';

export type AccountQuestion = { FiscalYear?: string; LedgerType?: string };

export const ACCOUNTS = 'accounts';

/** Ledger accounts, one a row. */
export function accountTable(
  messages: Messages,
  administration: Administration,
  query: AccountQuestion,
): TableSpec<LedgerAccount> {
  const headings = messages.headings.accounts;
  return {
    source: { view: ACCOUNTS, administration, endpoint: 'listledgeraccounts', query },
    sheetName: [messages.accounts.sheet, query.FiscalYear].filter(Boolean).join(' '),
    keys: ['Number'],
    columns: [
      { key: 'Number', heading: headings.Number, kind: 'text', width: 14, value: (account) => account.Number },
      { key: 'Name', heading: headings.Name, kind: 'text', width: 44, value: (account) => account.Name },
      {
        key: 'FiscalYear',
        heading: headings.FiscalYear,
        kind: 'text',
        width: 12,
        value: (account) => account.FiscalYear,
      },
      {
        key: 'LedgerType',
        heading: headings.LedgerType,
        kind: 'text',
        width: 18,
        value: (account) => account.LedgerType,
      },
      {
        key: 'DebetOrCredit',
        heading: headings.DebetOrCredit,
        kind: 'text',
        width: 16,
        value: (account) => account.DebetOrCredit,
      },
      {
        key: 'Countrycode',
        heading: headings.Countrycode,
        kind: 'text',
        width: 10,
        value: (account) => account.Countrycode,
      },
    ],
  };
}
