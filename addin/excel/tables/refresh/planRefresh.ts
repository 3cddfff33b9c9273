import type { Cell } from '../../cell.ts';
import type { Place } from '../locateTable.ts';
import { acrossRow } from '../overwrite.ts';
import { type Column, isFormula, isNote, keyText, type TableSpec } from '../table.ts';

/** The changes of a refresh to the rows of a table, decided before anything is written. */
export type Plan = {
  /** Position in the body -> the changed cells, null for unchanged ones. */
  changed: Map<number, (Cell | null)[]>;
  added: (Cell | null)[][];
  /** How many of `changed` are new rows in empty ones. */
  filled: number;
  /** Keys of the received rows. */
  received: ReadonlySet<string>;
};

/** A column of the pane, its position in a received row, and its position in the table. */
export type PlacedColumn<Row> = { column: Column<Row>; from: number; to: number };

/** The columns of the pane that the user did not delete. */
export const placedColumns = <Row>({ columns }: TableSpec<Row>, place: Place): PlacedColumn<Row>[] =>
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
  const placed = placedColumns(spec, place);
  const keyOfSheet = keyReader(spec, place, 'to');
  const keyOfIncoming = keyReader(spec, place, 'from');

  const byKey = new Map<string, number[]>();
  const blank: number[] = [];
  grid.forEach((cells, row) => {
    const key = keyOfSheet(cells);
    if (cells.every((cell) => cell === '')) blank.push(row);
    else if (key.trim() !== '') byKey.set(key, [...(byKey.get(key) ?? []), row]);
  });

  const received = new Set<string>();
  const plan: Plan = { changed: new Map(), added: [], filled: 0, received };
  for (const cells of incoming) {
    const key = keyOfIncoming(cells);
    received.add(key);
    // An empty table has one empty row, which the first new one takes.
    const known = byKey.get(key);
    const rows = known ?? blank.splice(0, 1);
    if (known === undefined) plan.filled += rows.length;
    if (rows.length === 0) plan.added.push(acrossRow(place.width, moved(placed, cells)));
    for (const row of rows) {
      const present = grid[row]!;
      const differing = placed.filter(
        ({ column, from, to }) => column.formula === undefined && !isSameCell(present[to]!, cells[from]!),
      );
      if (differing.length > 0) plan.changed.set(row, acrossRow(place.width, moved(differing, cells)));
    }
  }
  return plan;
}

/** The cells that a plan writes: the key of each row as the sheet will show it, and the keys of its columns. */
export function* changedCells<Row>(
  keys: readonly string[],
  placed: readonly PlacedColumn<Row>[],
  place: Place,
  grid: readonly Cell[][],
  { changed, added }: Plan,
): Generator<{ key: string; columns: string[] }> {
  const named = (cells: readonly (Cell | null)[], present: readonly Cell[] = []) => ({
    key: keyText(
      keys.map((key) => {
        const column = place.columns.get(key);
        return column === undefined ? '' : (cells[column] ?? present[column] ?? '');
      }),
    ),
    columns: placed.flatMap(({ column, to }) => (cells[to] === null ? [] : [column.key])),
  });
  for (const [row, cells] of changed) yield named(cells, grid[row]);
  for (const cells of added) yield named(cells);
}

/** Reads the key of a row of the sheet (`to`), or of a received row (`from`). */
function keyReader<Row>(spec: TableSpec<Row>, place: Place, side: 'from' | 'to'): (cells: readonly Cell[]) => string {
  const placed = placedColumns(spec, place);
  const readerOf = (keys: readonly string[]) => {
    const columns = placed.filter(({ column }) => keys.includes(column.key));
    return (cells: readonly Cell[]) =>
      keyText(
        columns.map(({ column, ...at }) => {
          const cell = cells[at[side]]!;
          return column.codeOf?.(cell) ?? cell;
        }),
      );
  };
  const keyOf = readerOf(spec.keys);
  const { unnumbered } = spec;
  const number = placed.find(({ column }) => column.key === unnumbered?.column)?.[side];
  if (unnumbered === undefined || number === undefined) return keyOf;
  const longKeyOf = readerOf([...spec.keys, ...unnumbered.furtherKeys]);
  return (cells) => (['', '0'].includes(String(cells[number]).trim()) ? longKeyOf(cells) : keyOf(cells));
}

/** `keep`: the row was received, or has no key. `retain`: it was not, but the user wrote something in or beside it. */
export type RowDecision = { action: 'keep' | 'retain' | 'remove' /** As the sheet shows it. */; key: string };

/** Decides whether rows of the table remain after a refresh. @param received the keys of the received rows */
export function rowDecider<Row>(
  spec: TableSpec<Row>,
  place: Place,
  received: ReadonlySet<string>,
): (cells: readonly Cell[]) => RowDecision {
  const placed = new Map(placedColumns(spec, place).map(({ column, to }) => [to, column]));
  const keyOf = keyReader(spec, place, 'to');
  const keyPlaces = placedColumns(spec, place).filter(({ column }) => spec.keys.includes(column.key));
  // A row between the others that adds some of them up. What is retained in an overview has amounts of 0.
  const isOfUser = (cell: Cell, { kind, formula }: Column<Row>) =>
    kind !== 'text' && formula === undefined && spec.overview === undefined && isFormula(cell);
  return (cells) => {
    const known = keyOf(cells);
    const key = keyText(keyPlaces.map(({ to }) => cells[to]!));
    if (key.trim() === '' || received.has(known)) return { action: 'keep', key };
    const hasNote = cells.some((cell, place) => {
      const column = placed.get(place);
      return column === undefined ? isNote(cell) : isOfUser(cell, column);
    });
    return { action: hasNote ? 'retain' : 'remove', key };
  };
}

/** The cells of a received row by their positions in the table. */
const moved = <Row>(columns: readonly PlacedColumn<Row>[], cells: readonly Cell[]): [number, Cell][] =>
  columns.map(({ from, to }) => [to, cells[from]!]);

/** Excel may show a truth value among formulas as its word. */
const isSameCell = (present: Cell, wanted: Cell): boolean =>
  present === wanted || (typeof wanted === 'boolean' && present === String(wanted).toUpperCase());
