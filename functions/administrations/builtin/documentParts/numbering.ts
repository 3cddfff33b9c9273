import { fieldErrorOf, type Refusal, refusal } from '../../../../shared/fieldErrors.ts';
import { refuseField, refuseFields } from '../../../../shared/problem.ts';
import type { CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';

type Counter = 'relation' | 'sales_invoice' | 'sales_order' | 'purchase_invoice' | 'journal_entry';

/** The next number, in the transaction that uses it: it is unique, and not lost when the transaction fails. */
export async function nextNumber(db: Database, administrationId: bigint, name: Counter): Promise<bigint> {
  const [counter] = await increment(db, { administrationId, name });
  return counter!.value;
}

const increment = prepared((db, { administrationId, name }: { administrationId: bigint; name: Counter }) =>
  db
    .insertInto('counter')
    .values({ administration_id: administrationId, name, value: 1n })
    .onConflict((conflict) =>
      conflict.columns(['administration_id', 'name']).doUpdateSet((eb) => ({ value: eb('counter.value', '+', 1n) })),
    )
    .returning('value'),
);

/** Continues the numbering after a number that a caller supplied. */
export async function numberTaken(db: Database, administrationId: bigint, name: Counter, taken: bigint): Promise<void> {
  await db
    .insertInto('counter')
    .values({ administration_id: administrationId, name, value: taken })
    .onConflict((conflict) =>
      conflict.columns(['administration_id', 'name']).doUpdateSet({ value: taken }).where('counter.value', '<', taken),
    )
    .execute();
}

/** A supplied number above this would leave no next number. */
const MAX_NUMBER = 10n ** 18n - 1n;

/** The largest number of a customer or supplier: these have 32 bits on the wire. */
export const MAX_PARTY_NUMBER = 2_147_000_000;

/** Why a number cannot be used; undefined when it can. */
export const tooHighNumber = (number: bigint): Refusal | undefined =>
  number > MAX_NUMBER ? refusal('NUMBER_TOO_LONG', { number: String(number) }) : undefined;

/**
 * Reserves a requested number.
 * @throws Problem INVALID_REQUEST naming the field
 */
export function requestedNumber(text: string, field: string): bigint {
  const number = BigInt(text);
  const wrong = tooHighNumber(number);
  if (wrong !== undefined) throw refuseFields([fieldErrorOf(field, wrong)]);
  return number;
}

/**
 * The number of a new sales invoice: the requested one, which must be free, or the next.
 * @throws Problem INVALID_REQUEST
 */
export async function invoiceNumber(
  { db, administration, today }: EndpointContext,
  requested: string | undefined,
): Promise<bigint> {
  const administrationId = administration.id;
  const isTaken = async (number: bigint) => (await invoicesNumbered(db, { administrationId, number })).length > 0;
  if (requested === undefined) {
    for (;;) {
      const next = await nextNumber(db, administrationId, 'sales_invoice');
      // An invoice far above the series may have it already.
      if (!(await isTaken(next))) return next;
    }
  }
  const number = requestedNumber(requested, 'InvoiceNumber');
  if (await isTaken(number)) throw refuseField('InvoiceNumber', 'INVOICE_NUMBER_TAKEN', { number: requested });
  const last = await lastNumber(db, administrationId);
  // A number far above the series belongs to another series, or is a mistake.
  if (last === 0n || number <= last + MAX_NUMBER_GAP || beginsWithYear(number, today())) {
    await numberTaken(db, administrationId, 'sales_invoice', number);
  }
  return number;
}

/** How far above the last number a supplied one may be for the series to continue after it. */
export const MAX_NUMBER_GAP = 1_000_000n;

/** Whether a number is this year, or the one before or after it, and up to eight digits: many series begin so. */
function beginsWithYear(number: bigint, today: CalendarDate): boolean {
  const [, year, rest] = /^(\d{4})(\d{1,8})$/.exec(String(number)) ?? [];
  return rest !== undefined && Math.abs(Number(year) - Number(today.slice(0, 4))) <= 1;
}

async function lastNumber(db: Database, administrationId: bigint): Promise<bigint> {
  const counter = await db
    .selectFrom('counter')
    .where('administration_id', '=', administrationId)
    .where('name', '=', 'sales_invoice')
    .select('value')
    .executeTakeFirst();
  return counter?.value ?? 0n;
}

const invoicesNumbered = prepared((db, { administrationId, number }: { administrationId: bigint; number: bigint }) =>
  db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administrationId)
    .where('number', '=', number)
    .select('id'),
);
