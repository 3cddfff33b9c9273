import { type Dialect, Kysely, type Logger, PostgresAdapter } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { start } from './migrations/001-start.ts';
import { documents } from './migrations/002-documents.ts';
import { relationOrder } from './migrations/003-relation-order.ts';
import { appliedWrites } from './migrations/004-applied-writes.ts';
import { vatNumbers } from './migrations/005-vat-numbers.ts';
import { movesStock } from './migrations/006-moves-stock.ts';
import { postgresDialect } from './postgres.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite.ts';

/** The tables of the built-in administrations, and how to reach them. */
export type Database = Kysely<Schema>;

export type DatabaseKind = 'sqlite' | 'postgres';

/** What is behind a database, for what the query language leaves to each. */
export const kindOf = (db: Kysely<never> | Database): DatabaseKind =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';

const migrations = (kind: DatabaseKind): Record<string, Migration> => ({
  '001-start': start(kind),
  '002-documents': documents(kind),
  '003-relation-order': relationOrder(kind),
  '004-applied-writes': appliedWrites(kind),
  '005-vat-numbers': vatNumbers,
  '006-moves-stock': movesStock(kind),
});

/**
 * Opens a database and brings its tables up to date.
 * @param url `sqlite:path`, `sqlite::memory:` for one that is gone when it is closed, or `postgres://...` for a server
 */
export const openDatabase = (url: string): Promise<Database> =>
  openWith(url.startsWith('sqlite:') ? sqliteDialect(url.slice('sqlite:'.length)) : postgresDialect(url));

/**
 * The same, by whatever speaks the SQL of one of the two.
 * @param log is told of every statement
 */
export async function openWith(dialect: Dialect, log?: Logger): Promise<Database> {
  const db = new Kysely<Schema>({ dialect, ...(log === undefined ? {} : { log }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(kindOf(db)) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    throw error;
  }
  return db;
}
