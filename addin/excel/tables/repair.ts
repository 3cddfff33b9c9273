import { groupBy } from '../../../shared/groupBy.ts';
import { inWorkbook, type Retry } from '../batch.ts';
import { bytesOfRow, requestsOf } from '../blocks.ts';
import type { Cell } from '../cell.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { hasSameColumns, inTable, MAX_ATTEMPTS, type Place, stayAt, unlessMoved } from './locateTable.ts';
import { acrossRow, bodyIn, type Overwritten, type RowCells, rowsOfBody, writtenColumns } from './overwrite.ts';
import { readBody } from './readTable.ts';
import { isFormula, keyText } from './table.ts';
import type { TableHandle } from './tableMemory.ts';

/** A row to correct, at its latest known position. */
type Correction = RowCells & {
  key: string;
  /** Whether a row is this one: by its key, or by all cells that were not written when it has none. */
  isRow: (present: readonly Cell[]) => boolean;
  /** Whether all cells that were not written are as they were: tells rows of the same key apart. */
  isUnchanged: (present: readonly Cell[]) => boolean;
};

/**
 * Restores rows that were not the expected ones, and corrects blocks that were written across hidden rows
 * because the user filtered meanwhile. These are separate requests: a repeated request must not
 * mistake written cells for the previous ones. The user may sort between them, so each of them reads the rows it
 * corrects: rows that have moved are searched by their keys.
 * @param keys the key columns
 * @param typed cells to restore in other rows, by their position
 * @throws WorkbookProblem ROWS_MOVED when a row without a key has moved
 */
export async function repair(
  handle: TableHandle,
  keys: readonly string[],
  place: Place,
  written: readonly Overwritten[],
  others: ReadonlySet<number>,
  retry: Retry | undefined,
  typed: ReadonlyMap<number, (Cell | null)[]> = new Map(),
): Promise<void> {
  const keyPlaces = keys.flatMap((key) => place.columns.get(key) ?? []);
  const waiting = written.flatMap(({ start, rows, before }) => {
    const isMisaligned = rows.length > 1 && before.rowHidden !== false;
    return rows.flatMap((cells, index): Correction[] => {
      const isOther = others.has(start + index);
      const back = typed.get(start + index);
      if (!isOther && !isMisaligned && back === undefined) return [];
      const was = before.formulas[index] as Cell[];
      const first = isMisaligned ? rows[0]! : cells;
      const repaired = cells.map((cell, column) => {
        if (isOther) return cell === null && first[column] === null ? null : was[column]!;
        if (back !== undefined && back[column] !== null) return back[column]!;
        if (!isMisaligned) return null;
        return cell ?? (first[column] === null ? null : was[column]!);
      });
      if (repaired.every((cell) => cell === null)) return [];
      return [correction(start + index, was, [cells, first], repaired, keyPlaces)];
    });
  });

  await correctRows(handle, keyPlaces, place, waiting, retry);
}

/** Corrects rows, and searches those that have moved. */
async function correctRows(
  handle: TableHandle,
  keyPlaces: readonly number[],
  place: Place,
  rows: readonly Correction[],
  retry: Retry | undefined,
  attempts = MAX_ATTEMPTS,
): Promise<void> {
  if (attempts === 0) throw new WorkbookProblem('ROWS_MOVED');
  const moved: Correction[] = [];
  const hit: Correction[] = [];
  const blocks = rows.map(({ place, cells }) => ({ start: place, rows: [cells] }));
  const sizes = new Map(rows.map((row) => [row.place, bytesOfRow(row.cells)]));
  let done = 0;
  for (const { length } of requestsOf(blocks, (at) => sizes.get(at)!)) {
    const part = rows.slice(done, done + length);
    const correcting = correctOnce(handle, keyPlaces, place, part, retry);
    const outcome = await unlessMoved(correcting, { moved: part, hit: [] });
    moved.push(...outcome.moved);
    hit.push(...outcome.hit);
    done += length;
  }
  if (moved.length === 0) return;
  // Rows that were written by mistake look like those that were meant: they are restored first.
  const stood = await findRows(handle, keyPlaces, place, hit.reverse(), retry);
  await correctRows(handle, keyPlaces, stood.body, stood.rows, retry, attempts - 1);
  const found = await findRows(handle, keyPlaces, place, moved, retry);
  await correctRows(handle, keyPlaces, found.body, found.rows, retry, attempts - 1);
}

/**
 * A correction of a row.
 * @param was its cells before it was written
 * @param written what may have been written to it
 */
