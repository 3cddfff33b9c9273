import { inWorkbook, type Retry } from '../batch.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { dateSystemOf } from './dateSystem.ts';
import { NO_ID, presentTable, presentTables, type TableHandle, type TableMemory } from './tableMemory.ts';

type Corner = { row: number; column: number };

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
  /** Its first and last cell when it was located, whatever part of it the members above are narrowed to. */
  corners: readonly [first: Corner, last: Corner];
  /** Whether some of its rows are hidden, by a filter or by hand. */
  hasHidden: boolean;
  /** Whether its headings are shown, above its body. */
  hasHeaders: boolean;
  /** Whether it has a total row below its body. */
  hasTotals: boolean;
  /** Key of a column -> its position in the table. Deleted columns are missing. */
  columns: ReadonlyMap<string, number>;
  /** The present headings of these, and their positions; without those that Excel might take for the id of a column. */
  headings: readonly (readonly [heading: string, position: number])[];
};

/** A table is no longer where it was located. */
export class TableMoved extends WorkbookProblem {
  constructor(cause?: unknown) {
    super('ROWS_MOVED', '', cause);
  }
}

/** The most attempts of a change while rows move. */
export const MAX_ATTEMPTS = 5;

/** Does some work, from the start again when its table moves before the work has changed anything. */
export async function untilItStays<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TableMoved) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Locates a table and does some work there, from the start again when it moves before the work has changed anything. */
export const inTable = <Result>(
  handle: TableHandle,
  work: (context: Excel.RequestContext, place: Place) => Promise<Result>,
  retry?: Retry,
): Promise<Result> =>
  untilItStays(() => inWorkbook(async (context) => work(context, await locateTable(context, handle)), retry));

/**
 * Queues ending the request here if a table has moved, or has other rows or columns, since it was located: the user
 * inserts rows above it and columns beside it, and drags its columns, at any moment. Excel does nothing of a request that
 * is after an error.
 * @returns what sends it, and throws TableMoved then
 */
export function stayAt(
  context: Excel.RequestContext,
  { sheet, id, corners, headings }: Pick<Place, 'sheet' | 'id' | 'corners' | 'headings'>,
): { sync: () => Promise<void> } {
  const table = sheet.tables.getItem(id);
  const body = table.getDataBodyRange();
  // There is no intersection of two other cells, which is an error.
  const expectAt = (range: Excel.Range, { row, column }: Corner) =>
    range.getIntersection(sheet.getCell(row, column)).load({ address: true });
  const [first, last] = corners;
  expectAt(body.getCell(0, 0), first);
  expectAt(body.getLastCell(), last);
  for (const [heading, position] of headings) {
    expectAt(table.columns.getItem(heading).getDataBodyRange(), { ...first, column: first.column + position });
  }
  return {
    async sync() {
      try {
        await context.sync();
      } catch (error) {
        const isElsewhere = error instanceof OfficeExtension.Error && error.code === 'ItemNotFound';
        throw isElsewhere ? new TableMoved(error) : error;
      }
    },
  };
}

/** A located table after the pane itself added rows at its end, or removed as many as are below zero. */
export const withRows = (place: Place, added: number): Place => {
  const [first, last] = place.corners;
  return { ...place, corners: [first, { ...last, row: Math.max(first.row, last.row + added) }] };
};

/** The result of a request on a located table; another one when the table had moved, so that nothing was done. */
export const unlessMoved = <Result, Other>(request: Promise<Result>, other: Other): Promise<Result | Other> =>
  request.catch((error: unknown) => {
    if (!(error instanceof TableMoved)) throw error;
    return other;
  });

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
  table.load({ showHeaders: true, showTotals: true });
  await context.sync();
  const columns = placesIn(table.columns.items, memory, id);
  return {
    sheet,
    table,
    id,
    top: body.rowIndex,
    left: body.columnIndex,
    rows: body.rowCount,
    width: body.columnCount,
    corners: [
      { row: body.rowIndex, column: body.columnIndex },
      { row: body.rowIndex + body.rowCount - 1, column: body.columnIndex + body.columnCount - 1 },
    ],
    hasHidden: body.rowHidden !== false,
    hasHeaders: table.showHeaders,
    hasTotals: table.showTotals,
    columns,
    headings: [...columns.values()]
      .map((position) => [table.columns.items[position]!.name, position] as const)
      .filter(([heading]) => !/^\d+$/.test(heading)),
  };
}

/** Whether a table has the same columns at two moments, so that cells of a row at one are those at the other. */
export const hasSameColumns = (one: Place, other: Place): boolean =>
  one.width === other.width && [...one.columns].every(([key, column]) => other.columns.get(key) === column);

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

/**
 * Checks that a table has its header row. Without one Excel resizes it otherwise, and what it does when such a table is
 * filtered, gets a column or loses all its rows is not documented.
 * @throws WorkbookProblem NO_HEADERS
 */
export function checkHeaders({ hasHeaders }: Place): void {
  if (!hasHeaders) throw new WorkbookProblem('NO_HEADERS');
}

/** The positions of required columns. @throws WorkbookProblem COLUMN_GONE naming the heading */
export function placesOf(keys: readonly string[], place: Place, { memory }: TableHandle): number[] {
  return keys.map((key) => {
    const column = place.columns.get(key);
    if (column !== undefined) return column;
    throw new WorkbookProblem('COLUMN_GONE', memory.columns.find((known) => known.key === key)?.heading ?? key);
  });
}
