import { refusalText } from '../../../../shared/fieldErrors.ts';
import { type CalendarDate, calendarDate } from '../../../../shared/wire/calendarDate.ts';
import { decimalsOf } from '../../../../shared/wire/decimal.ts';
import * as wire from '../../../../shared/wire/field.ts';
import type { ValueKind } from '../../../../shared/wire/valueKind.ts';
import { tooHighNumber } from '../documentParts/numbering.ts';
import { countryMeant } from './dutchWords.ts';

/** A refused cell, with the message. */
type Refused = { refused: string };
export const isRefused = (value: unknown): value is Refused =>
  typeof value === 'object' && value !== null && 'refused' in value;

/** How the file writes numbers. */
export type ReadOptions = { decimalComma: boolean };

/** A column of a file. An empty cell has no value, and is never read. */
export type Column<T = unknown> = {
  read: (text: string, options: ReadOptions) => T | Refused;
  required: boolean;
  kind: ValueKind;
  isPercentage?: true;
  /** The expected content in words: "a whole number from 1 to 99". */
  expects: string;
  /** More about it, for help. */
  note?: string;
  /** The accepted words, which may have Dutch forms. */
  words?: readonly string[];
};

export type Columns = Readonly<Record<string, Column>>;

/** The values of a row: undefined when the cell is empty or wrong, or the file lacks the column. */
export type ValuesOf<Table extends Columns> = {
  [Name in keyof Table]?: Table[Name] extends Column<infer T> ? T : never;
};

/** A column with the values and rules of a field on the wire. */
export function like<T>(field: wire.Field<T>): Column<T> {
  const kind = wire.kindOf(field);
  if (kind === undefined) throw new TypeError('Only a field of one value can be a column.');
  const read = (text: string): T | Refused => {
    const value = kind.read(text);
    return wire.isRefused(value) ? { refused: refusalText(value.refused) } : (value as T);
  };
  return { read, required: false, kind: kind.of, expects: expectsOf(kind.schema) };
}

/** The description of a field in OpenAPI, as part of a sentence. */
function expectsOf({ title, maxLength, minimum, maximum }: Readonly<Record<string, unknown>>): string {
  if (typeof maxLength === 'number') {
    return maxLength === wire.MAX_TEXT_LENGTH ? `${title}` : `${title} of at most ${maxLength} characters`;
  }
  const from = typeof minimum === 'number' && minimum > -(2 ** 31) ? ` from ${minimum}` : '';
  const to = typeof maximum === 'number' && maximum < 2 ** 31 - 1 ? ` to ${maximum}` : '';
  return `${title}${from}${to}`;
}

/** A column with a note for help. */
export const withNote = <T>(note: string, column: Column<T>): Column<T> => ({ ...column, note });

export const text = (rule: { max?: number } = {}): Column<string> => like(wire.text(rule));
/** A text that records are found by. */
export const name = (): Column<string> => text({ max: wire.MAX_NAME_LENGTH });
export const whole = (rule: { min?: number; max?: number } = {}): Column<number> => like(wire.integer(rule));
export const long = (rule: { min?: bigint } = {}): Column<string> => like(wire.long(rule));
export const flag = (): Column<boolean> => ({ ...like(wire.boolean()), words: ['true', 'false'] });
/** A country by its code of two letters, or by its name in Dutch or English. */
export function country(): Column<string> {
  const code = like(wire.countryCode());
  return { ...code, read: (text, options) => code.read(countryMeant(text) ?? text, options) };
}
export const choice = <const Word extends string>(...words: readonly Word[]): Column<Word> => ({
  ...like(wire.choice(...words)),
  words,
});

/** The number of a new record, with room for the numbers after it; in memory its digits. */
export function requestedNumber(rule: { min: bigint }): Column<string> {
  const column = long(rule);
  return {
    ...column,
    read: (cell, options) => {
      const value = column.read(cell, options);
      const wrong = isRefused(value) ? undefined : tooHighNumber(BigInt(value));
      return wrong === undefined ? value : { refused: refusalText(wrong) };
    },
  };
}

/** A column in which 0 counts as no value. */
const orNone = <T extends string | number>(column: Column<T>): Column<T | undefined> => ({
  ...column,
  read: (cell, options) => {
    const value = column.read(cell, options);
    return Number(value) === 0 ? undefined : value;
  },
});

/** A number; 0 counts as no value. */
export const number = (rule: { max?: number } = {}): Column<number | undefined> => orNone(whole({ min: 0, ...rule }));
/** The number of the project of a document. */
export const projectNumber = (): Column<string | undefined> => orNone(requestedNumber({ min: 0n }));

/**
 * A decimal with a point, or with a comma by the options. It is rounded to eight decimals, as on the wire: many programs
 * write 36.300000000000004.
 * @param rule.decimals the decimals that may be left after that
 */
export function decimal(rule: { min?: number; max?: number; decimals?: number } = {}): Column<string> {
  const { decimals = 8, ...limits } = rule;
  const any = like(wire.decimal(limits));
  const column: Column<string> = {
    ...any,
    expects: decimals < 8 ? `${any.expects} with at most ${decimals} decimals` : any.expects,
    read: (cell, options) => {
      const value = any.read(cell, options);
      return !isRefused(value) && decimalsOf(value) > decimals
        ? { refused: `expected at most ${decimals} decimals, got ${JSON.stringify(cell)}` }
        : value;
    },
  };
  return {
    ...column,
    read: (cell, options) => {
      if (options.decimalComma) {
        const plain = withPoint(cell);
        return plain === undefined
          ? { refused: `expected a decimal number such as 1.234,50, got ${JSON.stringify(cell)}` }
          : column.read(plain, options);
      }
      return column.read(cell, options);
    },
  };
}

/** A percentage: 21 is 21 per cent, and so is 21%. */
export function percentage(rule: { min?: number; max?: number } = { min: 0, max: 100 }): Column<string> {
  const column = decimal(rule);
  return {
    ...column,
    isPercentage: true,
    expects: column.expects.replace('a decimal number', 'a percentage'),
    read: (cell, options) => column.read(cell.endsWith('%') ? cell.slice(0, -1).trimEnd() : cell, options),
  };
}

/** `1.234,50` as `1234.50`; points may only separate thousands. */
function withPoint(cell: string): string | undefined {
  const match = /^([+-]?)(\d+|\d{1,3}(?:\.\d{3})+)?(?:,(\d*))?$/.exec(cell);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction] = match;
  return `${sign}${whole.replaceAll('.', '')}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** A day: dd-MM-yyyy as on the wire, or yyyy-MM-dd with or without a time. */
export function day(): Column<CalendarDate> {
  const column = like(wire.date());
  return {
    ...column,
    expects: 'a date as dd-MM-yyyy or yyyy-MM-dd',
    read: (cell, options) => {
      const match = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(
        cell,
      );
      const date = match === null ? undefined : calendarDate(Number(match[1]), Number(match[2]), Number(match[3]));
      if (date !== undefined) return date;
      const value = column.read(cell, options);
      return isRefused(value)
        ? { refused: `expected a date as dd-MM-yyyy or yyyy-MM-dd, got ${JSON.stringify(cell)}` }
        : value;
    },
  };
}

/** A column in which every row must have a value. */
export const required = <T>(column: Column<T>): Column<T> => ({ ...column, required: true });
