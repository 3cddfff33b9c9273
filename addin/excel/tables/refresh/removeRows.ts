import { inWorkbook, type Retry } from '../../batch.ts';
import { BLOCK_BYTES, bytesOfRow } from '../../blocks.ts';
import type { Cell } from '../../cell.ts';
import { WorkbookProblem } from '../../workbookProblem.ts';
import {
  inTable,
  locateTable,
  MAX_ATTEMPTS,
  type Place,
  placesOf,
  stayAt,
  unlessMoved,
  withRows,
} from '../locateTable.ts';
import { bodyIn, rowsOfBody } from '../overwrite.ts';
import { readBody } from '../readTable.ts';
import type { TableHandle } from '../tableMemory.ts';
import type { RowDecision } from './planRefresh.ts';

/** Decides from the cells of a row whether it is removed. */
type DecisionOf = (cells: readonly Cell[]) => RowDecision;

/** Neighbouring rows of a body. */
type Run = { start: number; count: number };

/** Each run takes some 700 bytes of a request, which may have 5 MB. */
const MAX_RUNS_PER_REQUEST = 1500;

/** The approximate bytes of a number format in a response. */
const FORMAT_BYTES = 20;

/**
 * Removes rows, neighbours together and as many in a request as Excel accepts, from the bottom, so that the positions
 * of the others stay valid. A request that removes rows also reads them: when they are not the expected ones, because
 * the user sorted, they are restored and the table is read again.
 * @param decisionIn returns the decision about rows for a located table
 * @returns the number of removed rows, and the keys of retained ones
 * @throws WorkbookProblem
 */
export async function removeRows(
  handle: TableHandle,
  keys: readonly string[],
  decisionIn: (place: Place) => DecisionOf,
  retry: Retry,
  beforeWriting: () => Promise<void>,
): Promise<{ removed: number; retained: string[] }> {
  let removed = 0;
  let bytes = BLOCK_BYTES;
  let runs = MAX_RUNS_PER_REQUEST;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; ) {
    const { place: found, grid } = await inTable(
      handle,
      async (context, place) => ({ place, grid: await readBody(context, place, placesOf(keys, place, handle)) }),
      retry,
    );
    let place = found;
    const decisionOf = decisionIn(place);
    const decisions = grid.map(decisionOf);
    const removable = [...decisions.keys()].filter((row) => decisions[row]!.action === 'remove').reverse();
    const isRemoved = (cells: readonly Cell[]) => decisionOf(cells).action === 'remove';

    if (removable.length > 0) await beforeWriting();
    let isAsRead = true;
    while (removable.length > 0 && isAsRead) {
      retry.signal?.throwIfAborted();
      const batch = takeBatch(removable, (row) => bytesOfRow(grid[row]!) + FORMAT_BYTES * place.width, bytes, runs);
      const count = batch.reduce((sum, run) => sum + run.count, 0);
      try {
        isAsRead = await unlessMoved(removeBatch(handle, place, batch, isRemoved, retry), false);
        if (isAsRead) {
          removed += count;
          place = withRows(place, -count);
        } else attempt++;
      } catch (error) {
        if (!(error instanceof WorkbookProblem && error.code === 'TOO_LARGE') || count === 1) throw error;
        // When the response was too large, rows may have been removed: the table is read again.
        bytes = Math.ceil(bytes / 2);
        runs = Math.ceil(runs / 2);
        isAsRead = false;
      }
    }
    if (isAsRead) {
      return { removed, retained: decisions.flatMap(({ action, key }) => (action === 'retain' ? [key] : [])) };
    }
  }
  throw new WorkbookProblem('ROWS_MOVED');
}

/** Takes the first of some rows, which are in descending order, and groups them into runs. */
function takeBatch(rows: number[], bytesOf: (row: number) => number, bytes: number, runs: number): Run[] {
  const batch: Run[] = [];
  let size = 0;
  let taken = 0;
  for (const row of rows) {
    const last = batch.at(-1);
    const isNeighbour = last?.start === row + 1;
    size += bytesOf(row);
    if (taken > 0 && (size > bytes || (!isNeighbour && batch.length === runs))) break;
    if (isNeighbour) batch[batch.length - 1] = { start: row, count: last.count + 1 };
    else batch.push({ start: row, count: 1 });
    taken++;
  }
  rows.splice(0, taken);
  return batch;
}

