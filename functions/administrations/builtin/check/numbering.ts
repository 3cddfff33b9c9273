import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';

/** Checks that numbering continues after the highest used number. */
export async function* checkNumbering(db: Database, administrationId: bigint): AsyncGenerator<string> {
  const lastNumbers = new Map(
    (await db.selectFrom('counter').where('administration_id', '=', administrationId).selectAll().execute()).map(
      (row) => [row.name, row.value],
    ),
  );
  for (const [table, column] of [
    ['relation', 'guid'],
    ['sales_invoice', 'number'],
    ['sales_order', 'number'],
  ] as const) {
    const { highest } = await db
      .selectFrom(table)
      .where('administration_id', '=', administrationId)
      .select(sql<bigint | null>`max(${sql.ref(column)})`.as('highest'))
      .executeTakeFirstOrThrow();
    const last = lastNumbers.get(table) ?? 0n;
    // Sales invoices may have numbers far above their series, which has begun then.
    if (table === 'sales_invoice' && last > 0n) continue;
    if (highest !== null && highest > last) yield `The numbering of ${table} is at ${last}, and ${highest} is taken.`;
  }
}
