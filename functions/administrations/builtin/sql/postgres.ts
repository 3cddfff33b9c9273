import { PostgresDialect } from 'kysely';
import pg from 'pg';

/** Connections one instance of the app holds at the most; a small server allows a hundred to all of them together. */
const MOST_CONNECTIONS = 10;

const { INT2, INT4, INT8, NUMERIC, BYTEA } = pg.types.builtins;

/**
 * How numbers come back: as bigints, whichever their size. Sums of long integers are of the type numeric, and whole as well:
 * nothing here is kept as a fraction.
 */
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
 * Kysely's PostgreSQL dialect over a pool of connections.
 * @param url `postgres://user:password@host:port/database?sslmode=...`, as `pg` reads it
 */
export function postgresDialect(url: string): PostgresDialect {
  return new PostgresDialect({
    pool: async () => {
      const pool = new pg.Pool({
        connectionString: url,
        application_name: 'ledgerline',
        max: MOST_CONNECTIONS,
        idleTimeoutMillis: 30_000,
        // Counts the wait for one of our own connections too: rather late than refused.
        connectionTimeoutMillis: 30_000,
        keepAlive: true,
        // What a lost client left open holds others up no longer than this.
        idle_in_transaction_session_timeout: 60_000,
        types: { getTypeParser: (type, format) => parsers[type] ?? pg.types.getTypeParser(type, format) },
      });
      // A connection that breaks is dropped by the pool, and whoever used it is told; unheard, the event ends the process.
      pool.on('error', () => {});
      pool.on('connect', (client) => client.on('error', () => {}));
      return pool;
    },
  });
}
