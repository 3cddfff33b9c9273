import type { Kysely } from 'kysely';
import { DECIMAL_SCALE, decimalText, MONEY_SCALE, units } from '../../../../shared/money.ts';
import { writeDate } from '../../../../shared/wire/calendarDate.ts';
import { type Column, day, flag, isRefused } from '../files/column.ts';
import type { FiledKind, Column as TableColumn } from '../sql/declarations/column.ts';

/** The values a column may have. */
export type Value = string | bigint | null;
/** Tables without what is known of their columns: an archive names them. */
export type Tables = Kysely<Record<string, Record<string, Value>>>;

/** How values of a column are written to cells and read back. Flags and dates are read as an import reads them. */
export type Kind = {
  write: (value: Value) => string;
  /** @returns undefined for an invalid cell */
  read: (cell: string) => Value | undefined;
  /** The expected form of a cell, for the error. */
  expected: string;
};

const flagColumn = flag();
const dayColumn = day();

const text: Kind = { write: String, read: (cell) => cell, expected: 'a text' };

const whole: Kind = {
  write: String,
  read: (cell) => (/^-?\d{1,19}$/.test(cell) ? inRange(BigInt(cell)) : undefined),
  expected: 'a whole number',
};

const yesNo: Kind = {
  write: (value) => (value === 1n ? 'true' : 'false'),
  read: (cell) => {
    const set = typed(flagColumn, cell);
    return set === undefined ? undefined : set ? 1n : 0n;
  },
  expected: 'true or false',
};

const date: Kind = {
  write: (value) => writeDate(String(value)),
  read: (cell) => typed(dayColumn, cell),
  expected: 'a date as dd-MM-yyyy or yyyy-MM-dd',
};

const decimal = (scale: number, decimals: number): Kind => {
  const form = new RegExp(`^-?\\d{1,19}(\\.\\d{1,${scale}})?$`);
  return {
    write: (value) => decimalText(value as bigint, scale, decimals),
    read: (cell) => (form.test(cell) ? inRange(units(cell, scale)) : undefined),
    expected: `a decimal number with at most ${scale} decimals`,
  };
};
const money = decimal(MONEY_SCALE, MONEY_SCALE);
/** Prices per unit, quantities and percentages. */
const decimal8 = decimal(DECIMAL_SCALE, 0);

/** One of a list of words. */
const word = (words: readonly string[]): Kind => ({
  write: String,
  read: (cell) => (words.includes(cell) ? cell : undefined),
  expected: words.join(' or '),
});

/** A flag as two words: one when it is set, the other when not. */
const either = ([set = '', notSet = '']: readonly string[]): Kind => ({
  write: (value) => (value === 1n ? set : notSet),
  read: (cell) => (cell === set ? 1n : cell === notSet ? 0n : undefined),
  expected: `${set} or ${notSet}`,
});

/** A column that may have no value: an empty cell then. */
const optional = (kind: Kind): Kind => ({
  write: (value) => (value === null ? '' : kind.write(value)),
  read: (cell) => (cell === '' ? null : kind.read(cell)),
  expected: `${kind.expected}, or nothing`,
});

const byName: Readonly<Record<FiledKind, (words: readonly string[]) => Kind>> = {
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

/** How files contain the values of a column. */
export function kindOf({ kind, words, isOptional }: TableColumn): Kind {
  if (kind === 'bytes' || kind === 'reference') throw new TypeError(`Files have no values of the kind ${kind}.`);
  const made = byName[kind](words);
  return isOptional ? optional(made) : made;
}

/** Reads a cell as an import does; undefined when it is invalid. */
function typed<T>(column: Column<T>, cell: string): T | undefined {
  const value = column.read(cell, { decimalComma: false });
  return isRefused(value) ? undefined : value;
}

/** A database stores 64 bits. */
const inRange = (value: bigint): bigint | undefined => (BigInt.asIntN(64, value) === value ? value : undefined);
