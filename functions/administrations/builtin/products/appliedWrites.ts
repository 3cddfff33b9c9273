import type { SelectQueryBuilder } from 'kysely';
import { type Product, product } from '../../../../shared/resources/product.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import { parseJson } from '../../../../shared/wire/json.ts';
import type { AppliedWrites } from '../../administration.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { Schema } from '../sql/schema.ts';

/** The responses of writes that were applied before, by key. */
export async function rememberedResponses(
  { db, administration }: EndpointContext,
  keys: readonly string[],
): Promise<Map<string, Product>> {
  return responsesOf(db, db.selectFrom('administration').where('id', '=', administration.id).select('id'), keys);
}

/** Stores the keys of applied writes, in the transaction that applied them. */
export async function rememberResponses(
  { db, administration, now }: EndpointContext,
  applied: ReadonlyMap<string, Product>,
): Promise<void> {
  const created_on = now();
  await insertRows(
    db,
    'applied_write',
    [...applied].map(([key, response]) => ({
      administration_id: administration.id,
      key,
      answer: encode(product, response),
      created_on,
    })),
  );
}

/** The applied writes of all administrations, by their keys. */
export const appliedWrites = (db: Database): AppliedWrites => ({
  applied: (keys) => responsesOf(db, db.selectFrom('administration').select('id'), keys),
  async forget(before) {
    await db
      .deleteFrom('applied_write')
      .where('created_on', '<', BigInt(Math.floor(before)))
      .execute();
  },
});

/** @param administrations their ids, which the primary key begins with */
async function responsesOf(
  db: Database,
  administrations: SelectQueryBuilder<Schema, 'administration', { id: bigint }>,
  keys: readonly string[],
): Promise<Map<string, Product>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('applied_write')
    .where('administration_id', 'in', administrations)
    .where('key', 'in', keys)
    .select(['key', 'answer'])
    .execute();
  return new Map(rows.map(({ key, answer }) => [key, product.parse(parseJson(answer))]));
}
