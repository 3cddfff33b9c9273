import type { SelectQueryBuilder } from 'kysely';
import type { AppliedWrites } from '../../administration.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { Schema, Seconds } from '../sql/schema.ts';
import { inTransaction } from '../sql/transaction.ts';

/** What is shown of writes that were applied before, by key. */
export async function rememberedWrites(
  { db, administration }: EndpointContext,
  keys: readonly string[],
): Promise<Map<string, string>> {
  return answersOf(db, db.selectFrom('administration').where('id', '=', administration.id).select('id'), keys);
}

/** Stores the keys of applied writes, in the transaction that applied them. */
export async function rememberWrites(
  { db, administration, now }: EndpointContext,
  applied: ReadonlyMap<string, string>,
): Promise<void> {
  const created_on = now();
  await insertRows(
    db,
    'applied_write',
    [...applied].map(([key, answer]) => ({ administration_id: administration.id, key, answer, created_on })),
  );
}

/** The applied writes of all administrations, by their keys. */
export const appliedWrites = (db: Database): AppliedWrites => ({
  applied: (keys) => answersOf(db, db.selectFrom('administration').select('id'), keys),
  async forget(before) {
    // Other writers take their turns in between. A transaction waits for another process without keeping reads waiting.
    while ((await inTransaction(db, (trx) => forgetSome(trx, BigInt(Math.floor(before))))) === FORGOTTEN_AT_A_TIME);
  },
});

const FORGOTTEN_AT_A_TIME = 1000n;

/** Removes some of the keys of before a moment. @returns how many */
async function forgetSome(trx: Database, before: Seconds): Promise<bigint> {
  const { numDeletedRows } = await trx
    .deleteFrom('applied_write')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('administration_id', 'key'),
        'in',
        selectFrom('applied_write')
          .where('created_on', '<', before)
          .limit(Number(FORGOTTEN_AT_A_TIME))
          .select(['administration_id', 'key'])
          .$asTuple('administration_id', 'key'),
      ),
    )
    .executeTakeFirstOrThrow();
  return numDeletedRows;
}

/** @param administrations their ids, which the primary key begins with */
async function answersOf(
  db: Database,
  administrations: SelectQueryBuilder<Schema, 'administration', { id: bigint }>,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('applied_write')
    .where('administration_id', 'in', administrations)
    .where('key', 'in', keys)
    .select(['key', 'answer'])
    .execute();
  return new Map(rows.map(({ key, answer }) => [key, answer]));
}
