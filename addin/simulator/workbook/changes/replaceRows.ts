import type { Area } from '../cells/address.ts';
import { record } from '../history.ts';
import { putRowCells, type Row, rowOf, type Sheet } from '../sheet.ts';

/** A place of a list takes a sixth of the memory that a change of a cell takes. */
const PLACES_PER_CHANGE = 6;

/** New lists of cells for rows. */
export type RowLists = {
  rows: number[];
  lists: Row['cells'][];
  /** How many places the lists have that are not taken from other rows. */
  places: number;
  /** The cells that change; undefined when they are empty before and after. */
  area: Area | undefined;
};

/** Gives rows other lists of cells, as one change for undo. However wide the rows are, it takes no longer. */
export const replaceRows = (sheet: Sheet, { rows, lists, places, area }: RowLists): void => {
  const before = rows.map((row) => rowOf(sheet, row).cells);
  for (const [index, row] of rows.entries()) putRowCells(sheet, row, lists[index]!);
  if (area === undefined) return;
  const size = rows.length + Math.ceil(places / PLACES_PER_CHANGE);
  const restore = () => replaceRows(sheet, { rows, lists: before, places, area });
  record(sheet.workbook, { sheet, area, size, restore });
};
