import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readRequest } from '../../../../shared/readRequest.ts';
import { summary, testProductWrites, update } from '../../../../testing/builtin/productWrites.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { proxyTo } from '../../../../testing/databaseProxy.ts';
import { snapshot } from '../../../../testing/shop.ts';
import { builtinAdministrations } from '../builtin.ts';
import { openDatabase } from '../sql/openDatabase.ts';

const writes = testProductWrites();
const { stockOf, storedKeys, write } = writes;

afterEach(() => {
  vi.useRealTimers();
});

/** Waits until connections to this database wait for a lock, and returns them. */
async function waitingForLocks(): Promise<bigint[]> {
  for (;;) {
    const { rows } = await sql<{ pid: bigint }>`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(writes.app.db);
    if (rows.length > 0) return rows.map(({ pid }) => pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it.skipIf(databaseKind() !== 'sqlite')(
  'keys of writes are removed when another process has written, and reads do not wait for that',
  async () => {
    const connection = await openDatabase(writes.app.databaseUrl);
    const administrations = builtinAdministrations(connection);
    const other = new DatabaseSync(writes.app.databaseUrl.slice('sqlite:'.length));
    await write([update('a', { NewStockQty: 1 })]);
    other.exec('begin immediate');
    const forgotten = administrations.appliedWrites!.forget(Number.MAX_SAFE_INTEGER);
    expect(await connection.selectFrom('applied_write').select('key').execute()).toEqual([{ key: 'a' }]);
    other.exec('commit');
    other.close();
    await forgotten;
    expect(await storedKeys()).toEqual([]);
    await administrations.close();
  },
);

describe('a call is deferred', () => {
  const deferred = { kind: 'deferred', problem: { code: 'INTERNAL' }, after: expect.any(Number) };

  it.skipIf(databaseKind() !== 'sqlite')('while another process writes for too long', async () => {
    const connection = await openDatabase(writes.app.databaseUrl);
    const waiting = await builtinAdministrations(connection).writer(writes.shop.credential);
    const other = new DatabaseSync(writes.app.databaseUrl.slice('sqlite:'.length));
    other.exec('begin immediate');
    const requested = [update('a', { NewStockQty: 1 }), update('b', { NewStockQty: 1 })];
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const outcomes = write(requested, waiting);
    // It tries again until its timeout, which the clock has passed here.
    await expect.poll(() => prepared.mock.calls.flat()).toContain('begin immediate');
    prepared.mockRestore();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000_000 });
    expect(await outcomes).toMatchObject([deferred, deferred]);
    vi.useRealTimers();
    other.exec('rollback');
    other.close();
    expect((await write(requested, waiting)).map(summary)).toEqual(['11', '12']);
    await connection.destroy();
  });

  it.skipIf(databaseKind() !== 'sqlite')('when the disk is full', async () => {
    const connection = await openDatabase(writes.app.databaseUrl);
    const full = await builtinAdministrations(connection).writer(writes.shop.credential);
    await sql`vacuum`.execute(connection);
    const { rows } = await sql<{ page_count: bigint }>`pragma page_count`.execute(connection);
    await sql`pragma max_page_count = ${sql.lit(Number(rows[0]!.page_count))}`.execute(connection);
    const requested = Array.from({ length: 50 }, (_, index) =>
      update(`key ${index}`, { NewStockQty: 1, NewDescription: 'a'.repeat(400) }),
    );
    const before = await snapshot(writes.app.db, writes.shop.administrationId);
    // However slow the machine is, they are in one transaction.
    vi.useFakeTimers({ toFake: ['performance'] });
    const outcomes = await write(requested, full);
    vi.useRealTimers();
    expect(outcomes[0]).toMatchObject(deferred);
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['deferred']));
    expect(await snapshot(writes.app.db, writes.shop.administrationId)).toEqual(before);
    await sql`pragma max_page_count = 1000000`.execute(connection);
    expect(summary((await write(requested, full)).at(-1)!)).toBe('60');
    await connection.destroy();
  });

  it.skipIf(databaseKind() !== 'sqlite')('while the database can only be read', async () => {
    const connection = await openDatabase(writes.app.databaseUrl);
    const administrations = builtinAdministrations(connection);
    const writer = await administrations.writer(writes.shop.credential);
    // What the system does with a disk that fails.
    await sql`pragma query_only = on`.execute(connection);
    const requested = [update('a', { NewStockQty: 1 })];
    expect(await write(requested, writer)).toMatchObject([deferred]);
    const { updateproduct } = await administrations.open(writes.shop.credential);
    const { request } = readRequest('updateproduct', { ArticleNumber: '0100', NewStockQty: 1 });
    await expect(updateproduct(request)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await sql`pragma query_only = off`.execute(connection);
    expect((await write(requested, writer)).map(summary)).toEqual(['11']);
    await connection.destroy();
  });

  it.skipIf(databaseKind() !== 'server')('when its connection is lost, and nothing is applied', async () => {
    const connection = await openDatabase(writes.app.databaseUrl);
    const waiting = await builtinAdministrations(connection).writer(writes.shop.credential);
    const requested = [update('a', { NewStockQty: 1 }), update('b', { NewStockQty: 1 })];
    const outcomes = await writes.app.db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('administration')
        .where('id', '=', writes.shop.administrationId)
        .select('id')
        .forUpdate()
        .execute();
      const under = write(requested, waiting);
      // While it waits for the administration, its connection is ended.
      for (const pid of await waitingForLocks())
        await sql`select pg_terminate_backend(${pid}::int)`.execute(writes.app.db);
      return under;
    });
    expect(outcomes).toMatchObject([deferred, deferred]);
    expect(await stockOf('0100')).toBe(10);
    expect((await write(requested, waiting)).map(summary)).toEqual(['11', '12']);
    await connection.destroy();
  });

  it.skipIf(databaseKind() !== 'server')(
    'when the server cannot be reached, or its response to a commit is lost: committed writes are answered later',
    async () => {
      const proxy = await proxyTo(writes.app.databaseUrl);
      const connection = await openDatabase(proxy.url);
      const far = await builtinAdministrations(connection).writer(writes.shop.credential);
      const requested = [update('a', { NewStockQty: 1 }), update('b', { NewStockQty: 1 })];
      proxy.setMode('refuse');
      expect(await write(requested, far)).toMatchObject([deferred, deferred]);
      expect(await storedKeys()).toEqual([]);
      proxy.setMode('lose responses to commits');
      // A slow transaction ends after its first row. Here the clock stands still, so that both are in one.
      vi.useFakeTimers({ toFake: ['performance'] });
      expect(await write(requested, far)).toMatchObject([deferred, deferred]);
      vi.useRealTimers();
      expect(await storedKeys()).toEqual(['a', 'b']);
      proxy.setMode('forward');
      expect((await write(requested, far)).map(summary)).toEqual(['11', '12']);
      expect(await stockOf('0100')).toBe(12);
      await connection.destroy();
      proxy.close();
    },
  );

  it.skipIf(databaseKind() !== 'server')(
    'when it has a file to download and the server cannot be reached',
    async () => {
      const proxy = await proxyTo(writes.app.databaseUrl);
      const connection = await openDatabase(proxy.url);
      const download = async () => ({ kind: 'refused', reason: 'It is not there.' }) as const;
      const far = await builtinAdministrations(connection, { download, warn: () => {} }).writer(writes.shop.credential);
      const body = {
        CustomerNumber: 7,
        Invoice_InvoiceLine: [{ ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 1 }],
        Invoice_Attachment: [{ FileUrl: 'https://files.example/a.pdf' }],
      };
      const requested = [
        { key: 'a', name: 'addsalesinvoice', request: readRequest('addsalesinvoice', body).request } as const,
      ];
      proxy.setMode('refuse');
      expect(await write(requested, far)).toMatchObject([deferred]);
      proxy.setMode('forward');
      expect(await write(requested, far)).toMatchObject([{ kind: 'applied' }]);
      await connection.destroy();
      proxy.close();
    },
  );

  it.skipIf(databaseKind() !== 'server')('when the database ends a deadlock by rolling it back', async () => {
    // Another transaction locks the product first and then the administration.
    const outcomes = await writes.app.db.transaction().execute(async (trx) => {
      await sql`set local deadlock_timeout = '1h'`.execute(trx);
      await sql`select * from product where administration_id = ${writes.shop.administrationId} for update`.execute(
        trx,
      );
      const under = write([update('a', { NewStockQty: 1 })]);
      await waitingForLocks();
      await sql`select * from administration where id = ${writes.shop.administrationId} for update`.execute(trx);
      return under;
    });
    expect(outcomes).toMatchObject([deferred]);
    expect((await write([update('a', { NewStockQty: 1 })])).map(summary)).toEqual(['11']);
  });
});
