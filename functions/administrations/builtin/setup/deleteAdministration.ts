import { type Kysely, type SqlBool, sql } from 'kysely';
import { belonging } from '../sql/belonging.ts';
import type { Database } from '../sql/database.ts';
import { type TableName, tables } from '../sql/declarations/tables.ts';
import { dialectOf } from '../sql/dialects/dialectOf.ts';
import { byCommand } from '../sql/logWriting/author.ts';
import { deletingLog } from '../sql/logWriting/installTriggers.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Seconds } from '../sql/schema.ts';
import { fileOf } from '../sql/staging/staged.ts';
import { inTransaction, writingIn } from '../sql/transaction.ts';

/** These are deleted at last, in one transaction: until then the administration is there, and can be deleted again. */
const LAST: readonly TableName[] = ['log', 'log_head', 'administration'];

/**
 * Deletes an administration with all its rows and its log. Where other writers would wait for all of it, most of it is
 * deleted in parts before: it is closed first, and after a stop in between it is deleted by doing so again.
 * @returns the number of deleted rows
 */
export async function deleteAdministration(db: Database, administrationId: bigint, now: Seconds): Promise<bigint> {
  const file = db.isTransaction ? undefined : await fileOf(db);
  const rest = dependentsFirst().filter((table) => !LAST.includes(table));
  if (file === undefined) return inTransaction(db, (trx) => deleteAll(trx, administrationId, rest));

  const { deleteParts } = await import('../sql/staging/deleteParts.ts');
  const inParts = (tables: readonly TableName[]) =>
    deleteParts(file, new Map(tables.map((table) => [table, belonging(administrationId, table)])));
  let deleted = await close(db, administrationId, now);
  // Once more, for what a request that had begun before has added meanwhile.
  for (let found = 1n; found > 0n; deleted += found) found = await inParts(rest);
  // The log says what happens until the rest is gone.
  deleted += await inParts(['log']);
  return deleted + (await inTransaction(db, (trx) => deleteAll(trx, administrationId, [])));
}

/**
 * Whether a stop interrupted the deletion of an administration. The row of the log that says so is deleted last.
 */
export const isHalfDeleted = async (db: Database, administrationId: bigint): Promise<boolean> =>
  (await db
    .selectFrom('log')
    .where('administration_id', '=', administrationId)
    .where('action', '=', deletion.action)
    .select('sequence')
    .executeTakeFirst()) !== undefined;

const deletion = byCommand('delete');

/** Takes every key of an administration and archives it: nobody writes there then, and no timer makes anything. */
const close = (db: Database, administrationId: bigint, now: Seconds): Promise<bigint> =>
  writingIn(db, { administrationId, author: deletion, now }, async (trx) => {
    await trx.updateTable('administration').where('id', '=', administrationId).set({ archived_on: now }).execute();
    const keys = trx.deleteFrom('api_key').where('administration_id', '=', administrationId);
    return (await keys.executeTakeFirstOrThrow()).numDeletedRows;
  });

/**
 * Deletes an administration, its log and its rows in some tables, in the current transaction.
 * @param rest the tables where it still has rows: the database refuses to leave one that refers to it
 */
async function deleteAll(trx: Database, administrationId: bigint, rest: readonly TableName[]): Promise<bigint> {
  await dialectOf(trx).locks.row(trx, 'administration', administrationId);
  const { last } = await trx
    .selectFrom('log_change')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const forget = () => forgetChanges(trx, { administrationId, after: last ?? 0n });
  const untyped = trx as unknown as Kysely<Record<string, { id: bigint }>>;
  let deleted = 0n;
  const deleteFrom = async (table: TableName) => {
    const rows = untyped.deleteFrom(table as string).where(belonging(administrationId, table));
    deleted += (await rows.executeTakeFirstOrThrow()).numDeletedRows;
  };
  for (const table of rest) await deleteFrom(table);
  // The triggers recorded these deletions for the log, which is deleted too.
  await trx
    .updateTable('log_head')
    .set((eb) => ({ sequence: eb('sequence', '+', 1n) }))
    .where('administration_id', '=', administrationId)
    .execute();
  await forget();
  await deletingLog(trx, async () => {
    for (const table of LAST) await deleteFrom(table);
  });
  await dialectOf(trx).ids.retire(trx, 'administration', administrationId);
  await forget();
  return deleted;
}

/** Deletes the recorded changes of an administration, and those of the current transaction: the ones after another. */
const forgetChanges = (trx: Database, which: { administrationId: bigint; after: bigint }): Promise<unknown> =>
  trx
    .deleteFrom('log_change')
    .where((eb) =>
      eb.or([
        eb('administration_id', '=', which.administrationId),
        eb.and([
          eb('id', '>', which.after),
          sql<SqlBool>`transaction_id = ${sql.raw(dialectOf(trx).expressions.transactionId)}`,
        ]),
      ]),
    )
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
