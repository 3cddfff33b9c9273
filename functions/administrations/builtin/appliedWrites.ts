import { type Product, product } from '../../../shared/resources/product.ts';
import { encode } from '../../../shared/wire/encode.ts';
import { parseJson } from '../../../shared/wire/json.ts';
import type { Database } from './database.ts';
import { insertRows } from './insertRows.ts';
import type { Seconds } from './schema.ts';
import type { Scope } from './scope.ts';

/** What became of the writes that were applied before, of these keys: key -> the answer it got. */
export async function rememberedAnswers(
  { db, administration }: Scope,
  keys: readonly string[],
): Promise<Map<string, Product>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('applied_write')
    .where('administration_id', '=', administration.id)
    .where('key', 'in', keys)
    .select(['key', 'answer'])
    .execute();
  return new Map(rows.map(({ key, answer }) => [key, product.parse(parseJson(answer))]));
}

/** Remembers writes that were applied, in the transaction that applied them. */
export async function rememberAnswers(
  { db, administration, now }: Scope,
  applied: ReadonlyMap<string, Product>,
): Promise<void> {
  const created_on = now();
  await insertRows(
    db,
    'applied_write',
    [...applied].map(([key, answer]) => ({
      administration_id: administration.id,
      key,
      answer: encode(product, answer),
      created_on,
    })),
  );
}

/** Forgets the writes that were applied before a moment, of all administrations: given again, one would be applied again. */
export async function forgetAppliedWrites(db: Database, before: Seconds): Promise<void> {
  await db.deleteFrom('applied_write').where('created_on', '<', before).execute();
}
