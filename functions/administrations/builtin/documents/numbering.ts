import { fieldErrorOf, type Refusal, refusal } from '../../../../shared/fieldErrors.ts';
import { refuseField, refuseFields } from '../../../../shared/problem.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';

/** The number series of an administration. */
type Counter = 'relation' | 'sales_invoice' | 'sales_order' | 'purchase_invoice';

/**
 * The next number, in the transaction that uses it: it is unique, and not lost when the transaction fails.
 */
export async function nextNumber(db: Database, administrationId: bigint, name: Counter): Promise<bigint> {
  const [counter] = await countOn(db, { administrationId, name });
  return counter!.value;
}

const countOn = prepared((db, { administrationId, name }: { administrationId: bigint; name: Counter }) =>
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

/** The same for customers and suppliers, whose numbers have 32 bits on the wire. */
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
  { db, administration }: EndpointContext,
  given: string | undefined,
): Promise<bigint> {
  if (given === undefined) return nextNumber(db, administration.id, 'sales_invoice');
  const number = requestedNumber(given, 'InvoiceNumber');
  const taken = await db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', administration.id)
    .where('number', '=', number)
    .select('id')
    .executeTakeFirst();
  if (taken !== undefined) throw refuseField('InvoiceNumber', 'INVOICE_NUMBER_TAKEN', { number: given });
  await numberTaken(db, administration.id, 'sales_invoice', number);
  return number;
}
