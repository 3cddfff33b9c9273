import { groupBy } from '../../../../shared/groupBy.ts';
import { defaultRetry, inWorkbook, type Retry } from '../../batch.ts';
import { type Block, blocksOf, bytesOfRow, inParts, requestsOf } from '../../blocks.ts';
import { type Cell, numberFormatOf } from '../../cell.ts';
import { type ChangedCells, MAX_MARKED_ROWS, markChanges } from '../../marks/markChanges.ts';
import { WorkbookProblem } from '../../workbookProblem.ts';
import { type LostApostrophe, readApostrophes, setFormat } from '../../writeBlock.ts';
import { formulaWriter } from '../formulas.ts';
import {
  checkHeaders,
  hasSameColumns,
  inTable,
  MAX_ATTEMPTS,
  type Place,
  placesOf,
  stayAt,
  unlessMoved,
  withRows,
} from '../locateTable.ts';
import { checkRoom, refreshOverview } from '../overview.ts';
import { acrossRow, blocksIn, bodyIn, othersIn, overwrite, rowsOfBody } from '../overwrite.ts';
import { readBody } from '../readTable.ts';
import { repair } from '../repair.ts';
import { growTable } from '../rowsBelow.ts';
import { cellsOf, type TableSpec, type TableWriter } from '../table.ts';
import { NO_ID, remember, storedNow, type TableHandle, type TableMemory, withIdsOf } from '../tableMemory.ts';
import { markFinished, markUnfinished } from '../unfinished.ts';
import { writeCells } from '../writeCells.ts';
import { arrangeColumns } from './arrangeColumns.ts';
import { changedCells, type PlacedColumn, placedColumns, planRefresh, rowDecider } from './planRefresh.ts';
import { removeRows } from './removeRows.ts';

/**
 * Refreshes a table: every received row is found by its key, and only cells that differ are written. The columns of the
 * user stay with their rows, wherever those are now. New rows come at the end. A row that is no longer received is
 * removed, unless the user wrote something beside it.
 *
 * The user may sort meanwhile: a request that writes rows also reads them, and when they are not the expected ones,
 * the previous cells are restored and the table is read again.
 *
 * Rows are only collected while they arrive: until `finish` the workbook is unchanged.
 * @param marksChanges whether the cells that it changes get a fill, until the next refresh
 */
export async function refreshTable<Row>(
  found: TableHandle,
  spec: TableSpec<Row>,
  retry = defaultRetry,
  marksChanges = false,
): Promise<TableWriter<Row>> {
  const incoming: Cell[][] = [];
  const dataAt = spec.dataAt === undefined ? {} : { dataAt: spec.dataAt };
  let cut = 0;
  const withFormulas = formulaWriter(spec);
  return {
    async write(rows) {
      checkRoom(incoming.length + rows.length, spec.overview);
      for (const row of rows) {
        const cells = cellsOf(spec.columns, row, () => cut++);
        withFormulas.add(row, cells);
        incoming.push(cells);
      }
    },

    async finish() {
      let isMarked = false;
      let handle = found;
      const beforeWriting = async () => {
        if (!isMarked) await markRefresh(handle, spec, retry);
        isMarked = true;
      };
      if (spec.hasChosenColumns) handle = await arrangeColumns(handle, spec, retry, beforeWriting);
      const columnsOf = new Map<string, Set<string>>();
      const onChanged = ({ key, columns }: ChangedCells) =>
        columnsOf.set(key, new Set([...(columnsOf.get(key) ?? []), ...columns]));
      const onWriting = { beforeWriting, ...(marksChanges ? { onChanged } : {}) };
      const { added, changed, received } = await applyRows(handle, spec, incoming, retry, onWriting);
      const cells = [...columnsOf].map(([key, columns]) => ({ key, columns: [...columns] }));
      const decisionIn = (place: Place) => rowDecider(spec, place, received);
      const { removed, retained } = await removeRows(handle, spec.keys, decisionIn, retry, beforeWriting);
      await withFormulas.finish(handle, retry);
      if (spec.overview?.totals !== undefined) {
        // The amounts of retained rows become 0, so that the totals of an overview are those of what is outstanding.
        const cells = Object.fromEntries(spec.overview.totals.columns.map((key) => [key, 0]));
        const changes = retained.map((key) => ({ key, cells }));
        await writeCells(handle, spec.keys, changes, retry);
      }
      const now = await inWorkbook((context) => storedNow(context, handle), retry);
      await inTable(
        now,
        async (context, place) => {
          const { sheet, table } = place;
          const filter = place.hasHidden ? table.autoFilter : undefined;
          filter?.load({ isDataFiltered: true });
          if (filter !== undefined) await context.sync();
          if (spec.overview !== undefined) await refreshOverview(context, place, spec.overview);
          markFinished(sheet);
          const administration = withIdsOf(spec.source.administration, now.memory.administration);
          const pulledAt = new Date().toISOString();
          const hasMarks = marksChanges && cells.length > 0;
          const columns = columnsNow(now.memory, place);
          remember(sheet, { ...now.memory, ...spec.source, administration, ...dataAt, pulledAt, hasMarks, columns });
          // Filters apply to changed and new rows too. Without one Excel may refuse (OfficeDev/office-js#3086).
          if (filter?.isDataFiltered) filter.reapply();
          await context.sync();
        },
        retry,
      );
      const { sheetId, sheetName } = handle;
      if (marksChanges || now.memory.hasMarks) await markChanges(handle, marksChanges ? cells : [], retry);
      const marked = marksChanges ? { marked: Math.min(cells.length, MAX_MARKED_ROWS) } : {};
      const counts = { rows: incoming.length, added, changed, removed, cut };
      return { work: 'refreshed', sheetName, sheetId, ...dataAt, ...counts, ...marked, retained };
    },

    discard: async () => {},
  };
}

