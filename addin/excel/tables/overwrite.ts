import { inWorkbook, type Retry } from '../batch.ts';
import { type Block, blocksOf } from '../blocks.ts';
import type { Cell } from '../cell.ts';
import type { Place } from './locateTable.ts';
import type { TableHandle } from './tableMemory.ts';

/** The body of a table, and whether some of its rows are hidden. */
export type Body = Pick<Place, 'sheet' | 'top' | 'left' | 'width' | 'rows' | 'hasHidden'>;

/** A block being written, and the previous cells. */
export type Overwritten = Block & { before: Excel.Range };

/** A row by its position in the body, with its new cells; null leaves a cell unchanged. */
export type RowCells = { place: number; cells: (Cell | null)[] };

/** The most attempts of a change while rows move. */
export const MAX_ATTEMPTS = 5;

/** The body of a table in a later request than the one that located it. */
export const bodyIn = (context: Excel.RequestContext, { sheetId }: TableHandle, place: Place): Body => ({
  ...place,
  sheet: context.workbook.worksheets.getItem(sheetId),
});

export const rowsOfBody = ({ sheet, top, left, width }: Body, start: number, count: number): Excel.Range =>
  sheet.getRangeByIndexes(top + start, left, count, width);

/** A row of cells to write; other cells stay unchanged. */
export const acrossRow = (width: number, entries: readonly (readonly [number, Cell])[]): (Cell | null)[] => {
  const row: (Cell | null)[] = new Array(width).fill(null);
  for (const [column, cell] of entries) row[column] = cell;
  return row;
};

/**
 * Groups rows to write, by their position in the body, into blocks. Across rows hidden by a filter Excel writes the
 * first row of a block into every visible row (OfficeDev/office-js#224), so with hidden rows each row is a block.
 * @param present bytes of the row at a position, if it is read in the same request
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
 * Queues reading the previous cells of a block and writing the block: the user may sort or filter between the
 * request that finds a row and the one that writes to it. Nothing comes between the two parts of one request. Rows
 * that moved are corrected by `repair`.
 * @param block its start counted from the first row of the body
 */
export function overwrite(body: Body, block: Block, load: Excel.Interfaces.RangeLoadOptions = {}): Overwritten {
  // Two proxies, because one that is both read and written would show what was written.
  const before = rowsOfBody(body, block.start, block.rows.length);
  before.load({ ...load, formulas: true, rowHidden: true });
  rowsOfBody(body, block.start, block.rows.length).values = block.rows as Cell[][];
  return { ...block, before };
}

/** The rows of blocks, by position, that were not the expected ones. */
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
 * Restores rows that were not the expected ones, and corrects blocks that were written across hidden rows
 * because the user filtered meanwhile. These are separate requests: a repeated request must not
 * mistake written cells for the previous ones.
 * @param more further rows to restore
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
 * Enters cells, formulas among them, row by row. A formula in a column that is empty otherwise makes Excel fill the
 * whole column with it (OfficeDev/office-js#2093, #5909): the filled cells are restored.
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
