import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../../testing/temporaryFolder.ts';
import { openDatabase } from '../openDatabase.ts';
import { sqlite } from './sqlite.ts';

type Tables = { thing: { id: bigint; name: string | null; size: bigint | null } };

const folder = temporaryFolder();

const opened: Kysely<Tables>[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.destroy()));
});

let files = 0;
const newFile = (): string => path.join(folder, `${++files}`, 'data.sqlite');
function open(file: string): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect: sqlite.connect(file) });
  opened.push(db);
  return db;
}
async function withTable(file = ':memory:'): Promise<Kysely<Tables>> {
  const db = open(file);
  await sql`create table thing (id integer primary key, name text, size bigint)`.execute(db);
  return db;
}

it('a new database gets its folder, and stores what is written', async () => {
  const file = newFile();
  const db = await withTable(file);
  await db.insertInto('thing').values({ id: 1n, name: 'één', size: 5n }).execute();
  await db.destroy();
  opened.length = 0;
  expect(await open(file).selectFrom('thing').selectAll().execute()).toEqual([{ id: 1n, name: 'één', size: 5n }]);
});

describe('values', () => {
  it.each([0n, -1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)])(
    'keep all digits of %s',
    async (size) => {
      const db = await withTable();
      await db.insertInto('thing').values({ id: 1n, name: null, size }).execute();
      const { size: read } = await db
        .selectFrom('thing')
        .where('size', '=', size)
        .select('size')
        .executeTakeFirstOrThrow();
      expect(read).toBe(size);
    },
  );

  it('are read as bigints when they are whole numbers, also those that a function counts', async () => {
    const db = await withTable();
    const { numInsertedOrUpdatedRows, insertId } = await db
      .insertInto('thing')
      .values({ id: 12n, name: 'a', size: null })
      .executeTakeFirstOrThrow();
    expect([numInsertedOrUpdatedRows, insertId]).toEqual([1n, 12n]);
    const { count } = await db
      .selectFrom('thing')
      .select((eb) => eb.fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(1n);
    expect(await db.selectFrom('thing').selectAll().execute()).toEqual([{ id: 12n, name: 'a', size: null }]);
  });

  it.each([
    ['a Date', new Date(0)],
    ['a fraction', 1.5],
    ['a float that lost digits', 2 ** 53],
    ['NaN', Number.NaN],
    ['a boolean', true],
    ['an object', { toString: () => 'text' }],
    ['a list', ['text']],
  ])('are refused when SQLite would store another value: %s', async (_, value) => {
    const db = await withTable();
    const insert = db.executeQuery(CompiledQuery.raw('insert into thing (name) values (?)', [value]));
    await expect(insert).rejects.toThrow('SQLite cannot hold');
    expect(await db.selectFrom('thing').selectAll().execute()).toEqual([]);
  });

  it('of more than 64 bits are refused, not cut', async () => {
    const db = await withTable();
    await expect(
      db
        .insertInto('thing')
        .values({ id: 1n, name: '', size: 2n ** 63n })
        .execute(),
    ).rejects.toThrow();
  });
});

describe('statements', () => {
  it('are prepared once, however often they run', async () => {
    const db = await withTable();
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    try {
      for (let id = 1n; id <= 5n; id++)
        await db
          .insertInto('thing')
          .values({ id, name: `${id}`, size: id })
          .execute();
      expect(prepared).toHaveBeenCalledTimes(1);
    } finally {
      prepared.mockRestore();
    }
    expect((await db.selectFrom('thing').select('id').execute()).map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n, 5n]);
  });

  it('have limits in their text, which SQLite compiles once', async () => {
    const db = await withTable();
    for (const id of [1n, 2n, 3n]) await db.insertInto('thing').values({ id, name: null, size: null }).execute();
    const first = db.selectFrom('thing').orderBy('id').select('id').limit(2);
    expect(first.compile()).toMatchObject({ sql: expect.stringMatching(/ limit 2$/), parameters: [] });
    expect(await first.execute()).toEqual([{ id: 1n }, { id: 2n }]);
    expect(await first.limit(1n).offset(2).execute()).toEqual([{ id: 3n }]);
  });

  it('that were not used for long are removed from the cache, and still run', async () => {
    const db = await withTable();
    await db.insertInto('thing').values({ id: 1n, name: 'a', size: 0n }).execute();
    const nth = (n: number) => db.executeQuery(CompiledQuery.raw(`select ${n} as n from thing`, []));
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    try {
      for (let n = 0; n < 600; n++) expect((await nth(n)).rows).toEqual([{ n: BigInt(n) }]);
      expect(prepared).toHaveBeenCalledTimes(600);
      await nth(599);
      expect(prepared).toHaveBeenCalledTimes(600);
      expect((await nth(0)).rows).toEqual([{ n: 0n }]);
      expect(prepared).toHaveBeenCalledTimes(601);
    } finally {
      prepared.mockRestore();
    }
  });

  it('still run after their tables have changed', async () => {
    const db = await withTable();
    await db.insertInto('thing').values({ id: 1n, name: 'a', size: 0n }).execute();
    const all = () => db.executeQuery(CompiledQuery.raw('select * from thing', []));
    expect((await all()).rows).toEqual([{ id: 1n, name: 'a', size: 0n }]);
    await sql`alter table thing add column colour text default 'red'`.execute(db);
    expect((await all()).rows).toEqual([{ id: 1n, name: 'a', size: 0n, colour: 'red' }]);
  });

  it('enforce references between tables', async () => {
    const db = await withTable();
    await sql`create table part (thing_id bigint not null references thing(id))`.execute(db);
    await expect(sql`insert into part values (99)`.execute(db)).rejects.toThrow('FOREIGN KEY');
  });
});

