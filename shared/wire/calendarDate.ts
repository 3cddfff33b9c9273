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
    instant.getUTCFullYear() === year &&
    instant.getUTCMonth() === month - 1 &&
    instant.getUTCDate() === day;
  return exists ? instant.toISOString().slice(0, 10) : undefined;
}

export const writeDate = (date: CalendarDate): string => `${date.slice(8, 10)}-${date.slice(5, 7)}-${date.slice(0, 4)}`;

export function addDays(date: CalendarDate, days: number): CalendarDate {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}

export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** The date in a time zone: `zone` is an IANA name such as Europe/Amsterdam. */
export const dateIn = (zone: string, instant: Date): CalendarDate => formatOf(zone).format(instant);

/** Creating one takes longer than a whole product update. */
const formatOf = memoized((timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }));
