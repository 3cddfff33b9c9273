import { MAX_SHEET_ROWS } from '../../../shared/spreadsheet.ts';
import { inWorkbook, type Retry } from '../batch.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { locateTable, type Place } from './locateTable.ts';
import { rowsOfBody } from './overwrite.ts';
import type { TableHandle } from './tableMemory.ts';

/** Filled rows directly below a table that are not part of it, by their row numbers. */
export type RowsBelow = { first: number; last: number };

/** The most rows below a table that are read. */
const MAX_ROWS_BELOW = 10_000;

/**
 * Finds filled rows directly below a table: Excel does not always extend a table for
 * pasted rows. The first empty row ends them.
 * @throws WorkbookProblem TABLE_GONE
 */
export function findRowsBelow(handle: TableHandle, retry?: Retry): Promise<RowsBelow | undefined> {
  return inWorkbook(async (context) => {
    const place = await locateTable(context, handle);
    return place.hasTotals ? undefined : readRowsBelow(context, place);
  }, retry);
}

async function readRowsBelow(context: Excel.RequestContext, place: Place): Promise<RowsBelow | undefined> {
  const bottom = place.top + place.rows;
  const count = Math.min(MAX_ROWS_BELOW, MAX_SHEET_ROWS - bottom);
  if (count === 0) return undefined;
  const filled = rowsOfBody(place, place.rows, count).getUsedRangeOrNullObject(true);
  filled.load({ rowIndex: true, values: true });
  await context.sync();
  if (filled.isNullObject || filled.rowIndex > bottom) return undefined;
  const empty = filled.values.findIndex((cells) => cells.every((cell) => cell === ''));
  return { first: bottom + 1, last: bottom + (empty < 0 ? filled.values.length : empty) };
}

/** Extends a table by rows below it. @throws WorkbookProblem ROWS_MOVED when they have changed */
export function includeRowsBelow(handle: TableHandle, { first, last }: RowsBelow, retry?: Retry): Promise<void> {
  return inWorkbook(async (context) => {
    const place = await locateTable(context, handle);
    const { sheet, table, top, left, rows, width } = place;
    const now = await readRowsBelow(context, place);
    if (now?.first !== first || now.last !== last) throw new WorkbookProblem('ROWS_MOVED');
    table.resize(sheet.getRangeByIndexes(top - 1, left, 1 + rows + last - first + 1, width));
    await context.sync();
  }, retry);
}
