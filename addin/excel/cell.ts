import { serialOf, timeOfSerial } from '../../shared/spreadsheet.ts';
import type { CalendarDate } from '../../shared/wire/calendarDate.ts';
import type { ValueKind, Values } from '../../shared/wire/valueKind.ts';

/** The value of a cell; the empty string is an empty cell. */
export type Cell = string | number | boolean;

/** A value of the contract in memory. */
export type FieldValue = Values[ValueKind] | null | undefined;

/** How the cells of a column show values: their number format in Excel's invariant (American) form. */
type Format = { kind: ValueKind | 'moment' | 'local time'; numberFormat: string };

/**
 * The formats of columns. `text` is also for identifying numbers (account, article and invoice numbers): a cell stores
 * only 15 digits of a number, and no leading zeros. `decimal` shows as many decimals as there are, `price` at least two.
 */
const formats = {
  text: { kind: 'text', numberFormat: '@' },
  integer: { kind: 'integer', numberFormat: '0' },
  amount: { kind: 'decimal', numberFormat: '#,##0.00' },
  price: { kind: 'decimal', numberFormat: '#,##0.00######' },
  // A format such as 0.## shows a point after a whole number; General does not.
  decimal: { kind: 'decimal', numberFormat: 'General' },
  date: { kind: 'date', numberFormat: 'dd-mm-yyyy' },
  /** UNIX seconds. */
  moment: { kind: 'moment', numberFormat: 'dd-mm-yyyy hh:mm' },
  /** A text such as 2026-03-04T12:00:00, of no time zone. */
  'local time': { kind: 'local time', numberFormat: 'dd-mm-yyyy hh:mm' },
  boolean: { kind: 'boolean', numberFormat: 'General' },
} as const satisfies Record<string, Format>;

export type ColumnKind = keyof typeof formats;

export const numberFormatOf = (column: ColumnKind): string => formats[column].numberFormat;

type WrittenValue = NonNullable<FieldValue>;

/** A value that cannot be a number in Excel (a date before 1900) stays text. */
const cells: Readonly<Record<Format['kind'], (value: WrittenValue) => Cell>> = {
  text: String,
  choice: String,
  long: String,
  integer: Number,
  decimal: Number,
  boolean: Boolean,
  date: (value) => dateSerial(String(value)),
  moment: (value) => momentSerial(Number(value)),
  'local time': (value) => serialOf(Date.parse(`${value}Z`)) ?? '',
};

/** The cell of a value. */
export const cellOf = (column: ColumnKind, value: FieldValue): Cell =>
  value === null || value === undefined || value === '' ? '' : cells[formats[column].kind](value);

/** A date as the serial number of its cell. */
export const dateSerial = (date: CalendarDate): Cell => serialOf(Date.parse(`${date}T00:00:00Z`)) ?? date;

/** The date of a cell with a serial number; undefined for a number that is none: 0, and what is before 1900 or after 9999. */
export function dateOfSerial(serial: number): CalendarDate | undefined {
  const time = timeOfSerial(Math.floor(serial));
  return time === undefined || serial < 1 ? undefined : new Date(time).toISOString().slice(0, 10);
}

/** UNIX seconds as a serial number, in the local time zone of the browser. */
function momentSerial(seconds: number): Cell {
  const instant = new Date(seconds * 1000);
  return serialOf(instant.getTime() - instant.getTimezoneOffset() * 60_000) ?? '';
}

/**
 * The text of a cell's value: numbers as their shortest decimal text within the 15 digits that Excel stores, so that
 * 0.1 + 0.2 is 0.3 here as on the screen.
 */
export const textOfCell = (cell: Cell): string =>
  typeof cell === 'number' ? String(Number(cell.toPrecision(15))) : String(cell).trim();

/** The approximate bytes of a cell in a request; other characters than ASCII count twice. */
export function bytesOf(cell: Cell | null): number {
  if (typeof cell !== 'string') return 8;
  return /^[ !#-[\]-\x7e]*$/.test(cell) ? cell.length + 3 : 2 * new TextEncoder().encode(cell).length + 3;
}

/** Excel's errors, as a cell shows them. */
const errorPattern =
  /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|SPILL!|CALC!|BLOCKED!|FIELD!|BUSY!|GETTING_DATA|CONNECT!|EXTERNAL!|TIMEOUT!|PYTHON!|UNKNOWN!)$/;
export const isCellError = (cell: Cell): boolean => typeof cell === 'string' && errorPattern.test(cell);
