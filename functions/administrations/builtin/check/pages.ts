import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';

/** Rows of a page: this many documents have at most 37,500 lines, which fit in memory. */
const BATCH_SIZE = 500;

/** The columns that order the tables: each has an index on the administration and this column. */
const orders = {
  relation: 'guid',
  sales_invoice: 'number',
  sales_order: 'number',
  purchase_invoice: 'number',
} as const;
type PagedTable = keyof typeof orders;

/** Reads some columns of a table page by page, each row once. */
export async function* pagesOf<Table extends PagedTable, Column extends keyof Row<Table> & string>(
  db: Database,
  administrationId: bigint,
  table: Table,
  columns: readonly Column[],
): AsyncGenerator<(Pick<Row<Table>, Column> & { id: bigint })[]> {
  const tables = db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const order = orders[table];
  for (let last: Record<string, unknown> | undefined; ; ) {
    let query = tables.selectFrom(table as string).where('administration_id', '=', administrationId);
    // Several purchase invoices may have one number.
    if (last !== undefined)
      query = query.where(sql<SqlBool>`(${sql.ref(order)}, id) > (${sql.val(last[order])}, ${sql.val(last.id)})`);
    const rows = await query
      .orderBy(order)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .select([...new Set<string>(['id', order, ...columns])])
      .execute();
    if (rows.length === 0) return;
    last = rows.at(-1);
    yield rows as (Pick<Row<Table>, Column> & { id: bigint })[];
  }
}

/** Some columns of the lines of documents, by document and in their order. */
export async function linesByDocument<Line>(
  db: Database,
  document: 'sales_invoice' | 'sales_order' | 'purchase_invoice',
  ids: readonly bigint[],
  columns: readonly string[],
): Promise<Map<bigint, Line[]>> {
  const owner = `${document}_id` as 'sales_order_id';
  const lines = await db
    .selectFrom(`${document}_line` as 'sales_order_line')
    .where(owner, 'in', ids)
    .orderBy(owner)
    .orderBy('position')
    .select([`${owner} as owner`, ...(columns as 'id'[])])
    .execute();
  return Map.groupBy(lines, (line) => line.owner) as Map<bigint, never>;
}
