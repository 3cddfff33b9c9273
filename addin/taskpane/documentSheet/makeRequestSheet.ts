import type { Retry } from '../../excel/batch.ts';
import { writeLists } from '../../excel/lists.ts';
import { showSheet } from '../../excel/showSheet.ts';
import { createTable } from '../../excel/tables/createTable.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import type { RequestSheet } from '../sheetColumns/requestColumns.ts';
import { EMPTY_ROWS, requestTable } from '../sheetColumns/requestTable.ts';
import { type ListClients, offeredValues } from './offeredLists.ts';

/**
 * Makes a sheet to fill in, with lists to choose from on a hidden sheet.
 * @returns the name of the sheet
 * @throws WorkbookProblem; Problem or Unreachable when a list cannot be read
 */
export async function makeRequestSheet(
  sheet: RequestSheet,
  messages: Messages,
  administration: Administration,
  clients: ListClients,
  retry: Retry,
): Promise<string> {
  const wanted = [...new Set(Object.values(sheet.columns).flatMap(({ list }) => list ?? []))];
  const lists: { key: string; heading: string; values: readonly string[] }[] = [];
  for (const name of wanted) {
    const values = await offeredValues(name, { ...clients, administration, retry });
    lists.push({ key: name, heading: messages.documentSheets.lists[name], values });
  }
  const sources = await writeLists(messages.documentSheets.listsSheet, administration.id, lists, retry);
  const writer = await createTable(requestTable(sheet, messages, administration, sources), retry);
  try {
    await writer.write(new Array<object>(EMPTY_ROWS).fill({}));
    const { sheetName, sheetId } = await writer.finish();
    await showSheet(sheetId!);
    return sheetName;
  } catch (error) {
    await writer.discard().catch(() => {});
    throw error;
  }
}
