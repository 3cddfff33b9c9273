import { addDays, type CalendarDate, daysBetween } from '../../../shared/wire/calendarDate.ts';
import type { Messages } from '../locales/en.ts';
import { datesIn, type Question } from './list.ts';
import { firstOf, monthOf, OTHER_DATES } from './period.ts';
import { periodWords } from './questionText.ts';

/**
 * The period of a question about the ledger, as the ledger takes it. Without a start it begins with the fiscal year of its
 * end, without an end it ends today; without both it is the fiscal year of today.
 */
export function ledgerPeriodOf(question: Question, today: CalendarDate): { from?: string; to?: string } {
  const { from, till } = datesIn(question, today);
  if (from === undefined) return till === undefined ? {} : { to: till };
  return { from, to: till ?? (from < today ? today : from) };
}

/** The period of a question about the ledger in words. */
export const ledgerPeriodWords = (question: Question, messages: Messages): string =>
  periodWords(question, messages) ?? messages.ledger.thisYear;

/** The day one year before a day; the last day of a month stays one. */
export function yearBefore(date: CalendarDate): CalendarDate {
  const next = addDays(date, 1);
  const earlier = (day: CalendarDate): CalendarDate => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  // The first day of a month is in every year.
  return next.endsWith('-01') ? addDays(earlier(next), -1) : earlier(date);
}

type Days = { from: CalendarDate; to: CalendarDate };

/** The period that stands beside one, by a question: without a choice the same a year earlier. */
export function comparedPeriod({ Compared, ComparedFrom, ComparedTill }: Question, now: Days): Days {
  if (Compared === undefined) return { from: yearBefore(now.from), to: yearBefore(now.to) };
  return Compared === OTHER_DATES ? { from: ComparedFrom!, to: ComparedTill! } : periodBefore(now);
}

/** The period before one: as many months, or as many days when it has no whole months. */
export function periodBefore({ from, to }: Days): Days {
  const next = addDays(to, 1);
  const isWhole = from.endsWith('-01') && next.endsWith('-01');
  const first = isWhole ? firstOf(2 * monthOf(from) - monthOf(next)) : addDays(from, daysBetween(next, from));
  return { from: first, to: addDays(from, -1) };
}
