import { insertRows } from '../sql/insertRows.ts';
import type { NewRow, Row } from '../sql/schema.ts';
import { differing, type ImportContext } from './importRows.ts';

type ImportedTable =
  | 'cost_center'
  | 'ledger_account'
  | 'order_status'
  | 'product'
  | 'product_category'
  | 'project'
  | 'purchase_invoice'
  | 'relation'
  | 'sales_invoice'
  | 'sales_order'
  | 'tax_code'
  | 'vat_rule';

/** The rows of the administration that have one of some values in a column. */
export async function rowsWith<Table extends ImportedTable, Column extends keyof Row<Table> & string>(
  { db, administration }: Pick<ImportContext, 'db' | 'administration'>,
  table: Table,
  column: Column,
  values: Iterable<NonNullable<Row<Table>[Column]>>,
): Promise<Row<Table>[]> {
  const distinct = [...new Set(values)];
  if (distinct.length === 0) return [];
  const rows = db
    .selectFrom(table as 'relation')
    .where('administration_id', '=', administration.id)
    .where(column as 'guid', 'in', distinct as bigint[])
    .selectAll();
  return (await rows.execute()) as unknown as Row<Table>[];
}

/**
 * Updates the changed columns of existing rows, and adds the others.
 * @param column existing rows are found by their values in it
 * @param rows by their keys
 * @param changeable the values that an existing row gets
 * @returns the ids of the changed rows
 */
export async function changeOrAdd<Table extends ImportedTable>(
  context: ImportContext,
  table: Table,
  column: keyof NewRow<Table> & string,
  rows: ReadonlyMap<string, NewRow<Table>>,
  keyOf: (row: Row<Table>) => string,
  changeable: (row: NewRow<Table>) => Partial<NewRow<Table>> = (row) => row,
): Promise<bigint[]> {
  const { db, counts } = context;
  const values = [...rows.values()].map((row) => row[column]) as string[];
  const found = await rowsWith(context, table as 'project', column as 'name', values);
  const added = new Map(rows);
  const changed: bigint[] = [];
  for (const existing of found as unknown as (Row<Table> & { id: bigint })[]) {
    const row = rows.get(keyOf(existing));
    if (row === undefined) continue;
    added.delete(keyOf(existing));
    const change = differing(existing as Partial<NewRow<Table>>, changeable(row));
    if (change === undefined) {
      counts.unchanged++;
      continue;
    }
    counts.changed++;
    changed.push(existing.id);
    await db
      .updateTable(table as 'project')
      .where('id', '=', existing.id)
      .set(change as Partial<NewRow<'project'>>)
      .execute();
  }
  await insertRows(db, table, [...added.values()]);
  counts.added += added.size;
  return changed;
}
