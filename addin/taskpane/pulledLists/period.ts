import { addDays, type CalendarDate, calendarDate } from '../../../shared/wire/calendarDate.ts';

/** Periods that move with the calendar: a refresh asks for the period that has the name then. */
export const periodNames = ['thisMonth', 'lastMonth', 'thisQuarter', 'lastQuarter', 'thisYear', 'lastYear'] as const;
type PeriodName = (typeof periodNames)[number];

export const isPeriodName = (text: string | undefined): text is PeriodName => periodNames.some((name) => name === text);

/** What a period stands beside when the person chose the dates. */
export const OTHER_DATES = 'otherDates';

/** The months of each kind of period, and how many periods back it is. */
const shapes: Readonly<Record<PeriodName, { months: number; back: number }>> = {
  thisMonth: { months: 1, back: 0 },
  lastMonth: { months: 1, back: 1 },
  thisQuarter: { months: 3, back: 0 },
  lastQuarter: { months: 3, back: 1 },
  thisYear: { months: 12, back: 0 },
  lastYear: { months: 12, back: 1 },
};

/** The first and the last day of a period, as its name means them on a day. */
export function datesOf(name: PeriodName, today: CalendarDate): { from: CalendarDate; till: CalendarDate } {
  const { months, back } = shapes[name];
  const month = monthOf(today);
  const first = month - (month % months) - back * months;
  return { from: firstOf(first), till: addDays(firstOf(first + months), -1) };
}

/** The month of a date, counted in months from the year 0. */
export const monthOf = (date: CalendarDate): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

/** The first day of a month, counted in months from the year 0. */
export const firstOf = (month: number): CalendarDate => calendarDate(Math.floor(month / 12), (month % 12) + 1, 1)!;
