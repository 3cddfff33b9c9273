import { ledgerTypes } from '../../../../shared/resources/ledgerAccount.ts';
import { choice, name, required, text, whole, withNote } from '../files/column.ts';
import type { NewRow } from '../sql/schema.ts';
import { changeOrAdd } from './existingRows.ts';
import { importer, keysOnce } from './importRows.ts';

const columns = {
  Number: required(name()),
  Name: required(text()),
  FiscalYear: required(whole({ min: 1900, max: 9999 })),
  LedgerType: required(choice(...ledgerTypes)),
  DebetOrCredit: required(choice('debet', 'credit')),
  Countrycode: withNote('must be that of the administration', choice('NL', 'BE')),
};

/** Ledger accounts, known by number and fiscal year. */
export const accounts = importer(columns, async (context) => {
  const { administration, report, isSound } = context;
  const once = keysOnce(report);
  return {
    rows: async (rows) => {
      const accounts = new Map<string, NewRow<'ledger_account'>>();
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
      await changeOrAdd(context, 'ledger_account', 'number', accounts, (row) => `${row.fiscal_year} ${row.number}`);
    },
  };
});
