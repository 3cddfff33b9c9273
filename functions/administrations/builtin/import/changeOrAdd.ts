import { insertRows } from '../sql/insertRows.ts';
import type { NewRow, Row } from '../sql/schema.ts';
import { differing, type ImportContext } from './importRows.ts';

type KeyedTable = 'ledger_account' | 'tax_code' | 'project';

/**
 * Changes those rows that exist, in what differs, and adds the others.
 * @param rows by what each is known by
 * @param existing rows there are; others than those in `rows` may be among them
 * @param changeable what of a row the file says
 * @returns the ids of those that were changed
 */
export async function changeOrAdd<Table extends KeyedTable>(
  { db, counts }: ImportContext,
  table: Table,
  rows: ReadonlyMap<string, NewRow<Table>>,
  existing: readonly (Row<Table> & { id: bigint })[],
  keyOf: (row: Row<Table>) => string,
  changeable: (row: NewRow<Table>) => Partial<NewRow<Table>> = (row) => row,
): Promise<bigint[]> {
  const added = new Map(rows);
  const changed: bigint[] = [];
  for (const old of existing) {
    const row = rows.get(keyOf(old));
    if (row === undefined) continue;
    added.delete(keyOf(old));
    const change = differing(old as Partial<NewRow<Table>>, changeable(row));
    if (change === undefined) {
      counts.unchanged++;
      continue;
    }
    counts.changed++;
    changed.push(old.id);
    await db
      .updateTable(table as 'project')
      .where('id', '=', old.id)
      .set(change as Partial<NewRow<'project'>>)
      .execute();
  }
  await insertRows(db, table, [...added.values()]);
  counts.added += added.size;
  return changed;
}
