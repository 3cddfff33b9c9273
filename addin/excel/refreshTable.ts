import { inWorkbook } from './batch.ts';
import { type Block, blocksOf, bytesOfRow, halves } from './blocks.ts';
import { type Cell, numberFormatOf } from './cell.ts';
import { locateTable, type Place, placesOf } from './locateTable.ts';
import { ATTEMPTS, othersIn, overwrite, putBack, rowsOfBody } from './overwrite.ts';
import { fateOf, type OwnColumn, ownColumns, planRefresh } from './planRefresh.ts';
import { readBody } from './readTable.ts';
import { removeRows } from './removeRows.ts';
import { cellsOf, type TableSpec, type TableWriter, type WriteOptions } from './table.ts';
import { remember, type TableHandle } from './tableMemory.ts';
import { WorkbookProblem } from './workbookProblem.ts';
import { type LostApostrophe, readApostrophes } from './writeBlock.ts';

/**
 * A table brought up to date: every answered row is found by its key, and only cells that differ are written. The
 * person's own columns stay on their rows, wherever those stand now. New rows come at the end. A row that is no longer
 * answered goes, unless the person wrote something beside it.
 *
 * The person may sort meanwhile: a request that writes into rows reads them too, and when they turn out to be others,
 * what stood there is put back and the table is read again.
 *
 * Rows are only gathered while they come in: until `finish` the workbook is as it was.
 */
export async function refreshTable<Row>(
  handle: TableHandle,
  spec: TableSpec<Row>,
  options: WriteOptions = {},
): Promise<TableWriter<Row>> {
  const incoming: Cell[][] = [];
  let cut = 0;
  return {
    async write(rows) {
      for (const row of rows) incoming.push(cellsOf(spec.columns, row, () => cut++));
    },

    async finish() {
      const { added, changed, answered } = await bringIn(handle, spec, incoming, options);
      const { removed, kept } = await removeRows(handle, spec.keys, (place) => fateOf(spec, place, answered), options);
      await inWorkbook(async (context) => {
        const sheet = context.workbook.worksheets.getItem(handle.sheetId);
        remember(sheet, { ...handle.memory, ...spec.source, pulledAt: new Date().toISOString() });
        sheet.activate();
        await context.sync();
      }, options.retry);
      return { sheetName: handle.sheetName, rows: incoming.length, added, changed, removed, kept, cut };
    },

    discard: async () => {},
  };
}

/** Writes the answered rows, and again those that were moved meanwhile. */
async function bringIn<Row>(
  handle: TableHandle,
  spec: TableSpec<Row>,
  incoming: readonly Cell[][],
  options: WriteOptions,
): Promise<{ added: number; changed: number; answered: ReadonlySet<string> }> {
  const { retry, signal, onProgress } = options;
  let added = 0;
  let changed = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    signal?.throwIfAborted();
    const { place, grid } = await inWorkbook(async (context) => {
      const place = await locateTable(context, handle);
      const keys = placesOf(spec.keys, place, handle);
      return { place, grid: await readBody(context, place, 'formulas', keys) };
    }, retry);
    const plan = planRefresh(spec, place, grid, incoming);
    const own = ownColumns(spec, place);

    if (plan.changed.size > 0) await formatTexts(handle, own, place, options);
    // As text: a number may be told as one once its column is formatted as text.
    const isAsRead = (row: number, before: readonly Cell[]) =>
      !plan.changed.has(row) || own.every(({ to }) => String(before[to]) === String(grid[row]![to]));
    const sizeRead = (row: number) => bytesOfRow(grid[row]!);
    let moved = 0;
    let done = 0;
    for (const block of blocksOf(plan.changed, place.width, undefined, sizeRead)) {
      signal?.throwIfAborted();
      moved += await writeOver(handle, place, block, isAsRead, options);
      done += block.rows.length;
      onProgress?.(Math.min(done, incoming.length));
    }
    changed += plan.changed.size - moved;
    // Which rows are new is known once the others stand still.
    if (moved > 0) continue;

    for (const { rows } of blocksOf(new Map(plan.added.entries()), place.width)) {
      signal?.throwIfAborted();
      moved += await addRows(handle, spec, rows, options);
      added += rows.length;
      done += rows.length;
      onProgress?.(Math.min(done, incoming.length));
    }
    if (moved === 0) return { added, changed, answered: plan.answered };
  }
  throw new WorkbookProblem('ROWS_MOVED');
}

type IsMeant = (row: number, before: readonly Cell[]) => boolean;

/**
 * Writes a block into rows, in halves when Excel finds it too large.
 * @returns how many rows were not those meant any more, and hold what they held
 */
