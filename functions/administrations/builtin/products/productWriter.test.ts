import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../../../../shared/problem.ts';
import { readRequest } from '../../../../shared/readRequest.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { databaseKind } from '../../../../testing/database.ts';
import { openShop, type Shop, snapshot } from '../../../../testing/shop.ts';
import type { ProductWrite, ProductWriter, WriteOutcome } from '../../administration.ts';
import { type BuiltinOptions, builtinAdministrations } from '../builtin.ts';
import { checkAdministration } from '../check/check.ts';
import { listKeys, revokeKey } from '../setup/keys.ts';
import { openDatabase } from '../sql/openDatabase.ts';

const NOW = 1_790_000_000;

let app: TestApp;
let shop: Shop;
let writer: ProductWriter;
beforeAll(async () => {
  app = await startApp();
  app.setTime(NOW);
});
beforeEach(async () => {
  shop = await openShop(app);
  writer = await writerOf({});
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => app.close());

const administrations = (options: BuiltinOptions = {}) =>
  builtinAdministrations(app.db, { clock: () => NOW * 1000, ...options });
const writerOf = (options: BuiltinOptions) => administrations(options).writer(shop.credential);

/** Writes as a push gives them: what a request's body says, under a key. */
const update = (key: string, body: object): ProductWrite => ({
  key,
  name: 'updateproduct',
  request: readRequest('updateproduct', { ArticleNumber: '0100', ...body }).request,
});
const addition = (key: string, body: object): ProductWrite => ({
  key,
  name: 'addproduct',
  request: readRequest('addproduct', { NewSalePrice: 1, CategoryName: 'Nieuw', CategoryCreateIfMissing: true, ...body })
    .request,
});
const write = (writes: readonly ProductWrite[], by = writer): Promise<WriteOutcome[]> =>
  by.write(writes, async () => {}, new AbortController().signal);

const stockOf = async (article: string): Promise<number> =>
  (await shop.put('/rest/updateproduct', { ArticleNumber: article })).json.StockQty;
/** An outcome in a word: the stock it answers with, or the fields it was refused for. */
const told = (outcome: WriteOutcome) =>
  outcome.kind === 'applied'
    ? outcome.product.StockQty
    : [outcome.kind, ...outcome.problem.errors.map(({ path }) => path)].join(' ');
const remembered = async () =>
  (
    await app.db
      .selectFrom('applied_write')
      .where('administration_id', '=', shop.administrationId)
      .orderBy('key')
      .select('key')
      .execute()
  ).map(({ key }) => key);

describe('a write', () => {
  it('does what the endpoint does, and answers what it answers', async () => {
    const bodies = [
      { NewName: 'Kruk', NewSalePrice: '99.95', NewStockQty: '2.5', NewStockMutationComment: 'geteld' },
      { CategoryName: 'Zitten', CategoryCreateIfMissing: true, NewVATPercentage: 9, StockUpdateMode: 'Absolute' },
      {
        BatchStockUpdateMode: 'Relative',
        BatchMatchMode: 'Description',
        Product_Batch: [{ Description: 'L1', BatchStockQty: 4 }],
        Archived: true,
      },
      {
        Product_CustomField: [
          { Label: 'Kleur', FieldType: 'TextSmall', StringValue: '<b>rood & "wit"</b>' },
          { Label: 'Sinds', FieldType: 'Date', DateTimeValue: '01-02-2026' },
          { Label: 'Gewicht', FieldType: 'Decimal', DecimalValue: '1.50' },
          { Label: 'Lagen', FieldType: 'Integer', IntValue: 3 },
          { Label: 'Breekbaar', FieldType: 'Checkbox', BooleanValue: true },
        ],
      },
      { EAN: '8712345678906', StockUpdateMode: 'Absolute', NewStockQty: 7 },
    ];
    const otherShop = await openShop(app);
    for (const each of [shop, otherShop]) {
      await each.addCustomField({ label: 'Kleur', type: 'TextSmall' });
      await each.addCustomField({ label: 'Sinds', type: 'Date' });
      await each.addCustomField({ label: 'Gewicht', type: 'Decimal' });
      await each.addCustomField({ label: 'Lagen', type: 'Integer' });
      await each.addCustomField({ label: 'Breekbaar', type: 'Checkbox' });
    }
    const asked = [
      ...bodies.map((body, index) => update(`${index}`, body)),
      addition('new', { ArticleNumber: 'N1', NewName: 'Kast', NewStockQty: 3, NewPurchasePrice: 2 }),
    ];
    const endpoints = await administrations().open(otherShop.credential);
    const expected = [];
    for (const { name, request } of asked) {
      const answer = name === 'updateproduct' ? endpoints.updateproduct(request) : endpoints.addproduct(request);
      expected.push([await answer].flat()[0]);
    }
    const outcomes = await write(asked);
    expect(outcomes).toEqual(expected.map((product) => ({ kind: 'applied', product })));
    // Given again they are answered, by what was kept of the answers.
    const before = await snapshot(app.db, shop.administrationId);
    expect(await write(asked)).toEqual(outcomes);
    expect(await snapshot(app.db, shop.administrationId)).toEqual(before);
    expect(await shop.mutationsOf('0100')).toEqual(await otherShop.mutationsOf('0100'));
  });

  it('is applied once, within a call and across calls, and by another writer', async () => {
    const one = update('a', { NewStockQty: 1 });
    const five = update('b', { NewStockQty: 5 });
    expect((await write([one, one, five, one])).map(told)).toEqual(['11', '11', '16', '11']);
    expect((await write([five, update('c', { NewStockQty: 1 }), one])).map(told)).toEqual(['16', '17', '11']);
    expect((await write([one, five], await writerOf({}))).map(told)).toEqual(['11', '16']);
    expect(await stockOf('0100')).toBe(17);
    expect(await shop.mutationsOf('0100')).toHaveLength(4);
    expect(await remembered()).toEqual(['a', 'b', 'c']);
  });

  it('of the same key in another administration is another write', async () => {
    const other = await openShop(app);
    await write([update('a', { NewStockQty: 1 })]);
    const [outcome] = await write([update('a', { NewStockQty: 2 })], await administrations().writer(other.credential));
    expect(told(outcome!)).toBe('12');
    expect(await stockOf('0100')).toBe(11);
  });

  it('that is refused leaves nothing, and those beside it stand', async () => {
    const refused = [
      update('none', { ArticleNumber: 'nergens' }),
      update('category', { CategoryName: 'Nergens' }),
      // Refused last, after a category, a mutation and a batch were made.
      update('batch', {
        CategoryName: 'Half',
        CategoryCreateIfMissing: true,
        NewName: 'Half',
        NewStockQty: 1,
        BatchStockUpdateMode: 'Relative',
        BatchMatchMode: 'Description',
        Product_Batch: [
          { Description: 'Half', BatchStockQty: 1 },
          { Description: 'Half', BatchStockQty: '9999999999' },
        ],
      }),
      addition('made', {
        ArticleNumber: 'Half',
        NewName: 'Half',
        Product_CustomField: [{ Label: 'Nergens', FieldType: 'Integer', IntValue: 1 }],
      }),
    ];
    const before = await snapshot(app.db, shop.administrationId);
    const fields = [
      'refused ArticleNumber',
      'refused CategoryName',
      'refused Product_Batch[1].BatchStockQty',
      'refused Product_CustomField[0].Label',
    ];
    expect((await write(refused)).map(told)).toEqual(fields);
    expect(await snapshot(app.db, shop.administrationId)).toEqual(before);

    const among = refused.flatMap((each, index) => [each, update(`fine ${index}`, { NewStockQty: 1 })]);
    expect((await write(among)).map(told)).toEqual(fields.flatMap((field, index) => [field, String(11 + index)]));
    expect(await shop.categories()).toEqual([]);
    expect(await shop.batchesOf('0100')).toEqual([]);
    expect((await shop.mutationsOf('0100')).map(({ quantity }) => quantity)).toEqual(['10', '1', '1', '1', '1']);
    expect(await shop.refused('updateproduct', { ArticleNumber: 'Half' })).toEqual(['ArticleNumber']);
    expect(await remembered()).toEqual(['fine 0', 'fine 1', 'fine 2', 'fine 3']);
    expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  });

  it('that was refused may be given again, and is applied when nothing is against it any more', async () => {
    const asked = update('a', { CategoryName: 'Stoelen', NewStockQty: 1 });
    expect((await write([asked])).map(told)).toEqual(['refused CategoryName']);
    await shop.addCategory('Stoelen');
    expect((await write([asked, asked])).map(told)).toEqual(['11', '11']);
    expect(await stockOf('0100')).toBe(11);
  });

  it('sees what the one before it made', async () => {
    const outcomes = await write([
      addition('a', { ArticleNumber: 'N1', NewName: 'Kast', NewStockQty: 3 }),
      update('b', { ArticleNumber: 'N1', NewStockQty: 2 }),
      addition('c', { ArticleNumber: 'N1', NewName: 'Kast' }),
    ]);
    expect(outcomes.map(told)).toEqual(['3', '5', 'refused ArticleNumber']);
  });
});

it('whatever is given in whatever calls, however often, the stock is the sum of the writes that differ', async () => {
  const hundredths = fc.integer({ min: -99_999, max: 99_999 });
  const calls = fc.array(
    fc.record({ by: fc.nat({ max: 1 }), keys: fc.array(fc.nat({ max: 11 }), { maxLength: 15 }) }),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('0100', '0200', 'nergens'), hundredths), { minLength: 12, maxLength: 12 }),
      calls,
      fc.boolean(),
      async (moves, given, atOnce) => {
        shop = await openShop(app);
        const writers = [await writerOf({}), await writerOf({})];
        const asked = moves.map(([article, moved], index) =>
          update(`key ${index}`, { ArticleNumber: article, NewStockQty: (moved / 100).toFixed(2) }),
        );
        const call = ({ by, keys }: { by: number; keys: number[] }) =>
          write(
            keys.map((key) => asked[key]!),
            writers[by],
          );
        const outcomes: WriteOutcome[][] = [];
        if (atOnce) outcomes.push(...(await Promise.all(given.map(call))));
        else for (const each of given) outcomes.push(await call(each));

        const sums: Record<string, number> = { '0100': 1000, '0200': 10_000 };
        const seen = new Map<number, WriteOutcome>();
        for (const [index, { keys }] of given.entries()) {
          for (const [place, key] of keys.entries()) {
            const outcome = outcomes[index]![place]!;
            const [article, moved] = moves[key]!;
            expect(outcome.kind).toBe(article === 'nergens' ? 'refused' : 'applied');
            if (article !== 'nergens') expect(outcome).toEqual(seen.get(key) ?? outcome);
            if (!seen.has(key) && article !== 'nergens') sums[article]! += moved;
            seen.set(key, outcome);
          }
        }
        for (const [article, sum] of Object.entries(sums)) expect(await stockOf(article)).toBe(sum / 100);
        expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
      },
    ),
    { numRuns: databaseKind() === 'embedded' ? 15 : 40 },
  );
}, 300_000);

