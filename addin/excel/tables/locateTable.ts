import { WorkbookProblem } from '../workbookProblem.ts';
import { dateSystemOf } from './dateSystem.ts';
import { NO_ID, presentTable, presentTables, type TableHandle, type TableMemory } from './tableMemory.ts';

/** The present position of a table, after any changes of the user. */
export type Place = {
  sheet: Excel.Worksheet;
  table: Excel.Table;
  /** Excel's id of the table. */
  id: string;
  /** First row and column of its body, counted from 0, and its size. */
  top: number;
  left: number;
  rows: number;
  width: number;
  /** Whether some of its rows are hidden, by a filter or by hand. */
  hasHidden: boolean;
  /** Whether it has a total row below its body. */
  hasTotals: boolean;
  /** Key of a column -> its position in the table. Deleted columns are missing. */
  columns: ReadonlyMap<string, number>;
};

/**
 * Finds a table on its sheet, and its columns by their headings or else by Excel's ids: users rename
 * headings, and move and insert columns. Takes one sync, more when the table is a copy.
 * @throws WorkbookProblem TABLE_GONE, COUNTS_FROM_1904
 */
export async function locateTable(context: Excel.RequestContext, { sheetId, memory }: TableHandle): Promise<Place> {
  const sheet = context.workbook.worksheets.getItemOrNullObject(sheetId);
  sheet.load({ id: true });
  sheet.tables.load(presentTables);
  const checkDates = dateSystemOf(context);
  await context.sync();
  checkDates();
  if (sheet.isNullObject) throw new WorkbookProblem('TABLE_GONE');
  const id = presentTable(memory, sheet.tables);
  if (id === undefined) throw new WorkbookProblem('TABLE_GONE');

  const table = sheet.tables.getItem(id);
  table.columns.load({ id: true, name: true });
  const body = table.getDataBodyRange();
  body.load({ rowIndex: true, columnIndex: true, rowCount: true, columnCount: true, rowHidden: true });
  table.load({ showTotals: true });
  await context.sync();
  return {
    sheet,
    table,
    id,
    top: body.rowIndex,
    left: body.columnIndex,
    rows: body.rowCount,
    width: body.columnCount,
    hasHidden: body.rowHidden !== false,
    hasTotals: table.showTotals,
    columns: placesIn(table.columns.items, memory, id),
  };
}

/**
 * The places of the columns of the pane, by their keys. A table that was made again over its cells, or saved by a program
 * that does not keep ids, counts its columns from 1 anew: there only headings tell what a column is.
 */
function placesIn(found: readonly Excel.TableColumn[], memory: TableMemory, tableId: string): Map<string, number> {
  const placeOf = new Map(found.map(({ name }, place) => [name, place]));
  const named = memory.columns.filter(({ heading }) => placeOf.has(heading));
  const places = new Map(named.map(({ key, heading }) => [key, placeOf.get(heading)!]));
  const isOther = ({ id, key }: { id: number; key: string }) => id !== NO_ID && found[places.get(key)!]!.id !== id;
  const isCountedAnew = tableId !== memory.tableId && named.some(isOther);
  if (isCountedAnew) return places;
  for (const { key, heading, id } of memory.removed ?? []) {
    const place = placeOf.get(heading);
    if (place !== undefined && found[place]!.id === id && !places.has(key)) places.set(key, place);
  }
  const taken = new Set(places.values());
  for (const { key, id } of memory.columns) {
    const place = found.findIndex((column) => column.id === id);
    if (place >= 0 && !places.has(key) && !taken.has(place)) places.set(key, place);
  }
  return places;
}

/**
 * The positions of the key columns; undefined for deleted ones, as long as one is left.
 * @throws WorkbookProblem COLUMN_GONE naming the first heading
 */
export function keyPlacesOf(keys: readonly string[], place: Place, handle: TableHandle): (number | undefined)[] {
  const places = keys.map((key) => place.columns.get(key));
  return places.every((column) => column === undefined) ? placesOf(keys, place, handle) : places;
}

/** The positions of required columns. @throws WorkbookProblem COLUMN_GONE naming the heading */
export function placesOf(keys: readonly string[], place: Place, { memory }: TableHandle): number[] {
  return keys.map((key) => {
    const column = place.columns.get(key);
    if (column !== undefined) return column;
    throw new WorkbookProblem('COLUMN_GONE', memory.columns.find((known) => known.key === key)?.heading ?? key);
  });
}
