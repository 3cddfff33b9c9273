import { inWorkbook, type Retry } from './batch.ts';
import { type Block, halves } from './blocks.ts';
import type { Cell } from './cell.ts';
import { WorkbookProblem } from './workbookProblem.ts';

/** Where blocks go: a sheet and the first column. */
export type Target = { sheetId: string; left: number };

/**
 * Writes a block in one request, in halves when Excel finds it too large.
 * The cells of text columns must have the text format by now: what begins with "=" would be evaluated.
 */
export async function writeBlock(target: Target, block: Block, retry?: Retry): Promise<void> {
  try {
    await inWorkbook((context) => writeOnce(context, target, block), retry);
  } catch (error) {
    const parts = halves(block);
    if (!(error instanceof WorkbookProblem && error.code === 'TOO_LARGE') || parts === undefined) throw error;
    for (const part of parts) await writeBlock(target, part, retry);
  }
}

async function writeOnce(context: Excel.RequestContext, { sheetId, left }: Target, block: Block): Promise<void> {
  const width = block.rows[0]?.length ?? 0;
  if (width === 0) return;
  const sheet = context.workbook.worksheets.getItem(sheetId);
  sheet.getRangeByIndexes(block.start, left, block.rows.length, width).values = block.rows;
  const lostApostrophes = readApostrophes(block, (row, column) =>
    sheet.getRangeByIndexes(block.start + row, left + column, 1, 1),
  );
  await context.sync();

  const lost = lostApostrophes();
  for (const { row, column, text } of lost) {
    sheet.getRangeByIndexes(block.start + row, left + column, 1, 1).values = [[text]];
  }
  if (lost.length > 0) await context.sync();
}

/** A cell of a block that lost the apostrophe its text begins with: what it holds now, and what makes it hold the text. */
export type LostApostrophe = { row: number; column: number; seen: Cell; text: string };

/**
 * Excel may take a leading apostrophe for its own mark of text, as in 's-Hertogenbosch. Where it did, a second one stays.
 * Asks, after a block was written, for the cells it may have done so with.
 * @returns tells, after the sync, where it did
 */
export function readApostrophes(
  { rows }: Pick<Block, 'rows'>,
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
