import type { Area } from '../cells/address.ts';
import { record } from '../history.ts';
import { putRowCells, type Row, rowOf, type Sheet } from '../sheet.ts';

/** A place of a list takes a sixth of the memory that a change of a cell takes. */
const PLACES_PER_CHANGE = 6;

/** New lists of cells for rows, in ascending order. */
export type RowLists = {
  rows: number[];
  lists: Row['cells'][];
  /** How many places the lists have that are not taken from other rows. */
  places: number;
};

/**
 * Gives rows other lists of cells, as one change for undo. However wide the rows are, it takes no longer.
 * @param within the columns in which the lists differ from those before
 */
export const replaceRows = (sheet: Sheet, { rows, lists, places }: RowLists, within: Area): void => {
  const before = rows.map((row) => rowOf(sheet, row).cells);
  for (const [index, row] of rows.entries()) putRowCells(sheet, row, lists[index]!);
  const area = usedPart(rows, [before, lists], within);
  if (area === undefined) return;
  record(sheet.workbook, {
    sheet,
    area,
    size: rows.length + Math.ceil(places / PLACES_PER_CHANGE),
    restore: () => replaceRows(sheet, { rows, lists: before, places }, within),
  });
};

/** The part of an area in which some lists have cells; undefined when they have none there. */
const usedPart = (
  rows: readonly number[],
  listings: readonly (readonly Row['cells'][])[],
  { column, columns }: Area,
): Area | undefined => {
  let [top, bottom, left, right] = [-1, -1, column + columns, -1];
  for (const [index, row] of rows.entries()) {
    for (const lists of listings) {
      const cells = lists[index]!;
      const end = Math.min(column + columns, cells.length);
      let first = column;
      while (first < end && cells[first] === undefined) first += 1;
      if (first >= end) continue;
      let last = end - 1;
      while (cells[last] === undefined) last -= 1;
      if (top < 0) top = row;
      [bottom, left, right] = [row, Math.min(left, first), Math.max(right, last)];
    }
  }
  return top < 0 ? undefined : { row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 };
};
