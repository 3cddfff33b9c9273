import { inWorkbook, type Retry } from './batch.ts';
import type { Cell } from './cell.ts';
import { clearMarks } from './markCells.ts';
import { keyPlacesOf, locateTable, type Place } from './tables/locateTable.ts';
import { MAX_ATTEMPTS } from './tables/overwrite.ts';
import { keyText } from './tables/table.ts';
import type { TableHandle } from './tables/tableMemory.ts';

/** The fill of a cell that the latest refresh changed: another one than that of a cell that is wrong. */
export const CHANGE_FILL = '#FFF4CE';

/** The colour of a cell without a fill. */
const NO_FILL = '#FFFFFF';

/** The most rows that are marked: more take long, and are no help. */
export const MAX_MARKED_ROWS = 2_000;

/** Each takes some 900 bytes of a request, which may have 5 MB. */
const MAX_RUNS_PER_REQUEST = 1500;

/** Changed cells of a row: the texts of its key columns, and the keys of the columns. */
export type ChangedCells = { key: string; columns: readonly string[] };

/** Neighbouring cells of a row, by positions in the body. */
type Run = { row: number; from: number; count: number };

/**
 * Marks the cells that a refresh changed, and removes the marks of earlier ones. A cell that the user filled keeps its
 * fill. The user may sort meanwhile: then the marks are removed and made again.
 * @throws WorkbookProblem
 */
export function markChanges(handle: TableHandle, changes: readonly ChangedCells[], retry?: Retry): Promise<void> {
  return inWorkbook(async (context) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const place = await locateTable(context, handle);
      await clearMarks(context, place, [...place.columns.values()], CHANGE_FILL);
      const before = loadKeys(place, handle);
      await context.sync();
      const runs = runsOf(place, changes.slice(0, MAX_MARKED_ROWS), rowsByKey(place, before));
      await fillRuns(context, place, runs);
      const after = loadKeys(place, handle);
      await context.sync();
      if (runs.every(({ row }) => keyAt(before, row) === keyAt(after, row))) return;
    }
  }, retry);
}

const fillOf = ({ sheet, top, left }: Place, { row, from, count }: Run): Excel.RangeFill =>
  sheet.getRangeByIndexes(top + row, left + from, 1, count).format.fill;

/** Fills cells that have no fill. Takes some syncs. */
async function fillRuns(context: Excel.RequestContext, place: Place, runs: readonly Run[]): Promise<void> {
  const mixed: Run[] = [];
  for (let start = 0; start < runs.length; start += MAX_RUNS_PER_REQUEST) {
    const read = runs.slice(start, start + MAX_RUNS_PER_REQUEST).map((run) => {
      const fill = fillOf(place, run);
      fill.load({ color: true });
      return { run, fill };
    });
    await context.sync();
    for (const { run, fill } of read) {
      if (fill.color?.toUpperCase() === NO_FILL) fillOf(place, run).color = CHANGE_FILL;
      // The fills of its cells differ.
      else if (!fill.color) mixed.push(run);
    }
  }
  const cells = mixed.flatMap(({ row, from, count }) =>
    Array.from({ length: count }, (_, index) => ({ row, from: from + index, count: 1 })),
  );
  if (cells.length > 0) await fillRuns(context, place, cells);
}

/** Queues reading the key columns. */
function loadKeys(place: Place, handle: TableHandle): (Excel.Range | undefined)[] {
  const { sheet, top, left, rows } = place;
  return keyPlacesOf(handle.memory.keys, place, handle).map((column) => {
    const range = column === undefined ? undefined : sheet.getRangeByIndexes(top, left + column, rows, 1);
    range?.load({ values: true });
    return range;
  });
}

const keyAt = (columns: readonly (Excel.Range | undefined)[], row: number): string =>
  keyText(columns.map((range) => (range === undefined ? '' : (range.values[row]![0] as Cell))));

function rowsByKey({ rows }: Place, columns: readonly (Excel.Range | undefined)[]): Map<string, number[]> {
  const byKey = new Map<string, number[]>();
  for (let row = 0; row < rows; row++) {
    const key = keyAt(columns, row);
    byKey.set(key, [...(byKey.get(key) ?? []), row]);
  }
  return byKey;
}

/** The cells to mark, neighbours in a row together. */
function runsOf(place: Place, changes: readonly ChangedCells[], rows: ReadonlyMap<string, number[]>): Run[] {
  return changes.flatMap(({ key, columns }) => {
    const places = columns.flatMap((column) => place.columns.get(column) ?? []).sort((a, b) => a - b);
    return (rows.get(key) ?? []).flatMap((row) => {
      const runs: Run[] = [];
      for (const column of places) {
        const last = runs.at(-1);
        if (last !== undefined && last.from + last.count === column) last.count++;
        else runs.push({ row, from: column, count: 1 });
      }
      return runs;
    });
  });
}