/**
 * The remembered columns with their present ids. A deleted one keeps its heading only: a column that the user makes may get
 * its id, as in a file that is opened again.
 */
const columnsNow = ({ columns }: TableMemory, place: Place): TableMemory['columns'] =>
  columns.map(({ key, heading }) => {
    const at = place.columns.get(key);
    return { key, heading, id: at === undefined ? NO_ID : place.table.columns.items[at]!.id };
  });

const markRefresh = <Row>({ sheetId }: TableHandle, { source }: TableSpec<Row>, retry: Retry) =>
  inWorkbook(async (context) => {
    markUnfinished(context.workbook.worksheets.getItem(sheetId), 'refresh', source);
    await context.sync();
  }, retry);

/** Writes the received rows, and repeats those that moved meanwhile. */
async function applyRows<Row>(
  handle: TableHandle,
  spec: TableSpec<Row>,
  incoming: readonly Cell[][],
  retry: Retry,
  { beforeWriting, onChanged }: { beforeWriting: () => Promise<void>; onChanged?: (cells: ChangedCells) => void },
): Promise<{ added: number; changed: number; received: ReadonlySet<string> }> {
  let added = 0;
  let changed = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    retry.signal?.throwIfAborted();
    const { place, grid } = await inTable(
      handle,
      async (context, place) => {
        checkHeaders(place);
        const keys = placesOf(spec.keys, place, handle);
        return { place, grid: await readBody(context, place, keys) };
      },
      retry,
    );
    const plan = planRefresh(spec, place, grid, incoming);
    const placed = placedColumns(spec, place);
    if (onChanged !== undefined) for (const one of changedCells(spec.keys, placed, place, grid, plan)) onChanged(one);
    if (plan.changed.size + plan.added.length > 0) await beforeWriting();

    // Compared as text, since a number becomes text once its column has the text format.
    const isAsRead = (row: number, before: readonly Cell[]) =>
      !plan.changed.has(row) || placed.every(({ to }) => String(before[to]) === String(grid[row]![to]));
    const sizeRead = (row: number) => bytesOfRow(grid[row]!);
    let moved = 0;
    // The row of an emptied table may have lost its formats.
    const isEmptied = place.rows === 1 && plan.filled === 1;
    if (plan.changed.size > 0 && !place.hasHidden) {
      const formatting = formatColumns(handle, place, placed, isEmptied, retry);
      if (!(await unlessMoved(formatting, false))) continue;
    }
    for (const request of requestsOf(blocksIn(place, plan.changed, sizeRead), sizeRead)) {
      retry.signal?.throwIfAborted();
      await inParts(request, async (part) => {
        const rows = part.reduce((sum, block) => sum + block.rows.length, 0);
        moved += await unlessMoved(overwriteRows(handle, spec.keys, place, placed, part, isAsRead, retry), rows);
      });
    }
    changed += plan.changed.size - moved;
    // New rows are known once no other row moves any more.
    if (moved > 0) continue;
    changed -= plan.filled;
    added += plan.filled;

    let end = place.rows;
    for (const block of blocksOf(new Map(plan.added.entries()), place.width)) {
      retry.signal?.throwIfAborted();
      await inParts([block], async ([part]) => {
        const { rows } = part!;
        const again = await addRows(handle, spec, place, rows, end, retry);
        moved += again ?? rows.length;
        if (again !== undefined) end += rows.length;
      });
    }
    added += end - place.rows;
    if (moved === 0) return { added, changed, received: plan.received };
  }
  throw new WorkbookProblem('ROWS_MOVED');
}

/**
 * Writes blocks in one request.
 * @returns the number of rows that had moved; their cells are unchanged
 */
async function overwriteRows<Row>(
  handle: TableHandle,
  keys: readonly string[],
  place: Place,
  placed: readonly PlacedColumn<Row>[],
  blocks: readonly Block[],
  isExpectedRow: (row: number, before: readonly Cell[]) => boolean,
  retry: Retry,
): Promise<number> {
  const { written, lost } = await inWorkbook(async (context) => {
    const body = bodyIn(context, handle, place);
    const request = stayAt(context, body);
    context.application.suspendApiCalculationUntilNextSync();
    if (place.hasHidden) for (const { start } of blocks) formatTexts(rowsOfBody(body, start, 1), placed);
    const written = blocks.map((block) => overwrite(body, block));
    const apostrophes = blocks.map(({ start, rows }) => ({
      start,
      lost: readApostrophes(rows, (row, column) => rowsOfBody(body, start + row, 1).getCell(0, column)),
    }));
    await request.sync();
    return { written, lost: apostrophes.flatMap(({ start, lost }) => lost().map((one) => inBody(one, start))) };
  }, retry);

  const others = othersIn(written, isExpectedRow);
  await repair(handle, keys, place, written, others, retry);
  const still = lost.filter(({ row }) => !others.has(row));
  return others.size + (await secondApostrophes(handle, keys, place, still, retry));
}

