import { inWorkbook } from './batch.ts';
import { blocksOf } from './blocks.ts';
import { type Cell, numberFormatOf } from './cell.ts';
import { locateTable, type Place, placesOf } from './locateTable.ts';
import { readBody } from './readTable.ts';
import { type Column, cellsOf, keyText, type TableSpec, type TableWriter, type WriteOptions } from './table.ts';
import { remember, type TableHandle } from './tableMemory.ts';
import { writeBlock } from './writeBlock.ts';

/** What a refresh does to the rows of a table; decided before anything is touched. */
type Plan = {
  /** Place in the body -> the cells that change, null where one stays as it is. */
  changed: Map<number, (Cell | null)[]>;
  added: (Cell | null)[][];
  /** Keys of the rows that were answered. */
  answered: ReadonlySet<string>;
};

/**
 * A table brought up to date: every answered row is found by its key, and only cells that differ are written. The
 * person's own columns stay on their rows, wherever those stand now. New rows come at the end. A row that is no longer
 * answered goes, unless the person wrote something beside it.
 *
 * Rows are only gathered while they come in: until `finish` the workbook is as it was.
 */
export async function refreshTable<Row>(
  handle: TableHandle,
  spec: TableSpec<Row>,
  options: WriteOptions = {},
): Promise<TableWriter<Row>> {
  const { patience, signal } = options;
  const incoming: Cell[][] = [];
  let cut = 0;
  return {
    async write(rows) {
      for (const row of rows) incoming.push(cellsOf(spec.columns, row, () => cut++));
    },

    async finish() {
      signal?.throwIfAborted();
      const { place, grid } = await inWorkbook(async (context) => {
        const place = await locateTable(context, handle);
        placesOf(spec.keys, place, handle);
        return { place, grid: await readBody(context, place, 'formulas') };
      }, patience);
      const plan = planRefresh(spec, place, grid, incoming);

      const target = { sheetId: handle.sheetId, left: place.left };
      const columns = ownColumns(spec, place);
      const rows = new Map(plan.changed);
      if (plan.added.length > 0) await addRows(handle, columns, plan.added.length, place.width, options);
      plan.added.forEach((cells, index) => {
        rows.set(grid.length + index, cells);
      });
      if (plan.changed.size > 0) await formatTexts(handle, columns, place, options);
      let done = 0;
      for (const block of blocksOf(rows, place.width)) {
        signal?.throwIfAborted();
        await writeBlock(target, { start: place.top + block.start, rows: block.rows }, patience);
        done += block.rows.length;
        options.onProgress?.(Math.min(done, incoming.length));
      }
      const { removed, kept } = await finishRefresh(handle, spec, plan.answered, options);
      return {
        sheetName: handle.sheetName,
        rows: incoming.length,
        added: plan.added.length,
        changed: plan.changed.size,
        removed: removed.length,
        kept,
        cut,
      };
    },

    discard: async () => {},
  };
}

type OwnColumn<Row> = { column: Column<Row>; from: number; to: number };

/** Our columns that are still there: which cell of an incoming row goes where. */
const ownColumns = <Row>({ columns }: TableSpec<Row>, place: Place): OwnColumn<Row>[] =>
  columns.flatMap((column, from) => {
    const to = place.columns.get(column.key);
    return to === undefined ? [] : [{ column, from, to }];
  });

function planRefresh<Row>(
  spec: TableSpec<Row>,
  place: Place,
  grid: readonly Cell[][],
  incoming: readonly Cell[][],
): Plan {
  const own = ownColumns(spec, place);
  const keyOfSheet = keyReader(spec, place);
  const keyColumns = own.filter(({ column }) => spec.keys.includes(column.key));
  const keyOfIncoming = (cells: readonly Cell[]) => keyText(keyColumns.map(({ from }) => cells[from]!));

  const byKey = new Map<string, number[]>();
  const blank: number[] = [];
  grid.forEach((cells, row) => {
    const key = keyOfSheet(cells);
    if (cells.every((cell) => cell === '')) blank.push(row);
    else if (key.trim() !== '') byKey.set(key, [...(byKey.get(key) ?? []), row]);
  });

  const answered = new Set<string>();
  const plan: Plan = { changed: new Map(), added: [], answered };
  for (const cells of incoming) {
    const key = keyOfIncoming(cells);
    answered.add(key);
    // An empty table has one empty row, which the first new one takes.
    const rows = byKey.get(key) ?? blank.splice(0, 1);
    if (rows.length === 0) plan.added.push(across(place.width, own, cells));
    for (const row of rows) {
      const present = grid[row]!;
      const differing = own.filter(({ from, to }) => !isSameCell(present[to]!, cells[from]!));
      if (differing.length > 0) plan.changed.set(row, across(place.width, differing, cells));
    }
  }
  return plan;
}

