import type { SelectQueryBuilder } from 'kysely';
import type { AppliedWrites } from '../../administration.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { Schema } from '../sql/schema.ts';

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
    await db
      .deleteFrom('applied_write')
      .where('created_on', '<', BigInt(Math.floor(before)))
      .execute();
  },
});

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
