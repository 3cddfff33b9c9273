import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { start } from './migrations/001-start.ts';
import { documents } from './migrations/002-documents.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

export type Dialect = 'sqlite';

/** The tables of the built-in administrations, and how to reach them. */
export type Database = Kysely<Schema>;

const migrations = (dialect: Dialect): Record<string, Migration> => ({
  '001-start': start(dialect),
  '002-documents': documents(dialect),
});

/**
 * Opens a database and brings its tables up to date.
 * @param url `sqlite:path`, or `sqlite::memory:` for one that is gone when it is closed
 */
export async function openDatabase(url: string): Promise<Database> {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(url.slice('sqlite:'.length)) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations('sqlite') } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    throw error;
  }
  return db;
}