it('two that give the same writes at once, each from its own connection, have each applied once', async () => {
  const own = app.databaseUrl === '' ? undefined : await openDatabase(app.databaseUrl);
  const other = builtinAdministrations(own ?? app.db);
  const writers = [writer, await other.writer(shop.credential)];
  const asked = Array.from({ length: 200 }, (_, index) =>
    update(`key ${index}`, { ArticleNumber: index % 2 === 0 ? '0100' : '0200', NewStockQty: '0.01' }),
  );
  const parts = Array.from({ length: 10 }, (_, part) => asked.slice(part * 20, part * 20 + 20));
  const outcomes = await Promise.all(
    writers.map(async (by, index) => {
      const answered: WriteOutcome[] = [];
      for (const part of parts) {
        // One of them backwards: both come to every key, neither always first.
        answered.push(...(await write(index === 0 ? part : part.toReversed(), by)));
      }
      return answered;
    }),
  );
  expect(new Set(outcomes.flat().map(({ kind }) => kind))).toEqual(new Set(['applied']));
  expect(await stockOf('0100')).toBe(11);
  expect(await stockOf('0200')).toBe(101);
  expect(await shop.mutationsOf('0100')).toHaveLength(101);
  expect(await remembered()).toHaveLength(200);
  expect(await Array.fromAsync(checkAdministration(app.db, shop.administrationId))).toEqual([]);
  await own?.destroy();
}, 120_000);

