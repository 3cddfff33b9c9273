import type { CalendarDate } from './calendarDate.ts';

/**
 * The kinds of value, and what each is in memory. Each medium says how it reads or writes all of them: the wire
 * (field.ts), a database, an archive, an imported file, a cell of Excel, an exported workbook. One that lacks a kind
 * does not compile.
 */
export type Values = {
  text: string;
  /** One of a list of words. */
  choice: string;
  /** A day of the calendar. */
  date: CalendarDate;
  /** An amount, a price, a quantity or a percentage, as plain decimal text: nothing exact becomes a float. */
  decimal: string;
  /** A whole number of up to 64 bits, as its digits. */
  long: string;
  /** A whole number that a JavaScript number holds. */
  integer: number;
  boolean: boolean;
};

export type ValueKind = keyof Values;
