import { groupBy } from '../../../shared/groupBy.ts';
import { inWorkbook, type Retry } from '../batch.ts';
import { inTable, keyPlacesOf, MAX_ATTEMPTS, type Place, stayAt, unlessMoved } from '../tables/locateTable.ts';
import { bodyIn } from '../tables/overwrite.ts';
import { readColumns } from '../tables/readTable.ts';
import { keyText } from '../tables/table.ts';
import type { TableHandle } from '../tables/tableMemory.ts';
import { clearMarks } from './markCells.ts';

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
export async function markChanges(
  handle: TableHandle,
  changes: readonly ChangedCells[],
  retry: Retry | undefined,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { place, keys, runs } = await findRows(handle, changes.slice(0, MAX_MARKED_ROWS), retry);
    const now = await unlessMoved(markRuns(handle, place, runs, retry), []);
    if (runs.every(({ row }) => keys[row] === now[row])) return;
  }
}

/** Marks cells. @returns the keys of the rows after that */
async function markRuns(handle: TableHandle, place: Place, runs: readonly Run[], retry: Retry | undefined) {
  const waiting = [...runs];
  while (waiting.length > 0) {
    waiting.push(...(await fillRuns(handle, place, waiting.splice(0, MAX_RUNS_PER_REQUEST), retry)));
  }
  return inWorkbook((context) => readKeys(context, { ...place, ...bodyIn(context, handle, place) }, handle), retry);
}

/** Removes earlier marks, and finds the cells to mark. */
const findRows = (handle: TableHandle, changes: readonly ChangedCells[], retry: Retry | undefined) =>
  inTable(
    handle,
    async (context, place) => {
      await clearMarks(context, place, [...place.columns.values()], CHANGE_FILL);
      const keys = await readKeys(context, place, handle);
      return {
        place,
        keys,
        runs: runsOf(
          place,
          changes,
          groupBy([...keys.keys()], (row) => keys[row]!),
        ),
      };
    },
    retry,
  );

/** Fills cells that have no fill. @returns the cells of runs with different fills, one by one */
const fillRuns = (handle: TableHandle, located: Place, runs: readonly Run[], retry: Retry | undefined) =>
  inWorkbook(async (context) => {
    const body = bodyIn(context, handle, located);
    const { sheet, top, left } = body;
    const fillOf = ({ row, from, count }: Run) => sheet.getRangeByIndexes(top + row, left + from, 1, count).format.fill;
    const fills = runs.map((run) => {
      const fill = fillOf(run);
      fill.load({ color: true });
      return fill;
    });
    await context.sync();
    const request = stayAt(context, body);
    const isEmpty = (color: string | null): boolean => color?.toUpperCase() === NO_FILL;
    for (const [index, run] of runs.entries()) if (isEmpty(fills[index]!.color)) fillOf(run).color = CHANGE_FILL;
    await request.sync();
    return runs.flatMap(({ row, from, count }, index) =>
      fills[index]!.color ? [] : Array.from({ length: count }, (_, place) => ({ row, from: from + place, count: 1 })),
    );
  }, retry);

/** The texts of the key columns of every row. */
async function readKeys(context: Excel.RequestContext, place: Place, handle: TableHandle): Promise<string[]> {
  const keyPlaces = keyPlacesOf(handle.memory.keys, place, handle);
  const present = keyPlaces.filter((column) => column !== undefined);
  const cells = await readColumns(context, place, present);
  return cells.map((row) =>
    keyText(keyPlaces.map((column) => (column === undefined ? '' : row[present.indexOf(column)]!))),
  );
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
