import { existsSync } from 'node:fs';
import path from 'node:path';
import { readCsv } from '../../functions/administrations/builtin/files/readCsv.ts';
import { accounts } from '../../functions/administrations/builtin/import/accounts.ts';
import { plainMapping } from '../../functions/administrations/builtin/import/bind.ts';
import { type ImportResult, importRows } from '../../functions/administrations/builtin/import/importRows.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { type Needed, needed } from '../needed.ts';

/** The folder of real files beside the repository, on some machines. */
const folder = path.resolve(import.meta.dirname, '../../../shared/data');

/** A real file, or why a test that needs it is skipped. */
export function realFile(name: string): Needed & { file: string } {
  const file = path.join(folder, name);
  return { file, ...needed(existsSync(file), `../shared/data/${name} is not on this machine`) };
}

export const referenceChart = realFile('rgs-3.7-mkb.csv');

export const mapOf = <Value>(pairs: Record<string, Value>): Map<string, Value> => new Map(Object.entries(pairs));

/** Imports the posting accounts of the Dutch reference chart for one fiscal year. */
export async function loadReferenceChart(
  db: Database,
  administrationId: bigint,
  fiscalYear = 2026,
): Promise<ImportResult> {
  return importRows(db, accounts, await readCsv(referenceChart.file), {
    administrationId,
    now: 1_760_000_000n,
    mapping: {
      ...plainMapping,
      columns: mapOf({ Number: 'rgs_reknr', Name: 'rgs_omskort', LedgerType: 'report_type', DebetOrCredit: 'rgs_dc' }),
      values: mapOf({
        LedgerType: mapOf({ 'Balance Sheet': 'BalanceSheet', 'Profit and Loss': 'IncomeStatement' }),
        DebetOrCredit: mapOf({ D: 'debet', C: 'credit' }),
      }),
      constants: new Map([['FiscalYear', String(fiscalYear)]]),
      only: new Map([['rgs_nivo', new Set(['4'])]]),
    },
  });
}