function correction(
  place: number,
  was: readonly Cell[],
  written: readonly (readonly (Cell | null)[])[],
  cells: (Cell | null)[],
  keyPlaces: readonly number[],
): Correction {
  const key = keyText(keyPlaces.map((column) => was[column]!));
  const isAsLeft = (column: number, present: readonly Cell[]) =>
    [was[column]!, ...written.flatMap((row) => row[column] ?? [])].some(
      (one) => String(one) === String(present[column]),
    );
  const isWritten = (column: number) => written.some((row) => row[column] !== null);
  const isUnchanged = (present: readonly Cell[]) =>
    // A formula reads otherwise in another row.
    was.every((cell, column) => isFormula(cell) || isWritten(column) || isAsLeft(column, present));
  const hasKey = (present: readonly Cell[]) => keyPlaces.every((column) => isAsLeft(column, present));
  return { place, key, isRow: key.trim() === '' ? isUnchanged : hasKey, isUnchanged, cells };
}

/**
 * Enters cells, formulas among them, row by row. A formula in a column that is empty otherwise makes Excel fill the
 * whole column with it (OfficeDev/office-js#2093, #5909): the filled cells are restored.
 * @returns the corrections of rows that had moved, and how to restore the rows that stood there, in the order of writing
 */
async function correctOnce(
  handle: TableHandle,
  keyPlaces: readonly number[],
  place: Place,
  rows: readonly Correction[],
  retry: Retry | undefined,
): Promise<{ moved: Correction[]; hit: Correction[] }> {
  const columns = [...new Set(rows.flatMap(({ cells }) => [...cells.keys()].filter((at) => isFormula(cells[at]!))))];
  const { presents, before, after } = await inWorkbook(async (context) => {
    const body = bodyIn(context, handle, place);
    const readColumns = () =>
      columns.map((column) => {
        const range = body.sheet.getRangeByIndexes(body.top, body.left + column, body.rows, 1);
        range.load({ formulas: true });
        return range;
      });
    const request = stayAt(context, body);
    context.application.suspendApiCalculationUntilNextSync();
    const before = readColumns();
    const presents = rows.map((row) => {
      const present = rowsOfBody(body, row.place, 1);
      present.load({ formulas: true });
      enterRow(body, row);
      return present;
    });
    const after = readColumns();
    await request.sync();
    return { presents, before, after };
  }, retry);

  const meant = new Map(rows.map(({ place, cells }) => [place, cells]));
  const filled = columns.flatMap((column, index) =>
    (before[index]!.formulas as Cell[][]).flatMap(([was], row): RowCells[] => {
      const cell = meant.get(row)?.[column] ?? was!;
      if (after[index]!.formulas[row]![0] === cell) return [];
      return [{ place: row, cells: acrossRow(place.width, [[column, cell]]) }];
    }),
  );
  if (filled.length > 0) {
    await inWorkbook(async (context) => {
      const body = bodyIn(context, handle, place);
      for (const row of filled) enterRow(body, row);
      await context.sync();
    }, retry);
  }

  const outcome: { moved: Correction[]; hit: Correction[] } = { moved: [], hit: [] };
  for (const [index, row] of rows.entries()) {
    const present = presents[index]!.formulas[0] as Cell[];
    if (row.isRow(present)) continue;
    const restored = row.cells.map((cell, column) => (cell === null ? null : present[column]!));
    outcome.moved.push(row);
    outcome.hit.push(correction(row.place, present, [row.cells], restored, keyPlaces));
  }
  return outcome;
}

function enterRow({ sheet, top, left }: Pick<Place, 'sheet' | 'top' | 'left'>, { place, cells }: RowCells): void {
  for (const { from, to } of writtenColumns([cells])) {
    sheet.getRangeByIndexes(top + place, left + from, 1, to - from).formulas = [cells.slice(from, to)];
  }
}

/** Searches rows by their keys. Rows that were deleted meanwhile are left out. */
async function findRows(
  handle: TableHandle,
  keyPlaces: readonly number[],
  place: Place,
  rows: readonly Correction[],
  retry: Retry | undefined,
): Promise<{ body: Place; rows: Correction[] }> {
  const { body, grid } = await inTable(
    handle,
    async (context, body) => ({ body, grid: await readBody(context, body, keyPlaces) }),
    retry,
  );
  if (!hasSameColumns(place, body)) throw new WorkbookProblem('ROWS_MOVED');

  const byKey = groupBy([...grid.keys()], (row) => keyText(keyPlaces.map((column) => grid[row]![column]!)));
  const taken = new Set<number>();
  const found = rows.flatMap((row): Correction[] => {
    const same = byKey.get(row.key) ?? [];
    const candidates = same.filter((at) => !taken.has(at) && row.isRow(grid[at]!));
    const isKnown = row.key.trim() !== '';
    if (isKnown && same.length === 0) return [];
    const at = candidates.find((at) => row.isUnchanged(grid[at]!)) ?? candidates[0];
    // Rows without a key cannot be told apart.
    if (at === undefined || (!isKnown && candidates.length > 1)) throw new WorkbookProblem('ROWS_MOVED');
    taken.add(at);
    return [{ ...row, place: at }];
  });
  return { body, rows: found };
}
