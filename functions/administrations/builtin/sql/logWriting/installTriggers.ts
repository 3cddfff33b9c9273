import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import { dialectOf } from '../dialects/dialectOf.ts';
import { logTriggers } from './triggers.ts';

/**
 * Makes missing and changed triggers of the log, and removes others: in the current transaction, or a new one.
 * @param forgetAfter forgets the changes after this one that are not in the log, which migrations have made
 */
export async function installTriggers(db: Database, forgetAfter?: bigint): Promise<void> {
  const dialect = dialectOf(db);
  const expected = logTriggers(dialect);
  const install = async (trx: Database): Promise<void> => {
    await lockSchema(trx);
    await removeTriggers(trx, ({ name }) => !expected.some((one) => one.name === name));
    if (forgetAfter !== undefined) {
      await removeTriggers(trx, ({ table }) => table === 'log_change');
      await trx.deleteFrom('log_change').where('id', '>', forgetAfter).execute();
    }
    await addMissing(trx, expected);
  };
  await (db.isTransaction ? install(db) : db.transaction().execute(install));
}

/**
 * Waits until no administration is written to, and keeps it so until the transaction ends: then tables can be changed.
 * A writer locks a row of this table first.
 */
export async function lockSchema(trx: Database): Promise<void> {
  await trx.executeQuery(CompiledQuery.raw(dialectOf(trx).locks.rowsOf('administration')));
}

/** Runs work that deletes an administration and its log, in a transaction. */
export async function deletingLog(trx: Database, work: () => Promise<void>): Promise<void> {
  const dialect = dialectOf(trx);
  if (dialect.triggers.canRefuseAtEnd) return work();
  await removeTriggers(trx, ({ table }) => table === 'log' || table === 'log_head');
  await work();
  await addMissing(trx, logTriggers(dialect));
}

async function addMissing(trx: Database, expected: ReturnType<typeof logTriggers>): Promise<void> {
  const found = await triggersIn(trx);
  for (const { statements } of expected.filter(({ name }) => !found.some((one) => one.name === name))) {
    await run(trx, statements);
  }
}

/** Removes triggers of the log, for example before a migration removes a column of their table. */
export async function removeTriggers(db: Database, matches: (trigger: Named) => boolean): Promise<void> {
  for (const { name, table } of (await triggersIn(db)).filter(matches)) {
    await run(db, dialectOf(db).triggers.drop(name, table));
  }
}

async function run(db: Database, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement));
}

type Named = { name: string; table: string };

async function triggersIn(db: Database): Promise<Named[]> {
  const { rows } = await db.executeQuery<Named>(CompiledQuery.raw(dialectOf(db).triggers.existing));
  return rows.filter(({ name }) => name.startsWith('log_'));
}
