import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type LimitNode,
  type QueryCompiler,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
  sql,
  type TransactionSettings,
  ValueNode,
} from 'kysely';
import type { SqlDialect, TriggerAction } from './dialect.ts';

/** Prepared statements that are cached. The app has far fewer different ones, apart from lists of many lengths. */
const MAX_STATEMENTS = 500;

/** Rows that one statement inserts. With more of them it is not quicker, and keeps more of what was bound to it. */
const MAX_ROWS = 64;

/** How long a statement waits for another process's lock. */
const BUSY_TIMEOUT_MS = 10_000;
/** How long a transaction waits to begin: an import in another process may take long. */
export const BEGIN_TIMEOUT_MS = 120_000;
/** A transaction that waits to begin asks at least this often. To ask takes some hundredths of a millisecond. */
export const MAX_ASK_MS = 6;

/** The time until a transaction that waits for another process asks again: those that wait take turns by chance. */
export const untilAskedAgain = (): Promise<void> => wait(1 + Math.random() * (MAX_ASK_MS - 1));

export const sqlite: SqlDialect = {
  name: 'sqlite',
  connect,
  rowsTogether: (rows) => (rows >= MAX_ROWS ? MAX_ROWS : 2 ** (31 - Math.clz32(rows))),
  types: {
    text: sql`text`,
    bytes: sql`blob`,
    // SQLite numbers rows by itself only in a column of the type INTEGER.
    addId: (table) => table.addColumn('id', 'integer', (id) => id.primaryKey()),
  },
  expressions: {
    placeholder: () => '?',
    transactionId: '0',
    isTransactionIdUnique: false,
    hasWritesInQueries: false,
    differ: (one, other) => `${one} is not ${other}`,
    json: (value) => `json_quote(${value})`,
    byteLength: (value) => `length(${value})`,
  },
  triggers: {
    insertedRow: 'new',
    create: createTrigger,
    drop: (name) => [`drop trigger ${name}`],
    canRefuseAtEnd: false,
    existing: `select name, tbl_name as "table" from sqlite_master where type = 'trigger'`,
  },
  locks: {
    // Only one transaction writes at a time.
    row: async () => {},
    rowsOf: () => 'select 1',
    executeIfFree: (db, query) => db.connection().execute((connection) => executedAtOnce(connection, query)),
  },
  ids: {
    unused: async (transaction, table) => (await maxId(transaction, table)) + 1n,
    // SQLite gives the id of a deleted last row again. The file has room for one number of the app.
    async retire(transaction, table, id) {
      const max = await maxId(transaction, table);
      await transaction.executeQuery(CompiledQuery.raw(`pragma user_version = ${id > max ? id : max}`));
    },
  },
  errors: {
    isTransient: (error) => transientCodes.has(primaryCode(error)),
    isTimeout: isBusy,
  },
  letStatementsTakeLong: async () => {},
  countRows: async () => {},
  grantToAdministrators: async () => {},
};

function createTrigger(name: string, { table, operation, condition = '1', ...action }: TriggerAction): string[] {
  // SQLite has no truncate: the trigger of delete applies.
  if (operation === 'truncate') return [];
  const [timing, body] =
    'refuse' in action
      ? ['before', `select raise(abort, '${action.refuse}')`]
      : ['after', `insert into ${action.into} (${action.columns}) values (${action.values})`];
  const event = operation === 'replace' ? 'insert' : operation;
  const when =
    'refuse' in action && action.unless !== undefined
      ? `(${condition}) and not (${action.unless.holds('old')})`
      : condition;
  return [`create trigger ${name} ${timing} ${event} on "${table}" when ${when} begin ${body}; end`];
}

/** BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. A system lets a disk that fails only be read. */
const transientCodes: ReadonlySet<number> = new Set([5, 6, 8, 10, 13, 14]);
const SQLITE_BUSY = 5;

/** The result code of an error: the extended codes have it in their lowest byte. */
const primaryCode = (error: unknown): number => Number((error as { errcode?: number }).errcode) & 0xff;

/** Whether something failed since another connection had the lock. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

function connect(file: string): SqliteDialect {
  return connectTo(() => {
    if (file !== ':memory:') mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    const database = new DatabaseSync(file);
    // A writer waits for another process instead of failing at once; a commit survives a power failure.
    database.exec(`
      pragma busy_timeout = ${BUSY_TIMEOUT_MS};
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
    `);
    return database;
  });
}

/**
 * The driver is that of Node. Whole numbers are read as bigints, so that none loses a digit.
 * @param onStatement is called before each statement
 */
export function connectTo(open: () => DatabaseSync, onStatement?: OnStatement): SqliteDialect {
  return new ImmediateSqliteDialect({
    database: async () => {
      const database = open();
      return { prepare: preparer(database, onStatement), close: () => database.close() };
    },
  });
}

type OnStatement = (sql: string, parameters: readonly unknown[]) => void;

/** The largest id that a row of a table has or had. */
async function maxId(db: Parameters<SqlDialect['ids']['unused']>[0], table: string): Promise<bigint> {
  const query = `select max(user_version, (select coalesce(max(id), 0) from "${table}")) as id from pragma_user_version`;
  const { rows } = await db.executeQuery<{ id: bigint }>(CompiledQuery.raw(query));
  return rows[0]!.id;
}

