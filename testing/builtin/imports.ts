import { onTestFinished } from 'vitest';
import { type Mapping, plainMapping } from '../../functions/administrations/builtin/import/bind.ts';
import { type ImportResult, importRows } from '../../functions/administrations/builtin/import/importRows.ts';
import { resources } from '../../functions/administrations/builtin/import/resources.ts';
import { createAdministration } from '../../functions/administrations/builtin/setup/createAdministration.ts';
import { emptyDatabase } from '../database.ts';
import { sourceOf } from './retail.ts';

export const NOW = 1_760_000_000n;

/** A new administration with its country's chart and tax codes, in a new database for one test. */
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
    /** Imports lines of cells separated by `|`; the first line has the headings. */
    load: (resource: keyof typeof resources, table: string, mapping: Partial<Mapping> = {}): Promise<ImportResult> => {
      const [headings = [], ...rows] = table
        .trim()
        .split('\n')
        .map((line) => line.split('|').map((cell) => cell.trim()));
      return importRows(db, resources[resource], sourceOf('given.csv', { headings, rows }), {
        administrationId,
        now: NOW,
        mapping: { ...plainMapping, ...mapping },
      });
    },
  };
}

/** The problems of an import with line and column: `3 Name: is required` */
export const told = ({ problems }: ImportResult): string[] =>
  problems.map(({ line, column, message }) => `${line} ${column === '' ? '' : `${column}: `}${message}`);
