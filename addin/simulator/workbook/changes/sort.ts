import { type Area, indexes, intersection } from '../cells/address.ts';
import { type CellValue, isErrorValue } from '../cells/entry.ts';
import { ExcelError } from '../cells/error.ts';
import { moveFormula } from '../cells/formulas/formula.ts';
import { partOf, resultOf } from '../parts.ts';
import {
  assertWritable,
  type Cell,
  cellAt,
  isBlank,
  isHiddenRow,
  putCell,
  type Row,
  type Sheet,
  withFormula,
} from '../sheet.ts';
import { stableOrder } from '../stableOrder.ts';
import { bodyArea, changed, isFree, type SortField, type Table } from '../table.ts';
import { type RowLists, replaceRows } from './replaceRows.ts';

/** The kinds of values in their order; blank cells come last in both directions. */
const [NUMBER, TEXT, BOOLEAN, ERROR, BLANK] = [0, 1, 2, 3, 4];

const rank = (value: CellValue, isText = false): number => {
  if (typeof value === 'number') return NUMBER;
  if (typeof value === 'boolean') return BOOLEAN;
  return isErrorValue(value) && !isText ? ERROR : TEXT;
};

const collators = {
  anyCase: new Intl.Collator(undefined, { sensitivity: 'accent' }),
  ownCase: new Intl.Collator(undefined, { sensitivity: 'variant' }),
};

const fieldOf = (cell: Cell, { dataOption }: SortField): CellValue => {
  const { value } = cell;
  const number = dataOption === 'TextAsNumber' && typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? value : number;
};

/** How many lines are read before others have a turn. */
const LINES_AT_ONCE = 1000;

/** What lines are sorted by: the kind of each value, and a number that is lower for a lower value of that kind. */
type Keys = { ranks: Uint8Array; numbers: Float64Array; ascending: boolean };

/** @yields the part of the work that is done */
function* keysOf(
  count: number,
  cellOf: (line: number) => Cell | undefined,
  field: SortField,
  matchCase: boolean,
): Generator<number, Keys> {
  const keys = { ranks: new Uint8Array(count), numbers: new Float64Array(count), ascending: field.ascending };
  // Few texts are all different: each is compared as a number with the others that lines have.
  const places = new Map<string, number>();
  for (let line = 0; line < count; line += 1) {
    if (line % LINES_AT_ONCE === 0) yield line / count / 2;
    const cell = cellOf(line);
    if (isBlank(cell)) {
      keys.ranks[line] = BLANK!;
      continue;
    }
    const value = fieldOf(cell!, field);
    keys.ranks[line] = rank(value, cell?.quoted);
    if (typeof value === 'number') keys.numbers[line] = value;
    // All errors are equal.
    else if (keys.ranks[line] !== ERROR) {
      const text = String(value);
      const place = places.get(text) ?? places.size;
      places.set(text, place);
      keys.numbers[line] = place;
    }
  }
  const texts = [...places.keys()];
  const { compare } = collators[matchCase ? 'ownCase' : 'anyCase'];
  const order = yield* partOf(
    0.5,
    1,
    stableOrder(texts.length, (a, b) => compare(texts[a]!, texts[b]!)),
  );
  const positions = new Uint32Array(texts.length);
  for (let at = 1; at < order.length; at += 1) {
    const [before, place] = [order[at - 1]!, order[at]!];
    positions[place] = positions[before]! + (compare(texts[before]!, texts[place]!) === 0 ? 0 : 1);
  }
  for (let line = 0; line < count; line += 1) {
    if (keys.ranks[line] !== NUMBER) keys.numbers[line] = positions[keys.numbers[line]!] ?? 0;
  }
  return keys;
}

/**
 * Puts lines in order: numbers, then text, then booleans; blanks come last in both directions.
 * @yields the part of the work that is done @returns the numbers of the lines
 */
