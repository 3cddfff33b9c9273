import { addDays, type CalendarDate, calendarDate } from '../../../../shared/wire/calendarDate.ts';

type FrequencyUnit = 'Day' | 'Week' | 'Month' | 'Year';

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
  if (unit === 'Day' || unit === 'Week') {
    const date = addDays(start, steps * (unit === 'Week' ? 7 : 1));
    return date.startsWith('+') ? undefined : date;
  }
  const [year, month, day] = start.split('-').map(Number) as [number, number, number];
  const months = year * 12 + (month - 1) + steps * (unit === 'Year' ? 12 : 1);
  const [toYear, toMonth] = [Math.floor(months / 12), (months % 12) + 1];
  if (toYear > 9999) return undefined;
  for (let last = day; ; last--) {
    const date = calendarDate(toYear, toMonth, last);
    if (date !== undefined) return date;
  }
}

const isWeekend = (date: CalendarDate): boolean => new Date(`${date}T00:00:00Z`).getUTCDay() % 6 === 0;

/** A date of the schedule with its invoice day: none when it is in a weekend that is skipped. */
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

/**
 * Moves the dates written dd-MM-yyyy in a text by so many months; the day stays within its month. Other text stays.
 */
export const shiftDates = (text: string, months: number): string =>
  months === 0
    ? text
    : text.replace(/(?<!\d)(\d{2})-(\d{2})-(\d{4})(?!\d)/g, (written, day: string, month: string, year: string) => {
        const date = calendarDate(Number(year), Number(month), Number(day));
        const target = Number(year) * 12 + Number(month) - 1 + months;
        if (date === undefined || target < 12 || target > 9999 * 12 + 11) return written;
        const moved = occurrence(
          {
            start: `${String(Math.floor(target / 12)).padStart(4, '0')}-${String((target % 12) + 1).padStart(2, '0')}-${day}`,
            end: null,
            frequency: 1,
            unit: 'Month',
            skipWeekends: false,
          },
          0,
        );
        return moved === undefined ? written : `${moved.slice(8)}-${moved.slice(5, 7)}-${moved.slice(0, 4)}`;
      });
