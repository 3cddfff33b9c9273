import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { openDatabase, openWith } from '../functions/administrations/builtin/sql/openDatabase.ts';

/*
 * The vitest project selects the database of its tests by TEST_DATABASE: `sqlite`, which is the default,
 * `embedded` for a PostgreSQL inside the process, or `server` for the one at TEST_POSTGRES_URL.
 */

/** The selected kind of database. */
export function databaseKind(): 'sqlite' | 'embedded' | 'server' {
  const kind = process.env.TEST_DATABASE ?? 'sqlite';
  if (kind === 'sqlite' || kind === 'embedded' || kind === 'server') return kind;
  throw new Error(`TEST_DATABASE: expected sqlite, embedded or server, got ${kind}`);
}

/**
 * An empty database of its own, with its tables. Closing it ends it.
 * @param file where SQLite is to keep it
 * @param kind left out: what the test runs on
 * @returns with the address by which another process can open it; "" when none can
 */
export async function emptyDatabase(file = ':memory:', kind = databaseKind()): Promise<{ db: Database; url: string }> {
  switch (kind) {
    case 'sqlite':
      return { db: await openDatabase(`sqlite:${file}`), url: file === ':memory:' ? '' : `sqlite:${file}` };
    case 'embedded': {
      // Read only where it is asked for: it is large.
      const { embeddedDialect } = await import('./embeddedPostgres.ts');
      return { db: await openWith(await embeddedDialect()), url: '' };
    }
    case 'server':
      return onServer(process.env.TEST_POSTGRES_URL!);
  }
}

/**
 * A PostgreSQL database of its own as a dump has it, brought up to date. Closing it ends it.
 * @param dump statements of SQL
 */
export async function dumpedDatabase(dump: string): Promise<Database> {
  if (databaseKind() === 'server') return (await onServer(process.env.TEST_POSTGRES_URL!, dump)).db;
  const { embeddedDialect } = await import('./embeddedPostgres.ts');
  return openWith(await embeddedDialect(dump));
}

async function onServer(server: string, dump?: string): Promise<{ db: Database; url: string }> {
  const name = `ledgerline_test_${randomBytes(8).toString('hex')}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  if (dump !== undefined) await administer(url.href, dump);
  const db = await openDatabase(url.href);
  const close = db.destroy.bind(db);
  db.destroy = async () => {
    await close();
    await administer(server, `drop database if exists ${name} with (force)`);
  };
  return { db, url: url.href };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
