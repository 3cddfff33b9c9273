import { WorkbookProblem } from '../workbookProblem.ts';
import { presentTable, presentTables, type TableHandle } from './tableMemory.ts';

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
 * @throws WorkbookProblem TABLE_GONE
 */
export async function locateTable(context: Excel.RequestContext, { sheetId, memory }: TableHandle): Promise<Place> {
  const sheet = context.workbook.worksheets.getItemOrNullObject(sheetId);
  sheet.load({ id: true });
  sheet.tables.load(presentTables);
  await context.sync();
  if (sheet.isNullObject) throw new WorkbookProblem('TABLE_GONE');
  const id = presentTable(memory, sheet.tables);
  if (id === undefined) throw new WorkbookProblem('TABLE_GONE');

  const table = sheet.tables.getItem(id);
  table.columns.load({ id: true, name: true });
  const body = table.getDataBodyRange();
  body.load({ rowIndex: true, columnIndex: true, rowCount: true, columnCount: true, rowHidden: true });
  table.load({ showTotals: true });
  await context.sync();
  const found = table.columns.items.map((column) => ({ id: column.id, name: column.name }));
  const columns = new Map<string, number>();
  for (const { key, heading, id } of memory.columns) {
    const byHeading = found.findIndex(({ name }) => name === heading);
    const place = byHeading >= 0 ? byHeading : found.findIndex((column) => column.id === id);
    if (place >= 0) columns.set(key, place);
  }
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
    columns,
  };
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
