import { serialOf } from '../../shared/spreadsheet.ts';
import type { CalendarDate } from '../../shared/wire/calendarDate.ts';

/** The value of a cell; the empty string is an empty cell. */
export type Cell = string | number | boolean;

/** A value of the contract in memory: decimals and longs as text, dates as yyyy-MM-dd. */
export type FieldValue = string | number | boolean | null | undefined;

/**
 * The kinds of column. `text` is also for identifying numbers (account, article and invoice numbers): a cell stores
 * only 15 digits of a number, and no leading zeros. `decimal` shows as many decimals as there are, `price` at least
 * two.
 */
export type ColumnKind = 'text' | 'integer' | 'amount' | 'price' | 'decimal' | 'date' | 'moment' | 'boolean';

/** The number format of each kind of column, in Excel's invariant (American) form. */
export const numberFormats: Readonly<Record<ColumnKind, string>> = {
  text: '@',
  integer: '0',
  amount: '#,##0.00',
  price: '#,##0.00######',
  // A format such as 0.## shows a point after a whole number; General does not.
  decimal: 'General',
  date: 'dd-mm-yyyy',
  moment: 'dd-mm-yyyy hh:mm',
  boolean: 'General',
};

/** The cell of a value. A value that cannot be a number in Excel (a date before 1900) stays text. */
export function cellOf(kind: ColumnKind, value: FieldValue): Cell {
  if (value === null || value === undefined || value === '') return '';
  switch (kind) {
    case 'text':
      return String(value);
    case 'integer':
    case 'amount':
    case 'price':
    case 'decimal':
      return Number(value);
    case 'boolean':
      return Boolean(value);
    case 'date':
      return dateSerial(String(value));
    case 'moment':
      return momentSerial(Number(value));
  }
}

/** A date as the serial number of its cell. */
export const dateSerial = (date: CalendarDate): Cell => serialOf(Date.parse(`${date}T00:00:00Z`)) ?? date;

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
  /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|SPILL!|CALC!|BLOCKED!|FIELD!|BUSY!|GETTING_DATA|CONNECT!|UNKNOWN!)$/;
export const isCellError = (cell: Cell): boolean => typeof cell === 'string' && errorPattern.test(cell);
