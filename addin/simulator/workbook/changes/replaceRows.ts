import type { Area } from '../cells/address.ts';
import { record } from '../history.ts';
import { putRowCells, type Row, rowOf, type Sheet } from '../sheet.ts';

/** A place of a list takes a sixth of the memory that a change of a cell takes. */
const PLACES_PER_CHANGE = 6;

/** New lists of cells for rows. */
export type RowLists = {
  /** In ascending order. */
  rows: number[];
  /** A number is another of the rows: its list is taken, as it is by then. */
  lists: (Row['cells'] | number)[];
  /** How many places the lists have that are not taken from other rows. */
  places: number;
  /** The cells that change; undefined when they are empty before and after. */
  area: Area | undefined;
};

/** Gives rows other lists of cells, as one change for undo. However wide the rows are, it takes no longer. */
export const replaceRows = (sheet: Sheet, { rows, lists, places, area }: RowLists): void => {
  // The row that takes the list of each, plus one: a map of a hundred thousand rows takes several times as long.
  const takers = new Uint32Array((rows.at(-1) ?? -1) + 1);
  const taken = lists.map((list, index) => {
    if (typeof list !== 'number') return list;
    takers[list] = rows[index]! + 1;
    return rowOf(sheet, list).cells;
  });
  // A list that stays on the sheet may be changed there before it is taken back.
  const before = rows.map((row) => (takers[row] ? takers[row] - 1 : rowOf(sheet, row).cells));
  for (const [index, row] of rows.entries()) putRowCells(sheet, row, taken[index]!);
  if (area === undefined) return;
  const size = rows.length + Math.ceil(places / PLACES_PER_CHANGE);
  const restore = () => replaceRows(sheet, { rows, lists: before, places, area });
  record(sheet.workbook, { sheet, area, size, restore });
};
