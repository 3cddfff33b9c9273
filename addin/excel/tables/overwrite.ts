import { type Block, blocksOf } from '../blocks.ts';
import type { Cell } from '../cell.ts';
import type { Place } from './locateTable.ts';
import type { TableHandle } from './tableMemory.ts';

/** The body of a table, and whether some of its rows are hidden. */
type Body = Pick<Place, 'sheet' | 'id' | 'corners' | 'headings' | 'top' | 'left' | 'width' | 'rows' | 'hasHidden'>;

/** A block being written, and the previous cells. */
export type Overwritten = Block & { before: Excel.Range };

/** A row by its position in the body, with its new cells; null leaves a cell unchanged. */
export type RowCells = { place: number; cells: (Cell | null)[] };

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
  for (const { from, to } of writtenColumns(block.rows)) {
    const { sheet, top, left } = body;
    const range = sheet.getRangeByIndexes(top + block.start, left + from, block.rows.length, to - from);
    range.values = block.rows.map((cells) => cells.slice(from, to)) as Cell[][];
  }
  return { ...block, before };
}

/**
 * The columns in which rows have something to write, neighbours together. The others are left out of the range: a write
 * across the only formula of a column makes Excel fill the column with it, even if it leaves the cell as it is.
 */
export function writtenColumns(rows: readonly (readonly (Cell | null)[])[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  const width = rows[0]?.length ?? 0;
  for (let column = 0; column < width; column++) {
    if (rows.every((cells) => cells[column] === null)) continue;
    const last = runs.at(-1);
    if (last?.to === column) last.to++;
    else runs.push({ from: column, to: column + 1 });
  }
  return runs;
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
