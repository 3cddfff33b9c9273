import { inWorkbook, type Patience } from './batch.ts';
import { type Block, halves } from './blocks.ts';
import { WorkbookProblem } from './workbookProblem.ts';

/** Where blocks go: a sheet and the first column. */
export type Target = { sheetId: string; left: number };

/**
 * Writes a block in one request, in halves when Excel finds it too large.
 * The cells of text columns must have the text format by now: what begins with "=" would be evaluated.
 */
export async function writeBlock(target: Target, block: Block, patience?: Patience): Promise<void> {
  try {
    await inWorkbook((context) => writeOnce(context, target, block), patience);
  } catch (error) {
    const parts = halves(block);
    if (!(error instanceof WorkbookProblem && error.code === 'TOO_LARGE') || parts === undefined) throw error;
    for (const part of parts) await writeBlock(target, part, patience);
  }
}

async function writeOnce(context: Excel.RequestContext, { sheetId, left }: Target, block: Block): Promise<void> {
  const width = block.rows[0]?.length ?? 0;
  if (width === 0) return;
  const sheet = context.workbook.worksheets.getItem(sheetId);
  sheet.getRangeByIndexes(block.start, left, block.rows.length, width).values = block.rows;
  const quoted = quotedCells(block).map(({ row, column, text }) => {
    const cell = sheet.getRangeByIndexes(block.start + row, left + column, 1, 1);
    cell.load({ values: true });
    return { cell, text };
  });
  await context.sync();

  // Excel may take a leading apostrophe for its own mark of text, as in 's-Hertogenbosch. Where it did, a second one stays.
  const lost = quoted.filter(({ cell, text }) => cell.values[0]![0] !== text);
  for (const { cell, text } of lost) cell.values = [[`'${text}`]];
  if (lost.length > 0) await context.sync();
}

const quotedCells = ({ rows }: Block) =>
  rows.flatMap((cells, row) =>
    cells.flatMap((cell, column) =>
      typeof cell === 'string' && cell.startsWith("'") ? [{ row, column, text: cell }] : [],
    ),
  );
