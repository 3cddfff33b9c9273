import type { Socket } from 'node:net';
import { CompiledQuery, PostgresDialect, sql } from 'kysely';
import type { Client, ClientConfig, DatabaseError, PoolClient } from 'pg';
import { Problem } from '../../../../../shared/problem.ts';
import type { SqlDialect, TriggerAction } from './dialect.ts';
import { entraPassword, type PasswordSource, signsInByIdentity } from './entraPassword.ts';

/** Connections of one instance of the app. A small server allows a hundred for all instances together. */
const MAX_CONNECTIONS = 10;

/** Milliseconds that a server may be silent for longer than a statement may take. */
const SILENCE_MS = 10_000;
/** Milliseconds after which the system asks a silent server whether the connection is still there. */
const KEEP_ALIVE_MS = 10_000;

export const postgres: SqlDialect = {
  name: 'postgres',
  connect: (url, statementMinutes) =>
    connectPostgres(url, signsInByIdentity(url) ? entraPassword() : undefined, statementMinutes),
  // Text is compared by the rules of a language unless the column says otherwise.
  rowsTogether: (rows) => rows,
  types: {
    // Text is compared by the rules of a language unless the column says otherwise.
    text: sql`text collate "C"`,
    bytes: sql`bytea`,
    addId: (table) => table.addColumn('id', 'bigint', (id) => id.primaryKey().generatedByDefaultAsIdentity()),
  },
  expressions: {
    placeholder: (number) => `$${number}`,
    transactionId: 'txid_current()',
    isTransactionIdUnique: true,
    hasWritesInQueries: true,
    differ: (one, other) => `${one} is distinct from ${other}`,
    json: (value) => `coalesce(to_json(${value})::text, 'null')`,
    byteLength: (value) => `octet_length(${value})`,
  },
  triggers: {
    // Triggers run once a statement, which is much faster than once a row.
    insertedRow: 'made',
    create: createTrigger,
    drop: (name, table) => [`drop trigger ${name} on "${table}"`, `drop function ${name}()`],
    canRefuseAtEnd: true,
    existing: `select tgname as name, relname as "table" from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = current_schema()::regnamespace`,
  },
  locks: {
    async row(transaction, table, id) {
      await transaction.executeQuery(
        CompiledQuery.raw(`select id from "${table}" where id = $1 for no key update`, [id]),
      );
    },
    // A new database does not have the table yet.
    rowsOf: (table) => `do $$ begin
    if to_regclass('${table}') is not null then lock table "${table}" in exclusive mode; end if;
  end $$`,
    async executeIfFree(db, query) {
      await db.executeQuery(query);
      return true;
    },
  },
  ids: { unused: async () => undefined, retire: async () => {} },
  errors: {
    isTimeout: (error) => timeoutCodes.includes(String((error as { code?: unknown }).code)),
    isTransient(error) {
      if (error instanceof Problem) return error.code === 'UNAVAILABLE';
      const { code } = error as { code?: unknown };
      return typeof code === 'string' ? transientCodes.test(code) : lostConnections.test(error.message);
    },
  },
  letStatementsTakeLong: async (transaction) => void (await transaction.executeQuery(CompiledQuery.raw(TAKE_LONG))),
  async countRows(db) {
    try {
      await db.executeQuery(CompiledQuery.raw('analyze'));
    } catch {
      // It took too long, or the connection was lost: what was written stays.
    }
  },
  grantToAdministrators: async (db) => void (await db.executeQuery(CompiledQuery.raw(grantToAdministrators))),
};

const TAKE_LONG = 'set local statement_timeout = 0';

