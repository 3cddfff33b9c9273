import { inWorkbook, type Retry } from './batch.ts';
import { type Block, inParts } from './blocks.ts';
import type { Cell } from './cell.ts';

/** A sheet without a table yet, and the format of each column. */
export type Target = { sheetId: string; formats: readonly string[] };

/**
 * Writes a block in one request, in halves when Excel finds it too large. The formats come before the values, of text
 * columns above all: what begins with "=" would be evaluated.
 */
export const writeBlock = (target: Target, block: Block, retry: Retry): Promise<void> =>
  inParts([block], async ([part]) => {
    await inWorkbook((context) => writeOnce(context, target, part!), retry);
  });

async function writeOnce(context: Excel.RequestContext, { sheetId, formats }: Target, { start, rows }: Block) {
  context.application.suspendApiCalculationUntilNextSync();
  const sheet = context.workbook.worksheets.getItem(sheetId);
  for (const [column, format] of formats.entries())
    setFormat(sheet.getRangeByIndexes(start, column, rows.length, 1), format);
  sheet.getRangeByIndexes(start, 0, rows.length, formats.length).values = rows as Cell[][];
  const cellAt = (row: number, column: number) => sheet.getRangeByIndexes(start + row, column, 1, 1);
  const lostApostrophes = readApostrophes(rows, cellAt);
  await context.sync();

  const lost = lostApostrophes();
  for (const { row, column, text } of lost) cellAt(row, column).values = [[text]];
  if (lost.length > 0) await context.sync();
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