/** @returns false when rows of the batch had moved, or Excel did not remove them; all of them are in the table */
async function removeBatch(
  handle: TableHandle,
  place: Place,
  batch: readonly Run[],
  isRemoved: (cells: readonly Cell[]) => boolean,
  retry: Retry,
): Promise<boolean> {
  const { before, isRemovedNow } = await inWorkbook(async (context) => {
    const body = bodyIn(context, handle, place);
    const table = body.sheet.tables.getItem(place.id);
    const filter = place.hasHidden ? await readFilter(context, table) : [];
    const bodyNow = () => {
      const range = table.getDataBodyRange();
      range.load({ rowCount: true });
      return range;
    };
    const request = stayAt(context, body);
    const whole = bodyNow();
    const before = batch.map(({ start, count }) => {
      const range = rowsOfBody(body, start, count);
      range.load({ formulas: true, numberFormat: true });
      return range;
    });
    context.application.suspendApiCalculationUntilNextSync();
    // Under a filter Excel deletes nothing (OfficeDev/office-js#994), so it is cleared and restored in the same
    // request.
    if (filter.length > 0) table.clearFilters();
    // `rows.deleteRowsAt` does the same, but needs a newer Excel than the manifest requires.
    for (const { start, count } of batch) rowsOfBody(body, start, count).delete('Up');
    applyFilter(table, filter);
    const rest = bodyNow();
    await request.sync();
    // An emptied table has one empty row.
    const expected = batch.reduce((sum, { count }) => sum + count, 0);
    return { before, isRemovedNow: rest.rowCount <= Math.max(1, whole.rowCount - expected) };
  }, retry);

  if (!isRemovedNow) return false;
  if (before.every(({ formulas }) => (formulas as Cell[][]).every(isRemoved))) return true;
  await inWorkbook(async (context) => {
    const now = await locateTable(context, handle);
    const filter = now.hasHidden ? await readFilter(context, now.table) : [];
    if (filter.length > 0) now.table.clearFilters();
    let rows = now.rows;
    // From the top, so that each row returns to its position: formulas refer to their own row.
    for (const [index, { start, count }] of [...batch.entries()].reverse()) {
      // A range moves down when cells are inserted at its place, so the new cells need another range.
      const fresh = rowsOfBody(now, start, count);
      const range = start < rows ? fresh.insert('Down') : fresh;
      rows += count;
      now.table.resize(now.sheet.getRangeByIndexes(now.top - 1, now.left, 1 + rows, now.width));
      range.numberFormat = before[index]!.numberFormat;
      range.formulas = before[index]!.formulas;
    }
    applyFilter(now.table, filter);
    await context.sync();
  }, retry);
  return false;
}

/** The filters of a table: positions of columns, and their criteria. */
type TableFilter = { column: number; criteria: Excel.FilterCriteria }[];

/** Takes one sync. */
async function readFilter(context: Excel.RequestContext, { columns }: Excel.Table): Promise<TableFilter> {
  columns.load({ filter: { criteria: true } });
  await context.sync();
  return columns.items.flatMap(({ filter }, column) => {
    // Excel returns null for each criterion that is not set, and refuses it (OfficeDev/office-js#1226).
    const set = Object.entries(filter.criteria ?? {}).filter(([, value]) => value !== null);
    const isFiltered = set.some(([name]) => !['operator', 'subField'].includes(name));
    return isFiltered ? [{ column, criteria: Object.fromEntries(set) as unknown as Excel.FilterCriteria }] : [];
  });
}

function applyFilter({ columns }: Excel.Table, filter: TableFilter): void {
  for (const { column, criteria } of filter) columns.getItemAt(column).filter.apply(criteria);
}
