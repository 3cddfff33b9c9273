import type { LedgerAccount } from '../../../shared/resources/ledgerAccount.ts';
import type { TableSpec } from '../../excel/tables/table.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { columnsOf, type Fields } from './columns.ts';

export type AccountQuestion = { FiscalYear?: string; LedgerType?: string };

export const ACCOUNTS = 'accounts';

const accountFields: Fields<LedgerAccount, keyof Messages['headings']['accounts']> = {
  Number: ['text', 14],
  Name: ['text', 44],
  FiscalYear: ['text', 12],
  LedgerType: ['code', 18],
  DebetOrCredit: ['code', 16],
  Countrycode: ['text', 10],
};

/** Ledger accounts, one a row. */
export const accountTable = (
  messages: Messages,
  administration: Administration,
  query: AccountQuestion,
): TableSpec<LedgerAccount> => ({
  source: { view: ACCOUNTS, administration, endpoint: 'listledgeraccounts', query },
  sheetName: [messages.accounts.sheet, query.FiscalYear].filter(Boolean).join(' '),
  keys: ['Number'],
  columns: columnsOf(accountFields, messages.headings.accounts, messages),
});
