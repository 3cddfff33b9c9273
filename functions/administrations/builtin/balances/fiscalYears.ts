import { addDays, type CalendarDate, LAST_DAY } from '../../../../shared/wire/calendarDate.ts';
import { CommandError } from '../files/commandError.ts';
import type { Database } from '../sql/database.ts';
import { prepared } from '../sql/prepared.ts';
import type { Row } from '../sql/schema.ts';

export type StoredYear = Pick<Row<'fiscal_year'>, 'id' | 'start_date' | 'end_date' | 'has_opening'>;
export type Period = { first: CalendarDate; last: CalendarDate };

/** The fiscal years of an administration: which one a day is in, and which one begins in a calendar year. */
export type FiscalYears = {
  /** In the order of their days. */
  stored: readonly StoredYear[];
  yearOf(date: CalendarDate): Period;
  beginningIn(year: number): Period;
};

/** The stored fiscal years of an administration, in the order of their days. */
export const storedYears = (db: Database, administrationId: bigint): Promise<StoredYear[]> =>
  yearRows(db, { administrationId });

const yearRows = prepared((db, { administrationId }: { administrationId: bigint }) =>
  db
    .selectFrom('fiscal_year')
    .where('administration_id', '=', administrationId)
    .orderBy('start_date')
    .select(['id', 'start_date', 'end_date', 'has_opening']),
);

/**
 * Fiscal years from those that are stored; the others follow from the month in which years begin.
 * @param startMonth from 1; 0: the month after the stored year before, else that in which the first stored year begins,
 * else January
 */
export function fiscalYears(stored: readonly StoredYear[], startMonth: number): FiscalYears {
  /** The day in a calendar year on which a fiscal year begins, around a date. */
  const usualStart = (year: number, date: CalendarDate): CalendarDate => {
    // The month in which a short or a long year began says nothing of the years after it.
    const before = stored.findLast(({ start_date }) => start_date <= date);
    const start = before === undefined ? stored[0]?.start_date : addDays(before.end_date, 1);
    const month = startMonth || Number(start?.slice(5, 7) ?? 1);
    return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
  };

  const yearOf = (date: CalendarDate): Period => {
    const known = stored.find(({ start_date, end_date }) => start_date <= date && date <= end_date);
    if (known !== undefined) return { first: known.start_date, last: known.end_date };
    const year = Number(date.slice(0, 4));
    const begins = usualStart(year, date) <= date ? year : year - 1;
    const before = stored.findLast(({ end_date }) => end_date < date);
    const after = stored.find(({ start_date }) => start_date > date);
    const first = usualStart(begins, date);
    // No day is after the year 9999.
    const last = begins < 9999 ? addDays(usualStart(begins + 1, date), -1) : LAST_DAY;
    return {
      first: before !== undefined && before.end_date >= first ? addDays(before.end_date, 1) : first,
      last: after !== undefined && after.start_date <= last ? addDays(after.start_date, -1) : last,
    };
  };

  return {
    stored,
    yearOf,
    beginningIn(year) {
      const known = stored.find(({ start_date }) => Number(start_date.slice(0, 4)) === year);
      if (known !== undefined) return { first: known.start_date, last: known.end_date };
      const usual = yearOf(usualStart(year, `${String(year).padStart(4, '0')}-01-01`));
      if (Number(usual.first.slice(0, 4)) === year) return usual;
      // A stored year ends after the day on which this one would begin.
      const next = yearOf(addDays(usual.last, 1));
      return Number(next.first.slice(0, 4)) === year ? next : usual;
    },
  };
}

/** The days of some months of a calendar year. @param first the number of the first month, from 1 */
export const daysOfMonths = (year: number, first: number, months: number): Period => {
  const start = (at: number): CalendarDate =>
    new Date(Date.UTC(year, at - 1, 1)).toISOString().slice(0, 10) as CalendarDate;
  return { first: start(first), last: addDays(start(first + months), -1) };
};

/** The days of a period as it is asked for: `2026`, `2026-Q1`, `2026-03`, `2026-03-31`. Others are undefined. */
export function periodOf(text: string, years: FiscalYears): Period | undefined {
  const [, digits = '', quarter, month, day] =
    /^(\d{4})(?:-(?:[Qq]([1-4])|(0[1-9]|1[0-2])(?:-(\d{2}))?))?$/.exec(text.trim()) ?? [];
  const year = Number(digits);
  if (year < 1000) return undefined;
  if (day !== undefined) {
    const date = `${digits}-${month}-${day}`;
    return Number(day) >= 1 && date <= daysOfMonths(year, Number(month), 1).last
      ? { first: date, last: date }
      : undefined;
  }
  if (month !== undefined) return daysOfMonths(year, Number(month), 1);
  if (quarter !== undefined) return daysOfMonths(year, Number(quarter) * 3 - 2, 3);
  return years.beginningIn(year);
}

/**
 * A fiscal year by when it begins: `2026`, the first of that calendar year, or `2026-07`.
 * @throws CommandError when none begins in that month
 */
export function fiscalYearNamed(text: string, years: FiscalYears, owner: string): Period {
  const [year, month] = text.split('-').map(Number) as [number, number | undefined];
  if (month === undefined) return years.beginningIn(year);
  const days = daysOfMonths(year, month, 1);
  const found = years.yearOf(days.last);
  if (found.first >= days.first) return found;
  throw new CommandError(`No fiscal year of ${owner} begins in ${text}, which is in ${found.first} to ${found.last}.`);
}
