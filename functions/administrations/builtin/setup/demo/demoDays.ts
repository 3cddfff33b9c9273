import { addDays, type CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import type { Seconds } from '../../sql/schema.ts';
import { readVatPeriod, type VatPeriod } from '../../vat/vatPeriod.ts';

/** The days of the bookkeeping. */
export type Days = { first: CalendarDate; last: CalendarDate };

export const secondsAt = (date: CalendarDate, time: string): Seconds => BigInt(Date.parse(`${date}T${time}Z`) / 1000);

/** The year, quarter or month of that name. */
export const periodOf = (name: string): VatPeriod => readVatPeriod(name)!;

/** The quarter of a day. */
export const quarterOf = (date: CalendarDate): VatPeriod =>
  periodOf(`${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`);

/** The last quarter that ended before a day: it has every case of VAT, and the returns of those before it were filed. */
export const quarterOfCases = (today: CalendarDate): VatPeriod => quarterOf(addDays(quarterOf(today).from, -1));

/** The months of some days. */
export function monthsOf({ first, last }: Days): VatPeriod[] {
  const found: VatPeriod[] = [];
  for (let day = first; day <= last; day = addDays(found.at(-1)!.to, 1)) found.push(periodOf(day.slice(0, 7)));
  return found;
}

/** A day of a month, or its last. */
export function dayIn({ from, to }: VatPeriod, day: number): CalendarDate {
  const date = addDays(from, day - 1);
  return date < to ? date : to;
}