describe('a call', () => {
  it('is announced before its transaction begins, and not carried out when that fails', async () => {
    const outcomes = await writer.write(
      [update('a', { NewStockQty: 1 })],
      // It would wait for the transaction until the end of days.
      async () => void (await shop.accepted('updateproduct', { ArticleNumber: '0100', NewStockQty: 5 })),
      new AbortController().signal,
    );
    expect(outcomes.map(told)).toEqual(['16']);
    const failing = writer.write(
      [update('b', { NewStockQty: 1 })],
      async () => {
        throw new Error('not written down');
      },
      new AbortController().signal,
    );
    await expect(failing).rejects.toThrow('not written down');
    expect(await stockOf('0100')).toBe(16);
  });

  it('that was given up before it began is neither announced nor carried out', async () => {
    const announced = vi.fn(async () => {});
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(writer.write([update('a', { NewStockQty: 1 })], announced, signal)).rejects.toThrow('cancelled');
    expect(announced).not.toHaveBeenCalled();
    expect(await stockOf('0100')).toBe(10);
  });

  it('without writes has no outcomes', async () => {
    expect(await write([])).toEqual([]);
  });

  it('in which something fails that should not, tells so, and leaves nothing', async () => {
    let reads = 0;
    const broken = await writerOf({
      clock: () => {
        reads++;
        return reads > 2 ? Number.NaN : NOW * 1000;
      },
    });
    const before = await snapshot(app.db, shop.administrationId);
    const asked = ['a', 'b', 'c'].map((key) => update(key, { NewStockQty: 1 }));
    await expect(write(asked, broken)).rejects.toThrow(RangeError);
    expect(await snapshot(app.db, shop.administrationId)).toEqual(before);
    expect((await write(asked)).map(told)).toEqual(['11', '12', '13']);
  });

  it('with a key that was revoked changes nothing: what was applied is told, the rest is refused, and no new writer is had', async () => {
    const [key] = await listKeys(app.db, shop.administrationId);
    expect((await write([update('a', { NewStockQty: 1 })])).map(told)).toEqual(['11']);
    await revokeKey(app.db, { administrationId: shop.administrationId, id: key!.id, now: BigInt(NOW) });
    const before = await snapshot(app.db, shop.administrationId);
    const outcomes = await write([update('a', { NewStockQty: 1 }), update('b', { NewStockQty: 1 })]);
    expect(outcomes).toMatchObject([
      { kind: 'applied', product: { StockQty: '11' } },
      { kind: 'refused', problem: { code: 'UNAUTHORIZED' } },
    ]);
    await expect(writerOf({})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await snapshot(app.db, shop.administrationId)).toEqual(before);
  });
});

