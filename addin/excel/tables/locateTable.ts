import { WorkbookProblem } from '../workbookProblem.ts';
import type { TableHandle } from './tableMemory.ts';

/** Where a table stands now, whatever the person did to it since. */
export type Place = {
  sheet: Excel.Worksheet;
  table: Excel.Table;
  /** Excel's own name for the table. */
  id: string;
  /** First row and column of its body, counted from 0, and its size. */
  top: number;
  left: number;
  rows: number;
  width: number;
  /** Some of its rows are hidden, by a filter or by hand. */
  hasHidden: boolean;
  /** It has a row of totals beneath its body. */
  hasTotals: boolean;
  /** Key of a column -> its place in the table. A column the person deleted is not in it. */
  columns: ReadonlyMap<string, number>;
};

/**
 * Finds a table on its sheet, and its columns by their headings or else by Excel's number for them: people rename
 * headings, move columns and put their own between. Takes one sync, more when the table is a copy.
 * @throws WorkbookProblem TABLE_GONE
 */
export async function locateTable(context: Excel.RequestContext, { sheetId, memory }: TableHandle): Promise<Place> {
  const sheet = context.workbook.worksheets.getItemOrNullObject(sheetId);
  sheet.load({ id: true });
  sheet.tables.load({ id: true });
  await context.sync();
  if (sheet.isNullObject) throw new WorkbookProblem('TABLE_GONE');
  // A copied sheet has a copy of the memory, and a table with a number of its own.
  const ids = sheet.tables.items.map(({ id }) => id);
  const id = ids.find((id) => id === memory.tableId) ?? (ids.length === 1 ? ids[0] : undefined);
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
 * The places of the columns that tell one row from another; undefined for those that were deleted, as long as one is left.
 * @throws WorkbookProblem COLUMN_GONE naming the first heading
 */
export function keyPlacesOf(keys: readonly string[], place: Place, handle: TableHandle): (number | undefined)[] {
  const places = keys.map((key) => place.columns.get(key));
  return places.every((column) => column === undefined) ? placesOf(keys, place, handle) : places;
}

/** The places of columns that must be there. @throws WorkbookProblem COLUMN_GONE naming the heading */
export function placesOf(keys: readonly string[], place: Place, { memory }: TableHandle): number[] {
  return keys.map((key) => {
    const column = place.columns.get(key);
    if (column !== undefined) return column;
    throw new WorkbookProblem('COLUMN_GONE', memory.columns.find((known) => known.key === key)?.heading ?? key);
  });
}
