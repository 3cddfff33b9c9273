import { type Dialect, Kysely, type Logger } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database } from './database.ts';
import type { SqlDialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { postgres } from './dialects/postgres.ts';
import { sqlite } from './dialects/sqlite.ts';
import { start } from './migrations/001-start.ts';
import { documents } from './migrations/002-documents.ts';
import { relationOrder } from './migrations/003-relation-order.ts';
import { appliedWrites } from './migrations/004-applied-writes.ts';
import { vatNumbers } from './migrations/005-vat-numbers.ts';
import { movesStock } from './migrations/006-moves-stock.ts';
import type { Schema } from './schema.ts';

const migrations = (dialect: SqlDialect): Record<string, Migration> => ({
  '001-start': start(dialect),
  '002-documents': documents(dialect),
  '003-relation-order': relationOrder(dialect),
  '004-applied-writes': appliedWrites(dialect),
  '005-vat-numbers': vatNumbers,
  '006-moves-stock': movesStock(dialect),
});

/**
 * Opens a database and brings its tables up to date.
 * @param url `sqlite:path`, `sqlite::memory:` for one that ends when it is closed, or `postgres://...` for a server
 */
export const openDatabase = (url: string): Promise<Database> =>
  openWith(url.startsWith('sqlite:') ? sqlite.connect(url.slice('sqlite:'.length)) : postgres.connect(url));

/**
 * The same, over any dialect of Kysely that speaks the SQL of one of the two.
 * @param log gets every statement
 */
export async function openWith(dialect: Dialect, log?: Logger): Promise<Database> {
  const db = new Kysely<Schema>({ dialect, ...(log === undefined ? {} : { log }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(dialectOf(db)) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    await db.destroy();
    throw error;
  }
  return db;
}
