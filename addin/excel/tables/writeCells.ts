import { mapInTurns } from '../../../shared/client/mapInTurns.ts';
import type { Retry } from '../batch.ts';
import type { Block } from '../blocks.ts';
import { type Cell, numberFormatOf } from '../cell.ts';
import { WorkbookProblem } from '../workbookProblem.ts';
import { setFormat } from '../writeBlock.ts';
import { inTable, keyPlacesOf, MAX_ATTEMPTS, type Place, stayAt } from './locateTable.ts';
import { acrossRow, blocksIn, type Overwritten, othersIn, overwrite } from './overwrite.ts';
import { readColumns } from './readTable.ts';
import { repair } from './repair.ts';
import { keyText } from './table.ts';
import type { TableHandle } from './tableMemory.ts';

/** The new cells of one row. */
export type RowChange = {
  /** The texts of its key columns, "" for a deleted one. */
  key: string;
  /** Its row number when it was read: checked first, since two rows may have the same key. */
  number?: number;
  cells: Readonly<Record<string, Cell>>;
  /** The new cells of every further row with the same key and no change of its own; left out: these do not change. */
  further?: Readonly<Record<string, Cell>>;
  /** Cells to empty, if they still have the values that were read. */
  clear?: Readonly<Record<string, Cell>>;
  /** Text colours of cells, as #rrggbb. */
  colours?: Readonly<Record<string, string>>;
};

/**
 * Writes to rows that are found by their key, wherever they are by now: users sort, filter and insert while a push
 * runs. Deleted columns are skipped.
 *
 * Between finding a row and writing to it the user may sort again, or type. So the same request that writes
 * first reads the keys and the previous cells: when a row has moved, the previous cells are restored
 * and the row is searched again. A value typed meanwhile into a cell to empty is restored too.
 * @returns the keys of missing rows
 * @throws WorkbookProblem COLUMN_GONE when no key column is left
 */
export async function writeCells(
  handle: TableHandle,
  keys: readonly string[],
  changes: readonly RowChange[],
  retry?: Retry,
): Promise<string[]> {
  let waiting = changes;
  const missing: string[] = [];
  for (let attempt = 0; waiting.length > 0 && attempt < MAX_ATTEMPTS; attempt++) {
    const outcome = await writeInParts(handle, keys, waiting, retry);
    waiting = outcome.moved;
    missing.push(...outcome.missing);
  }
  return [...missing, ...waiting.map(({ key }) => key)];
}

type Outcome = { moved: RowChange[]; missing: string[] };

/**
 * Writes in halves what Excel finds too large: the previous cells are read too, and those of the user may be long. What
 * was written before a response was too large is written again.
 */
async function writeInParts(
  handle: TableHandle,
  keys: readonly string[],
  changes: readonly RowChange[],
  retry: Retry | undefined,
): Promise<Outcome> {
  try {
    return await writeOnce(handle, keys, changes, retry);
  } catch (error) {
    const isTooLarge = error instanceof WorkbookProblem && error.code === 'TOO_LARGE';
    if (!isTooLarge || changes.length < 2) throw error;
    const middle = Math.ceil(changes.length / 2);
    const one = await writeInParts(handle, keys, changes.slice(0, middle), retry);
    const other = await writeInParts(handle, keys, changes.slice(middle), retry);
    return { moved: [...one.moved, ...other.moved], missing: [...one.missing, ...other.missing] };
  }
}

