import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { openDatabase, openWith } from '../functions/administrations/builtin/sql/openDatabase.ts';

/*
 * The vitest project selects the database of its tests by TEST_DATABASE: `sqlite`, which is the default,
 * `embedded` for a PostgreSQL inside the process, or `server` for the one at TEST_POSTGRES_URL.
 */

/** The kind of database that the project selects. */
export function databaseKind(): 'sqlite' | 'embedded' | 'server' {
  const kind = process.env.TEST_DATABASE ?? 'sqlite';
  if (kind === 'sqlite' || kind === 'embedded' || kind === 'server') return kind;
  throw new Error(`TEST_DATABASE: expected sqlite, embedded or server, got ${kind}`);
}

/**
 * A new empty database with its tables. It is removed when it is closed.
 * @param file of SQLite
 * @param kind left out: the kind that the project selects
 * @returns with the URL for other processes; "" when none can open it
 */
export async function emptyDatabase(file = ':memory:', kind = databaseKind()): Promise<{ db: Database; url: string }> {
  switch (kind) {
    case 'sqlite':
      return { db: await openDatabase(`sqlite:${file}`), url: file === ':memory:' ? '' : `sqlite:${file}` };
    case 'embedded': {
      // Loaded only when it is needed: it is large.
      const { embeddedDialect } = await import('./embeddedPostgres.ts');
      return { db: await openWith(await embeddedDialect()), url: '' };
    }
    case 'server':
      return onServer(process.env.TEST_POSTGRES_URL!);
  }
}

/** A new PostgreSQL database from the SQL statements of a dump, migrated. It is removed when it is closed. */
export async function dumpedDatabase(dump: string): Promise<Database> {
  if (databaseKind() === 'server') return (await onServer(process.env.TEST_POSTGRES_URL!, dump)).db;
  const { embeddedDialect } = await import('./embeddedPostgres.ts');
  return openWith(await embeddedDialect(dump));
}

async function onServer(server: string, dump?: string): Promise<{ db: Database; url: string }> {
  const { url, drop } = await createDatabase(server);
  if (dump !== undefined) await execute(url, dump);
  const db = await openDatabase(url);
  const close = db.destroy.bind(db);
  db.destroy = async () => {
    await close();
    await drop();
  };
  return { db, url };
}

/** Creates a database without tables on a server. */
export async function createDatabase(server: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `ledgerline_test_${randomBytes(8).toString('hex')}`;
  await execute(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(server, `drop database if exists ${name} with (force)`) };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
