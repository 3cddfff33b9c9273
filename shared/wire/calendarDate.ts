import { memoized } from '../memoized.ts';

/** A calendar date, without time or zone, as `yyyy-MM-dd`: sorts as text. On the wire it is `dd-MM-yyyy`. */
export type CalendarDate = string;

/** `dd-MM-yyyy` (days and months may lack their leading zero) as a date; `undefined` when there is no such day. */
export function readDate(text: string): CalendarDate | undefined {
  const match = /^(\d{1,2})-(\d{1,2})-(\d{4})$/.exec(text.trim());
  if (match === null) return undefined;
  return calendarDate(Number(match[3]), Number(match[2]), Number(match[1]));
}

/** The date of a year, month (1 to 12) and day; `undefined` when the calendar has no such day. */
export function calendarDate(year: number, month: number, day: number): CalendarDate | undefined {
  const instant = new Date(0);
  instant.setUTCFullYear(year, month - 1, day);
  const exists =
    year >= 1 &&
    year <= 9999 &&
    instant.getUTCFullYear() === year &&
    instant.getUTCMonth() === month - 1 &&
    instant.getUTCDate() === day;
  return exists ? instant.toISOString().slice(0, 10) : undefined;
}

export const writeDate = (date: CalendarDate): string => `${date.slice(8, 10)}-${date.slice(5, 7)}-${date.slice(0, 4)}`;

/** The first and the last day that can be written as `yyyy-MM-dd`. */
const FIRST_DAY: CalendarDate = '0001-01-01';
export const LAST_DAY: CalendarDate = '9999-12-31';

/** The date some days after another one, or before it; `undefined` before the first and after the last day. */
export function dateAfter(date: CalendarDate, days: number): CalendarDate | undefined {
  const instant = Date.parse(date) + days * 86_400_000;
  if (instant < Date.parse(FIRST_DAY) || instant > Date.parse(LAST_DAY)) return undefined;
  return new Date(instant).toISOString().slice(0, 10);
}

/** The date some days after another one, or before it, but no later than the last day and no earlier than the first. */
export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  dateAfter(date, days) ?? (days < 0 ? FIRST_DAY : LAST_DAY);

export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** The date in a time zone: `zone` is an IANA name such as Europe/Amsterdam. */
export const dateIn = (zone: string, instant: Date): CalendarDate => formatOf(zone).format(instant);

/** Creating one takes longer than a whole product update. */
const formatOf = memoized((timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }));