/** The key of a row as it stands in the sheet, in the order the columns have in the table's own list. */
function keyReader<Row>(spec: TableSpec<Row>, place: Place): (cells: readonly Cell[]) => string {
  const columns = ownColumns(spec, place).filter(({ column }) => spec.keys.includes(column.key));
  return (cells) => keyText(columns.map(({ to }) => cells[to]!));
}

/** The rows that are no longer answered: those to remove, ascending, and the keys of those the person wrote beside. */
function vanished<Row>(
  spec: TableSpec<Row>,
  place: Place,
  grid: readonly Cell[][],
  answered: ReadonlySet<string>,
): { removed: number[]; kept: string[] } {
  const own = new Set(ownColumns(spec, place).map(({ to }) => to));
  const keyOf = keyReader(spec, place);
  const removed: number[] = [];
  const kept: string[] = [];
  grid.forEach((cells, row) => {
    const key = keyOf(cells);
    if (key.trim() === '' || answered.has(key)) return;
    if (cells.some((cell, column) => !own.has(column) && isNote(cell))) kept.push(key);
    else removed.push(row);
  });
  return { removed, kept };
}

const across = <Row>(width: number, own: readonly OwnColumn<Row>[], cells: readonly Cell[]): (Cell | null)[] => {
  const row: (Cell | null)[] = new Array(width).fill(null);
  for (const { from, to } of own) row[to] = cells[from]!;
  return row;
};

/** Excel may show a truth value among formulas as its word. */
const isSameCell = (present: Cell, wanted: Cell): boolean =>
  present === wanted || (typeof wanted === 'boolean' && present === String(wanted).toUpperCase());

/** Something the person typed; a formula is there again on every row. */
const isNote = (cell: Cell): boolean => cell !== '' && !(typeof cell === 'string' && cell.startsWith('='));

/** Empty rows at the end, formatted as their columns are, before any value goes in. */
function addRows<Row>(
  handle: TableHandle,
  columns: readonly OwnColumn<Row>[],
  count: number,
  width: number,
  { patience }: WriteOptions,
): Promise<void> {
  return inWorkbook(async (context) => {
    const place = await locateTable(context, handle);
    // null leaves a cell to Excel, which then fills the person's formulas down. The types do not know it here.
    const untouched = Array.from({ length: count }, () => new Array(width).fill(null)) as unknown as string[][];
    place.table.rows.add(undefined, untouched);
    for (const { column, to } of columns) {
      const cells = place.sheet.getRangeByIndexes(place.top + place.rows, place.left + to, count, 1);
      cells.numberFormat = numberFormatOf(column.kind) as unknown as string[][];
    }
    await context.sync();
  }, patience);
}

/** Text columns are text again where someone made them something else: a service's text is never evaluated. */
function formatTexts<Row>(
  handle: TableHandle,
  columns: readonly OwnColumn<Row>[],
  { top, left, rows }: Place,
  { patience }: WriteOptions,
): Promise<void> {
  return inWorkbook(async (context) => {
    const sheet = context.workbook.worksheets.getItem(handle.sheetId);
    for (const { column, to } of columns) {
      if (column.kind !== 'text') continue;
      sheet.getRangeByIndexes(top, left + to, rows, 1).numberFormat = '@' as unknown as string[][];
    }
    await context.sync();
  }, patience);
}

/**
 * Removes the rows that are no longer answered, the last ones first so that the places of the others stay right, and
 * remembers the refresh. The table is read once more for it: a row is not removed by a place that may be another row's by now.
 */
function finishRefresh<Row>(
  handle: TableHandle,
  spec: TableSpec<Row>,
  answered: ReadonlySet<string>,
  { patience }: WriteOptions,
): Promise<{ removed: number[]; kept: string[] }> {
  return inWorkbook(async (context) => {
    const place = await locateTable(context, handle);
    const rows = vanished(spec, place, await readBody(context, place, 'formulas'), answered);
    for (const row of rows.removed.toReversed()) place.table.rows.getItemAt(row).delete();
    remember(place.sheet, { ...handle.memory, ...spec.source, pulledAt: new Date().toISOString() });
    place.sheet.activate();
    await context.sync();
    return rows;
  }, patience);
}
