import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import { dialectOf } from '../dialects/dialectOf.ts';
import { logTriggers } from './triggers.ts';

/**
 * Makes the triggers of the log what the tables ask for: those that are missing, or are to do something else, are made
 * anew.
 */
export async function installTriggers(db: Database): Promise<void> {
  const dialect = dialectOf(db);
  const wanted = logTriggers(dialect);
  if (isSame(await triggersIn(db), wanted)) return;
  await db.transaction().execute(async (trx) => {
    await trx.executeQuery(CompiledQuery.raw(dialect.lockSchema));
    await removeTriggers(trx, ({ name }) => !wanted.some((one) => one.name === name));
    await addMissing(trx, wanted);
  });
}

/**
 * Does work in a transaction that takes rows of the log away, as nothing else may: where a whole administration is
 * deleted. Whoever writes waits until the transaction ends.
 */
export async function withoutLogGuards(trx: Database, work: () => Promise<void>): Promise<void> {
  const dialect = dialectOf(trx);
  await trx.executeQuery(CompiledQuery.raw(dialect.lockSchema));
  await removeTriggers(trx, ({ table }) => table === 'log' || table === 'log_head');
  await work();
  await addMissing(trx, logTriggers(dialect));
}

async function addMissing(trx: Database, wanted: ReturnType<typeof logTriggers>): Promise<void> {
  const found = await triggersIn(trx);
  for (const { statements } of wanted.filter(({ name }) => !found.some((one) => one.name === name))) {
    await run(trx, statements);
  }
}

/** Removes triggers of the log, as a migration must that removes a column: those of its table. */
export async function removeTriggers(db: Database, isMeant: (trigger: Named) => boolean): Promise<void> {
  for (const { name, table } of (await triggersIn(db)).filter(isMeant)) {
    await run(db, dialectOf(db).dropTrigger(name, table));
  }
}

async function run(db: Database, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement));
}

type Named = { name: string; table: string };

async function triggersIn(db: Database): Promise<Named[]> {
  const { rows } = await db.executeQuery<Named>(CompiledQuery.raw(dialectOf(db).triggers));
  return rows.filter(({ name }) => name.startsWith('log_'));
}

const isSame = (found: readonly Named[], wanted: readonly Named[]): boolean => {
  const names = new Set(found.map(({ name }) => name));
  return names.size === wanted.length && wanted.every(({ name }) => names.has(name));
};
