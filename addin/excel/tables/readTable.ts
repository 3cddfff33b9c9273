import { mapInTurns } from '../../../shared/client/mapInTurns.ts';
import { columnLetters } from '../../../shared/spreadsheet.ts';
import type { Retry } from '../batch.ts';
import type { Cell } from '../cell.ts';
import { type CellNature, natureOf } from '../cellNature.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { inTable, MAX_ATTEMPTS, type Place, stayAt } from './locateTable.ts';
import type { TableHandle } from './tableMemory.ts';

/** Cells read in one request: responses are limited to 5 MB too. */
const MAX_CELLS = 40_000;

/** What a row has in each column, by the key of the column. */
export type ByColumn<Value> = Pick<ReadonlyMap<string, Value>, 'get'>;

/** A row of a table in the sheet. */
export type TableRow = {
  /** Its row number in the sheet when it was read. */
  number: number;
  cells: ByColumn<Cell> & Iterable<[string, Cell]>;
  /** The type of each cell, by its value and its format. */
  natures: ByColumn<CellNature>;
  /** The address of the cell of a column: `C7`; undefined for a deleted column. */
  addressOf: (key: string) => string | undefined;
  /** Whether it is hidden by a filter or by hand. */
  hidden: boolean;
};

/** The columns of the pane in a table, row by row. @throws WorkbookProblem */
export function readTable(handle: TableHandle, retry?: Retry): Promise<TableRow[]> {
  return inTable(
    handle,
    async (context, place) => {
      const keys = handle.memory.keys.flatMap((key) => place.columns.get(key) ?? []);
      const { grid, formats } = await readConsistently(context, place, ['values', 'numberFormat'], keys);
      const visible = place.hasHidden ? await readVisibleRows(context, place) : undefined;
      return mapInTurns(grid, (cells, index) => ({
        number: place.top + index + 1,
        cells: new RowCells(place.columns, cells),
        natures: new RowNatures(place.columns, cells, formats[index]!),
        addressOf(key) {
          const column = place.columns.get(key);
          return column === undefined ? undefined : `${columnLetters(place.left + column)}${place.top + index + 1}`;
        },
        hidden: visible !== undefined && !visible.has(place.top + index + 1),
      }));
    },
    retry,
  );
}

/** The cells of a row. Maps of 100,000 rows would take hundreds of megabytes. */
class RowCells {
  readonly #columns: Place['columns'];
  readonly #cells: readonly Cell[];

  constructor(columns: Place['columns'], cells: readonly Cell[]) {
    this.#columns = columns;
    this.#cells = cells;
  }

  get(key: string): Cell | undefined {
    const column = this.#columns.get(key);
    return column === undefined ? undefined : this.#cells[column];
  }

  *[Symbol.iterator](): Generator<[string, Cell]> {
    for (const [key, column] of this.#columns) yield [key, this.#cells[column]!];
  }
}

class RowNatures {
  readonly #columns: Place['columns'];
  readonly #cells: readonly Cell[];
  readonly #formats: readonly Cell[];

  constructor(columns: Place['columns'], cells: readonly Cell[], formats: readonly Cell[]) {
    this.#columns = columns;
    this.#cells = cells;
    this.#formats = formats;
  }