async function writeOnce(
  handle: TableHandle,
  keys: readonly string[],
  changes: readonly RowChange[],
  retry: Retry | undefined,
): Promise<Outcome> {
  const { place, keyIn, written, missing, blocks } = await inTable(
    handle,
    async (context, place) => {
      const keyPlaces = keyPlacesOf(keys, place, handle);
      const keyIn = (cellAt: (column: number) => Cell): string =>
        keyText(keyPlaces.map((column) => (column === undefined ? '' : cellAt(column))));
      const cleared = changes.flatMap(({ clear = {} }) => Object.keys(clear).flatMap((key) => at(place, key, '')));
      const read = [...keyPlaces.filter((column) => column !== undefined), ...cleared.map(([column]) => column)];
      const { found, rowsOf } = await findRows(context, place, read, keyIn, changes);
      const missing = changes.flatMap((change) => (rowsOf(change).length === 0 ? [change.key] : []));
      const own = new Set(changes.flatMap((change) => rowsOf(change).slice(0, 1)));
      const written = new Map<number, Written>();
      for (const change of changes) {
        const [row, ...others] = rowsOf(change);
        if (row === undefined) continue;
        const emptied = Object.entries(change.clear ?? {})
          .flatMap(([key, was]) => at(place, key, was))
          .filter(([column, was]) => found(column, row) === was);
        const entries = Object.entries(change.cells).flatMap(([key, cell]) => at(place, key, cell));
        for (const [column] of emptied) entries.push([column, '']);
        written.set(row, { change, entries, emptied });
        for (const other of change.further === undefined ? [] : others) {
          if (own.has(other)) continue;
          const further = Object.entries(change.further!).flatMap(([key, cell]) => at(place, key, cell));
          written.set(other, { change, entries: further, emptied: [] });
        }
      }

      const request = stayAt(context, place);
      context.application.suspendApiCalculationUntilNextSync();
      const rows = new Map([...written].map(([row, { entries }]) => [row, acrossRow(place.width, entries)]));
      const blocks = blocksIn(place, rows).map((block) => {
        formatTexts(place, block);
        return overwrite(place, block, { values: true });
      });
      colour(place, written);
      await request.sync();
      return { place, keyIn, written, missing, blocks };
    },
    retry,
  );

  const before = cellsBefore(blocks);
  const others = othersIn(blocks, (row) => {
    const change = written.get(row)?.change;
    return change === undefined || keyIn((column) => before(row).values[column]!) === change.key;
  });
  const typed = [...written].flatMap(([row, { emptied }]): [number, (Cell | null)[]][] => {
    if (others.has(row)) return [];
    const { values, formulas } = before(row);
    const back = emptied.flatMap(([column, was]) =>
      values[column] === was ? [] : [[column, formulas[column]!] as const],
    );
    return back.length === 0 ? [] : [[row, acrossRow(place.width, back)]];
  });
  await repair(handle, keys, place, blocks, others, retry, new Map(typed));
  return { moved: [...others].map((row) => written.get(row)!.change), missing };
}

/** The previous cells of a row. */
function cellsBefore(blocks: readonly Overwritten[]): (row: number) => { values: Cell[]; formulas: Cell[] } {
  const byRow = new Map(
    blocks.flatMap(({ start, rows, before }) =>
      [...rows.keys()].map((index) => [start + index, { before, index }] as const),
    ),
  );
  return (row) => {
    const { before, index } = byRow.get(row)!;
    return { values: before.values[index] as Cell[], formulas: before.formulas[index] as Cell[] };
  };
}

/** The new cells of a row, and the expected values of the cells to empty. */
type Written = { change: RowChange; entries: [number, Cell][]; emptied: readonly (readonly [number, Cell])[] };

/** How words of dates, times, amounts and truth values begin, in the languages of the pane. */
const READ_WORDS =
  /^(?:jan|feb|fév|maa?r|mrt|mei|ma[iy]|a[pv]r|ju[iln]|aug|aoû|sep|o[ck]t|nov|d[eé]c|eur|usd|gbp|true|false|waar|onwaar|vrai|faux|(?:e|[ap]m)$)/iu;

/** Whether Excel may read a text as something else: a formula, or without other words a number, a date or a truth value. */
function mayBeOtherwise(cell: Cell | null): boolean {
  if (typeof cell !== 'string' || cell === '') return false;
  // Whatever sign is before it: Excel leaves out spaces before a formula.
  return /^[^\p{L}\p{N}]/u.test(cell) || (cell.match(/\p{L}+/gu) ?? []).every((word) => READ_WORDS.test(word));
}

/**
 * Gives cells the text format before such texts are written to them, neighbours together: rows that were pasted have the
 * formats of another workbook. Others stay as they are, since formats take longer than values.
 */
function formatTexts({ sheet, top, left, width }: Place, { start, rows }: Block): void {
  for (let column = 0; column < width; column++) {
    for (let row = 0; row < rows.length; row++) {
      const first = row;
      while (row < rows.length && mayBeOtherwise(rows[row]![column]!)) row++;
      if (row === first) continue;
      setFormat(sheet.getRangeByIndexes(top + start + first, left + column, row - first, 1), numberFormatOf('text'));
    }
  }
}

/** Sets the text colours of rows, neighbours together. */
function colour({ sheet, top, left, columns, hasHidden }: Place, written: ReadonlyMap<number, Written>): void {
  const coloured = new Set([...written.values()].flatMap(({ change }) => Object.keys(change.colours ?? {})));
  for (const key of coloured) {
    const column = columns.get(key);
    if (column === undefined) continue;
    let last: { start: number; end: number; colour: string } | undefined;
    const finish = () => {
      if (last === undefined) return;
      const range = sheet.getRangeByIndexes(top + last.start, left + column, last.end - last.start, 1);
      range.format.font.color = last.colour;
    };
    for (const row of [...written.keys()].sort((a, b) => a - b)) {
      const colour = written.get(row)!.change.colours?.[key];
      if (colour === undefined) continue;
      if (last?.end === row && last.colour === colour && !hasHidden) last.end++;
      else {
        finish();
        last = { start: row, end: row + 1, colour };
      }
    }
    finish();
  }
}

