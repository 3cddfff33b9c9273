import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import { dialectOf } from '../dialects/dialectOf.ts';
import type { FoundBy } from './workOnCopy.ts';

/** Work with less to read than this many bytes holds the write lock for some hundredths of a second. */
const MIN_BYTES = 32_000;

/** Work with more to read may write most of what is stored. */
const MANY_BYTES = 1_000_000;

type Staging = { administrationId: bigint | undefined; bytes?: number; foundBy?: readonly FoundBy[] };

/**
 * Does long work that writes in one administration, all or nothing, so that writers of others wait for a fraction of a second
 * at the most. On a server they do not wait for it anyway. SQLite has one writer: there the work is done on a copy of the
 * database, and its changes are then applied in short transactions. They are recorded before the first of these, so that a
 * stop in between leaves no half of them.
 *
 * When the administration was changed meanwhile, the work is done once more, in one transaction. Inside a transaction it is
 * part of that one.
 * @param administrationId undefined: the work makes a new one, which is seen when all of it is there
 * @param bytes how much the work has to read, if known
 * @param foundBy tables in which the work changes many rows, which it finds by one column only
 */
export async function staged<T>(
  db: Database,
  { administrationId, bytes = MIN_BYTES, foundBy = [] }: Staging,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const file = bytes < MIN_BYTES || db.isTransaction ? undefined : await fileOf(db);
  if (file === undefined) {
    const result = await work(db);
    if (bytes >= MANY_BYTES && !db.isTransaction) await dialectOf(db).countRows(db);
    return result;
  }
  const { workOnCopy } = await import('./workOnCopy.ts');
  const done = await workOnCopy(file, administrationId, foundBy, work);
  return done === undefined ? work(db) : done.result;
}

/** Applies the changes of work in an administration that a stop interrupted, or waits for a process that does so. */
export async function finishStaged(db: Database, administrationId: bigint): Promise<void> {
  const file = await fileOf(db);
  if (file !== undefined) await (await import('./applyChanges.ts')).finishWork(file, administrationId);
}

/**
 * Does so in every administration, before the tables change: the changes have rows as they were when they were made, and
 * until they are applied there are rows of no administration.
 */
export async function finishAllStaged(db: Database): Promise<void> {
  const file = await fileOf(db);
  if (file === undefined) return;
  const tables = await db.executeQuery(
    CompiledQuery.raw(`select 1 from sqlite_master where type = 'table' and name = 'staged_work'`),
  );
  if (tables.rows.length > 0) await (await import('./applyChanges.ts')).finishEachWork(file);
}

/** The file of a SQLite database, where writers wait for each other; undefined without one. */
export async function fileOf(db: Database): Promise<string | undefined> {
  if (dialectOf(db).name !== 'sqlite') return undefined;
  const { rows } = await db.executeQuery<{ file: string }>(CompiledQuery.raw('pragma database_list'));
  return rows[0]?.file || undefined;
}
