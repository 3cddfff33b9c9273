import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';

/** The first and the last booking date of an administration that sets none. */
export const DEFAULT_FIRST = '1970-01-01';
export const DEFAULT_LAST = '2199-12-31';

/**
 * Checks dates of documents; returns why nothing can be booked on one. The booking dates are read in the transaction
 * that writes, so that a period which is closed at the same time is closed before it or after it.
 */
export async function bookingDates(context: EndpointContext) {
  const { first, last, until, refusesLate } = await datesIn(context);
  const filed = refusesLate ? await filedPeriods(context.db, { id: context.administration.id }) : [];
  return (date: CalendarDate, path: string): FieldError[] => {
    if (date < first || date > last) return [fieldError(path, 'OUTSIDE_BOOKING_DATES', { date, first, last })];
    if (date <= until) return [fieldError(path, 'PERIOD_CLOSED', { date, until })];
    const period = filed.find(({ first_day, last_day }) => first_day <= date && date <= last_day)?.period;
    return period === undefined ? [] : [fieldError(path, 'PERIOD_FILED', { date, period })];
  };
}

/** The first and the last day on which something can be booked; the first is after the last when there is none. */
export async function bookableDays({ db, administration }: BookedIn) {
  const { first, last, until } = await datesIn({ db, administration });
  if (until < first) return { first, last };
  return { first: addDays(until, 1), last };
}

type BookedIn = Pick<EndpointContext, 'db'> & { administration: { id: bigint } };

async function datesIn({ db, administration }: BookedIn) {
  const [dates] = await datesOf(db, { id: administration.id });
  const { first_booking_date, last_booking_date, closed_until: until, refuses_late } = dates!;
  const [first, last] = [first_booking_date || DEFAULT_FIRST, last_booking_date || DEFAULT_LAST];
  return { first, last, until, refusesLate: refuses_late === 1n };
}

const datesOf = prepared((db, { id }: { id: bigint }) =>
  db
    .selectFrom('administration')
    .where('id', '=', id)
    .select(['first_booking_date', 'last_booking_date', 'closed_until', 'refuses_late']),
);

const filedPeriods = prepared((db, { id }: { id: bigint }) =>
  db.selectFrom('vat_return').where('administration_id', '=', id).select(['period', 'first_day', 'last_day']),
);
