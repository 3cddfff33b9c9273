import { existsSync, openAsBlob } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { postgresParsers } from '../functions/administrations/builtin/sql/dialects/postgres.ts';

const pglite = path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
const { version } = JSON.parse(await readFile(path.join(pglite, '../package.json'), 'utf8')) as { version: string };

/** The files of an empty embedded PostgreSQL. Creating them takes long, so it is done once. */
const emptyCluster = path.resolve(import.meta.dirname, `../node_modules/.cache/ledgerline/pglite-${version}.tar`);

/** Run by vitest before the tests of a project that needs it. */
export async function setup(): Promise<void> {
  if (existsSync(emptyCluster)) return;
  const instance = await PGlite.create();
  const files = await instance.dumpDataDir('none');
  await instance.close();
  await mkdir(path.dirname(emptyCluster), { recursive: true });
  // Renamed when it is complete, since another run may read it.
  const part = `${emptyCluster}.${process.pid}`;
  await writeFile(part, Buffer.from(await files.arrayBuffer()));
  await rename(part, emptyCluster);
}

/** Closed instances, which are emptied and used again, since starting one takes a second. */
const idle: PGlite[] = [];

/**
 * Empties all tables but those of the migrations, and starts their identities anew. The log refuses this unless triggers
 * are turned off. A table with many rows is truncated; the others are not, since that makes a new file for each of them
 * and its indexes, which takes ten times as long.
 */
const emptied = `
  set session_replication_role = replica;
  do $$ declare
    found record;
  begin
    for found in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
      if pg_relation_size(found.tablename::regclass) < 1e6 then execute format('delete from %I', found.tablename);
      else execute format('truncate %I cascade', found.tablename);
      end if;
    end loop;
    for found in select sequencename from pg_sequences where schemaname = 'public' and last_value is not null loop
      execute format('alter sequence %I restart', found.sequencename);
    end loop;
  end $$;
  set session_replication_role = origin
`;

/** A PostgreSQL inside this process. @param dump the SQL statements that fill it; left out: it is empty */
export async function embeddedDialect(dump?: string): Promise<PGliteDialect> {
  const used = dump === undefined ? idle.pop() : undefined;
  await used?.exec(emptied);
  const instance =
    used ?? (await PGlite.create({ loadDataDir: await openAsBlob(emptyCluster), parsers: postgresParsers }));
  // A dump clears the search path, since it names the schema of everything.
  if (dump !== undefined) await instance.exec(`${dump}\nselect pg_catalog.set_config('search_path', 'public', false);`);
  return new PGliteDialect({
    pglite: {
      closed: false,
      ready: true,
      waitReady: instance.waitReady,
      query: (sql, parameters, options) => instance.query(sql, parameters, options),
      transaction: (work) => instance.transaction(work),
      close: async () => {
        if (dump === undefined) idle.push(instance);
        else await instance.close();
      },
    },
  });
}