  get(key: string): CellNature | undefined {
    const column = this.#columns.get(key);
    return column === undefined ? undefined : natureOf(this.#cells[column]!, String(this.#formats[column]));
  }
}

/**
 * The body of a table, row by row, over its whole width, at one moment: `formulas`, which are the entered formulas
 * of calculated cells, and the values of others.
 * @param keys positions of the key columns
 * @throws WorkbookProblem ROWS_MOVED
 */
export const readBody = async (
  context: Excel.RequestContext,
  place: Place,
  keys: readonly number[],
): Promise<Cell[][]> => (await readConsistently(context, place, ['formulas'], keys)).grid;

/**
 * The values of some columns of a body, row by row in the order of `columns`, at one moment.
 * @param columns positions in the table
 * @throws WorkbookProblem ROWS_MOVED
 */
export const readColumns = async (
  context: Excel.RequestContext,
  place: Place,
  columns: readonly number[],
): Promise<Cell[][]> => (await readConsistently(context, place, ['values'], columns, columns)).grid;

/** The properties to read; formats only on request. */
type Properties = readonly ['values' | 'formulas', 'numberFormat'?];
type Parts = { grid: Cell[][]; formats: Cell[][]; requests: number };

/**
 * Reads a body, and again when it takes several requests and the user sorted between them.
 * @param keys positions of columns that tell whether rows moved
 * @param columns positions of the columns to read
 */
async function readConsistently(
  context: Excel.RequestContext,
  place: Place,
  properties: Properties,
  keys: readonly number[],
  columns: readonly number[] = [...Array(place.width).keys()],
): Promise<Parts> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const parts = await readParts(context, place, properties, columns);
    if (parts.requests <= 1) return parts;
    // Whether rows are still where they were read.
    const [as] = properties;
    const now = await readParts(context, place, [as], keys);
    const read = keys.map((key) => columns.indexOf(key));
    if (now.grid.every((cells, row) => cells.every((cell, at) => cell === parts.grid[row]![read[at]!]))) return parts;
  }
  throw new WorkbookProblem('ROWS_MOVED');
}

async function readParts(
  context: Excel.RequestContext,
  place: Place,
  [as, format]: Properties,
  columns: readonly number[],
): Promise<Parts> {
  const { sheet, top, left, rows } = place;
  const parts: Parts = { grid: [], formats: [], requests: 0 };
  const spans = neighbours(columns);
  let step = Math.max(1, Math.floor(MAX_CELLS / columns.length));
  while (parts.grid.length < rows) {
    const read = parts.grid.length;
    const count = Math.min(step, rows - read);
    const request = stayAt(context, place);
    const ranges = spans.map(({ from, to }) => sheet.getRangeByIndexes(top + read, left + from, count, to - from));
    for (const range of ranges) range.load({ [as]: true, ...(format === undefined ? {} : { numberFormat: true }) });
    try {
      await request.sync();
    } catch (error) {
      const tooLarge = error instanceof OfficeExtension.Error && error.code === 'ResponsePayloadSizeLimitExceeded';
      if (!tooLarge) throw error;
      if (step === 1) throw new WorkbookProblem('TOO_LARGE', '', error);
      step = Math.ceil(step / 2);
      continue;
    }
    parts.requests++;
    const rowsOf = (property: 'values' | 'formulas' | 'numberFormat'): Cell[][] => {
      const [first, ...others] = ranges.map((range) => range[property] as Cell[][]);
      if (first === undefined) return Array.from({ length: count }, () => []);
      return others.length === 0 ? first : first.map((cells, row) => cells.concat(...others.map((rows) => rows[row]!)));
    };
    for (const cells of rowsOf(as)) parts.grid.push(cells);
    if (format !== undefined) for (const cells of rowsOf(format)) parts.formats.push(cells);
  }
  return parts;
}

/** Positions in their order, neighbours together. */
function neighbours(columns: readonly number[]): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const column of columns) {
    const last = spans.at(-1);
    if (last?.to === column) last.to++;
    else spans.push({ from: column, to: column + 1 });
  }
  return spans;
}

/** The numbers of the visible rows of a body. Its columns may be hidden too, so a visible one is used. */
export async function readVisibleRows(context: Excel.RequestContext, place: Place): Promise<Set<number>> {
  const { sheet, top, left, rows, width } = place;
  const columns = Array.from({ length: width }, (_, column) => sheet.getRangeByIndexes(top, left + column, 1, 1));
  const looking = stayAt(context, place);
  for (const column of columns) column.load({ columnHidden: true });
  await looking.sync();
  const column = columns.findIndex(({ columnHidden }) => columnHidden === false);
  if (column < 0) return new Set();
  const visible = new Set<number>();
  for (let start = 0; start < rows; start += MAX_CELLS) {
    const request = stayAt(context, place);
    const cells = sheet.getRangeByIndexes(top + start, left + column, Math.min(MAX_CELLS, rows - start), 1);
    const view = cells.getVisibleView();
    view.load({ cellAddresses: true });
    await request.sync();
    // `Sheet1!B7`, once for each visible row.
    for (const address of view.cellAddresses.flat()) visible.add(Number(/\d+$/.exec(address)![0]));
  }
  return visible;
}
