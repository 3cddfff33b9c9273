import { onTestFinished } from 'vitest';
import { type Mapping, plainMapping } from '../../functions/administrations/builtin/import/bind.ts';
import { type ImportResult, importRows } from '../../functions/administrations/builtin/import/importRows.ts';
import { resources } from '../../functions/administrations/builtin/import/resources.ts';
import { createAdministration } from '../../functions/administrations/builtin/setup/createAdministration.ts';
import { emptyDatabase } from '../database.ts';
import { sourceOf } from './retail.ts';

export { mapOf } from './realData.ts';

export const NOW = 1_760_000_000n;

/** An administration with its country's chart and tax codes, in a new database, for one test. */
export async function importInto(country: 'NL' | 'BE' = 'NL') {
  const { db } = await emptyDatabase();
  onTestFinished(() => db.destroy());
  const administrationId = await createAdministration(db, {
    name: 'Import',
    country,
    fiscalYears: [2026],
    now: 1_700_000_000n,
  });
  return {
    db,
    administrationId,
    /** Files the VAT return of March 2026, without figures. @param filedOn seconds since 1970 */
    fileMarch: async (filedOn: bigint) => {
      const march = { period: '2026-03', first_day: '2026-03-01', last_day: '2026-03-31', figures: '{}' };
      const filed = { administration_id: administrationId, ...march, filed_on: filedOn };
      await db.insertInto('vat_return').values(filed).execute();
    },
    /** Imports lines of cells with `|` between them, the headings first. */
    load: (resource: keyof typeof resources, table: string, mapping: Partial<Mapping> = {}): Promise<ImportResult> => {
      const [headings = [], ...rows] = table
        .trim()
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()));
      return importRows(db, resources[resource], sourceOf('rows.csv', { headings, rows }), {
        administrationId,
        now: NOW,
        mapping: { ...plainMapping, ...mapping },
      });
    },
  };
}

/** The problems of an import with their lines and columns: `3 Name: is required` */
export const problemsOf = ({ problems }: ImportResult): string[] =>
  problems.map(({ line, column, message }) => `${line} ${column === '' ? '' : `${column}: `}${message}`);

/** An administration to import into, with some relations and products. */
export async function importIntoShop(country: 'NL' | 'BE' = 'NL') {
  const into = await importInto(country);
  await into.load('relations', 'Name | CustomerNumber | SupplierNumber\nBakker | 7 |\nMolen | | 3\nAlles | 9 | 9');
  const code = country === 'NL' ? '21% - Hoog' : '21% - Normaal tarief';
  await into.load(
    'products',
    `ArticleNumber | Name | Price | TaxCode\n0100 | Stoel | 12.50 | ${code}\n0200 | Brood | 3 | ${code}`,
  );
  return into;
}