function* inOrder(
  count: number,
  cellOf: (line: number, key: number) => Cell | undefined,
  fields: SortField[],
  matchCase: boolean,
): Generator<number, Uint32Array> {
  const keys: Keys[] = [];
  for (const [index, field] of fields.entries()) {
    const work = keysOf(count, (line) => cellOf(line, field.key), field, matchCase);
    keys.push(yield* partOf(index / fields.length / 2, (index + 1) / fields.length / 2, work));
  }
  const compare = (a: number, b: number): number => {
    for (const { ranks, numbers, ascending } of keys) {
      const [left, right] = [ranks[a]!, ranks[b]!];
      const order = left - right || numbers[a]! - numbers[b]!;
      if (order === 0) continue;
      return ascending || (left !== right && (left === BLANK || right === BLANK)) ? order : -order;
    }
    return 0;
  };
  return yield* partOf(0.5, 1, stableOrder(count, compare));
}

const assertSortable = (sheet: Sheet, area: Area, fields: SortField[], lineLength: number): void => {
  assertWritable(sheet, area, 'allowSort');
  if (fields.length === 0 || fields.some(({ key }) => !Number.isInteger(key) || key < 0 || key >= lineLength)) {
    throw new ExcelError('InvalidArgument');
  }
  if (sheet.merges.some((merged) => intersection(merged, area))) {
    throw new ExcelError('InvalidOperation', 'To do this, all the merged cells need to be the same size.');
  }
};

/** The cell after its row or column moved by so many. */
const moved = (cell: Cell | undefined, rows: number, columns: number): Cell | undefined => {
  if (!cell?.formula) return cell;
  return withFormula(cell, moveFormula(cell.formula, rows, columns));
};

/** Ascending numbers as runs: the first of each, and how many follow each other. */
const runsOf = (numbers: readonly number[]): [number, number][] => {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === number) last[1] += 1;
    else runs.push([number, 1]);
  }
  return runs;
};

/** The lists of cells of rows after some of their columns took the cells of other rows. */
class SortedLists implements RowLists {
  readonly rows: number[] = [];
  readonly lists: RowLists['lists'] = [];
  places = 0;
  /** The cells that change: the first and the last row and column of them. */
  #used: { top: number; bottom: number; left: number; right: number } | undefined;
  readonly #sheet: Sheet;
  readonly #area: Area;
  /** Formulas change, and so may the cells that their results fill. */
  readonly #canShare: boolean;

  constructor(sheet: Sheet, area: Area) {
    this.#sheet = sheet;
    this.#area = area;
    this.#canShare = sheet.formulas === 0;
  }

  /** Has a row take the cells of another one. */
  take(row: number, from: number): void {
    const own = this.#sheet.rows[row]?.cells ?? [];
    const taken = this.#sheet.rows[from]?.cells ?? [];
    this.rows.push(row);
    for (const cells of [own, taken]) this.#use(row, cells);
    if (this.#canShare && this.#isWithin(own) && this.#isWithin(taken)) {
      this.lists.push(from);
      return;
    }
    const { column, columns } = this.#area;
    const end = Math.max(own.length > column + columns ? own.length : 0, Math.min(taken.length, column + columns));
    const list = new Array<Cell | undefined>(end);
    for (let at = 0; at < end; at += 1) {
      const isOwn = at < column || at >= column + columns;
      list[at] = isOwn ? own[at] : moved(taken[at], row - from, 0);
    }
    this.lists.push(list);
    this.places += end;
  }

  get area(): Area | undefined {
    if (this.#used === undefined) return undefined;
    const { top, bottom, left, right } = this.#used;
    return { row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 };
  }

  /** Rows come in ascending order. */
  #use(row: number, cells: Row['cells']): void {
    const { column, columns } = this.#area;
    const end = Math.min(column + columns, cells.length);
    let first = column;
    while (first < end && cells[first] === undefined) first += 1;
    if (first >= end) return;
    let last = end - 1;
    while (cells[last] === undefined) last -= 1;
    this.#used ??= { top: row, bottom: row, left: first, right: last };
    this.#used.bottom = row;
    this.#used.left = Math.min(this.#used.left, first);
    this.#used.right = Math.max(this.#used.right, last);
  }