const inBody = (lost: LostApostrophe, start: number): LostApostrophe => ({ ...lost, row: start + lost.row });

/** Writes cells again with a second apostrophe, if they are still in place. @returns how many are not */
async function secondApostrophes(
  handle: TableHandle,
  keys: readonly string[],
  place: Place,
  lost: readonly LostApostrophe[],
  retry: Retry,
): Promise<number> {
  if (lost.length === 0) return 0;
  const entries = groupBy(lost, ({ row }) => row);
  const rows = new Map(
    [...entries].map(([row, cells]) => [
      row,
      acrossRow(
        place.width,
        cells.map(({ column, text }) => [column, text]),
      ),
    ]),
  );
  const writing = inWorkbook(async (context) => {
    const body = bodyIn(context, handle, place);
    const request = stayAt(context, body);
    const written = blocksIn(body, rows).map((block) => overwrite(body, block));
    await request.sync();
    return written;
  }, retry);
  const written = await unlessMoved(writing, undefined);
  if (written === undefined) return entries.size;
  const others = othersIn(written, (row, before) =>
    (entries.get(row) ?? []).every(({ column, seen }) => before[column] === seen),
  );
  await repair(handle, keys, place, written, others, retry);
  return others.size;
}

/**
 * Adds new rows at the end, and formats them like their columns before values are written. The table is resized, which
 * conflicts less with co-authors than adding rows; cells below it are moved down first.
 * @param planned the table for whose columns the rows are @param end how many rows the table has
 * @returns the number of rows that must be written again; undefined when the table has other columns by now, or more or
 * fewer rows, since another window that refreshes it may have added the same ones: then none was added
 */
async function addRows<Row>(
  handle: TableHandle,
  spec: TableSpec<Row>,
  planned: Place,
  rows: (Cell | null)[][],
  end: number,
  retry: Retry,
): Promise<number | undefined> {
  const outcome = await inTable(
    handle,
    async (context, place) => {
      const fresh = rowsOfBody(place, place.rows, rows.length);
      const inTheWay = fresh.getUsedRangeOrNullObject(true);
      inTheWay.load({ address: true });
      fresh.load({ rowHidden: true });
      const now = place.table.getDataBodyRange();
      now.load({ rowCount: true });
      await context.sync();
      if (place.rows !== end || now.rowCount !== end || !hasSameColumns(planned, place)) return undefined;

      const request = stayAt(context, place);
      context.application.suspendApiCalculationUntilNextSync();
      growTable(place, rows.length, !inTheWay.isNullObject);
      const cells = rowsOfBody(place, place.rows, rows.length);
      formatCells(cells, placedColumns(spec, place));
      const body = { ...place, hasHidden: fresh.rowHidden !== false };
      const byPlace = new Map(rows.map((row, index) => [place.rows + index, row]));
      const written = blocksIn(body, byPlace).map((block) => overwrite(body, block));
      const lostApostrophes = readApostrophes(rows, (row, column) => cells.getCell(row, column));
      await request.sync();
      return {
        place: withRows(place, rows.length),
        written,
        lost: lostApostrophes().map((one) => inBody(one, place.rows)),
      };
    },
    retry,
  );
  if (outcome === undefined) return undefined;
  const { place, written, lost } = outcome;
  await repair(handle, spec.keys, place, written, new Set(), retry);
  return secondApostrophes(handle, spec.keys, place, lost, retry);
}

/** Formats whole columns at once if no row is hidden. @returns true */
const formatColumns = <Row>(
  handle: TableHandle,
  place: Place,
  placed: readonly PlacedColumn<Row>[],
  isEmptied: boolean,
  retry: Retry,
) =>
  inWorkbook(async (context) => {
    const format = isEmptied ? formatCells : formatTexts;
    const body = bodyIn(context, handle, place);
    const request = stayAt(context, body);
    format(rowsOfBody(body, 0, place.rows), placed);
    await request.sync();
    return true;
  }, retry);

/** Restores the text format of text columns, so that Excel never evaluates a text of a service. */
function formatTexts<Row>(rows: Excel.Range, placed: readonly PlacedColumn<Row>[]): void {
  formatCells(
    rows,
    placed.filter(({ column }) => column.kind === 'text'),
  );
}

function formatCells<Row>(rows: Excel.Range, placed: readonly PlacedColumn<Row>[]): void {
  for (const { column, to } of placed) setFormat(rows.getColumn(to), numberFormatOf(column.kind));
}
