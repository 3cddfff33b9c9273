import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';
import type { Row } from '../sql/schema.ts';

/** The first and the last day on which anything is booked, where an administration sets no others. */
const DEFAULT_FIRST = '1970-01-01';
const DEFAULT_LAST = '2199-12-31';

type BookingDates = Pick<Row<'administration'>, 'first_booking_date' | 'last_booking_date' | 'closed_until'>;

/** Why nothing can be booked on a date; undefined when it can. */
export type DateRefusal = (date: CalendarDate, path: string) => FieldError | undefined;

/**
 * The dates on which an administration books. They are read in the transaction that writes: a period that is closed at the
 * same time is closed before, or after it.
 */
export async function bookingDates({ db, administration }: EndpointContext): Promise<DateRefusal> {
  const [dates] = await datesOf(db, { id: administration.id });
  return dateRefusal(dates!);
}

export function dateRefusal(dates: BookingDates): DateRefusal {
  const first = dates.first_booking_date || DEFAULT_FIRST;
  const last = dates.last_booking_date || DEFAULT_LAST;
  return (date, path) => {
    if (date < first || date > last) return fieldError(path, 'OUTSIDE_BOOKING_DATES', { date, first, last });
    if (date <= dates.closed_until) return fieldError(path, 'PERIOD_CLOSED', { date, until: dates.closed_until });
    return undefined;
  };
}

const datesOf = prepared((db, { id }: { id: bigint }) =>
  db
    .selectFrom('administration')
    .where('id', '=', id)
    .select(['first_booking_date', 'last_booking_date', 'closed_until']),
);
