import { inWorkbook, type Retry } from './batch.ts';
import type { Cell } from './cell.ts';
import { locateTable, type Place } from './locateTable.ts';
import { ATTEMPTS } from './overwrite.ts';
import type { TableHandle } from './tableMemory.ts';
import { WorkbookProblem } from './workbookProblem.ts';

/** Cells asked for in one request: answers are limited to 5 MB too. */
const CELLS_AT_ONCE = 40_000;

/** A row of a table as the person left it. */
export type TableRow = {
  /** Its number at the edge of the sheet, at the time it was read. */
  number: number;
  /** By the key of the column. */
  cells: ReadonlyMap<string, Cell>;
};

/** Our columns of a table, row by row. @throws WorkbookProblem */
export function readTable(handle: TableHandle, retry?: Retry): Promise<TableRow[]> {
  return inWorkbook(async (context) => {
    const place = await locateTable(context, handle);
    const keys = handle.memory.keys.flatMap((key) => place.columns.get(key) ?? []);
    const grid = await readBody(context, place, 'values', keys);
    return grid.map((cells, index) => ({
      number: place.top + index + 1,
      cells: new Map([...place.columns].map(([key, column]) => [key, cells[column]!])),
    }));
  }, retry);
}

/**
 * The body of a table, row by row, over its whole width, as it stood at one moment: when it takes several requests and
 * the person sorted between them, it is read again.
 * @param as `formulas` shows what was entered where a cell calculates; elsewhere both are the same
 * @param keys places of the columns that tell one row from another
 * @throws WorkbookProblem ROWS_MOVED
 */
export async function readBody(
  context: Excel.RequestContext,
  place: Place,
  as: 'values' | 'formulas',
  keys: readonly number[],
): Promise<Cell[][]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { grid, requests } = await readParts(context, place, as);
    if (requests <= 1 || (await isStill(context, place, as, keys, grid))) return grid;
  }
  throw new WorkbookProblem('ROWS_MOVED');
}

/** Whether rows stand where they were read. */
async function isStill(
  context: Excel.RequestContext,
  place: Place,
  as: 'values' | 'formulas',
  keys: readonly number[],
  grid: readonly Cell[][],
): Promise<boolean> {
  for (const key of keys) {
    const column = await readParts(context, { ...place, left: place.left + key, width: 1 }, as);
    if (column.grid.some(([cell], row) => cell !== grid[row]![key])) return false;
  }
  return true;
}

async function readParts(
  context: Excel.RequestContext,
  { sheet, top, left, rows, width }: Place,
  as: 'values' | 'formulas',
): Promise<{ grid: Cell[][]; requests: number }> {
  const grid: Cell[][] = [];
  let requests = 0;
  let step = Math.max(1, Math.floor(CELLS_AT_ONCE / width));
  while (grid.length < rows) {
    const range = sheet.getRangeByIndexes(top + grid.length, left, Math.min(step, rows - grid.length), width);
    range.load({ [as]: true });
    try {
      await context.sync();
    } catch (error) {
      const tooLarge = error instanceof OfficeExtension.Error && error.code === 'ResponsePayloadSizeLimitExceeded';
      if (!tooLarge) throw error;
      if (step === 1) throw new WorkbookProblem('TOO_LARGE', '', error);
      step = Math.ceil(step / 2);
      continue;
    }
    requests++;
    for (const row of range[as] as Cell[][]) grid.push(row);
  }
  return { grid, requests };
}
