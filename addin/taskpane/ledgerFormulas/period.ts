import { addDays, type CalendarDate, calendarDate, readDate } from '../../../shared/wire/calendarDate.ts';
import { isEmpty } from './accountPatterns.ts';
import { invalidValue } from './formulaProblem.ts';

/**
 * A period as the ledger reads it: `2026` (the fiscal year that begins in 2026), `2026-Q1`, `2026-03` or `2026-03-31`.
 * Which days a fiscal year has, only the books know.
 */
export type PeriodText = string;

const MIN_YEAR = 1900;
const MAX_YEAR = 9998;
/** The serial number of 9999-12-31, the last date of Excel. */
const MAX_SERIAL = 2_958_465;
/** The serial number of 1970-01-01. */
const EPOCH_SERIAL = 25_569;

/**
 * Reads a period: a year, a quarter, a month, or a day as a date of Excel or as text (`2026-03-31`, `31-03-2026`).
 * @throws FormulaProblem
 */
export function readPeriod(value: unknown): PeriodText {
  const found =
    typeof value === 'number' ? ofNumber(value) : typeof value === 'string' ? ofText(value.trim()) : undefined;
  if (found !== undefined) return found;
  if (isEmpty(value)) throw invalidValue(({ noPeriod }) => noPeriod);
  throw invalidValue(({ wrongPeriod }) => wrongPeriod(String(value)));
}

const isYear = (year: number): boolean => Number.isInteger(year) && year >= MIN_YEAR && year <= MAX_YEAR;

/** Whether a number is a month as other programs write it: 202603. It is the serial number of a day in 2454 as well. */
const isMonth = (value: number): boolean => {
  const month = value % 100;
  return Number.isInteger(value) && value >= 190_001 && value <= 219_912 && month >= 1 && month <= 12;
};

function ofNumber(value: number): PeriodText | undefined {
  if (isYear(value)) return String(value);
  if (isMonth(value)) return undefined;
  // A moment of a day is that day.
  const serial = Math.floor(value);
  return serial > MAX_YEAR && serial <= MAX_SERIAL ? addDays('1970-01-01', serial - EPOCH_SERIAL) : undefined;
}

function ofText(text: string): PeriodText | undefined {
  const [, year = '', quarter, month, day] = /^(\d{4})(?:-?Q([1-4])|-(\d{2})(?:-(\d{2}))?)?$/i.exec(text) ?? [];
  if (year === '') return ofDay(readDate(text));
  if (!isYear(Number(year))) return undefined;
  if (quarter !== undefined) return `${year}-Q${quarter}`;
  if (month === undefined) return year;
  if (day !== undefined) return ofDay(calendarDate(Number(year), Number(month), Number(day)));
  return Number(month) >= 1 && Number(month) <= 12 ? `${year}-${month}` : undefined;
}

const ofDay = (day: CalendarDate | undefined): PeriodText | undefined =>
  day !== undefined && isYear(Number(day.slice(0, 4))) ? day : undefined;