const at = (place: Place, key: string, cell: Cell): [number, Cell][] => {
  const column = place.columns.get(key);
  return column === undefined ? [] : [[column, cell]];
};

/** A cell of a column and a row, counted from the first one of the body. */
type ReadCell = (column: number, row: number) => Cell;

/** Where the row of a change is, and the further rows that it changes, and the cells of these that were read. */
type FoundRows = { found: ReadCell; rowsOf: (change: RowChange) => readonly number[] };

/**
 * Finds the rows with the key of each change, its own row first: the row it was read from if that has the key, else the
 * first that is of no other change. Where none has moved, only the rows they were read from are read again.
 * @param columns to read: those of the key, and further ones
 */
async function findRows(
  context: Excel.RequestContext,
  place: Place,
  columns: readonly number[],
  keyIn: (cellAt: (column: number) => Cell) => string,
  changes: readonly RowChange[],
): Promise<FoundRows> {
  const ownRow = ({ number = 0 }: RowChange) => number - 1 - place.top;
  const keyOf = (found: ReadCell, row: number) => keyIn((column) => found(column, row));
  const isOwnEnough = ({ further, ...change }: RowChange) =>
    further === undefined && ownRow(change) >= 0 && ownRow(change) < place.rows;
  if (changes.every(isOwnEnough)) {
    const rows = changes.map(ownRow);
    const first = rows.reduce((least, row) => Math.min(least, row));
    const end = rows.reduce((most, row) => Math.max(most, row)) + 1;
    const found = await columnReader(context, place, columns, first, end);
    if (changes.every((change) => keyOf(found, ownRow(change)) === change.key)) {
      return { found, rowsOf: (change) => [ownRow(change)] };
    }
  }
  const found = await columnReader(context, place, columns, 0, place.rows);
  /** By its key: changes, and the rows that have it. */
  const wanted = new Map<string, { changes: RowChange[]; rows: number[] }>();
  await mapInTurns(changes, (change) => {
    const same = wanted.get(change.key);
    if (same === undefined) wanted.set(change.key, { changes: [change], rows: [] });
    else same.changes.push(change);
  });
  await mapInTurns([...Array(place.rows).keys()], (row) => wanted.get(keyOf(found, row))?.rows.push(row));
  const assigned = new Map<RowChange, number>();
  await mapInTurns([...wanted.values()], (same) => {
    for (const [change, row] of assignRows(same, ownRow)) assigned.set(change, row);
  });
  return {
    found,
    rowsOf: (change) => {
      const row = assigned.get(change);
      if (row === undefined) return [];
      const others = change.further === undefined ? [] : wanted.get(change.key)!.rows.filter((other) => other !== row);
      return [row, ...others];
    },
  };
}

/**
 * Gives each change of a key a row of its own, since two rows may have the same key. When all of these have moved, or
 * some, they are taken in their order; where there are more or fewer of them by now, who has its own row keeps it.
 * @param same the changes of a key, and the rows with it in their order
 * @returns no row for a change when others have all of them
 */
function assignRows(
  { changes, rows }: { changes: readonly RowChange[]; rows: readonly number[] },
  ownRow: (change: RowChange) => number,
): (readonly [RowChange, number])[] {
  // So it is for nearly all of many thousands.
  if (changes.length === 1 && rows.length <= 1) return rows.map((row) => [changes[0]!, row]);
  const present = new Set(rows);
  const moved = changes.filter((change) => !present.has(ownRow(change)));
  const isInOrder = moved.length > 0 && changes.length === rows.length;
  const waiting = (isInOrder ? [...changes] : moved).sort((one, other) => ownRow(one) - ownRow(other));
  const kept = isInOrder ? [] : changes.filter((change) => present.has(ownRow(change)));
  const taken = new Set(kept.map(ownRow));
  const free = rows.filter((row) => !taken.has(row));
  return [
    ...kept.map((change) => [change, ownRow(change)] as const),
    ...waiting.slice(0, free.length).map((change, index) => [change, free[index]!] as const),
  ];
}

/** Reads columns from a row of the body to another. */
async function columnReader(
  context: Excel.RequestContext,
  place: Place,
  columns: readonly number[],
  first: number,
  end: number,
): Promise<ReadCell> {
  const read = [...new Set(columns)];
  const cells = await readColumns(context, { ...place, top: place.top + first, rows: end - first }, read);
  const at = new Map(read.map((column, index) => [column, index]));
  return (column, row) => cells[row - first]![at.get(column)!]!;
}
