import { inWorkbook, type Retry } from './batch.ts';
import { type Block, inParts } from './blocks.ts';
import type { Cell } from './cell.ts';
import { WorkbookProblem } from './workbookProblem.ts';

/** A sheet without a table yet, the format of each column, and the positions of the key columns if there are some. */
export type Target = { sheetId: string; formats: readonly string[]; keys?: readonly number[] };

/** A cell that is in its place as long as its rows are: its position in the sheet, and its value as Excel has it. */
export type Landmark = { row: number; column: number; value: Cell };

/**
 * Writes a block in one request, in halves when Excel finds it too large. The formats come before the values, of text
 * columns above all: what begins with "=" would be evaluated.
 * @param above landmarks of the rows that were written before: a block below others would be written over some of them
 * where the user inserted rows meanwhile
 * @returns the landmarks of the block: the key cells of its last row
 * @throws WorkbookProblem ROWS_MOVED
 */
export async function writeBlock(
  target: Target,
  block: Block,
  retry: Retry,
  above: readonly Landmark[] = [],
): Promise<readonly Landmark[]> {
  let latest = above;
  await inParts([block], async ([part]) => {
    latest = await inWorkbook((context) => writeOnce(context, target, part!, latest), retry);
  });
  return latest;
}

async function writeOnce(
  context: Excel.RequestContext,
  { sheetId, formats, keys = [] }: Target,
  { start, rows }: Block,
  above: readonly Landmark[],
): Promise<Landmark[]> {
  context.application.suspendApiCalculationUntilNextSync();
  const sheet = context.workbook.worksheets.getItem(sheetId);
  const checkAbove = queueLandmarks(sheet, above);
  for (const [column, format] of formats.entries())
    setFormat(sheet.getRangeByIndexes(start, column, rows.length, 1), format);
  sheet.getRangeByIndexes(start, 0, rows.length, formats.length).values = rows as Cell[][];
  const cellAt = (row: number, column: number) => sheet.getRangeByIndexes(start + row, column, 1, 1);
  const lostApostrophes = readApostrophes(rows, cellAt);
  const readEnd = () => queueCells(sheet, start + rows.length - 1, keys);
  let end = readEnd();
  await context.sync();
  checkAbove();

  const lost = lostApostrophes();
  if (lost.length === 0) return end();
  for (const { row, column, text } of lost) cellAt(row, column).values = [[text]];
  end = readEnd();
  await context.sync();
  return end();
}

/** Queues reading cells of a row as landmarks. @returns a function that returns them after the sync */
export function queueCells(sheet: Excel.Worksheet, row: number, columns: readonly number[]): () => Landmark[] {
  const ranges = columns.map((column) => {
    const range = sheet.getRangeByIndexes(row, column, 1, 1);
    range.load({ values: true });
    return { column, range };
  });
  return () => ranges.map(({ column, range }) => ({ row, column, value: range.values[0]![0] as Cell }));
}

/** Queues reading landmarks again. @returns a function that throws ROWS_MOVED after the sync if one is not in its place */
export function queueLandmarks(sheet: Excel.Worksheet, landmarks: readonly Landmark[]): () => void {
  const reads = landmarks.map(({ row, column }) => queueCells(sheet, row, [column]));
  return () => {
    const isInPlace = landmarks.every(({ value }, index) => reads[index]!()[0]!.value === value);
    if (!isInPlace) throw new WorkbookProblem('ROWS_MOVED');
  };
}

/**
 * One format for all cells of a range: documented, and far smaller than a grid of formats; the types allow only the
 * grid.
 */
export function setFormat(range: Excel.Range, format: string): void {
  range.numberFormat = format as unknown as string[][];
}

/** A cell whose text lost its leading apostrophe: its present value, and the input that gives the right text. */
export type LostApostrophe = { row: number; column: number; seen: Cell; text: string };

/**
 * Excel may treat a leading apostrophe as its text prefix, as in 's-Hertogenbosch. A second apostrophe then remains.
 * Queues reading the cells of a written block that may be affected.
 * @returns a function that returns the affected cells, after the sync
 */
export function readApostrophes(
  rows: readonly (readonly (Cell | null)[])[],
  cellAt: (row: number, column: number) => Excel.Range,
): () => LostApostrophe[] {
  const quoted = rows.flatMap((cells, row) =>
    cells.flatMap((text, column) => {
      if (typeof text !== 'string' || !text.startsWith("'")) return [];
      const cell = cellAt(row, column);
      cell.load({ values: true });
      return [{ row, column, text, cell }];
    }),
  );
  return () =>
    quoted.flatMap(({ row, column, text, cell }) => {
      const seen = cell.values[0]![0] as Cell;
      return seen === text ? [] : [{ row, column, seen, text: `'${text}` }];
    });
}
