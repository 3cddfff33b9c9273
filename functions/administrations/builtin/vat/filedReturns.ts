import { z } from 'zod';
import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { Row, Seconds } from '../sql/schema.ts';
import type { VatPeriod } from './vatPeriod.ts';
import type { BoxAmounts, VatReturn } from './vatReturn.ts';

/** A period whose return was filed, and when. */
export type FiledPeriod = Pick<Row<'vat_return'>, 'first_day' | 'last_day' | 'filed_on'>;

/**
 * The day that a document counts on in VAT returns: its own; or, when the return of that day had been filed before it
 * was entered, the first day after that whose return had not.
 * @param filed in the order of their days
 */
export function vatDate(date: CalendarDate, enteredOn: Seconds, filed: readonly FiledPeriod[]): CalendarDate {
  let counted = date;
  for (const { first_day, last_day, filed_on } of filed) {
    if (first_day <= counted && counted <= last_day && enteredOn > filed_on) counted = addDays(last_day, 1);
  }
  return counted;
}

/** The filed returns of an administration, in the order of their days. */
export const filedReturns = (db: Database, administrationId: bigint): Promise<Row<'vat_return'>[]> =>
  db
    .selectFrom('vat_return')
    .where('administration_id', '=', administrationId)
    .orderBy('first_day')
    .orderBy('last_day')
    .selectAll()
    .execute();

/** Amounts of boxes as decimal cents, as a filed return stores them. */
const figures = z.record(z.string(), z.partialRecord(z.enum(['base', 'tax']), z.string()));

const textOf = (boxes: ReadonlyMap<string, BoxAmounts>): string =>
  JSON.stringify(
    Object.fromEntries(
      [...boxes].map(([box, amounts]) => [
        box,
        Object.fromEntries(Object.entries(amounts).map(([part, { declared }]) => [part, String(declared)])),
      ]),
    ),
  );

/** Stores that a return was filed, with its figures. */
export const fileReturn = (
  db: Database,
  administrationId: bigint,
  { name, from, to }: VatPeriod,
  { boxes }: Pick<VatReturn, 'boxes'>,
  now: Seconds,
): Promise<unknown> =>
  insertRows(db, 'vat_return', [
    {
      administration_id: administrationId,
      period: name,
      first_day: from,
      last_day: to,
      figures: textOf(boxes),
      filed_on: now,
    },
  ]);

/** The boxes whose amounts differ from those that were filed, in cents. */
export function changedSince(
  filed: Pick<Row<'vat_return'>, 'figures'>,
  { boxes }: Pick<VatReturn, 'boxes'>,
): { box: string; part: 'base' | 'tax'; filed: bigint; now: bigint }[] {
  const before = figures.parse(JSON.parse(filed.figures));
  return [...boxes].flatMap(([box, amounts]) =>
    (['base', 'tax'] as const).flatMap((part) => {
      const [was, now] = [BigInt(before[box]?.[part] ?? 0), amounts[part]?.declared ?? 0n];
      return was === now ? [] : [{ box, part, filed: was, now }];
    }),
  );
}
