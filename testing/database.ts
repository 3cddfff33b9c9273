import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
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
 * @param file of SQLite; left out: one that no other process opens
 * @param kind left out: the kind that the project selects
 * @returns with the URL for other processes; "" when none can open it
 */
export async function emptyDatabase(file?: string, kind = databaseKind()): Promise<{ db: Database; url: string }> {
  switch (kind) {
    case 'sqlite': {
      const own = file ?? path.join(ownFolder(), `${randomUUID()}.sqlite`);
      copyFileSync(await emptyFile(), own);
      const db = await openDatabase(`sqlite:${own}`);
      if (file === undefined) afterClosing(db, async () => rmSync(own, { force: true }));
      return { db, url: file === undefined ? '' : `sqlite:${file}` };
    }
    case 'embedded': {
      // Loaded only when it is needed: it is large.
      const { embeddedDialect } = await import('./embeddedPostgres.ts');
      return { db: await openWith(await embeddedDialect()), url: '' };
    }
    case 'server':
      return onServer(process.env.TEST_POSTGRES_URL!);
  }
}

/**
 * Does work on a connection on which SQLite reads backwards where a query asks for no order: so that a missing one shows.
 * PostgreSQL has an order of its own, in which what was changed last often comes last.
 */
export const unordered = <Result>(db: Database, work: (db: Database) => Promise<Result>): Promise<Result> =>
  db.connection().execute(async (connection) => {
    const backwards = (on: 0 | 1) =>
      databaseKind() === 'sqlite'
        ? sql`pragma reverse_unordered_selects = ${sql.lit(on)}`.execute(connection)
        : undefined;
    await backwards(1);
    try {
      return await work(connection);
    } finally {
      await backwards(0);
    }
  });

function afterClosing(db: Database, work: () => Promise<void>): void {
  const close = db.destroy.bind(db);
  db.destroy = async () => {
    await close();
    await work();
  };
}

let folder: string | undefined;

/** A folder of this process, which is removed when it ends. */
function ownFolder(): string {
  if (folder === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'ledgerline-databases-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}

let empty: Promise<string> | undefined;

/** The file of an empty SQLite database. To migrate one takes a hundred times as long as to copy it. */
function emptyFile(): Promise<string> {
  empty ??= (async () => {
    const file = path.join(ownFolder(), 'empty.sqlite');
    await (await openDatabase(`sqlite:${file}`)).destroy();
    return file;
  })();
  return empty;
}

/** A new PostgreSQL database from the SQL statements of a dump, migrated. It is removed when it is closed. */
export async function dumpedDatabase(dump: string): Promise<Database> {
  if (databaseKind() === 'server') return (await onServer(process.env.TEST_POSTGRES_URL!, dump)).db;
  const { embeddedDialect } = await import('./embeddedPostgres.ts');
  return openWith(await embeddedDialect(dump));
}

async function onServer(server: string, dump?: string): Promise<{ db: Database; url: string }> {
  const { url, drop } = await createDatabase(server, dump === undefined ? await emptyOnServer(server) : undefined);
  if (dump !== undefined) await execute(url, dump);
  const db = await openDatabase(url);
  afterClosing(db, drop);
  return { db, url };
}

/**
 * Creates a database on a server.
 * @param template the database to copy; left out: it has no tables
 */
export async function createDatabase(
  server: string,
  template = 'template1',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `ledgerline_test_${randomBytes(8).toString('hex')}`;
  await execute(server, `create database ${name} template ${template}`);
  return { url: databaseOn(server, name), drop: () => execute(server, `drop database if exists ${name} with (force)`) };
}

function databaseOn(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

const templates = new Map<string, Promise<string>>();

/** The name of an empty database with its tables on a server. It stays there, for other processes and later runs. */
function emptyOnServer(server: string): Promise<string> {
  const known = templates.get(server) ?? makeEmpty(server);
  templates.set(server, known);
  return known;
}

async function makeEmpty(server: string): Promise<string> {
  const name = `ledgerline_empty_${digestOfTables()}`;
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(7315093)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const { url } = await createDatabase(server);
      await (await openDatabase(url)).destroy();
      // Renamed when it is complete, since a process may be killed before.
      await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`);
    }
  } finally {
    await client.end();
  }
  return name;
}

/** A digest of the sources that make the tables. */
function digestOfTables(): string {
  const sources = path.resolve(import.meta.dirname, '../functions/administrations/builtin/sql');
  const files = readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
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