describe('a transaction', () => {
  it('is rolled back when it fails', async () => {
    const db = await withTable();
    const failing = db.transaction().execute(async (trx) => {
      await trx.insertInto('thing').values({ id: 1n, name: 'a', size: 0n }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.selectFrom('thing').selectAll().execute()).toEqual([]);
  });

  it('waits for that of another process without keeping reads or other work waiting', async () => {
    const file = newFile();
    const db = await withTable(file);
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const waiting = db
      .transaction()
      .execute((trx) =>
        trx.insertInto('thing').values({ id: 1n, name: 'a', size: 0n }).returning('id').executeTakeFirstOrThrow(),
      );
    // This process reads, and ends the other transaction: it could not if it were blocked until then.
    await expect.poll(() => prepared.mock.calls.flat()).toContain('begin immediate');
    prepared.mockRestore();
    expect(await db.selectFrom('thing').selectAll().execute()).toEqual([]);
    other.exec("insert into thing (id, name) values (2, 'b'); commit");
    other.close();
    expect(await waiting).toEqual({ id: 1n });
    expect((await db.selectFrom('thing').orderBy('id').select('name').execute()).map(({ name }) => name)).toEqual([
      'a',
      'b',
    ]);
  });

  it('of many that wait for another process begins when those before it have ended', async () => {
    const file = newFile();
    const db = await withTable(file);
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const counting = Array.from({ length: 30 }, () =>
      db.transaction().execute(async (trx) => {
        const { count } = await trx
          .selectFrom('thing')
          .select((eb) => eb.fn.countAll<bigint>().as('count'))
          .executeTakeFirstOrThrow();
        await trx.insertInto('thing').values({ id: count, name: '', size: 0n }).execute();
        return count;
      }),
    );
    expect(await db.selectFrom('thing').selectAll().execute()).toEqual([]);
    other.exec('commit');
    other.close();
    expect((await Promise.all(counting)).sort((a, b) => Number(a - b))).toEqual(
      Array.from({ length: 30 }, (_, index) => BigInt(index)),
    );
  });

  it('reads what another process wrote just before', async () => {
    const file = newFile();
    const db = await withTable(file);
    await db.insertInto('thing').values({ id: 1n, name: '', size: 0n }).execute();

    const workers = [1, 2, 3].map(() => incrementer(file, 40));
    // This process does the same at the same time.
    for (let time = 0; time < 40; time++) {
      await db.transaction().execute(async (trx) => {
        const { size } = await trx.selectFrom('thing').select('size').executeTakeFirstOrThrow();
        await trx
          .updateTable('thing')
          .set({ size: size! + 1n })
          .execute();
      });
    }
    expect(await Promise.all(workers)).toEqual(['', '', '']);
    expect(await db.selectFrom('thing').select('size').execute()).toEqual([{ size: 160n }]);
  });
});

it('a new database that several processes open at once has its tables for each', async () => {
  const file = newFile();
  const script = `
    const { openDatabase } = await import(${JSON.stringify(path.join(import.meta.dirname, '../openDatabase.ts'))});
    const db = await openDatabase('sqlite:' + process.argv[1]);
    await db.selectFrom('administration').selectAll().execute();
    await db.destroy();
  `;
  expect(await Promise.all([1, 2, 3].map(() => run(script, file)))).toEqual(['', '', '']);
  const db = await openDatabase(`sqlite:${file}`);
  expect(await db.selectFrom('administration').selectAll().execute()).toEqual([]);
  await db.destroy();
});

/** A process that reads the size of the thing and adds one, a number of times. @returns its error output */
const incrementer = (file: string, times: number): Promise<string> =>
  run(
    `
    const { Kysely } = await import('kysely');
    const { sqlite } = await import(${JSON.stringify(path.join(import.meta.dirname, 'sqlite.ts'))});
    const db = new Kysely({ dialect: sqlite.connect(process.argv[1]) });
    for (let time = 0; time < ${times}; time++) {
      await db.transaction().execute(async (trx) => {
        const { size } = await trx.selectFrom('thing').select('size').executeTakeFirstOrThrow();
        await trx.updateTable('thing').set({ size: size + 1n }).execute();
      });
    }
    await db.destroy();
  `,
    file,
  );

async function run(script: string, ...parameters: string[]): Promise<string> {
  const process_ = spawn(process.execPath, ['--input-type=module', '--eval', script, ...parameters], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  process_.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const [code] = await once(process_, 'exit');
  return code === 0 ? '' : errorOutput || `exit code ${code}`;
}
