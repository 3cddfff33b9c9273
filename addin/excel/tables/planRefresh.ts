import type { Cell } from '../cell.ts';
import type { Place } from './locateTable.ts';
import { type Column, keyText, type TableSpec } from './table.ts';

/** The changes of a refresh to the rows of a table, decided before anything is written. */
export type Plan = {
  /** Position in the body -> the changed cells, null for unchanged ones. */
  changed: Map<number, (Cell | null)[]>;
  added: (Cell | null)[][];
  /** Keys of the received rows. */
  answered: ReadonlySet<string>;
};

export type OwnColumn<Row> = { column: Column<Row>; from: number; to: number };

/** The remaining columns of the pane: which cell of a received row goes where. */
export const ownColumns = <Row>({ columns }: TableSpec<Row>, place: Place): OwnColumn<Row>[] =>
  columns.flatMap((column, from) => {
    const to = place.columns.get(column.key);
    return to === undefined ? [] : [{ column, from, to }];
  });

export function planRefresh<Row>(
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

/** The key of a row in the sheet, with the key columns in their declared order. */
function keyReader<Row>(spec: TableSpec<Row>, place: Place): (cells: readonly Cell[]) => string {
  const columns = ownColumns(spec, place).filter(({ column }) => spec.keys.includes(column.key));
  return (cells) => keyText(columns.map(({ to }) => cells[to]!));
}

/**
 * Whether a row of the table remains after a refresh: it stays
 * when it was received or has no key, is `kept` when the user wrote something beside it, and is removed otherwise.
 */
export function rowChangeOf<Row>(
  spec: TableSpec<Row>,
  place: Place,
  answered: ReadonlySet<string>,
): (cells: readonly Cell[]) => { fate: 'stays' | 'kept' | 'goes'; key: string } {
  const own = new Set(ownColumns(spec, place).map(({ to }) => to));
  const keyOf = keyReader(spec, place);
  return (cells) => {
    const key = keyOf(cells);
    if (key.trim() === '' || answered.has(key)) return { fate: 'stays', key };
    return { fate: cells.some((cell, column) => !own.has(column) && isNote(cell)) ? 'kept' : 'goes', key };
  };
}

const across = <Row>(width: number, own: readonly OwnColumn<Row>[], cells: readonly Cell[]): (Cell | null)[] => {
  const row: (Cell | null)[] = new Array(width).fill(null);
  for (const { from, to } of own) row[to] = cells[from]!;
  return row;
};

/** Excel may show a truth value among formulas as its word. */
const isSameCell = (present: Cell, wanted: Cell): boolean =>
  present === wanted || (typeof wanted === 'boolean' && present === String(wanted).toUpperCase());

/** A value typed by the user; a formula is repeated in every row. */
const isNote = (cell: Cell): boolean => cell !== '' && !(typeof cell === 'string' && cell.startsWith('='));
