import { CompiledQuery, type Dialect, Kysely, type Logger } from 'kysely';
import { Problem } from '../../../../shared/problem.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { postgres } from './dialects/postgres.ts';
import { sqlite } from './dialects/sqlite.ts';
import { installTriggers } from './log/installTriggers.ts';
import { migrations } from './migrations/migrations.ts';
import type { Schema } from './schema.ts';

/**
 * Opens a database and brings its tables up to date.
 * @param url `sqlite:path`, `sqlite::memory:` for one that ends when it is closed, or `postgres://...` for a server
 */
export const openDatabase = (url: string): Promise<Database> =>
  openWith(url.startsWith('sqlite:') ? sqlite.connect(url.slice('sqlite:'.length)) : postgres.connect(url));

/**
 * The same with any Kysely dialect for the SQL of one of the two.
 * @param log gets every statement
 */
export async function openWith(dialect: Dialect, log?: Logger): Promise<Database> {
  const db = new Kysely<Schema>({ dialect, ...(log === undefined ? {} : { log }) });
  try {
    const isNew = await migrate(db);
    await installTriggers(db);
    // Changes of migrations are not logged.
    if (isNew) await db.deleteFrom('log_change').execute();
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/** @returns whether anything was to be done */
async function migrate(db: Database): Promise<boolean> {
  const all = migrations(dialectOf(db));
  // The migrator reads the whole catalogue twice, which the first request would wait for.
  if (await areExecuted(db, Object.keys(all))) return false;
  const { Migrator } = await import('kysely/migration');
  const migrator = new Migrator({ db, provider: { getMigrations: async () => all } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.length > 0;
}

/** Whether these migrations are the executed ones. A new database has no table of them: the migrator makes it. */
async function areExecuted(db: Database, names: readonly string[]): Promise<boolean> {
  try {
    const query = CompiledQuery.raw('select name from kysely_migration order by name');
    const { rows } = await db.executeQuery<{ name: string }>(query);
    return rows.map(({ name }) => name).join() === names.join();
  } catch (error) {
    // A database that cannot be reached is not a new one.
    if (error instanceof Problem) throw error;
    return false;
  }
}