function writeOver(
  handle: TableHandle,
  place: Place,
  block: Block,
  isMeant: IsMeant,
  { retry }: WriteOptions,
): Promise<number> {
  return inParts(block, async (part) => {
    const { written, lost } = await inWorkbook(async (context) => {
      const body = { ...place, sheet: context.workbook.worksheets.getItem(handle.sheetId) };
      const written = overwrite(body, part, { formulas: true });
      const lostApostrophes = readApostrophes(part, (row, column) =>
        rowsOfBody(body, part.start + row, 1).getCell(0, column),
      );
      await context.sync();
      return { written, lost: lostApostrophes() };
    }, retry);

    const others = othersIn(written, isMeant);
    // Apart from the writing: what is done again when a cell is being edited must not read what was written.
    if (others.length > 0) {
      await inWorkbook(async (context) => {
        putBack({ ...place, sheet: context.workbook.worksheets.getItem(handle.sheetId) }, written, others);
        await context.sync();
      }, retry);
    }
    const still = lost.filter(({ row }) => !others.includes(row));
    return others.length + (await secondApostrophes(handle, place, part.start, still, { retry }));
  });
}

/** Gives cells their second apostrophe, if they still stand where they lost the first. */
async function secondApostrophes(
  handle: TableHandle,
  place: Place,
  start: number,
  lost: readonly LostApostrophe[],
  { retry }: Pick<WriteOptions, 'retry'>,
): Promise<number> {
  let moved = 0;
  const rows = new Map<number, (Cell | null)[]>();
  for (const { row, column, text } of lost) {
    const cells = rows.get(start + row) ?? new Array<Cell | null>(place.width).fill(null);
    cells[column] = text;
    rows.set(start + row, cells);
  }
  for (const block of blocksOf(rows, place.width)) {
    moved += await inWorkbook(async (context) => {
      const body = { ...place, sheet: context.workbook.worksheets.getItem(handle.sheetId) };
      const written = overwrite(body, block, { formulas: true });
      await context.sync();
      const others = othersIn(written, (place, before) =>
        lost.every(({ row, column, seen }) => start + row !== place || before[column] === seen),
      );
      putBack(body, written, others);
      await context.sync();
      return others.length;
    }, retry);
  }
  return moved;
}

/**
 * New rows at the end, formatted as their columns are before any value goes in. All in one request: rows that nobody
 * has seen empty need no finding.
 * @returns how many of them have yet to be brought in again
 */
function addRows<Row>(
  handle: TableHandle,
  spec: TableSpec<Row>,
  rows: (Cell | null)[][],
  options: WriteOptions,
): Promise<number> {
  return inParts({ start: 0, rows }, async (part) => {
    const { place, lost } = await inWorkbook(async (context) => {
      const place = await locateTable(context, handle);
      // null leaves a cell to Excel, which then fills the person's formulas down. The types do not know it here.
      const untouched = part.rows.map((cells) => cells.map(() => null)) as unknown as string[][];
      const first = place.table.rows.add(undefined, untouched).getRange();
      const cells = first.getResizedRange(part.rows.length - 1, 0);
      for (const { column, to } of ownColumns(spec, place)) {
        cells.getColumn(to).numberFormat = numberFormatOf(column.kind) as unknown as string[][];
      }
      cells.values = part.rows;
      const lostApostrophes = readApostrophes(part, (row, column) => cells.getCell(row, column));
      await context.sync();
      return { place, lost: lostApostrophes() };
    }, options.retry);
    return secondApostrophes(handle, place, place.rows, lost, options);
  });
}

/** Does something with a block, or with its halves when Excel finds it too large, and adds up what comes of it. */
async function inParts(block: Block, work: (part: Block) => Promise<number>): Promise<number> {
  try {
    return await work(block);
  } catch (error) {
    const parts = halves(block);
    if (!(error instanceof WorkbookProblem && error.code === 'TOO_LARGE') || parts === undefined) throw error;
    let sum = 0;
    for (const part of parts) sum += await inParts(part, work);
    return sum;
  }
}

/** Text columns are text again where someone made them something else: a service's text is never evaluated. */
function formatTexts<Row>(
  handle: TableHandle,
  columns: readonly OwnColumn<Row>[],
  { top, left, rows }: Place,
  { retry }: WriteOptions,
): Promise<void> {
  return inWorkbook(async (context) => {
    const sheet = context.workbook.worksheets.getItem(handle.sheetId);
    for (const { column, to } of columns) {
      if (column.kind !== 'text') continue;
      sheet.getRangeByIndexes(top, left + to, rows, 1).numberFormat = '@' as unknown as string[][];
    }
    await context.sync();
  }, retry);
}
