import type { Retry } from '../../../excel/batch.ts';
import type { TableHandle } from '../../../excel/tables/tableMemory.ts';
import { isFinished } from '../../push/sheetPush.ts';
import { readSheetPush } from '../../push/storedPush.ts';
import { isPushed, sheetKindOf } from '../../sheetKinds.ts';

/** The sheets with rows whose results are not there yet. @throws WorkbookProblem */
export async function unfinishedPushes(tables: readonly TableHandle[], retry?: Retry): Promise<TableHandle[]> {
  const pushed = tables.filter(isPushed);
  const pushes = await Promise.all(pushed.map((table) => readSheetPush(table, sheetKindOf(table), retry)));
  return pushed.filter((_, index) => pushes[index] !== undefined && !isFinished(pushes[index]));
}
