import { inWorkbook } from './batch.ts';
import { BLOCK_BYTES, bytesOfRow } from './blocks.ts';
import type { Cell } from './cell.ts';
import { locateTable, type Place, placesOf } from './locateTable.ts';
import { ATTEMPTS, rowsOfBody } from './overwrite.ts';
import { readBody } from './readTable.ts';
import type { WriteOptions } from './table.ts';
import type { TableHandle } from './tableMemory.ts';
import { WorkbookProblem } from './workbookProblem.ts';

/** What becomes of a row, by its cells. */
type FateOf = (cells: readonly Cell[]) => { fate: 'stays' | 'kept' | 'goes'; key: string };

/** Neighbouring rows of a body. */
type Run = { start: number; count: number };

/** Each run is some 700 bytes of a request that may take 5 MB. */
const RUNS_AT_ONCE = 1500;

/** About what the number format of a cell takes in an answer. */
const FORMAT_BYTES = 20;

/**
 * Removes rows, neighbours together and as many in a request as Excel takes, the last ones first so that the places of the
 * others stay right. A request that removes rows reads them too: when they turn out to be others, because the person
 * sorted, they are put back and the table is read again.
 * @param fateIn tells what becomes of a row, in a table that stands at a place
 * @returns how many went, and the keys of those kept
 * @throws WorkbookProblem
 */
export async function removeRows(
  handle: TableHandle,
  keys: readonly string[],
  fateIn: (place: Place) => FateOf,
  options: WriteOptions,
): Promise<{ removed: number; kept: string[] }> {
  let removed = 0;
  let bytes = BLOCK_BYTES;
  let runs = RUNS_AT_ONCE;
  for (let attempt = 0; attempt < ATTEMPTS; ) {
    const { place, grid } = await inWorkbook(async (context) => {
      const place = await locateTable(context, handle);
      return { place, grid: await readBody(context, place, 'formulas', placesOf(keys, place, handle)) };
    }, options.retry);
    const fateOf = fateIn(place);
    const fates = grid.map(fateOf);
    const going = [...fates.keys()].filter((row) => fates[row]!.fate === 'goes').reverse();
    const isGoing = (cells: readonly Cell[]) => fateOf(cells).fate === 'goes';

    let isAsRead = true;
    while (going.length > 0 && isAsRead) {
      options.signal?.throwIfAborted();
      const batch = takeBatch(going, (row) => bytesOfRow(grid[row]!) + FORMAT_BYTES * place.width, bytes, runs);
      const count = batch.reduce((sum, run) => sum + run.count, 0);
      try {
        isAsRead = await removeBatch(handle, place, batch, isGoing, options);
        if (isAsRead) removed += count;
        else attempt++;
      } catch (error) {
        if (!(error instanceof WorkbookProblem && error.code === 'TOO_LARGE') || count === 1) throw error;
        // Whether anything went is not known when it was the answer that was too large: the table is read again.
        bytes = Math.ceil(bytes / 2);
        runs = Math.ceil(runs / 2);
        isAsRead = false;
      }
    }
    if (isAsRead) return { removed, kept: fates.flatMap(({ fate, key }) => (fate === 'kept' ? [key] : [])) };
  }
  throw new WorkbookProblem('ROWS_MOVED');
}

/** Takes the first of the rows, which come in descending order, as runs in that order. */
function takeBatch(going: number[], bytesOf: (row: number) => number, bytes: number, runs: number): Run[] {
  const batch: Run[] = [];
  let size = 0;
  let taken = 0;
  for (const row of going) {
    const last = batch.at(-1);
    const isNeighbour = last?.start === row + 1;
    size += bytesOf(row);
    if (taken > 0 && (size > bytes || (!isNeighbour && batch.length === runs))) break;
    if (isNeighbour) batch[batch.length - 1] = { start: row, count: last.count + 1 };
    else batch.push({ start: row, count: 1 });
    taken++;
  }
  going.splice(0, taken);
  return batch;
}

/** @returns false when rows of the batch were others by then; all of it stands there again */
async function removeBatch(
  handle: TableHandle,
  place: Place,
  batch: readonly Run[],
  isGoing: (cells: readonly Cell[]) => boolean,
  { retry }: WriteOptions,
): Promise<boolean> {
  const { before, gone } = await inWorkbook(async (context) => {
    const sheet = context.workbook.worksheets.getItem(handle.sheetId);
    const body = { ...place, sheet };
    const bodyNow = () => {
      const range = sheet.tables.getItem(place.id).getDataBodyRange();
      range.load({ rowCount: true });
      return range;
    };
    const whole = bodyNow();
    const before = batch.map(({ start, count }) => {
      const range = rowsOfBody(body, start, count);
      range.load({ formulas: true, numberFormat: true });
      return range;
    });
    // `rows.deleteRowsAt` would say the same, but is younger than the Excel we ask for.
    for (const { start, count } of batch) rowsOfBody(body, start, count).delete('Up');
    const rest = bodyNow();
    await context.sync();
    // An emptied table has one empty row.
    const expected = batch.reduce((sum, { count }) => sum + count, 0);
    return { before, gone: rest.rowCount <= Math.max(1, whole.rowCount - expected) };
  }, retry);

  // Excel may leave the rows of a filtered table where they are, without an error.
  if (!gone) throw new WorkbookProblem('FILTERED');
  if (before.every(({ formulas }) => (formulas as Cell[][]).every(isGoing))) return true;
  await inWorkbook(async (context) => {
    const { table, width, ...body } = await locateTable(context, handle);
    // From the top, so that each row comes to where it was: a formula is about the row it stands in.
    for (const [index, { start, count }] of [...batch.entries()].reverse()) {
      const untouched = Array.from({ length: count }, () => new Array(width).fill(null)) as unknown as string[][];
      table.rows.add(start, untouched);
      const range = rowsOfBody({ ...body, width }, start, count);
      range.numberFormat = before[index]!.numberFormat;
      range.formulas = before[index]!.formulas;
    }
    await context.sync();
  }, retry);
  return false;
}
