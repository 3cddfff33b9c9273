import type { Database } from './database.ts';

/** What is numbered per administration. */
export type Counter = 'relation' | 'sales_invoice';

/**
 * The next number, in the transaction that uses it: nobody else gets it, and it is not lost when the transaction fails.
 */
export async function nextNumber(db: Database, administrationId: bigint, name: Counter): Promise<bigint> {
  const { value } = await db
    .insertInto('counter')
    .values({ administration_id: administrationId, name, value: 1n })
    .onConflict((conflict) =>
      conflict.columns(['administration_id', 'name']).doUpdateSet((eb) => ({ value: eb('counter.value', '+', 1n) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

/** Lets the numbering go on after a number that was given from outside. */
export async function numberTaken(db: Database, administrationId: bigint, name: Counter, taken: bigint): Promise<void> {
  await db
    .insertInto('counter')
    .values({ administration_id: administrationId, name, value: taken })
    .onConflict((conflict) =>
      conflict.columns(['administration_id', 'name']).doUpdateSet({ value: taken }).where('counter.value', '<', taken),
    )
    .execute();
}
