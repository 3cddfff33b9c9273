import type { Retry } from '../../excel/batch.ts';
import { type Administration, administration, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { readWorkbookSetting, storeWorkbookSetting } from '../../excel/workbookSetting.ts';

const SETTING = 'Ledgerline administration';

/**
 * The administration that the workbook was last connected to, or else that of its latest table; undefined for a workbook
 * that has none.
 * @throws WorkbookProblem
 */
export async function readWorkbookAdministration(retry?: Retry): Promise<Administration | undefined> {
  const stored = await readWorkbookSetting(SETTING, administration, retry);
  if (stored !== undefined) return stored;
  const memories = (await tablesInWorkbook(retry)).map(({ memory }) => memory);
  return memories.sort((one, other) => (one.pulledAt < other.pulledAt ? 1 : -1))[0]?.administration;
}

/** Stores what the user connected the workbook to: its ids and names, never a credential. @throws WorkbookProblem */
export const storeWorkbookAdministration = (connectedTo: Administration, retry?: Retry): Promise<void> =>
  storeWorkbookSetting(SETTING, administration, connectedTo, retry);
