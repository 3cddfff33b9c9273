import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { withoutLogGuards } from '../sql/log/installTriggers.ts';
import { columnsOf } from '../sql/rows.ts';
import { type TableName, tables } from '../sql/tables/tables.ts';
import { inTransaction } from '../sql/transaction.ts';

/**
 * Deletes an administration with every row that belongs to it, in all tables, its log included.
 * @returns how many rows were deleted
 */
export function deleteAdministration(db: Database, administrationId: bigint): Promise<bigint> {
  return inTransaction(db, async (trx) => {
    await dialectOf(trx).lockAdministration(trx, administrationId);
    const untyped = trx as unknown as Kysely<Record<string, { id: bigint }>>;
    let deleted = 0n;
    const deleteFrom = async (table: TableName) => {
      const condition = belongsTo(table, administrationId);
      if (condition === undefined) return;
      const { numDeletedRows } = await untyped.deleteFrom(table).where(condition).executeTakeFirstOrThrow();
      deleted += numDeletedRows;
    };
    const last: readonly TableName[] = ['log', 'log_head', 'administration'];
    for (const table of dependentsFirst()) if (!last.includes(table)) await deleteFrom(table);
    await withoutLogGuards(trx, async () => {
      for (const table of last) await deleteFrom(table);
    });
    // Triggers noted what was deleted, for a log that is gone as well.
    await trx
      .deleteFrom('log_change')
      .where(sql<SqlBool>`transaction_id = ${sql.raw(dialectOf(trx).transactionId)}`)
      .execute();
    return deleted;
  });
}

/** Whether a row of a table is of an administration: it, or one of the rows it belongs to, says so. */
function belongsTo(table: TableName, administrationId: bigint): Expression<SqlBool> | undefined {
  if (table === 'administration') return sql<SqlBool>`id = ${administrationId}`;
  const ways = columnsOf(table).flatMap(([column, { isOwner, to }]) => {
    if (!isOwner) return [];
    if (to!.table === 'administration') return sql<SqlBool>`${sql.ref(column)} = ${administrationId}`;
    const owner = belongsTo(to!.table as TableName, administrationId);
    return sql<SqlBool>`${sql.ref(column)} in (select id from ${sql.table(to!.table)} where ${owner})`;
  });
  return ways.length === 0 ? undefined : sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

/** All tables, each before those whose rows it names. */
function dependentsFirst(): TableName[] {
  const ordered: TableName[] = [];
  const visit = (table: TableName) => {
    if (ordered.includes(table)) return;
    for (const [, { to }] of columnsOf(table)) if (to !== null && to.table !== table) visit(to.table as TableName);
    ordered.push(table);
  };
  for (const table of Object.keys(tables) as TableName[]) visit(table);
  return ordered.reverse();
}
