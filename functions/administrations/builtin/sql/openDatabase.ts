import { CompiledQuery, type Dialect, Kysely, type Logger } from 'kysely';
import { Problem } from '../../../../shared/problem.ts';
import type { Database } from './database.ts';
import type { SqlDialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { postgres } from './dialects/postgres.ts';
import { sqlite } from './dialects/sqlite.ts';
import type { Schema } from './schema.ts';
import { schemaDigest } from './schemaDigest.ts';
import { leftFiles } from './staging/changesFile.ts';
import { withTimeout } from './timeout.ts';

/** The digests of the current schemas, which the build puts here: finding one would take a start ten milliseconds. */
declare const SCHEMA_DIGESTS: Readonly<Record<SqlDialect['name'], string>> | undefined;

/**
 * Opens a database and brings its tables up to date.
 * @param url `sqlite:path`, `sqlite::memory:` for one that ends when it is closed, or `postgres://...` for a server
 * @param statementMinutes how long a statement may take on a server; left out: a minute
 */
export async function openDatabase(url: string, statementMinutes?: number): Promise<Database> {
  const db = await openWith(dialectAt(url, statementMinutes));
  await finishLeftWork(url);
  return db;
}

/** Finishes what processes that have ended left of long work, if there are files of it beside the database. */
async function finishLeftWork(url: string): Promise<void> {
  const file = url.slice(SQLITE.length);
  if (!url.startsWith(SQLITE) || file === ':memory:' || leftFiles(file).length === 0) return;
  await (await import('./staging/applyChanges.ts')).finishAll(file);
}

/** Connects to a database whose tables are up to date, as a further thread does. */
export const connectDatabase = (url: string): Database => new Kysely<Schema>({ dialect: dialectAt(url) });

const SQLITE = 'sqlite:';
const dialectAt = (url: string, statementMinutes?: number): Dialect =>
  url.startsWith(SQLITE) ? sqlite.connect(url.slice(SQLITE.length)) : postgres.connect(url, statementMinutes);

/**
 * Opens a database by any Kysely dialect for the SQL of one of the two, and brings its tables up to date.
 * @param log gets every statement
 */
export async function openWith(dialect: Dialect, log?: Logger): Promise<Database> {
  const db = new Kysely<Schema>({ dialect, ...(log === undefined ? {} : { log }) });
  try {
    if (!(await isCurrent(db))) await withTimeout(db, async () => (await import('./upgrade.ts')).upgrade(db));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/** Whether a database has the current tables and triggers. */
async function isCurrent(db: Database): Promise<boolean> {
  const dialect = dialectOf(db);
  const names = `select cast(name as text) as name from kysely_migration
    union all select cast(name as text) from (${dialect.triggers.existing}) as existing where substr(name, 1, 4) = 'log_'`;
  try {
    const { rows } = await db.executeQuery<{ name: string }>(CompiledQuery.raw(names));
    const current =
      typeof SCHEMA_DIGESTS === 'undefined'
        ? schemaDigest((await import('./upgrade.ts')).currentNames(dialect))
        : SCHEMA_DIGESTS[dialect.name];
    return schemaDigest(rows.map(({ name }) => name)) === current;
  } catch (error) {
    // A database that cannot be reached is not a new one, which has no table of migrations.
    if (error instanceof Problem) throw error;
    return false;
  }
}
