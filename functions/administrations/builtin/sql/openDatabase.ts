import { CompiledQuery, type Dialect, Kysely, type Logger } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Problem } from '../../../../shared/problem.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { postgres } from './dialects/postgres.ts';
import { sqlite } from './dialects/sqlite.ts';
import { installTriggers, lockSchema } from './log/installTriggers.ts';
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
    const isNew = await migrate(db, migrations(dialectOf(db)));
    await installTriggers(db);
    // Changes of migrations are not logged.
    if (isNew) await db.deleteFrom('log_change').execute();
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/**
 * Executes the migrations that a database lacks.
 * @returns whether there were any
 * @throws Problem UNAVAILABLE when a later version of the app migrated it
 */
export async function migrate(db: Database, all: Readonly<Record<string, Migration>>): Promise<boolean> {
  // The migrator reads the whole catalogue twice, which the first request would wait for.
  const executed = await executedMigrations(db);
  const later = executed.filter((name) => all[name] === undefined);
  if (later.length > 0) {
    throw new Problem(
      'UNAVAILABLE',
      `A later version of Ledgerline has migrated the database (${later.join(', ')}): deploy that version, or restore a backup of before.`,
    );
  }
  if (executed.length === Object.keys(all).length) return false;
  const { Migrator } = await import('kysely/migration');
  const locked = Object.entries(all).map(([name, { up }]): [string, Migration] => [
    name,
    { up: async (trx) => lockSchema(trx).then(() => up(trx)) },
  ]);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(locked) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.length > 0;
}

/** The names of the executed migrations. A new database has no table of them: the migrator makes it. */
async function executedMigrations(db: Database): Promise<string[]> {
  try {
    const { rows } = await db.executeQuery<{ name: string }>(CompiledQuery.raw('select name from kysely_migration'));
    return rows.map(({ name }) => name);
  } catch (error) {
    // A database that cannot be reached is not a new one.
    if (error instanceof Problem) throw error;
    return [];
  }
}