  #isWithin(cells: Row['cells']): boolean {
    const { column, columns } = this.#area;
    if (cells.length > column + columns) return false;
    for (let at = 0; at < Math.min(column, cells.length); at += 1) if (cells[at]) return false;
    return true;
  }
}

/**
 * Finds how to sort the rows of an area as Excel does, and changes nothing. Equal rows keep their order, hidden rows
 * their places, and formulas follow their row.
 * @param fields their keys are columns, counted from the first one of the area
 * @yields the part of the work that is done, from 0 to 1, often enough for a page to be drawn
 * @returns what sorts the rows at once, as long as nothing else changed since the beginning
 */
function* sortedRows(sheet: Sheet, area: Area, fields: SortField[], matchCase: boolean): Generator<number, () => void> {
  assertSortable(sheet, area, fields, area.columns);
  sheet.workbook.settle();
  const places = indexes(area.row, area.rows).filter((row) => !isHiddenRow(sheet, row));
  const cellOf = (line: number, key: number) => cellAt(sheet, places[line]!, area.column + key);
  const order = yield* partOf(0, 0.8, inOrder(places.length, cellOf, fields, matchCase));
  const lists = new SortedLists(sheet, area);
  for (const [index, line] of order.entries()) {
    if (index !== line) lists.take(places[index]!, places[line]!);
    if (index % LINES_AT_ONCE === 0) yield 0.8 + (0.2 * index) / order.length;
  }
  return () => {
    replaceRows(sheet, lists);
    const areas = runsOf(lists.rows).map(([row, rows]) => ({ ...area, row, rows }));
    sheet.workbook.emit({ kind: 'sorted', sheet, area, areas });
  };
}

/** Sorts the rows of an area: see `sortedRows`. */
export const sortRows = (sheet: Sheet, area: Area, fields: SortField[], matchCase = false): void =>
  resultOf(sortedRows(sheet, area, fields, matchCase))();

/**
 * Sorts the columns of an area, from left to right. InvalidOperation for cells of a table, whose columns stay.
 * @param fields their keys are rows, counted from the first one of the area
 */
export const sortColumns = (sheet: Sheet, area: Area, fields: SortField[], matchCase = false): void => {
  assertSortable(sheet, area, fields, area.rows);
  if (!isFree(sheet, area)) throw new ExcelError('InvalidOperation');
  sheet.workbook.settle();
  const places = indexes(area.column, area.columns).filter((column) => !sheet.columns[column]?.hidden);
  const lines = places.map((column) => indexes(area.row, area.rows).map((row) => cellAt(sheet, row, column)));
  const order = resultOf(inOrder(lines.length, (line, key) => lines[line]![key], fields, matchCase));
  const changed: number[] = [];
  for (const [index, line] of order.entries()) {
    if (index === line) continue;
    const target = places[index]!;
    changed.push(target);
    lines[line]!.forEach((cell, offset) => {
      putCell(sheet, area.row + offset, target, moved(cell, 0, target - places[line]!));
    });
  }
  const areas = runsOf(changed).map(([column, columns]) => ({ ...area, column, columns }));
  sheet.workbook.emit({ kind: 'sorted', sheet, area, areas, leftToRight: true });
};

/** Finds how to sort a table, as `sortedRows` does. */
export function* sortedTable(table: Table, fields: SortField[], matchCase = false): Generator<number, () => void> {
  const sort = yield* sortedRows(table.sheet, bodyArea(table), fields, matchCase);
  return () => {
    sort();
    table.sort = fields;
    table.sortMatchesCase = matchCase;
    changed(table);
  };
}

export const sortTable = (table: Table, fields: SortField[], matchCase = false): void =>
  resultOf(sortedTable(table, fields, matchCase))();
