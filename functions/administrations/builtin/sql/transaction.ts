import { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';
import { dialectOf } from './dialects/dialectOf.ts';

/** Does the work in one transaction: the one that is under way, or a new one. */
export const inTransaction = <T>(db: Database, work: (trx: Database) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** Who wants to write in an administration waits here, not each with a connection: those are few, and readers need them. */
const lines = new WeakMap<Database, Map<bigint, Promise<unknown>>>();

/**
 * Does work that writes in an administration, in one transaction and one at a time, whichever process asks: what it read
 * stays true until it is done.
 */
export function writingIn<T>(db: Database, administrationId: bigint, work: (trx: Database) => Promise<T>): Promise<T> {
  const locked = async (trx: Database) => {
    await dialectOf(trx).lockAdministration(trx, administrationId);
    return work(trx);
  };
  if (db.isTransaction) return locked(db);
  const line = lines.get(db) ?? new Map<bigint, Promise<unknown>>();
  lines.set(db, line);
  const done = (line.get(administrationId) ?? Promise.resolve()).then(() => db.transaction().execute(locked));
  const left: Promise<void> = done.then(leave, leave);
  function leave(): void {
    if (line.get(administrationId) === left) line.delete(administrationId);
  }
  line.set(administrationId, left);
  return done;
}

/**
 * Does a part of the transaction that is under way: when it fails it leaves nothing, and what was done before stands.
 */
export async function inPart<T>(trx: Database, work: () => Promise<T>): Promise<T> {
  await trx.executeQuery(beginPart);
  try {
    const done = await work();
    await trx.executeQuery(endPart);
    return done;
  } catch (failure) {
    try {
      await trx.executeQuery(undoPart);
      await trx.executeQuery(endPart);
    } catch {
      // The whole transaction has ended, with its connection for instance: what ended it is what is to be told.
    }
    throw failure;
  }
}

const beginPart = CompiledQuery.raw('savepoint part');
const undoPart = CompiledQuery.raw('rollback to savepoint part');
const endPart = CompiledQuery.raw('release savepoint part');
