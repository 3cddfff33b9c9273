import { addDays, type CalendarDate } from '../../../shared/wire/calendarDate.ts';
import type { Messages } from '../locales/en.ts';
import { datesIn, type Question } from './list.ts';
import { periodWords } from './questionText.ts';

/** The period of a question about the ledger, as the ledger takes it; without one it is the fiscal year of today. */
export function ledgerPeriodOf(question: Question, today: CalendarDate): { from?: string; to?: string } {
  const { from, till } = datesIn(question, today);
  return { ...(from === undefined ? {} : { from }), ...(till === undefined ? {} : { to: till }) };
}

/** The period of a question about the ledger in words. */
export const ledgerPeriodWords = (question: Question, messages: Messages): string =>
  periodWords(question, messages) ?? messages.ledger.thisYear;

/** The same day a year earlier; the last day of a month stays one. */
export function yearBefore(date: CalendarDate): CalendarDate {
  const next = addDays(date, 1);
  const earlier = (day: CalendarDate): CalendarDate => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  // The first day of a month is in every year.
  return next.endsWith('-01') ? addDays(earlier(next), -1) : earlier(date);
}
