import { balanceSides, type LedgerAccount, ledgerTypes } from '../../../shared/resources/ledgerAccount.ts';
import { declareList, listTable } from './list.ts';

export const ACCOUNTS = 'accounts';

export const accounts = declareList({
  view: 'accounts',
  endpoint: 'listledgeraccounts',
  filters: { FiscalYear: { kind: 'year' }, LedgerType: { kind: 'choice', choices: ledgerTypes } },
  table: listTable<LedgerAccount>()(
    ACCOUNTS,
    'accounts',
    {
      Number: ['text', 14],
      Name: ['text', 44],
      FiscalYear: ['text', 12],
      LedgerType: ['code', ledgerTypes],
      DebetOrCredit: ['code', balanceSides],
      Countrycode: ['text', 10],
    },
    { keys: ['Number'] },
  ),
  further: {},
  keyOf: (account) => account.Number,
});
