import type { PushClient } from '../../../shared/client/pushClient.ts';
import type { Push } from '../../../shared/resources/push.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import { WorkbookProblem } from '../../excel/workbookProblem.ts';
import type { StockMode } from '../sheetColumns/productTable.ts';
import { addedFinder } from './addedQuantities.ts';
import { changedRows } from './changedRows.ts';
import { productNames } from './productKey.ts';
import { type ProductRow, readProductRows, type SendableRow } from './readProductRow.ts';
import { leftOutStatus, rowStatus } from './rowStatus.ts';
import { addedQuantities, appliedValues, intendedPush, missingKeys, type SheetPush } from './sheetPush.ts';
import { correctStaleStatuses } from './staleStatus.ts';
import { storeSheetPush } from './storedPush.ts';
import { type PushContext, writeRowChanges } from './writeResults.ts';

/**
 * The rows of a product sheet, checked. Statuses that are no longer true are corrected in the sheet.
 * @param previous the latest push of the sheet @param administration the present target of its rows
 * @throws WorkbookProblem
 */
export async function checkSheet(
  context: PushContext,
  defaultMode: StockMode,
  previous: SheetPush | undefined,
  administration: Administration,
): Promise<ProductRow[]> {
  const table = await readTable(context.handle, context.retry);
  const rows = readProductRows(table, defaultMode, context.messages, {
    applied: appliedValues(previous, administration),
    unconfirmed: previous?.unconfirmed ?? [],
    addedAt: addedFinder(addedQuantities(previous), administration),
  });
  await correctStaleStatuses(context, table, rows);
  return rows;
}

/**
 * Prepares a sheet for a push: every row shows that it waits, or why it is left out, and the sheet stores the push.
 * Nothing is sent yet, so a protected sheet stops the push here, and when it fails or is cancelled no row waits any
 * more. A row that was changed after its confirmation is not sent.
 * @param rows all rows of the checked sheet @param chosen those to send
 * @param makesCategories whether categories that do not exist yet are made
 * @throws WorkbookProblem
 */
export async function preparePush(
  context: PushContext,
  rows: readonly ProductRow[],
  chosen: readonly SendableRow[],
  administration: Administration,
  previous: SheetPush | undefined,
  { makesCategories = false, newKey = () => crypto.randomUUID() as string, now = () => new Date() } = {},
): Promise<SheetPush> {
  const { messages } = context;
  const isChosen = new Set<ProductRow>(chosen);
  const changes = rows.flatMap((row) => {
    const change = isChosen.has(row) ? rowStatus(row, 'waiting', '', messages) : leftOutStatus(row, messages);
    return change === undefined ? [] : [change];
  });
  try {
    const missing = new Set(await writeRowChanges(context, changes));
    const found = chosen
      .filter(({ key }) => !missing.has(key))
      .map((row) => (makesCategories && row.update.CategoryName ? { ...row, makesCategory: true } : row));
    const push = {
      ...intendedPush(found, administration, previous, newKey(), now()),
      missing: missingKeys(chosen.filter(({ key }) => missing.has(key)).map(({ key }) => key)),
    };
    return await storeSheetPush(context.handle, push, context.retry);
  } catch (error) {
    const isOfAnotherWindow = error instanceof WorkbookProblem && error.code === 'CHANGED_ELSEWHERE';
    if (!isOfAnotherWindow) await endWaiting(context, chosen);
    throw error;
  }
}

/**
 * Rows no longer show that they wait, and a held one is held again, as soon as Excel accepts it. What fails here is
 * corrected by the next check.
 */
async function endWaiting(context: PushContext, rows: readonly SendableRow[]): Promise<void> {
  const { messages, retry } = context;
  const changes = rows.map(
    (row) => leftOutStatus(row, messages) ?? rowStatus(row, 'notSent', messages.rowMessage.cancelled, messages),
  );
  const uncancelled = retry && { ...retry, signal: undefined };
  await writeRowChanges({ ...context, retry: uncancelled }, changes).catch(() => {});
}

/**
 * The rows that add to the stock of products that pushes unknown to the workbook have changed. When it was closed
 * without saving, those may be the same rows.
 * @param pushes by the same credential, since the sheet was made
 */
export async function rowsAppliedElsewhere(
  rows: readonly SendableRow[],
  pushes: readonly Push[],
  client: PushClient,
): Promise<SendableRow[]> {
  const adding = rows.filter(({ mode }) => mode === 'Relative');
  if (adding.length === 0) return [];
  const changed = new Set<string>();
  for (const { id, relative } of pushes) {
    if (!relative) continue;
    for (const { product } of await changedRows(client, id, '')) {
      for (const name of productNames(product ?? {})) changed.add(name);
    }
  }
  return adding.filter(({ update }) => productNames(update).some((name) => changed.has(name)));
}
