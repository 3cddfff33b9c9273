import type { Database } from '../sql/database.ts';
import { DOCUMENTS_OF_PAGE, pagesOf } from '../sql/pages.ts';
import type { Row } from '../sql/schema.ts';

/** The columns that order the tables: each has an index on the administration and this column. */
const orders = {
  relation: 'guid',
  sales_invoice: 'number',
  sales_order: 'number',
  purchase_invoice: 'number',
} as const;

/** Reads some columns of a table page by page. */
export function pagesWith<Table extends keyof typeof orders, Column extends keyof Row<Table> & string>(
  db: Database,
  administrationId: bigint,
  table: Table,
  columns: readonly Column[],
): AsyncGenerator<(Pick<Row<Table>, Column> & { id: bigint })[]> {
  const order = orders[table] as 'number';
  const rows = db
    .selectFrom(table as 'sales_order')
    .where('administration_id', '=', administrationId)
    .select([...new Set<'id' | 'number'>(['id', order, ...(columns as readonly 'id'[])])]);
  // Several purchase invoices may have one number.
  const pages: unknown = pagesOf(rows, [order, 'id'], DOCUMENTS_OF_PAGE);
  return pages as AsyncGenerator<(Pick<Row<Table>, Column> & { id: bigint })[]>;
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
