import type { Kysely } from 'kysely';
import { DECIMAL_SCALE, decimalText, MONEY_SCALE, units } from '../../../../shared/money.ts';
import { writeDate } from '../../../../shared/wire/calendarDate.ts';
import type { ValueKind } from '../../../../shared/wire/valueKind.ts';
import { type Column, day, flag, isRefused, type ReadOptions } from '../files/column.ts';
import type { FiledKind, Column as TableColumn } from '../sql/declarations/column.ts';

/** The values a column may have. */
export type Value = string | bigint | null;
/** Tables without what is known of their columns: an archive names them. */
export type Tables = Kysely<Record<string, Record<string, Value>>>;

/**
 * A column of an archive: read as every column of a file, and written in the form that is read. Empty cells are read
 * too, and every character counts.
 */
export type FiledColumn = Column<Value> & { write: (value: Value) => string };

function filed(
  kind: ValueKind,
  expects: string,
  read: (cell: string, options: ReadOptions) => Value | undefined,
  write: (value: Value) => string = String,
): FiledColumn {
  const readOrRefuse: FiledColumn['read'] = (cell, options) => {
    const value = read(cell, options);
    return value === undefined ? { refused: `expected ${expects}, got ${JSON.stringify(cell)}` } : value;
  };
  return { kind, expects, required: true, read: readOrRefuse, write };
}

/** What a column of imports reads; undefined when it refuses it. */
const readBy =
  <T>({ read }: Column<T>) =>
  (...cell: Parameters<Column['read']>): T | undefined => {
    const value = read(...cell);
    return isRefused(value) ? undefined : value;
  };

const text = filed('text', 'a text', (cell) => cell);

const whole = filed('long', 'a whole number', (cell) =>
  /^-?\d{1,19}$/.test(cell) ? inRange(BigInt(cell)) : undefined,
);

const readFlag = readBy(flag());
const yesNo = filed(
  'boolean',
  'true or false',
  (...cell) => {
    const set = readFlag(...cell);
    return set === undefined ? undefined : set ? 1n : 0n;
  },
  (value) => (value === 1n ? 'true' : 'false'),
);

const date = filed('date', day().expects, readBy(day()), (value) => writeDate(String(value)));

function decimal(scale: number, decimals: number): FiledColumn {
  const form = new RegExp(`^-?\\d{1,19}(\\.\\d{1,${scale}})?$`);
  return filed(
    'decimal',
    `a decimal number with at most ${scale} decimals`,
    (cell) => (form.test(cell) ? inRange(units(cell, scale)) : undefined),
    (value) => decimalText(value as bigint, scale, decimals),
  );
}
const money = decimal(MONEY_SCALE, MONEY_SCALE);
/** Prices per unit, quantities and percentages. */
const decimal8 = decimal(DECIMAL_SCALE, 0);

/** One of a list of words. */
const word = (words: readonly string[]): FiledColumn =>
  filed('choice', words.join(' or '), (cell) => (words.includes(cell) ? cell : undefined));

/** A flag as two words: one when it is set, the other when not. */
const either = ([set = '', notSet = '']: readonly string[]): FiledColumn =>
  filed(
    'choice',
    `${set} or ${notSet}`,
    (cell) => (cell === set ? 1n : cell === notSet ? 0n : undefined),
    (value) => (value === 1n ? set : notSet),
  );

/** A column that may have no value: an empty cell then. */
function optional(column: FiledColumn): FiledColumn {
  const read = readBy(column);
  return filed(
    column.kind,
    `${column.expects}, or nothing`,
    (...cell) => (cell[0] === '' ? null : read(...cell)),
    (value) => (value === null ? '' : column.write(value)),
  );
}

const byKind: Readonly<Record<FiledKind, (words: readonly string[]) => FiledColumn>> = {
  text: () => text,
  choice: word,
  date: () => date,
  flag: () => yesNo,
  either,
  cents: () => money,
  decimal8: () => decimal8,
  long: () => whole,
  integer: () => whole,
};

/** The column of an archive for the values of a table's column. */
export function filedColumn({ kind, words, isOptional }: TableColumn): FiledColumn {
  if (kind === 'bytes' || kind === 'reference') throw new TypeError(`Files have no values of the kind ${kind}.`);
  const column = byKind[kind](words);
  return isOptional ? optional(column) : column;
}

/** A database stores 64 bits. */
const inRange = (value: bigint): bigint | undefined => (BigInt.asIntN(64, value) === value ? value : undefined);
