import { hash, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import type { PushChanges } from '../../shared/resources/push.ts';
import { ignoreLog, startTestPushes } from '../../testing/pushes/testPushes.ts';
import { openShop } from '../../testing/shop.ts';
import type { Administrations } from '../administrations/administration.ts';
import { builtinAdministrations } from '../administrations/builtin/builtin.ts';
import { poisonOf } from '../storage/queue.ts';
import { PUSH_QUEUE } from './dependencies.ts';
import { pushSecrets } from './pushSecrets.ts';
import { noCounts, openPushStore } from './pushStore.ts';

/* Pushes without their HTTP functions: several instances on one storage account. */

const { storage, app, administrations, secretKey, open, pushes, other, messages, workOnMessages, ...test } =
  await startTestPushes();
const { newProduct, stockOf, begin, listedIds, owner, ownerOfCredential } = test;
const { credential } = app;
const changesOf = (id: string) => test.changesOf(pushes, credential, id);
/** Begins a push of one row, which adds one to the stock of a new product. */
const beginOne = async (instance = pushes) =>
  begin(instance, credential, randomUUID(), [
    { row: 2, update: { ArticleNumber: await newProduct(), NewStockQty: 1 } },
  ]);

afterEach(() => {
  vi.useRealTimers();
});

describe('two instances of the app', () => {
  it('begin one push for concurrent requests with the same key', async () => {
    const article = await newProduct();
    const rows = [{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }];
    const key = randomUUID();
    const begun = await Promise.all([pushes, other, pushes, other].map((one) => begin(one, credential, key, rows)));
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    // Each request sent a message; both instances receive each message.
    for (const message of await messages())
      await Promise.all([pushes.work(message, ignoreLog), other.work(message, ignoreLog)]);
    expect((await changesOf(begun[0]!.id!)).push).toMatchObject({ state: 'ended', counts: { applied: 1 } });
    expect(await stockOf(article)).toBe('1');
  });

  it('do not work for one credential at the same time', async () => {
    const { id } = await beginOne();
    const [message] = await messages();
    const lease = await storage.lease(`push-${message!.owner}`);
    await other.work(message!, ignoreLog);
    expect((await changesOf(id!)).push.state).toBe('waiting');
    await lease!.release();
    await other.work(message!, ignoreLog);
    expect((await changesOf(id!)).push.state).toBe('ended');
  });
});

describe('a push whose rows were stored in part', () => {
  it('is completed when the caller repeats the request with the same key', async () => {
    const rows = [{ row: 2, update: { ArticleNumber: await newProduct(), NewStockQty: 1 } }];
    const key = randomUUID();
    const push = await begin(pushes, credential, key, rows);
    // As a process leaves it that was killed before its last step.
    const store = openPushStore(storage, pushSecrets([secretKey]));
    const { head, version } = (await store.head(owner, push.id!))!;
    await store.replace({ ...head, state: 'receiving' }, version);
    await messages();
    expect(await listedIds(pushes, credential)).not.toContain(push.id);

    await begin(other, credential, key, rows);
    await workOnMessages(pushes);
    expect((await changesOf(push.id!)).push).toMatchObject({ state: 'ended', counts: { applied: 1 } });
  });
});

describe('a push whose message was lost', () => {
  it('gets a new message from the timer', async () => {
    const { id } = await beginOne();
    await messages();
    await other.maintain();
    const found = await messages();
    expect(found).toHaveLength(1);
    await other.work(found[0]!, ignoreLog);
    expect((await changesOf(id!)).push.state).toBe('ended');
  });

  it('gets no new message while a worker has its lease', async () => {
    await beginOne();
    const [message] = await messages();
    const lease = await storage.lease(`push-${message!.owner}`);
    await other.maintain();
    expect(await messages()).toEqual([]);
    await lease!.release();
    await pushes.work(message!, ignoreLog);
  });
});

describe('a push that somebody follows', () => {
  it('costs one request to the storage each time that there is nothing new', async () => {
    const { id } = await beginOne();
    await workOnMessages(pushes);
    const read: string[] = [];
    const counting = open({ storage: { ...storage, table: (name) => countingTable(storage.table(name), read) } });
    const { cursor } = JSON.parse(await counting.changes(credential, id!, '')) as PushChanges;
    expect(read).toEqual(['get', 'list']);
    read.length = 0;
    expect(JSON.parse(await counting.changes(credential, id!, cursor!))).toMatchObject({
      rows: [],
      cursor,
      more: false,
    });
    expect(read).toEqual(['get']);
  });

  /** A table, with the names of the requests to it. */
  const countingTable = <Table extends object>(table: Table, names: string[]): Table =>
    new Proxy(table, {
      get(target, name, receiver) {
        names.push(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
});

describe('a paused push', () => {
  it('that waits for downloads makes no further document once it is cancelled', async () => {
    const shop = await openShop(app);
    const unavailable = async () => ({ kind: 'refused', reason: 'it is not there' }) as const;
    const downloading = open({ administrations: builtinAdministrations(app.db, { download: unavailable }) });
    const files = Array.from({ length: 20 }, (_, file) => ({ FileUrl: `https://example.com/${file}.pdf` }));
    const line = { ProductNumber: '0100', Quantity: 1, UnitPriceExclTax: 10 };
    const request = { CustomerNumber: 7, Invoice_InvoiceLine: [line], Invoice_Attachment: files };
    const rows = [2, 3, 4, 5, 6].map((row) => ({ row, endpoint: 'addsalesinvoice', request }));
    const { id } = await begin(downloading, shop.credential, randomUUID(), rows);
    const countsNow = async () => (await test.changesOf(downloading, shop.credential, id!)).push.counts;
    // A key may download sixty files in a minute.
    await workOnMessages(downloading);
    expect(await countsNow()).toMatchObject({ applied: 3, cancelled: 0 });
    await downloading.cancel(shop.credential, id!, ignoreLog);
    await workOnMessages(downloading);
    expect(await countsNow()).toMatchObject({ applied: 3, cancelled: 2 });
  });

  it('gets no message before the end of the pause, unless it is cancelled', async () => {
    let requests = 0;
    // A remote service does not store which writes it applied.
    const { appliedWrites: _, ...remote } = administrations;
    const pausing = open({
      administrations: {
        ...remote,
        writer: async (one) => ({
          ...(await administrations.writer(one)),
          async write(writes) {
            requests++;
            const problem = new Problem('RATE_LIMIT', 'Later.');
            return writes.map(() => ({ kind: 'deferred', problem, after: 14 * 86_400_000 }));
          },
        }),
      },
    });
    const { id } = await beginOne(pausing);
    const [message] = await messages();
    await pausing.work(message!, ignoreLog);
    expect([requests, await messages()]).toEqual([1, []]);
    await pausing.maintain();
    await pausing.work(message!, ignoreLog);
    expect([requests, await messages()]).toEqual([1, []]);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 86_400_000 });
    await pausing.maintain();
    vi.useRealTimers();
    expect(await messages()).toHaveLength(1);

    await pausing.cancel(credential, id!, ignoreLog);
    await workOnMessages(pausing);
    expect((await changesOf(id!)).push).toMatchObject({
      state: 'ended',
      stopped: 'CANCELLED',
      counts: { cancelled: 1 },
    });
  });

  it('gets a message at once when a clock that was a day ahead stored the end of its pause', async () => {
    let isPausing = true;
    const { appliedWrites: _, ...remote } = administrations;
    const pausing = open({
      administrations: {
        ...remote,
        writer: async (one) => {
          const writer = await administrations.writer(one);
          const problem = new Problem('RATE_LIMIT', 'Later.');
          return {
            ...writer,
            write: async (writes, ...rest) =>
              isPausing
                ? writes.map(() => ({ kind: 'deferred', problem, after: 60_000 }))
                : writer.write(writes, ...rest),
          };
        },
      },
    });
    const { id } = await beginOne(pausing);
    const [message] = await messages();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    await pausing.work(message!, ignoreLog);
    vi.useRealTimers();
    expect((await changesOf(id!)).push).toMatchObject({ state: 'running', counts: { waiting: 1 } });
    isPausing = false;
    await pausing.maintain();
    await workOnMessages(pausing);
    expect((await changesOf(id!)).push).toMatchObject({ state: 'ended', counts: { applied: 1 } });
  });

  it('ends also when it is cancelled again, since the queue took no message the first time', async () => {
    const { id } = await beginOne();
    await messages();
    const queue = storage.queue(PUSH_QUEUE);
    const send = vi.fn(queue.send).mockRejectedValueOnce(new Error('The queue is away.'));
    const cancelling = open({ storage: { ...storage, queue: () => ({ ...queue, send }) } });
    await expect(cancelling.cancel(credential, id!, ignoreLog)).rejects.toThrow('The queue is away.');
    await cancelling.cancel(credential, id!, ignoreLog);
    await workOnMessages(pushes);
    expect((await changesOf(id!)).push).toMatchObject({ state: 'ended', counts: { cancelled: 1 } });
    // Of one that has ended nobody is told.
    await cancelling.cancel(credential, id!, ignoreLog);
    expect(await messages()).toEqual([]);
  });
});

describe('a slice of time', () => {
  it('leaves the remaining rows to the next message', async () => {
    const rows = [];
    for (let row = 0; row < 150; row++)
      rows.push({ row, update: { ArticleNumber: await newProduct(), NewStockQty: 1 } });
    const { id } = await begin(open({ slice: 1 }), credential, randomUUID(), rows);
    let slices = 0;
    for (; (await changesOf(id!)).push.state !== 'ended'; slices++) {
      if (slices === 200) throw new Error('It does not end.');
      // The first slice is too short for any row; each next one is longer.
      await workOnMessages(open({ slice: 5 * (slices + 1) }));
    }
    expect(slices).toBeGreaterThan(1);
    expect((await changesOf(id!)).push.counts).toMatchObject({ applied: 150 });
  });
});

describe('another API key of the same administration', () => {
  const rowsFor = (ArticleNumber: string, NewStockQty = 1) => [
    { row: 0, update: { ArticleNumber, NewStockQty, StockUpdateMode: 'Relative' } },
  ];

  it('repeats a push under its idempotency key: it is the same push, and applied once', async () => {
    const article = await newProduct();
    const rotated = await test.issueKey();
    const key = randomUUID();
    const first = await begin(pushes, credential, key, rowsFor(article));
    expect((await begin(pushes, rotated, key, rowsFor(article))).id).toBe(first.id);
    await workOnMessages(pushes);
    const { push, rows } = await test.changesOf(pushes, rotated, first.id!);
    expect(push.counts).toEqual({ ...noCounts(), applied: 1 });
    expect(rows.map(({ product }) => Number(product?.StockQty))).toEqual([1]);
    expect(push.by).toEqual({ username: credential.username.toLowerCase(), label: 'test' });
    expect(await stockOf(article)).toBe('1');
    await expect(begin(pushes, rotated, key, rowsFor(article, 5))).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('follows and cancels a push that was begun with a replaced key', async () => {
    const replaced = await test.issueKey();
    const article = await newProduct();
    const { id } = await begin(pushes, replaced, randomUUID(), rowsFor(article));
    await app.db
      .updateTable('api_key')
      .set({ revoked_on: 1n })
      .where('key_hash', '=', hash('sha256', replaced.apiKey))
      .execute();
    expect(await listedIds(pushes, credential)).toContain(id);
    expect((await changesOf(id!)).push).toMatchObject({ id, state: 'waiting' });
    await pushes.cancel(credential, id!, ignoreLog);
    await workOnMessages(pushes);
    expect((await changesOf(id!)).push).toMatchObject({ state: 'ended', counts: { cancelled: 1 } });
    await expect(pushes.changes(replaced, id!, '')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await stockOf(article)).toBe('0');
  });

  it('of another administration sees none of them', async () => {
    const { credential: others } = await app.addAdministration();
    const { id } = await beginOne();
    expect(await listedIds(pushes, others)).toEqual([]);
    await expect(pushes.changes(others, id!, '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(pushes.cancel(others, id!, ignoreLog)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await workOnMessages(pushes);
  });
});

describe('a push that an earlier version stored under its credential', () => {
  it('is found and finished, and the same request gets it; new ones wait behind it', async () => {
    const mine = await test.issueKey();
    const article = await newProduct();
    const key = randomUUID();
    const rows = [{ row: 0, update: { ArticleNumber: article, NewStockQty: 1, StockUpdateMode: 'Relative' } }];
    const older = open({
      administrations: { ...administrations, identify: async () => ({ kind: 'remote', service: '' }) },
    });
    const { id } = await begin(older, mine, key, rows);
    const [message] = await messages();
    expect(message!.owner).toBe(ownerOfCredential(mine));

    expect((await begin(pushes, mine, key, rows)).id).toBe(id);
    const later = await begin(pushes, mine, randomUUID(), rows);
    expect(await listedIds(pushes, mine)).toEqual(expect.arrayContaining([id, later.id]));
    await pushes.work(message!, ignoreLog);
    expect((await test.changesOf(pushes, mine, id!)).push).toMatchObject({ state: 'ended', counts: { applied: 1 } });
    expect(await stockOf(article)).toBe('2');

    await messages();
    await begin(pushes, mine, randomUUID(), rows);
    const [next] = await messages();
    expect(next!.owner).toBe(owner);
    await pushes.work(next!, ignoreLog);
    expect(await stockOf(article)).toBe('3');
  });
});

describe('an app that stops', () => {
  it('waits for the rows that are being sent, and leaves the others to a later message', async () => {
    const rows = [];
    for (let row = 0; row < 3; row++) {
      rows.push({ row, update: { ArticleNumber: await newProduct(), NewStockQty: 1, StockUpdateMode: 'Relative' } });
    }
    const { id } = await begin(pushes, credential, randomUUID(), rows);
    const [message] = await messages();
    const steps: string[] = [];
    const { promise: isSending, resolve: startSending } = Promise.withResolvers<void>();
    const { promise: isStopping, resolve: startStopping } = Promise.withResolvers<void>();
    const slow: Administrations = {
      ...administrations,
      async writer(one) {
        const writer = await administrations.writer(one);
        return {
          ...writer,
          batchSize: 1,
          async write(writes, onSending, signal) {
            const sending = async () => {
              await onSending();
              startSending();
              await isStopping;
            };
            const outcomes = await writer.write(writes, sending, signal);
            steps.push('applied');
            return outcomes;
          },
        };
      },
    };
    const stopped = open({ administrations: slow });
    const working = stopped.work(message!, ignoreLog).then(() => steps.push('worked'));
    await isSending;
    const stopping = stopped.stop().then(() => steps.push('stopped'));
    startStopping();
    await stopping;
    await working;
    expect(steps.filter((step) => step === 'applied')).toHaveLength(1);
    expect(steps.indexOf('applied')).toBeLessThan(steps.indexOf('stopped'));
    expect((await changesOf(id!)).push.counts).toMatchObject({ applied: 1, sending: 0, unknown: 0 });
    const remaining = await messages();
    expect(remaining).toHaveLength(1);
    await pushes.work(remaining[0]!, ignoreLog);
    expect((await changesOf(id!)).push.counts).toMatchObject({ applied: 3 });
  });
});

describe('messages in the poison queue', () => {
  it('make the health of pushes degraded', async () => {
    expect(await pushes.health()).toEqual({ status: 'ok', poisoned: 0 });
    await storage.queue(poisonOf(PUSH_QUEUE)).send({ owner: 'x' });
    expect(await pushes.health()).toEqual({ status: 'degraded', poisoned: 1 });
    await (await storage.queueClient(poisonOf(PUSH_QUEUE))).clearMessages();
  });

  it('are none when somebody has removed it with them', async () => {
    await storage.queue(poisonOf(PUSH_QUEUE)).send({ owner: 'x' });
    expect(await pushes.health()).toEqual({ status: 'degraded', poisoned: 1 });
    await (await storage.queueClient(poisonOf(PUSH_QUEUE))).delete();
    expect(await pushes.health()).toEqual({ status: 'ok', poisoned: 0 });
  });
});
