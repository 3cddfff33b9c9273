import type { Area } from '../cells/address.ts';
import { record } from '../history.ts';
import { putRowCells, type Row, rowOf, type Sheet } from '../sheet.ts';

/** A place of a list takes a sixth of the memory that a change of a cell takes. */
const PLACES_PER_CHANGE = 6;

/** New lists of cells for rows. */
export type RowLists = {
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
  const cellsOf = (row: number) => rowOf(sheet, row).cells;
  const takers = new Map<number, number>();
  for (const [index, list] of lists.entries()) if (typeof list === 'number') takers.set(list, rows[index]!);
  // A list that stays on the sheet may be changed there before it is taken back.
  const before = rows.map((row) => takers.get(row) ?? cellsOf(row));
  const taken = lists.map((list) => (typeof list === 'number' ? cellsOf(list) : list));
  for (const [index, row] of rows.entries()) putRowCells(sheet, row, taken[index]!);
  if (area === undefined) return;
  const size = rows.length + Math.ceil(places / PLACES_PER_CHANGE);
  const restore = () => replaceRows(sheet, { rows, lists: before, places, area });
  record(sheet.workbook, { sheet, area, size, restore });
};
