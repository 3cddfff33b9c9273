import { type Kysely, type SqlBool, sql } from 'kysely';
import { belonging } from '../sql/belonging.ts';
import type { Database } from '../sql/database.ts';
import { type TableName, tables } from '../sql/declarations/tables.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { deletingLog } from '../sql/logWriting/installTriggers.ts';
import { columnsOf } from '../sql/rows.ts';
import { inTransaction } from '../sql/transaction.ts';

/** Deletes an administration with all its rows and its log. @returns the number of deleted rows */
export function deleteAdministration(db: Database, administrationId: bigint): Promise<bigint> {
  return inTransaction(db, async (trx) => {
    await dialectOf(trx).locks.row(trx, 'administration', administrationId);
    const untyped = trx as unknown as Kysely<Record<string, { id: bigint }>>;
    let deleted = 0n;
    const deleteFrom = async (table: TableName) => {
      const rows = untyped.deleteFrom(table as string).where(belonging(administrationId, table));
      deleted += (await rows.executeTakeFirstOrThrow()).numDeletedRows;
    };
    const last: readonly TableName[] = ['log', 'log_head', 'administration'];
    for (const table of dependentsFirst()) if (!last.includes(table)) await deleteFrom(table);
    // The triggers recorded these deletions for the log, which is deleted too.
    await trx
      .updateTable('log_head')
      .set((eb) => ({ sequence: eb('sequence', '+', 1n) }))
      .where('administration_id', '=', administrationId)
      .execute();
    await forgetChanges(trx);
    await deletingLog(trx, async () => {
      for (const table of last) await deleteFrom(table);
    });
    await dialectOf(trx).ids.retire(trx, 'administration', administrationId);
    await forgetChanges(trx);
    return deleted;
  });
}

/** Deletes the recorded changes of the current transaction. */
const forgetChanges = (trx: Database): Promise<unknown> =>
  trx
    .deleteFrom('log_change')
    .where(sql<SqlBool>`transaction_id = ${sql.raw(dialectOf(trx).expressions.transactionId)}`)
    .execute();

/** All tables, each before the tables it refers to. */
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
