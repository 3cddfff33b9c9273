import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { fixturesOf } from '../../../../testing/fixtures/fixtures.ts';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { changesOutside } from '../log/readLog.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialects/dialectOf.ts';
import { insertRows } from './insertRows.ts';
import { migrations } from './migrations/migrations.ts';
import { openDatabase } from './openDatabase.ts';
import { newRow } from './rows.ts';
import { migrate, upgrade } from './upgrade.ts';

const folder = temporaryFolder();
let db: Database;
let url: string;
let administrationId: bigint;
beforeAll(async () => {
  ({ db, url } = await emptyDatabase(path.join(folder, 'data.sqlite')));
  administrationId = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [2026], now: 1n });
});
afterAll(() => db.destroy());

const product = (article_number: string, stock: bigint) =>
  newRow('product', { administration_id: administrationId, article_number, stock });

describe('whole numbers', () => {
  const numbers = [0n, 1n, -1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)];

  it('are read as they were stored, and found by value, up to 64 bits', async () => {
    await insertRows(
      db,
      'product',
      numbers.map((number, index) => product(`n${index}`, number)),
    );
    for (const [index, number] of numbers.entries()) {
      const found = await db
        .selectFrom('product')
        .where('stock', '=', number)
        .select(['article_number', 'stock'])
        .execute();
      expect(found).toEqual([{ article_number: `n${index}`, stock: number }]);
    }
  });

  it('are added, counted and summed exactly, as bigints', async () => {
    const most = 10n ** 18n - 1n;
    await insertRows(db, 'product', [product('s1', most), product('s2', most), product('s3', 1n)]);
    await db
      .updateTable('product')
      .where('article_number', '=', 's3')
      .set((eb) => ({ stock: eb('stock', '+', most - 1n) }))
      .execute();
    const totals = await db
      .selectFrom('product')
      .where('article_number', 'in', ['s1', 's2', 's3'])
      .select((eb) => [
        eb.fn.sum<bigint>('stock').as('sum'),
        eb.fn.max('stock').as('max'),
        eb.fn.countAll<bigint>().as('count'),
      ])
      .executeTakeFirstOrThrow();
    expect(totals).toEqual({ sum: 3n * most, max: most, count: 3n });
  });

  it('are bigints in returned rows too', async () => {
    const { numUpdatedRows } = await db
      .updateTable('product')
      .where('article_number', '=', 's1')
      .set({ unit: 'kg' })
      .executeTakeFirstOrThrow();
    expect(numUpdatedRows).toBe(1n);
  });
});

it('bytes are read as they were stored', async () => {
  const content = Uint8Array.from({ length: 256 }, (_, index) => index);
  const attachment = { file_name: 'a', content_type: '', url: '', failure: '', is_internal: 0n, created_on: 0n };
  await insertRows(db, 'attachment', [
    { ...attachment, content },
    { ...attachment, content: new Uint8Array() },
    { ...attachment, content: null },
  ]);
  const rows = await db.selectFrom('attachment').orderBy('id').select('content').execute();
  expect(rows.map((row) => row.content)).toEqual([content, new Uint8Array(), null]);
  expect(rows[0]!.content!.constructor).toBe(Uint8Array);
});

it('text is ordered by its characters, not by the rules of a language', async () => {
  const names = ['_', 'Z', 'a', 'B', 'é', 'z', 'A', '0', 'ß', '10', '9', 'aa', 'a b', '€', '😀', '\uffee'];
  await insertRows(
    db,
    'cost_center',
    names.map((name) => ({ administration_id: administrationId, name, name_folded: name })),
  );
  const rows = await db.selectFrom('cost_center').orderBy('name').select('name').execute();
  const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(rows.map((row) => row.name)).toEqual(byBytes);
});

it('a statement accepts thousands of values', async () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => BigInt(index));
  const rows = await db.selectFrom('product').where('id', 'in', ids).select('id').execute();
  const all = await db.selectFrom('product').select('id').execute();
  expect(rows.length).toBe(all.length);
});

it('a row with an unknown reference is refused, and so is a second row of a unique value', async () => {
  const { addProduct } = fixturesOf(db, administrationId);
  await addProduct({ articleNumber: 'once' });
  await expect(addProduct({ articleNumber: 'once' })).rejects.toThrow(/unique/i);
  await expect(
    db
      .insertInto('relation_address')
      .values(newRow('relation_address', { relation_id: 999_999n }))
      .execute(),
  ).rejects.toThrow(/foreign key/i);
});

