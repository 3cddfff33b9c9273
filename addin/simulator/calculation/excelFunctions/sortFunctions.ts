import { error, kinds, type Value } from '../engineValues.ts';

/*
 * SORT and SORTBY. The engine takes empty cells for the highest values, so that they are the first ones downwards, orders
 * texts by the numbers of their characters, and knows no keys in a row.
 */

/** The kinds of values in their order; empty ones come last in both directions. */
const order = [kinds.number, kinds.text, kinds.boolean, kinds.error] as number[];
const { compare: compareTexts } = new Intl.Collator(undefined, { sensitivity: 'accent' });

const compare = (a: Value, b: Value, direction: number): number => {
  if (a.kind === kinds.blank || b.kind === kinds.blank) {
    return Number(a.kind === kinds.blank) - Number(b.kind === kinds.blank);
  }
  if (a.kind !== b.kind) return (order.indexOf(a.kind) - order.indexOf(b.kind)) * direction;
  // All errors are equal.
  if (a.kind === kinds.error) return 0;
  if (a.kind === kinds.text) return compareTexts(String(a.value), String(b.value)) * direction;
  return (Number(a.value) - Number(b.value)) * direction;
};

type Key = { values: readonly Value[]; direction: number };

const inOrder = (count: number, keys: readonly Key[]): number[] =>
  Array.from({ length: count }, (_, at) => at).sort((a, b) => {
    for (const { values, direction } of keys) {
      const difference = compare(values[a]!, values[b]!, direction);
      if (difference !== 0) return difference;
    }
    return 0;
  });

const rowsOf = (value: Value): Value[][] => (value.kind === kinds.array ? value.rows! : [[value]]);
const arrayOf = (rows: Value[][]): Value => ({
  kind: kinds.array,
  rows,
  height: rows.length,
  width: rows[0]?.length ?? 0,
});

/** The number of an argument, 1 without one; an error for what is none. */
function numberIn(given: Value | undefined): number | Value {
  const value = given && rowsOf(given)[0]?.[0];
  if (value === undefined || value.kind === kinds.blank) return 1;
  if (value.kind === kinds.error) return value;
  const read = value.kind === kinds.text && String(value.value).trim() === '' ? Number.NaN : Number(value.value);
  return Number.isNaN(read) ? error('#VALUE!') : Math.trunc(read);
}

/** 1 for upwards, -1 for downwards; an error for anything else. */
function directionIn(given: Value | undefined): number | Value {
  const direction = numberIn(given);
  return typeof direction !== 'number' || direction === 1 || direction === -1 ? direction : error('#VALUE!');
}

const takeRows = (rows: Value[][], lines: readonly number[]): Value => arrayOf(lines.map((line) => rows[line]!));
const takeColumns = (rows: Value[][], lines: readonly number[]): Value =>
  arrayOf(rows.map((row) => lines.map((line) => row[line]!)));

function sort([data, index, given, across]: readonly Value[]): Value {
  const rows = rowsOf(data!);
  const number = numberIn(index);
  if (typeof number !== 'number') return number;
  const direction = directionIn(given);
  if (typeof direction !== 'number') return direction;
  const isAcross = across === undefined || across.kind === kinds.blank ? 0 : numberIn(across);
  if (typeof isAcross !== 'number') return isAcross;
  const key = isAcross ? rows[number - 1] : rows[0]![number - 1] && rows.map((row) => row[number - 1]!);
  if (key === undefined) return error('#VALUE!');
  const lines = inOrder(key.length, [{ values: key, direction }]);
  return isAcross ? takeColumns(rows, lines) : takeRows(rows, lines);
}

function sortBy([data, ...given]: readonly Value[]): Value {
  const rows = rowsOf(data!);
  const [height, width] = [rows.length, rows[0]!.length];
  const keys: Key[] = [];
  // Keys in a row are of columns.
  const isAcross = height === 1 || rowsOf(given[0]!).length === 1;
  for (let at = 0; at < given.length; at += 2) {
    const cells = rowsOf(given[at]!);
    const direction = directionIn(given[at + 1]);
    if (typeof direction !== 'number') return direction;
    const values = isAcross ? cells[0]! : cells.map(([first]) => first!);
    const fits = isAcross ? cells.length === 1 && values.length === width : cells[0]!.length === 1;
    if (!fits || values.length !== (isAcross ? width : height)) return error('#VALUE!');
    keys.push({ values, direction });
  }
  const lines = inOrder(isAcross ? width : height, keys);
  return isAcross ? takeColumns(rows, lines) : takeRows(rows, lines);
}

const invoking =
  (work: (args: readonly Value[]) => Value) =>
  (args: readonly unknown[]): Value => {
    const [data] = args as Value[];
    return data!.kind === kinds.error ? data! : work(args as Value[]);
  };

export const sortFunctions = new Map([
  ['SORT', { minArity: 1, maxArity: 4, invoke: invoking(sort) }],
  ['SORTBY', { minArity: 2, maxArity: 255, invoke: invoking(sortBy) }],
]);
