import { type CalendarDate, calendarDate, dateAfter, writeDate } from '../../../../shared/wire/calendarDate.ts';

export type FrequencyUnit = 'Day' | 'Week' | 'Month' | 'Year';

export type Schedule = {
  start: CalendarDate;
  /** The last day an invoice may fall on; null for none. */
  end: CalendarDate | null;
  /** Every so many units, from 1. */
  frequency: number;
  unit: FrequencyUnit;
  /** No invoice is made on a Saturday or a Sunday. */
  skipWeekends: boolean;
};

/**
 * The n-th date of a schedule; 0 is its start. Months and years count from the start: from
 * the 31st a monthly date is the last day of shorter months, and the 31st again of longer ones. `undefined` after 9999.
 */
export function occurrence({ start, frequency, unit }: Schedule, index: number): CalendarDate | undefined {
  const steps = index * frequency;
  if (unit === 'Day' || unit === 'Week') return dateAfter(start, steps * (unit === 'Week' ? 7 : 1));
  const [year, month, day] = start.split('-').map(Number) as [number, number, number];
  const months = year * 12 + (month - 1) + steps * (unit === 'Year' ? 12 : 1);
  const [toYear, toMonth] = [Math.floor(months / 12), (months % 12) + 1];
  return toYear > 9999 ? undefined : inMonth(toYear, toMonth, day);
}

/** A day of a month; the last day of a shorter month. */
function inMonth(year: number, month: number, day: number): CalendarDate {
  const date = calendarDate(year, month, day);
  return date ?? inMonth(year, month, day - 1);
}

export const isWeekend = (date: CalendarDate): boolean => new Date(`${date}T00:00:00Z`).getUTCDay() % 6 === 0;

/** A date of the schedule. `isMade`: an invoice is made, since it is not in a skipped weekend. */
export type DueDate = { index: number; date: CalendarDate; isMade: boolean };

/**
 * The dates of a schedule up to a day, in order.
 * @param from the first index that is not done yet
 * @param max so many at the most
 */
export function dueDates(schedule: Schedule, from: number, until: CalendarDate, max: number): DueDate[] {
  const due: DueDate[] = [];
  for (let index = from; due.length < max; index++) {
    const date = occurrence(schedule, index);
    if (date === undefined || date > until || (schedule.end !== null && date > schedule.end)) break;
    due.push({ index, date, isMade: !(schedule.skipWeekends && isWeekend(date)) });
  }
  return due;
}

/** Moves the dates dd-MM-yyyy in a text by so many months; a day after the end of a month becomes its last day. */
export const shiftDates = (text: string, months: number): string =>
  months === 0
    ? text
    : text.replace(/(?<!\d)(\d{2})-(\d{2})-(\d{4})(?!\d)/g, (written, day: string, month: string, year: string) => {
        const date = calendarDate(Number(year), Number(month), Number(day));
        const target = Number(year) * 12 + Number(month) - 1 + months;
        if (date === undefined || target < 12 || target > 9999 * 12 + 11) return written;
        return writeDate(inMonth(Math.floor(target / 12), (target % 12) + 1, Number(day)));
      });
