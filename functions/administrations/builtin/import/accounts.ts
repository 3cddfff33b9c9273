import { ledgerTypes } from '../../../../shared/resources/ledgerAccount.ts';
import { choice, name, required, text, whole, withNote } from '../files/column.ts';
import type { NewRow, Row } from '../sql/schema.ts';
import { changeOrAdd } from './existingRows.ts';
import { type ImportContext, type Importer, importer, keysOnce } from './importRows.ts';

const columns = {
  Number: required(name()),
  Name: required(text()),
  FiscalYear: required(whole({ min: 1900, max: 9999 })),
  LedgerType: required(choice(...ledgerTypes)),
  DebetOrCredit: required(choice('debet', 'credit')),
  Countrycode: withNote('must be that of the administration', choice('NL', 'BE')),
};

type Account = NewRow<'ledger_account'>;

/** Ledger accounts, known by number and fiscal year. */
export const accounts = importer(columns, (context) => storedAccounts(context, (account) => account));

/** Accounts of an audit file, which does not say on which side they are: those that are here know it better. */
export const accountsOfAuditfiles = importer(columns, (context) =>
  storedAccounts(context, ({ debet_or_credit: _, ...account }) => account),
);

/** @param changeable what an account that is there gets of a row */
async function storedAccounts(
  context: ImportContext,
  changeable: (account: Account) => Partial<Account>,
): Promise<Importer<typeof columns>> {
  const { administration, report, isSound } = context;
  const once = keysOnce(report);
  return {
    rows: async (rows) => {
      const accounts = new Map<string, Account>();
      for (const { line, values, bad } of rows) {
        const { Number: number, FiscalYear: year, Countrycode: country } = values;
        if (country !== undefined && country !== administration.country) {
          report(line, 'Countrycode', `expected ${administration.country}, as the administration, got ${country}`);
        }
        if (number === undefined || year === undefined) continue;
        const key = `${year} ${number}`;
        if (!once(key, line, 'Number', `account ${number} of ${year}`) || bad.size > 0) continue;
        accounts.set(key, {
          administration_id: administration.id,
          fiscal_year: BigInt(year),
          number,
          name: values.Name!,
          ledger_type: values.LedgerType!,
          debet_or_credit: values.DebetOrCredit!,
        });
      }
      if (!isSound()) return;
      const keyOf = (row: Pick<Row<'ledger_account'>, 'fiscal_year' | 'number'>) => `${row.fiscal_year} ${row.number}`;
      await changeOrAdd(context, 'ledger_account', 'number', accounts, keyOf, changeable);
    },
  };
}
