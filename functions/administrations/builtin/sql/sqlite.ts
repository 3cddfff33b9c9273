import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDriver,
} from 'kysely';

/** Statements kept ready; the app has far fewer different ones, lists of many lengths aside. */
const MOST_STATEMENTS = 500;

/** Milliseconds a statement waits for another process's lock. */
const BUSY_TIMEOUT = 10_000;
/** Milliseconds a transaction waits to begin: an import in another process may take long. */
const PATIENCE = 120_000;

/**
 * Kysely's SQLite dialect on the driver built into Node. Whole numbers come back as bigints, so none loses a digit.
 * @param file path of the database, or `:memory:`
 */
export function sqliteDialect(file: string): SqliteDialect {
  return new ImmediateSqliteDialect({
    database: async () => {
      if (file !== ':memory:') mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
      const database = new DatabaseSync(file);
      // A writer waits for another process's, instead of failing at once; what was committed survives a power cut.
      database.exec(`
        pragma busy_timeout = ${BUSY_TIMEOUT};
        pragma journal_mode = wal;
        pragma synchronous = full;
        pragma foreign_keys = on;
      `);
      return { prepare: preparer(database), close: () => database.close() };
    },
  });
}

type Prepared = {
  reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
};

/** Prepares each statement once and keeps the ones used last. */
function preparer(database: DatabaseSync): (sql: string) => Prepared {
  const ready = new Map<string, Prepared>();
  return (sql) => {
    const kept = ready.get(sql);
    if (kept !== undefined) {
      ready.delete(sql);
      ready.set(sql, kept);
      return kept;
    }
    const prepared = prepare(database, sql);
    ready.set(sql, prepared);
    if (ready.size > MOST_STATEMENTS) ready.delete(ready.keys().next().value!);
    return prepared;
  };
}

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  const bound = (parameters: readonly unknown[]) => parameters.map(bindable) as Parameters<StatementSync['all']>;
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bound(parameters)),
    run: (parameters) => statement.run(...bound(parameters)),
    iterate: (parameters) => statement.iterate(...bound(parameters)) as IterableIterator<unknown>,
  };
}

/** node:sqlite binds a Date as NULL without a word; nothing of that kind may pass. */
function bindable(value: unknown): unknown {
  if (value === undefined) return null;
  if (value === null || typeof value === 'string' || typeof value === 'bigint' || value instanceof Uint8Array)
    return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new TypeError(`SQLite cannot hold ${Object.prototype.toString.call(value)} ${String(value)}.`);
}

/**
 * Transactions take the write lock when they begin. One that began by reading and then wants to write would fail at once
 * if another process wrote in between, however long it is willing to wait.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver() as SqliteDriver;
    driver.beginTransaction = async (connection: DatabaseConnection) => {
      const patience = Date.now() + PATIENCE;
      while (!(await begun(connection))) {
        if (Date.now() > patience) {
          throw Object.assign(new Error('Another process has been writing for too long.'), { errcode: SQLITE_BUSY });
        }
        await wait(1 + Math.random() * 20);
      }
    };
    driver.rollbackTransaction = async (connection: DatabaseConnection) => {
      try {
        await connection.executeQuery(rollback);
      } catch (error) {
        // Of some failures, as of a full disk, SQLite has rolled back by itself: those are what is to be told, not this.
        if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
      }
    };
    return driver;
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter();
  }
}

/** SQLite changes tables in transactions as well, so that a migration is done whole, and by one process. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Takes the write lock, if it is free: waiting in SQLite itself holds up everything else this process does. */
async function begun(connection: DatabaseConnection): Promise<boolean> {
  await connection.executeQuery(doNotWait);
  try {
    await connection.executeQuery(immediate);
    return true;
  } catch (error) {
    if ((Number((error as { errcode?: number }).errcode) & 0xff) === SQLITE_BUSY) return false;
    throw error;
  } finally {
    await connection.executeQuery(doWait);
  }
}

const SQLITE_BUSY = 5;
const statement = (sql: string) => ({ sql, parameters: [] }) as unknown as CompiledQuery;
const immediate = statement('begin immediate');
const rollback = statement('rollback');
const doNotWait = statement('pragma busy_timeout = 0');
const doWait = statement(`pragma busy_timeout = ${BUSY_TIMEOUT}`);