it('a transaction that fails is rolled back, and its connection is used again', async () => {
  for (let time = 0; time < 30; time++) {
    const failing = db.transaction().execute(async (trx) => {
      await insertRows(trx, 'order_status', [
        { administration_id: administrationId, label: 'half', label_folded: 'half' },
      ]);
      // An error of the database ends the transaction there; an error of the app ends it here.
      if (time % 2 === 0) await sql`select * from nowhere`.execute(trx);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow();
  }
  expect(await db.selectFrom('order_status').where('label', '=', 'half').selectAll().execute()).toEqual([]);
});

it('a database that a later version migrated is refused, by the name of the migration', async () => {
  const known = Object.entries(migrations(dialectOf(db)));
  const [later] = known.at(-1)!;
  await expect(migrate(db, Object.fromEntries(known.slice(0, -1)))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(`^A later version of Ledgerline has migrated the database \\(${later}\\)`),
  });
});

it('an upgrade that ends after its migrations leaves none of their changes as changes that are not in the log', async () => {
  const { db: older } = await emptyDatabase();
  const id = await createAdministration(older, { name: 'A', country: 'NL', fiscalYears: [2026], now: 1n });
  const outside = () => Array.fromAsync(changesOutside(older, id));
  const changedName = {
    '999-changed-name': {
      up: async (trx: Database) => {
        await trx.updateTable('administration').set({ name: 'B' }).execute();
      },
    },
  };
  // A transaction after that of the migrations is never begun, as if the process was killed.
  const transaction = older.transaction.bind(older);
  older.transaction = () => {
    throw new Error('killed');
  };
  await upgrade(older, changedName).catch(() => {});
  older.transaction = transaction;
  await upgrade(older, changedName);

  expect(await older.selectFrom('administration').select('name').execute()).toEqual([{ name: 'B' }]);
  expect(await outside()).toEqual([]);
  // The embedded database is emptied for the next test, but for its migrations.
  await sql`delete from kysely_migration where name in (${sql.join(Object.keys(changedName))})`.execute(older);
  await older.destroy();
});

describe('several processes', () => {
  it('find the tables of a new database that they open at once', async ({ skip }) => {
    skip(url === '', 'this database lives inside one process');
    const own = await freshUrl();
    const script = `
      const { openDatabase } = await import(${JSON.stringify(path.join(import.meta.dirname, 'openDatabase.ts'))});
      const db = await openDatabase(process.argv[1]);
      await db.selectFrom('journal_line').selectAll().execute();
      await db.destroy();
    `;
    const processes = Array.from({ length: 5 }, () => run(script, own.url));
    expect(await Promise.all(processes)).toEqual(['', '', '', '', '']);
    await own.close();
  });

  it('find the stored rows of an existing database that they open at once', async ({ skip }) => {
    skip(url === '', 'this database lives inside one process');
    const again = await openDatabase(url);
    expect(await again.selectFrom('administration').select('name').execute()).toEqual([{ name: 'A' }]);
    await again.destroy();
  });
});

describe.skipIf(databaseKind() !== 'server')('a server', () => {
  it('gets new connections after it ended old ones, idle or in a transaction', async () => {
    const own = await openDatabase(url);
    const other = await openDatabase(url);
    await Promise.all([1, 2, 3].map(() => own.selectFrom('administration').selectAll().execute()));
    const endAll = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
        other,
      );
    const connections = async () =>
      (
        await sql<{ count: bigint }>`
          select count(*) from pg_stat_activity where datname = current_database()
        `.execute(other)
      ).rows[0]!.count;
    const inside = own.transaction().execute(async (trx) => {
      await trx.updateTable('administration').set({ name: 'B' }).execute();
      await endAll();
      // No statement runs while the connection breaks: there is only an event.
      await expect.poll(connections).toBe(1n);
      await new Promise((resolve) => setImmediate(resolve));
      await trx.updateTable('administration').set({ name: 'C' }).execute();
    });
    await expect(inside).rejects.toThrow();
    expect(await own.selectFrom('administration').select('name').execute()).toEqual([{ name: 'A' }]);
    await own.destroy();
    await other.destroy();
  });

  it('migrates for as long as it takes, however short a statement of a request must be', async () => {
    const { db: own, url: ownUrl } = await emptyDatabase();
    const hurried = await openDatabase(ownUrl, 0.01);
    const slow = () => sql`select pg_sleep(1)`;
    await upgrade(hurried, { '999-slow': { up: async (trx: Database) => void (await slow().execute(trx)) } });
    await expect(slow().execute(hurried)).rejects.toThrow('statement timeout');
    await hurried.destroy();
    await own.destroy();
  });

  it('is named without its password when it cannot be reached', async () => {
    const wrong = new URL(url);
    wrong.password = 'very-secret';
    wrong.port = '1';
    const failure = await openDatabase(wrong.href).catch((thrown) => thrown);
    expect(failure).toBeInstanceOf(Error);
    expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toContain('very-secret');
  });
});

/** A database that was never opened. */
async function freshUrl(): Promise<{ url: string; close: () => Promise<unknown> }> {
  if (databaseKind() === 'sqlite') return { url: `sqlite:${path.join(folder, 'new.sqlite')}`, close: async () => {} };
  const own = await emptyDatabase();
  await sql`drop schema public cascade`.execute(own.db);
  await sql`create schema public`.execute(own.db);
  return { url: own.url, close: () => own.db.destroy() };
}

async function run(script: string, ...parameters: string[]): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, ...parameters], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const [code] = await once(child, 'exit');
  return code === 0 ? '' : errorOutput || `exit code ${code}`;
}