/** In PostgreSQL a trigger calls a function, which has the same name. */
function createTrigger(name: string, { table, operation, condition, ...action }: TriggerAction): string[] {
  // A key that exists is refused, or its row is updated.
  if (operation === 'replace') return [];
  if ('refuse' in action && action.ifAtEnd !== undefined) {
    return [
      `create function ${name}() returns trigger language plpgsql as $$ begin
        if ${action.ifAtEnd} then raise exception '${action.refuse}'; end if; return null; end $$`,
      `create constraint trigger ${name} after ${operation} on "${table}" deferrable initially deferred
        for each row execute function ${name}()`,
    ];
  }
  if ('refuse' in action && action.unless !== undefined) {
    const { column, holds } = action.unless;
    // Once a statement: a condition with queries takes too long for each of many rows.
    const refused = `exists (select from (select distinct ${column} from removed) as gone where not (${holds('gone')}))`;
    return [
      `create function ${name}() returns trigger language plpgsql as $$ begin
        if ${refused} then raise exception '${action.refuse}'; end if; return null; end $$`,
      `create trigger ${name} after ${operation} on "${table}" referencing old table as removed
        for each statement execute function ${name}()`,
    ];
  }
  const timing = `${'refuse' in action ? 'before' : 'after'} ${operation} on "${table}"`;
  const eachRow = `for each row${condition === undefined ? '' : ` when (${condition})`}`;
  const [body, rows] =
    'refuse' in action
      ? [`raise exception '${action.refuse}'`, operation === 'truncate' ? 'for each statement' : eachRow]
      : operation === 'insert'
        ? [
            `insert into ${action.into} (${action.columns}) select ${action.values} from inserted as made; return null`,
            'referencing new table as inserted for each statement',
          ]
        : [`insert into ${action.into} (${action.columns}) values (${action.values}); return null`, eachRow];
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${body}; end $$`,
    `create trigger ${name} ${timing} ${rows} execute function ${name}()`,
  ];
}

/** In Azure, administrators of a server have this role. */
const grantToAdministrators = `
  do $$ begin
    if exists (select from pg_roles where rolname = 'azure_pg_admin') then
      grant all on all tables in schema public to azure_pg_admin;
      alter default privileges in schema public grant all on tables to azure_pg_admin;
    end if;
  end $$
`;

/**
 * The connection is lost (08), the transaction was rolled back (40), the server lacks resources (53), is being
 * stopped or started (57), timed out (55P03, 25P03), or has become read-only (25006). Or Node reports
 * that the network failed.
 */
const transientCodes =
  /^(?:(?:08|40|53|57)...|55P03|25P03|25006|E(?:CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH))$/;

/** A statement was cancelled, waited too long for a lock, or would have waited forever. */
const timeoutCodes = ['57014', '55P03', '40P01'];

/** The messages of `pg` for lost and failed connections, which have no codes. */
const lostConnections =
  /^(?:Connection terminated|timeout e|Client (?:has encountered a connection error|was closed)|Query read timeout)/;

/** The ids of types, as PostgreSQL has them. */
const [INT2, INT4, INT8, NUMERIC, BYTEA] = [21, 23, 20, 1700, 17];

/** Numbers are read as bigints. Sums of long integers have the type numeric, and are whole too. */
export const postgresParsers = {
  [INT2]: BigInt,
  [INT4]: BigInt,
  [INT8]: BigInt,
  [NUMERIC]: BigInt,
} as const;

const parsers: Record<number, (text: string) => unknown> = {
  ...postgresParsers,
  [BYTEA]: (text) => {
    const { buffer, byteOffset, byteLength } = Buffer.from(text.slice('\\x'.length), 'hex');
    return new Uint8Array(buffer, byteOffset, byteLength);
  },
};

/**
 * @param url `postgres://user:password@host:port/database?sslmode=...`, as `pg` reads it
 * @param password in place of the one in the address
 * @param statementMinutes how long a statement may take: one that takes longer is cancelled, and releases its locks
 */
export const connectPostgres = (url: string, password?: PasswordSource, statementMinutes = 1): PostgresDialect =>
  new PostgresDialect({
    pool: async () => {
      // Loaded here: with SQLite it is not needed.
      const { default: pg } = await import('pg');
      const pool = new pg.Pool({
        connectionString: url,
        ...(password === undefined ? {} : { Client: clientWith(pg.Client, password) }),
        application_name: 'ledgerline',
        max: MAX_CONNECTIONS,
        idleTimeoutMillis: 30_000,
        // The wait for a connection of the pool counts too.
        connectionTimeoutMillis: 30_000,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
        statement_timeout: statementMinutes * 60_000,
        lock_timeout: 60_000,
        // The transaction of a lost client blocks others for at most this time.
        idle_in_transaction_session_timeout: 60_000,
        types: { getTypeParser: (type, format) => parsers[type] ?? pg.types.getTypeParser(type, format) },
      });
      // The pool removes a broken connection, and its user gets the error. Without a listener the event would end the
      // process.
      pool.on('error', () => {});
      pool.on('connect', (client) => {
        client.on('error', () => {});
        endWhenSilent(client);
        endWithServer(client);
      });
      return { options: pool.options, connect: () => pool.connect().catch(unavailable), end: () => pool.end() };
    },
  });

/**
 * Ends a connection whose server is silent for longer than it lets a statement take: after a failover its packets may be
 * dropped, which the system would find out after a quarter of an hour.
 */
function endWhenSilent(client: PoolClient): void {
  const { connection, connectionParameters } = client as unknown as ClientParts;
  const { stream } = connection;
  const statementMs = Number(connectionParameters.statement_timeout);
  /** 0: for ever. */
  const limit = statementMs > 0 ? statementMs + SILENCE_MS : 0;
  let isUnlimited = false;
  let underWay = 0;
  const listen = () => stream.setTimeout(underWay === 0 || isUnlimited ? 0 : limit);
  stream.on('timeout', () => stream.destroy(new Error('Connection terminated: the server was silent for too long.')));
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const limited = async (...args: unknown[]) => {
    const [text] = args;
    underWay++;
    if (text === TAKE_LONG) isUnlimited = true;
    listen();
    try {
      return await query(...args);
    } finally {
      underWay--;
      if (text === 'commit' || text === 'rollback') isUnlimited = false;
      listen();
    }
  };
  Object.assign(client, { query: limited });
}

/**
 * What the server says before it ends a connection: it is being stopped, an administrator ends it, or it was idle or in a
 * transaction for too long.
 */
const endingCodes = /^(?:57P0[1-5]|25P0[34])$/;

/**
 * Ends a connection as soon as its server says that it ends it: the end itself may arrive later, and the pool would give
 * the connection to the next request meanwhile.
 */
function endWithServer(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const watched = async (...args: unknown[]) => {
    try {
      return await query(...args);
    } catch (failure) {
      if (endingCodes.test((failure as DatabaseError).code ?? '')) (client as unknown as Client).end().catch(() => {});
      throw failure;
    }
  };
  Object.assign(client, { query: watched });
}

/** What the types of `pg` leave out. */
type ClientParts = {
  connection: { stream: Socket };
  connectionParameters: { statement_timeout: unknown };
};

/** Without a connection nothing was changed, so the caller may try again. */
function unavailable(cause: unknown): never {
  throw new Problem('UNAVAILABLE', 'The database cannot be reached at the moment. Nothing was changed.', { cause });
}

/** A client that gets its password when it connects. `pg` ignores the option if the address has no password. */
function clientWith(Usual: typeof Client, password: PasswordSource): typeof Client {
  return class extends Usual {
    constructor(config?: ClientConfig) {
      super(config);
      Object.defineProperty(this, 'password', { value: password, writable: true, enumerable: false });
    }
  };
}