/** Prepares each statement once. The most recently used ones are cached. */
function preparer(database: DatabaseSync, onStatement?: OnStatement): (sql: string) => SqliteStatement {
  const ready = new Map<string, SqliteStatement>();
  return (sql) => {
    const prepared = ready.get(sql) ?? prepare(database, sql, onStatement);
    ready.delete(sql);
    ready.set(sql, prepared);
    if (ready.size > MAX_STATEMENTS) ready.delete(ready.keys().next().value!);
    return prepared;
  };
}

function prepare(database: DatabaseSync, sql: string, onStatement?: OnStatement): SqliteStatement {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const bound = (parameters: readonly unknown[]) => {
    onStatement?.(sql, parameters);
    return parameters.map(bindable) as Parameters<StatementSync['all']>;
  };
  let { width, rowOf } = rowsOf(statement);
  const row = (values: unknown): unknown => {
    // Since the statement was prepared, its table got or lost a column.
    if ((values as unknown[]).length !== width) ({ width, rowOf } = rowsOf(statement));
    return rowOf(values as unknown[]);
  };
  return {
    reader: width > 0,
    all: (parameters) => statement.all(...bound(parameters)).map(row),
    run: (parameters) => statement.run(...bound(parameters)),
    *iterate(parameters) {
      for (const values of statement.iterate(...bound(parameters))) yield row(values);
    },
  };
}

/**
 * Makes the rows of a statement, which are copies of one object: V8 reads them several times as quickly as those of
 * node:sqlite, each of which is a dictionary.
 */
function rowsOf(statement: StatementSync) {
  const names = statement.columns().map(({ name }) => name);
  // Parsed: of an object that gets so many columns one by one V8 makes a dictionary too.
  const empty = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join()}}`);
  return {
    width: names.length,
    rowOf(values: readonly unknown[]): unknown {
      const row = { ...empty };
      for (let index = 0; index < names.length; index++) row[names[index]!] = values[index];
      return row;
    },
  };
}

/** node:sqlite silently binds a Date as NULL, so unsupported values are refused here. */
function bindable(value: unknown): unknown {
  if (value === undefined) return null;
  if (value === null || typeof value === 'string' || typeof value === 'bigint' || value instanceof Uint8Array)
    return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new TypeError(`SQLite cannot hold ${Object.prototype.toString.call(value)} ${String(value)}.`);
}

/**
 * Transactions take the write lock when they begin. A transaction that began by reading and then writes would fail at
 * once if another process wrote in between, regardless of the busy timeout.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver() as Driver;
    const turns = createTurns();
    const acquire = driver.acquireConnection.bind(driver);
    driver.acquireConnection = async (options) => {
      await turns.take();
      return acquire(options);
    };
    driver.releaseConnection = async () => turns.give();
    /** Of the transactions that wait for another process, one at a time asks whether it has ended. */
    const waiting = createTurns();
    driver.beginTransaction = async (connection: DatabaseConnection, { accessMode }: TransactionSettings) => {
      // It reads a snapshot, and keeps no writer waiting.
      if (accessMode === 'read only') return void (await connection.executeQuery(begin));
      if (await begun(connection)) return;
      const deadline = Date.now() + BEGIN_TIMEOUT_MS;
      // Meanwhile others use the connection.
      turns.give();
      await waiting.take();
      try {
        for (;;) {
          await turns.take();
          if (await begun(connection)) return;
          if (Date.now() > deadline) {
            throw Object.assign(new Error('Another process has been writing for too long.'), { errcode: SQLITE_BUSY });
          }
          turns.give();
          await untilAskedAgain();
        }
      } finally {
        waiting.give();
      }
    };
    driver.rollbackTransaction = async (connection: DatabaseConnection) => {
      try {
        await connection.executeQuery(rollback);
      } catch (error) {
        // After some errors, such as a full disk, SQLite has rolled back by itself. The original error is thrown, not
        // this one.
        if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
      }
    };
    return driver;
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter();
  }

  override createQueryCompiler(): QueryCompiler {
    return new LiteralLimitCompiler();
  }
}

/** Limits stand in the text: SQLite compiles a statement anew whenever a parameter that is its limit gets a value. */
class LiteralLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const value = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (typeof value === 'number' || typeof value === 'bigint') this.append(`limit ${BigInt(value)}`);
    else super.visitLimit(node);
  }
}

/** One at a time, in the order in which they ask. */
function createTurns() {
  let last = Promise.resolve();
  let end = () => {};
  return {
    async take(): Promise<void> {
      const before = last;
      let ended!: () => void;
      last = new Promise((resolve) => {
        ended = resolve;
      });
      await before;
      end = ended;
    },
    give: (): void => end(),
  };
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  /** The driver gives turns with its connection itself: while a transaction waits for another process, others read. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
  /** SQLite changes tables in transactions too, so a migration is atomic, and done by one process. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Takes the write lock, if it is free. */
const begun = (connection: DatabaseConnection): Promise<boolean> => executedAtOnce(connection, immediate);

/**
 * Executes a statement if the write lock is free: waiting inside SQLite would block the whole process.
 * @returns false when the lock is not free
 */
async function executedAtOnce(
  connection: { executeQuery: (query: CompiledQuery) => Promise<unknown> },
  query: CompiledQuery,
): Promise<boolean> {
  await connection.executeQuery(doNotWait);
  try {
    await connection.executeQuery(query);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    await connection.executeQuery(doWait);
  }
}

const statement = (sql: string) => ({ sql, parameters: [] }) as unknown as CompiledQuery;
const begin = statement('begin');
const immediate = statement('begin immediate');
const rollback = statement('rollback');
const doNotWait = statement('pragma busy_timeout = 0');
const doWait = statement(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