it('nobody gets a writer for a credential that opens nothing', async () => {
  const wrong = { ...shop.credential, apiKey: 'wrong' };
  const refusal = await administrations()
    .writer(wrong)
    .catch((thrown) => thrown);
  expect(refusal).toBeInstanceOf(Problem);
  expect(refusal.code).toBe('UNAUTHORIZED');
});

it('what was applied before a moment can be forgotten, of every administration, and what came later is kept', async () => {
  const other = await openShop(app);
  let now = NOW + 1000;
  const later = administrations({ clock: () => now * 1000 });
  const writers = [await later.writer(shop.credential), await later.writer(other.credential)];
  for (const by of writers) await write([update('early', { NewStockQty: 1 })], by);
  now += 50;
  for (const by of writers) await write([update('late', { NewStockQty: 1 })], by);
  await later.appliedWrites!.forget(now - 49.5);
  expect(await remembered()).toEqual(['early', 'late']);
  await later.appliedWrites!.forget(now);
  expect(await remembered()).toEqual(['late']);
  for (const by of writers) {
    const again = await write([update('late', { NewStockQty: 1 }), update('early', { NewStockQty: 1 })], by);
    expect(again.map(told)).toEqual(['12', '13']);
  }
});

/** The connections to this database that wait for another's lock, once there are any. */
async function waitingForLocks(): Promise<bigint[]> {
  for (;;) {
    const { rows } = await sql<{ pid: bigint }>`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
    if (rows.length > 0) return rows.map(({ pid }) => pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('while the database has no time for it, a call is put off', () => {
  const putOff = { kind: 'deferred', problem: { code: 'INTERNAL' }, after: expect.any(Number) };

  it.skipIf(databaseKind() !== 'sqlite')('by another process that writes for too long', async () => {
    const own = await openDatabase(app.databaseUrl);
    const waiting = await builtinAdministrations(own).writer(shop.credential);
    const other = new DatabaseSync(app.databaseUrl.slice('sqlite:'.length));
    other.exec('begin immediate');
    const asked = [update('a', { NewStockQty: 1 }), update('b', { NewStockQty: 1 })];
    const outcomes = write(asked, waiting);
    // It tries again and again, until its patience is at an end: hours later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000_000 });
    expect(await outcomes).toMatchObject([putOff, putOff]);
    vi.useRealTimers();
    other.exec('rollback');
    other.close();
    expect((await write(asked, waiting)).map(told)).toEqual(['11', '12']);
    await own.destroy();
  });

  it.skipIf(databaseKind() !== 'sqlite')('by a disk that is full', async () => {
    const own = await openDatabase(app.databaseUrl);
    const full = await builtinAdministrations(own).writer(shop.credential);
    await sql`vacuum`.execute(own);
    const { rows } = await sql<{ page_count: bigint }>`pragma page_count`.execute(own);
    await sql`pragma max_page_count = ${sql.lit(Number(rows[0]!.page_count))}`.execute(own);
    const asked = Array.from({ length: 50 }, (_, index) =>
      update(`key ${index}`, { NewStockQty: 1, NewDescription: 'a'.repeat(400) }),
    );
    const before = await snapshot(app.db, shop.administrationId);
    const outcomes = await write(asked, full);
    expect(outcomes[0]).toMatchObject(putOff);
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['deferred']));
    expect(await snapshot(app.db, shop.administrationId)).toEqual(before);
    await sql`pragma max_page_count = 1000000`.execute(own);
    expect(told((await write(asked, full)).at(-1)!)).toBe('60');
    await own.destroy();
  });

  it.skipIf(databaseKind() !== 'server')('by a connection that is lost, and nothing of it is applied', async () => {
    const own = await openDatabase(app.databaseUrl);
    const waiting = await builtinAdministrations(own).writer(shop.credential);
    const asked = [update('a', { NewStockQty: 1 }), update('b', { NewStockQty: 1 })];
    const outcomes = await app.db.transaction().execute(async (trx) => {
      await trx.selectFrom('administration').where('id', '=', shop.administrationId).select('id').forUpdate().execute();
      const under = write(asked, waiting);
      // It waits for the administration: then its connection is ended.
      for (const pid of await waitingForLocks()) await sql`select pg_terminate_backend(${pid}::int)`.execute(app.db);
      return under;
    });
    expect(outcomes).toMatchObject([putOff, putOff]);
    expect(await stockOf('0100')).toBe(10);
    expect((await write(asked, waiting)).map(told)).toEqual(['11', '12']);
    await own.destroy();
  });

  it.skipIf(databaseKind() !== 'server')(
    'by a server that is out of reach, or whose word of the commit is lost: what was committed is answered then',
    async () => {
      const between = await proxyTo(app.databaseUrl);
      const own = await openDatabase(between.url);
      const far = await builtinAdministrations(own).writer(shop.credential);
      const asked = [update('a', { NewStockQty: 1 }), update('b', { NewStockQty: 1 })];
      between.behave('refuses');
      expect(await write(asked, far)).toMatchObject([putOff, putOff]);
      expect(await remembered()).toEqual([]);
      between.behave('loses the word of a commit');
      expect(await write(asked, far)).toMatchObject([putOff, putOff]);
      expect(await remembered()).toEqual(['a', 'b']);
      between.behave('passes everything on');
      expect((await write(asked, far)).map(told)).toEqual(['11', '12']);
      expect(await stockOf('0100')).toBe(12);
      await own.destroy();
      between.close();
    },
  );

  it.skipIf(databaseKind() !== 'server')('by a deadlock it had to give way in', async () => {
    // Somebody at the server itself, who takes the product first and then the administration.
    const outcomes = await app.db.transaction().execute(async (trx) => {
      await sql`set local deadlock_timeout = '1h'`.execute(trx);
      await sql`select * from product where administration_id = ${shop.administrationId} for update`.execute(trx);
      const under = write([update('a', { NewStockQty: 1 })]);
      await waitingForLocks();
      await sql`select * from administration where id = ${shop.administrationId} for update`.execute(trx);
      return under;
    });
    expect(outcomes).toMatchObject([putOff]);
    expect((await write([update('a', { NewStockQty: 1 })])).map(told)).toEqual(['11']);
  });
});

type ProxyMode = 'passes everything on' | 'refuses' | 'loses the word of a commit';

/** A server at another address, through which ours is reached as well as it behaves. */
async function proxyTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let proxyMode: ProxyMode = 'passes everything on';
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    if (proxyMode === 'refuses') return void client.destroy();
    const upstream = connect({ host: hostname, port: Number(port) });
    upstream.on('error', () => client.destroy());
    let committing = false;
    client.on('data', (chunk) => {
      committing = proxyMode === 'loses the word of a commit' && chunk.includes('commit');
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => void (committing ? client.destroy() : client.write(chunk)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) };
  return {
    url: Object.assign(new URL(url), at).href,
    behave(next: ProxyMode) {
      proxyMode = next;
      if (next === 'refuses') for (const socket of sockets) socket.destroy();
    },
    close: () => void server.close(),
  };
}
