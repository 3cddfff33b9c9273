import { inWorkbook, type Retry } from '../batch.ts';
import { type Block, blocksOf } from '../blocks.ts';
import type { Cell } from '../cell.ts';
import type { Place } from './locateTable.ts';
import type { TableHandle } from './tableMemory.ts';

/** Where blocks of rows go: the body of a table, and whether some of its rows are hidden. */
export type Body = Pick<Place, 'sheet' | 'top' | 'left' | 'width' | 'rows' | 'hasHidden'>;

/** A block being written, and what stood in its place. */
export type Overwritten = Block & { before: Excel.Range };

/** A row by its place in the body, and what goes into it; null leaves a cell alone. */
export type RowCells = { place: number; cells: (Cell | null)[] };

/** How often rows may move before we give up on a change. */
export const MAX_ATTEMPTS = 5;

/** The body of a table in another request than the one that found it. */
export const bodyIn = (context: Excel.RequestContext, { sheetId }: TableHandle, place: Place): Body => ({
  ...place,
  sheet: context.workbook.worksheets.getItem(sheetId),
});

export const rowsOfBody = ({ sheet, top, left, width }: Body, start: number, count: number): Excel.Range =>
  sheet.getRangeByIndexes(top + start, left, count, width);

/** A row of cells to write; those that are not named stay as they are. */
export const acrossRow = (width: number, entries: readonly (readonly [number, Cell])[]): (Cell | null)[] => {
  const row: (Cell | null)[] = new Array(width).fill(null);
  for (const [column, cell] of entries) row[column] = cell;
  return row;
};

/**
 * Rows that are to be written, by their place in the body, as blocks. Across rows that a filter hides Excel puts the first
 * row of a block into every row in sight (OfficeDev/office-js#224), so where rows are hidden each is a block of its own.
 * @param present bytes of the row that stands at a place, where it is asked for along with the writing
 */
export function blocksIn(
  { hasHidden, width }: Body,
  rows: ReadonlyMap<number, (Cell | null)[]>,
  present?: (place: number) => number,
): Block[] {
  if (!hasHidden) return blocksOf(rows, width, undefined, present);
  return [...rows].sort(([a], [b]) => a - b).map(([start, cells]) => ({ start, rows: [cells] }));
}

/**
 * Asks for a block to be written, and to be told what stood there before it was: the person may sort or filter between the
 * request that finds a row and the one that writes into it. Nothing comes between the two halves of one request. What
 * went wrong meanwhile is for `repair`.
 * @param block its start counted from the first row of the body
 */
export function overwrite(body: Body, block: Block, load: Excel.Interfaces.RangeLoadOptions = {}): Overwritten {
  // Two proxies, because one that is both read and written would show what was written.
  const before = rowsOfBody(body, block.start, block.rows.length);
  before.load({ ...load, formulas: true, rowHidden: true });
  rowsOfBody(body, block.start, block.rows.length).values = block.rows as Cell[][];
  return { ...block, before };
}

/** The rows of blocks, by their place in the body, that turned out to be others than those meant. */
export const othersIn = (
  written: readonly Overwritten[],
  isExpectedRow: (place: number, before: Cell[]) => boolean,
): Set<number> =>
  new Set(
    written.flatMap(({ start, rows, before }) =>
      [...rows.keys()].flatMap((index) =>
        isExpectedRow(start + index, before.formulas[index] as Cell[]) ? [] : [start + index],
      ),
    ),
  );

/**
 * Puts back what stood in rows that turned out to be others, and gets blocks right that were written across hidden rows
 * because the person filtered meanwhile. In requests of its own: what is done again while a cell is being edited must not
 * take what was written for what stood there before.
 * @param more further rows to put back
 */
export async function repair(
  handle: TableHandle,
  place: Place,
  written: readonly Overwritten[],
  others: ReadonlySet<number>,
  retry: Retry | undefined,
  more: readonly RowCells[] = [],
): Promise<void> {
  const rows = written.flatMap(({ start, rows, before }) => {
    const isMisaligned = rows.length > 1 && before.rowHidden !== false;
    return rows.flatMap((cells, index): RowCells[] => {
      const isOther = others.has(start + index);
      if (!isOther && !isMisaligned) return [];
      const was = before.formulas[index] as Cell[];
      const repaired = cells.map((cell, column) => {
        if (cell !== null) return isOther ? was[column]! : cell;
        return isMisaligned && rows[0]![column] !== null ? was[column]! : null;
      });
      return [{ place: start + index, cells: repaired }];
    });
  });
  await putRows(handle, place, [...rows, ...more], retry);
}

/**
 * Enters cells, formulas among them, row by row. A formula in a column that is empty otherwise makes Excel fill the whole
 * column with it (OfficeDev/office-js#2093, #5909): what it filled is put back.
 */
async function putRows(handle: TableHandle, place: Place, rows: readonly RowCells[], retry?: Retry): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()].filter((at) => isFormula(cells[at]!))))];
  const { before, after } = await inWorkbook(async (context) => {
    const body = bodyIn(context, handle, place);
    const readColumns = () =>
      columns.map((column) => {
        const range = body.sheet.getRangeByIndexes(body.top, body.left + column, body.rows, 1);
        range.load({ formulas: true });
        return range;
      });
    const before = readColumns();
    enterRows(body, rows);
    const after = readColumns();
    await context.sync();
    return { before, after };
  }, retry);

  const meant = new Map(rows.map(({ place, cells }) => [place, cells]));
  const filled = columns.flatMap((column, index) =>
    (before[index]!.formulas as Cell[][]).flatMap(([was], row): RowCells[] => {
      const cell = meant.get(row)?.[column] ?? was!;
      if (after[index]!.formulas[row]![0] === cell) return [];
      return [{ place: row, cells: acrossRow(place.width, [[column, cell]]) }];
    }),
  );
  if (filled.length === 0) return;
  await inWorkbook(async (context) => {
    enterRows(bodyIn(context, handle, place), filled);
    await context.sync();
  }, retry);
}

function enterRows(body: Body, rows: readonly RowCells[]): void {
  for (const { place, cells } of rows) {
    if (cells.some((cell) => cell !== null)) rowsOfBody(body, place, 1).formulas = [cells];
  }
}

const isFormula = (cell: Cell | null): boolean => typeof cell === 'string' && cell.startsWith('=');
