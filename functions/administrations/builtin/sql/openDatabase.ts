import { type Dialect, Kysely, type Logger } from 'kysely';
import { Migrator } from 'kysely/migration';
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
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(dialectOf(db)) } });
  try {
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    await installTriggers(db);
    // Changes of migrations are not logged.
    if (results.length > 0) await db.deleteFrom('log_change').execute();
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}
