import { MAX_SHEET_ROWS } from '../../../shared/spreadsheet.ts';
import type { Retry } from '../batch.ts';
import { type Cell, textOfCell } from '../cell.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { checkHeaders, inTable, type Place, placesOf, stayAt } from './locateTable.ts';
import { rowsOfBody } from './overwrite.ts';
import { readBody, readColumns, readTable, type TableRow } from './readTable.ts';
import { isNote, keyText } from './table.ts';
import type { TableHandle } from './tableMemory.ts';
import { writeCells } from './writeCells.ts';

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
  return inTable(
    handle,
    async (context, place) => (place.hasTotals ? undefined : readRowsBelow(context, place)),
    retry,
  );
}

async function readRowsBelow(context: Excel.RequestContext, place: Place): Promise<RowsBelow | undefined> {
  const bottom = place.top + place.rows;
  const count = Math.min(MAX_ROWS_BELOW, MAX_SHEET_ROWS - bottom);
  if (count === 0) return undefined;
  const filled = rowsOfBody(place, place.rows, count).getUsedRangeOrNullObject(true);
  filled.load({ rowIndex: true, columnIndex: true, rowCount: true, columnCount: true });
  await context.sync();
  if (filled.isNullObject || filled.rowIndex > bottom) return undefined;
  const { rowIndex: top, columnIndex: left, rowCount: rows, columnCount } = filled;
  const cells = await readColumns(context, { ...place, top, left, rows }, [...Array(columnCount).keys()]);
  const empty = cells.findIndex((row) => row.every((cell) => cell === ''));
  return { first: bottom + 1, last: bottom + (empty < 0 ? rows : empty) };
}

/** Extends a table by rows below it. @throws WorkbookProblem ROWS_MOVED when they have changed */
export function includeRowsBelow(handle: TableHandle, { first, last }: RowsBelow, retry?: Retry): Promise<void> {
  return inTable(
    handle,
    async (context, place) => {
      checkHeaders(place);
      const { sheet, table, top, left, rows, width } = place;
      const now = await readRowsBelow(context, place);
      if (now?.first !== first || now.last !== last) throw new WorkbookProblem('ROWS_MOVED');
      const request = stayAt(context, place);
      table.resize(sheet.getRangeByIndexes(top - 1, left, 1 + rows + last - first + 1, width));
      await request.sync();
    },
    retry,
  );
}

/** Makes a table longer at its end. @throws WorkbookProblem NO_HEADERS */
export function growTable(place: Place, count: number, isInTheWay: boolean): void {
  checkHeaders(place);
  const { sheet, table, top, left, rows, width } = place;
  if (place.hasTotals) {
    // A table cannot be resized over its total row. The types do not allow null, which leaves a cell to Excel.
    const untouched = Array.from({ length: count }, () => new Array(width).fill(null)) as unknown as string[][];
    table.rows.add(undefined, untouched);
    return;
  }
  const fresh = rowsOfBody(place, rows, count);
  if (isInTheWay) fresh.insert('Down');
  // Merged cells show one of the values that are written to them.
  else fresh.unmerge();
  table.resize(sheet.getRangeByIndexes(top - 1, left, 1 + rows + count, width));
}

/** Rows that are wanted in a table. */
type WantedRows = {
  /** The cells of each by the keys of their columns; those of deleted columns are left out. */
  rows: readonly Readonly<Record<string, Cell>>[];
  /** Columns without which the rows would say something else. */
  required?: readonly string[];
  /** Columns in which empty rows have a value too. */
  prefilled: readonly string[];
  /** Whether a row of the table makes them needless. */
  isThere: (row: TableRow) => boolean;
};

/**
 * Writes rows below the filled rows of a table: into its first empty ones, or into new ones at its end. A row with a note
 * in a column of the user is not empty.
 * @returns the number of the first one in the sheet, and whether they were there already
 * @throws WorkbookProblem ROWS_MOVED when the user changes the same rows meanwhile; COLUMN_GONE for a required column
 */
export async function appendRows(
  handle: TableHandle,
  { rows: wanted, required = [], prefilled, isThere }: WantedRows,
  retry?: Retry,
): Promise<{ number: number; wasThere: boolean }> {
  const { keys } = handle.memory;
  const rows = await readTable(handle, retry);
  const same = rows.find(isThere);
  if (same !== undefined) return { number: same.number, wasThere: true };
  const isEmpty = (row: TableRow) =>
    [...row.cells].every(([key, cell]) => prefilled.includes(key) || textOfCell(cell) === '');
  const unfilled = rows.slice(rows.findLastIndex((row) => !isEmpty(row)) + 1).map(({ number }) => number);
  const beside = await inTable(
    handle,
    async (context, place) => {
      placesOf(required, place, handle);
      if (place.rows !== rows.length) throw new WorkbookProblem('ROWS_MOVED');
      const columns = new Set(place.columns.values());
      const end = { ...place, top: place.top + rows.length - unfilled.length, rows: unfilled.length };
      return (await readBody(context, end, [])).map((cells) => cells.filter((_, column) => !columns.has(column)));
    },
    retry,
  );
  const empty = unfilled.slice(beside.findLastIndex((cells) => cells.some(isNote)) + 1);
  const lacking = wanted.length - empty.length;
  const end = lacking > 0 ? await addEmptyRows(handle, lacking, retry) : 0;
  const key = keyText(keys.map(() => ''));
  const changes = wanted.map((cells, index) => ({ key, number: empty[index] ?? end + index - empty.length, cells }));
  const missing = await writeCells(handle, keys, changes, retry);
  if (missing.length > 0) throw new WorkbookProblem('ROWS_MOVED');
  return { number: changes[0]!.number, wasThere: false };
}

/** @returns the number of the first of them */
const addEmptyRows = (handle: TableHandle, count: number, retry: Retry | undefined): Promise<number> =>
  inTable(
    handle,
    async (context, place) => {
      const inTheWay = rowsOfBody(place, place.rows, count).getUsedRangeOrNullObject(true);
      inTheWay.load({ address: true });
      await context.sync();
      const request = stayAt(context, place);
      growTable(place, count, !inTheWay.isNullObject);
      await request.sync();
      return place.top + place.rows + 1;
    },
    retry,
  );
