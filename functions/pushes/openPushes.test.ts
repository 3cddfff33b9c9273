import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Credential } from '../../shared/client/client.ts';
import { Problem } from '../../shared/problem.ts';
import type { Push, PushChanges } from '../../shared/resources/push.ts';
import { startApp, type TestAdministration, type TestApp } from '../../testing/app.ts';
import { type TestStorage, testStorage } from '../../testing/storage.ts';
import type { Administrations } from '../administrations/administration.ts';
import { builtinAdministrations } from '../administrations/builtin/builtin.ts';
import { issueKey, revokeKey } from '../administrations/builtin/setup/keys.ts';
import { poisonOf } from '../storage/queue.ts';
import { PUSH_QUEUE } from './dependencies.ts';
import { credentialSecrets } from './encryptedCredential.ts';
import { openPushes, type Pushes } from './openPushes.ts';
import { noCounts, openPushStore } from './pushStore.ts';
import { workPush } from './workPush.ts';

/*
 * Pushes below their functions: several instances on one storage account, messages handed out by the test.
 */

const { storage } = await testStorage();
const secretKey = randomBytes(32);
const ownerOf = (credential: Credential, key: Buffer): string => credentialSecrets([key]).ownersOf(credential)[0];
let app: TestApp;
let administrations: Administrations;
let pushes: Pushes;
let other: Pushes;
const log = () => {};

const open = (more: Partial<Parameters<typeof openPushes>[0]> = {}) =>
  openPushes({ storage, administrations, secretKeys: [secretKey], days: 30, ...more });

beforeAll(async () => {
  app = await startApp();
  administrations = builtinAdministrations(app.db);
  pushes = await open();
  other = await open();
});
afterAll(() => app.close());
beforeEach(async () => {
  await (await storage.queueClient(PUSH_QUEUE)).clearMessages();
});
afterEach(() => {
  vi.useRealTimers();
});

let made = 0;
async function newProduct(): Promise<string> {
  const articleNumber = `P-${++made}`;
  await app.addProduct({ articleNumber, name: `Product ${made}`, stock: '0' });
  return articleNumber;
}
const stockOf = async (ArticleNumber: string) => (await app.client.updateproduct({ ArticleNumber })).StockQty;

async function begin(instance: Pushes, key: string, update: object): Promise<Push> {
  return JSON.parse(await instance.begin(app.credential, key, { rows: [{ row: 2, update }] }, log)).push;
}
const told = async (id: string): Promise<PushChanges> => JSON.parse(await pushes.changes(app.credential, id, ''));

async function revokeKeyOf({ administrationId }: TestAdministration): Promise<void> {
  const { id } = await app.db
    .selectFrom('api_key')
    .where('administration_id', '=', administrationId)
    .select('id')
    .executeTakeFirstOrThrow();
  await revokeKey(app.db, { administrationId, id, now: 1_800_000_000n });
}

/** The messages that can be seen, taken from the queue. */
async function messages(of: TestStorage = storage): Promise<{ owner: string; tries?: number }[]> {
  const queue = await of.queueClient(PUSH_QUEUE);
  const { receivedMessageItems } = await queue.receiveMessages({ numberOfMessages: 32 });
  for (const { messageId, popReceipt } of receivedMessageItems) await queue.deleteMessage(messageId, popReceipt);
  return receivedMessageItems.map(({ messageText }) => JSON.parse(Buffer.from(messageText, 'base64').toString()));
}

describe('two instances of the app', () => {
  it('begin one push for one key, asked at the same time', async () => {
    const update = { ArticleNumber: await newProduct(), NewStockQty: 1 };
    const key = randomUUID();
    const begun = await Promise.all([pushes, other, pushes, other].map((one) => begin(one, key, update)));
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1);
    // A message for each, and each handed out twice, to both.
    for (const message of await messages()) await Promise.all([pushes.work(message, log), other.work(message, log)]);
    expect((await told(begun[0]!.id)).push).toMatchObject({ state: 'ended', counts: { applied: 1 } });
    expect(await stockOf(update.ArticleNumber)).toBe('1');
  });

  it('do not work for one credential at the same time', async () => {
    const { id } = await begin(pushes, randomUUID(), { ArticleNumber: await newProduct(), NewStockQty: 1 });
    const [message] = await messages();
    const lease = await storage.lease(`push-${message!.owner}`);
    await other.work(message!, log);
    expect((await told(id)).push.state).toBe('waiting');
    await lease!.release();
    await other.work(message!, log);
    expect((await told(id)).push.state).toBe('ended');
  });
});

describe('a caller that broke off while its rows were stored', () => {
  it('gets its push when it comes back with the same key', async () => {
    const article = await newProduct();
    const [key, body] = [randomUUID(), { rows: [{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }] }];
    const { push } = JSON.parse(await pushes.begin(app.credential, key, body, log)) as { push: Push };
    // As it is left by a process that was killed before the last of its steps.
    const store = openPushStore(storage);
    const owner = ownerOf(app.credential, secretKey);
    const { head, version } = (await store.head(owner, push.id))!;
    await store.replace({ ...head, state: 'receiving' }, version);
    await messages();
    expect(JSON.parse(await pushes.list(app.credential)).pushes.map(({ id }: Push) => id)).not.toContain(push.id);

    await other.begin(app.credential, key, body, log);
    for (const message of await messages()) await pushes.work(message, log);
    expect((await told(push.id)).push).toMatchObject({ state: 'ended', counts: { applied: 1 } });
  });
});

describe('a push whose message was lost', () => {
  it('is taken up by the timer', async () => {
    const { id } = await begin(pushes, randomUUID(), { ArticleNumber: await newProduct(), NewStockQty: 1 });
    await messages();
    await other.maintain();
    const found = await messages();
    expect(found).toHaveLength(1);
    await other.work(found[0]!, log);
    expect((await told(id)).push.state).toBe('ended');
  });

  it('is left to whoever works on it', async () => {
    await begin(pushes, randomUUID(), { ArticleNumber: await newProduct(), NewStockQty: 1 });
    const [message] = await messages();
    const lease = await storage.lease(`push-${message!.owner}`);
    await other.maintain();
    expect(await messages()).toEqual([]);
    await lease!.release();
    await pushes.work(message!, log);
  });
});

describe('a push that ended', () => {
  it('is kept for as many days as is set, and then gone with all that belonged to it', async () => {
    const { id } = await begin(pushes, randomUUID(), { ArticleNumber: await newProduct(), NewStockQty: 1 });
    for (const message of await messages()) await pushes.work(message, log);
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 29.9 * 86_400_000 });
    await pushes.maintain();
    expect((await told(id)).push.state).toBe('ended');
    vi.setSystemTime(now + 30.1 * 86_400_000);
    await pushes.maintain();
    await expect(told(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    vi.useRealTimers();
    for await (const { rowKey } of (await storage.tableClient('pushes')).listEntities())
      expect(rowKey).not.toContain(id);
  });
});

describe('a push that has not ended', () => {
  it('is never removed, however long it takes, and what it applied is remembered', async () => {
    const forgotten: number[] = [];
    const instance = await open({
      administrations: {
        ...administrations,
        appliedWrites: {
          ...administrations.appliedWrites!,
          forget: async (before) => {
            forgotten.push(before);
            await administrations.appliedWrites!.forget(before);
          },
        },
      },
    });
    const article = await newProduct();
    const { id, createdOn } = await begin(instance, randomUUID(), { ArticleNumber: article, NewStockQty: 1 });
    await messages();
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 40 * 86_400_000 });
    await instance.maintain();
    expect((await told(id)).push.state).toBe('waiting');
    expect(forgotten[0]).toBeLessThanOrEqual(Number(createdOn));
    vi.useRealTimers();
    const store = openPushStore(storage);
    await pushes.work({ owner: ownerOf(app.credential, secretKey) }, log);
    expect((await store.head(ownerOf(app.credential, secretKey), id))!.head.state).toBe('ended');
    expect(await stockOf(article)).toBe('1');
  });

  it('but was begun with a secret key that is gone is removed after as many days', async () => {
    const lost = randomBytes(32);
    const { id } = await begin(await open({ secretKeys: [lost] }), randomUUID(), { ArticleNumber: await newProduct() });
    await messages();
    const there = async () => openPushStore(storage).head(ownerOf(app.credential, lost), id);
    await pushes.maintain();
    expect(await there()).toBeDefined();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 });
    await pushes.maintain();
    vi.useRealTimers();
    expect(await there()).toBeUndefined();
  });
});

describe('another secret key', () => {
  it('loses no push that was begun under the one before it', async () => {
    const article = await newProduct();
    const [key, body] = [randomUUID(), { rows: [{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }] }];
    const { push } = JSON.parse(await pushes.begin(app.credential, key, body, log)) as { push: Push };
    const waiting = await begin(pushes, randomUUID(), { ArticleNumber: article, NewSalePrice: 2 });
    const queued = await messages();

    const renewed = await open({ secretKeys: [randomBytes(32), secretKey] });
    // The same key is the same push, and a new one waits for those before it.
    expect(JSON.parse(await renewed.begin(app.credential, key, body, log)).push.id).toBe(push.id);
    const later = await begin(renewed, randomUUID(), { ArticleNumber: article, NewSalePrice: 3 });
    expect(JSON.parse(await renewed.cancel(app.credential, waiting.id, log)).push.id).toBe(waiting.id);
    for (const message of queued) await renewed.work(message, log);
    const stateOf = async ({ id }: Push) => JSON.parse(await renewed.changes(app.credential, id, '')).push;
    expect(await stateOf(push)).toMatchObject({ state: 'ended', counts: { applied: 1 } });
    expect(await stateOf(waiting)).toMatchObject({ state: 'ended', counts: { cancelled: 1 } });
    expect(await stateOf(later)).toMatchObject({ state: 'ended', counts: { applied: 1 } });
    expect(await stockOf(article)).toBe('1');

    // With nothing left to wait for, what begins is of the new key alone; the list has both.
    await messages();
    const { id } = await begin(renewed, randomUUID(), { ArticleNumber: article, NewSalePrice: 4 });
    const [message] = await messages();
    expect(message!.owner).not.toBe(ownerOf(app.credential, secretKey));
    await renewed.work(message!, log);
    const listed = JSON.parse(await renewed.list(app.credential)).pushes.map((one: Push) => one.id);
    expect(listed).toEqual(expect.arrayContaining([id, push.id, waiting.id, later.id]));
    expect(JSON.parse(await pushes.list(app.credential)).pushes.map((one: Push) => one.id)).not.toContain(id);
    await expect(renewed.changes(app.credential, '../x', '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a key that is revoked while its push waits', () => {
  it('stops the push, and nothing is applied', async () => {
    const theirs = await app.addAdministration();
    await theirs.addProduct({ articleNumber: 'T-1', name: 'Theirs', stock: '0' });
    const rows = [{ row: 2, update: { ArticleNumber: 'T-1', NewStockQty: 1 } }];
    const { push } = JSON.parse(await pushes.begin(theirs.credential, randomUUID(), { rows }, log)) as { push: Push };
    const [message] = await messages();
    await revokeKeyOf(theirs);
    await pushes.work(message!, log);
    const { head } = (await openPushStore(storage).head(message!.owner, push.id))!;
    expect(head).toMatchObject({
      state: 'ended',
      stopped: 'UNAUTHORIZED',
      credential: '',
      counts: { ...noCounts(), cancelled: 1 },
    });
    await expect(pushes.changes(theirs.credential, push.id, '')).rejects.toBeInstanceOf(Problem);
    const { stock } = await app.db
      .selectFrom('product')
      .where('administration_id', '=', theirs.administrationId)
      .select('stock')
      .executeTakeFirstOrThrow();
    expect(stock).toBe(0n);
  });
});

describe('a key that is revoked after a worker died', () => {
  it('leaves no row of ours in doubt: what was applied is told, what was not is refused', async () => {
    const theirs = await app.addAdministration();
    const rows = [];
    for (let row = 0; row < 120; row++) {
      await theirs.addProduct({ articleNumber: `R-${row}`, name: 'Theirs', stock: '0' });
      rows.push({ row, update: { ArticleNumber: `R-${row}`, NewStockQty: 1 } });
    }
    const { push } = JSON.parse(await pushes.begin(theirs.credential, randomUUID(), { rows }, log)) as { push: Push };
    const [message] = await messages();
    const store = openPushStore(storage);
    const writer = await administrations.writer(theirs.credential);
    // It dies when its first rows are applied, and before it can tell.
    let died = () => {};
    const death = new Promise<void>((resolve) => {
      died = resolve;
    });
    const crashing: typeof writer = {
      ...writer,
      async write(...given) {
        await writer.write(...given);
        died();
        return new Promise(() => {});
      },
    };
    const dependencies = {
      store,
      secrets: credentialSecrets([secretKey]),
      report: () => {},
      administrations: { ...administrations, writer: async () => crashing },
    };
    workPush(dependencies, { owner: message!.owner, id: push.id }, new AbortController().signal);
    await death;
    await revokeKeyOf(theirs);

    await pushes.work(message!, log);
    const { head } = (await store.head(message!.owner, push.id))!;
    const applied = await app.db
      .selectFrom('product')
      .where('administration_id', '=', theirs.administrationId)
      .where('stock', '>', 0n)
      .select('id')
      .execute();
    expect(applied).toHaveLength(writer.batchSize);
    expect(head).toMatchObject({ state: 'ended', stopped: 'UNAUTHORIZED', counts: { unknown: 0, applied: 50 } });
    expect(head.counts.refused + head.counts.cancelled).toBe(70);
  });
});

describe('a push that rests because it was asked to', () => {
  it('is left alone until then, unless it is cancelled', async () => {
    let asked = 0;
    // A service elsewhere: it remembers nothing.
    const { appliedWrites: _, ...elsewhere } = administrations;
    const pausing = await open({
      administrations: {
        ...elsewhere,
        writer: async (credential) => ({
          ...(await administrations.writer(credential)),
          async write(writes) {
            asked++;
            const problem = new Problem('RATE_LIMIT', 'Later.');
            return writes.map(() => ({ kind: 'deferred', problem, after: 14 * 86_400_000 }));
          },
        }),
      },
    });
    const { id } = await begin(pausing, randomUUID(), { ArticleNumber: await newProduct(), NewStockQty: 1 });
    const [message] = await messages();
    await pausing.work(message!, log);
    expect([asked, await messages()]).toEqual([1, []]);
    await pausing.maintain();
    await pausing.work(message!, log);
    expect([asked, await messages()]).toEqual([1, []]);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 86_400_000 });
    await pausing.maintain();
    vi.useRealTimers();
    expect(await messages()).toHaveLength(1);

    await pausing.cancel(app.credential, id, log);
    const [cancelled] = await messages();
    await pausing.work(cancelled!, log);
    expect((await told(id)).push).toMatchObject({ state: 'ended', stopped: 'CANCELLED', counts: { cancelled: 1 } });
  });
});

describe('a slice of time', () => {
  it('that is over leaves the rest to a message', async () => {
    const brief = await open({ slice: 1 });
    const rows = [];
    for (let row = 0; row < 150; row++)
      rows.push({ row, update: { ArticleNumber: await newProduct(), NewStockQty: 1 } });
    const { push } = JSON.parse(await brief.begin(app.credential, randomUUID(), { rows }, log)) as { push: Push };
    let slices = 0;
    for (; (await told(push.id)).push.state !== 'ended'; slices++) {
      if (slices === 200) throw new Error('It does not end.');
      // The first one is too brief to do anything; each next one has more time.
      const some = await open({ slice: 5 * (slices + 1) });
      for (const message of await messages()) await some.work(message, log);
    }
    expect(slices).toBeGreaterThan(1);
    expect((await told(push.id)).push.counts).toMatchObject({ applied: 150 });
  });
});

describe('the same push under another key of its administration', () => {
  it('applies once, and tells the products of all rows', async () => {
    const articles = [await newProduct(), await newProduct(), await newProduct()];
    const rows = articles.map((ArticleNumber, row) => ({
      row,
      update: { ArticleNumber, NewStockQty: 1, StockUpdateMode: 'Relative' },
    }));
    const rotated = {
      username: app.credential.username,
      apiKey: await issueKey(app.db, {
        administrationId: app.administrationId,
        username: app.credential.username,
        label: 'rotated',
        now: 1_700_000_000n,
      }),
    };
    const key = randomUUID();
    const first = JSON.parse(await pushes.begin(app.credential, key, { rows }, log)).push;
    for (const message of await messages()) await pushes.work(message, log);
    const second = JSON.parse(await pushes.begin(rotated, key, { rows }, log)).push;
    for (const message of await messages()) await pushes.work(message, log);
    const { push, rows: told } = JSON.parse(await pushes.changes(rotated, second.id, '')) as PushChanges;
    expect(push.counts).toEqual({ ...noCounts(), applied: 3 });
    expect(told.map(({ product }) => Number(product?.StockQty))).toEqual([1, 1, 1]);
    for (const article of articles) expect(await stockOf(article)).toBe('1');
    expect(second.id).not.toBe(first.id);

    // Other rows under that key are another push.
    const more = [{ row: 0, update: { ArticleNumber: articles[0], NewStockQty: 5, StockUpdateMode: 'Relative' } }];
    const third = {
      ...rotated,
      apiKey: await issueKey(app.db, {
        administrationId: app.administrationId,
        username: rotated.username,
        label: 'x',
        now: 1_700_000_000n,
      }),
    };
    await pushes.begin(third, key, { rows: more }, log);
    for (const message of await messages()) await pushes.work(message, log);
    expect(await stockOf(articles[0]!)).toBe('6');
  });
});

describe('a key that may only read', () => {
  it('begins and cancels no push, and is told why', async () => {
    const { username } = app.credential;
    const { administrationId } = app;
    const readOnly = {
      username,
      apiKey: await issueKey(app.db, { administrationId, username, label: '', now: 1n, scope: 'read' }),
    };
    const rows = [{ row: 0, update: { ArticleNumber: await newProduct(), NewSalePrice: 1 } }];
    const forbidden = { code: 'FORBIDDEN', message: 'This API key may only read.' };
    await expect(pushes.authorize(readOnly)).rejects.toMatchObject(forbidden);
    await expect(pushes.begin(readOnly, randomUUID(), { rows }, log)).rejects.toMatchObject(forbidden);
    await expect(pushes.cancel(readOnly, 'a'.repeat(32), log)).rejects.toMatchObject(forbidden);
    expect(JSON.parse(await pushes.list(readOnly))).toMatchObject({ pushes: [] });
  });
});

describe('an app that stops', () => {
  it('waits for what is being sent, sends nothing more, and leaves the rest to a later message', async () => {
    const rows = [];
    for (let row = 0; row < 3; row++) {
      rows.push({ row, update: { ArticleNumber: await newProduct(), NewStockQty: 1, StockUpdateMode: 'Relative' } });
    }
    const { push } = JSON.parse(await pushes.begin(app.credential, randomUUID(), { rows }, log)) as { push: Push };
    const [message] = await messages();
    const steps: string[] = [];
    let begun = () => {};
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow: Administrations = {
      ...administrations,
      async writer(credential) {
        const writer = await administrations.writer(credential);
        return {
          ...writer,
          batchSize: 1,
          async write(writes, onSending, signal) {
            const sending = async () => {
              await onSending();
              begun();
              await new Promise((resolve) => setTimeout(resolve, 500));
            };
            const outcomes = await writer.write(writes, sending, signal);
            steps.push('applied');
            return outcomes;
          },
        };
      },
    };
    const stopped = open({ administrations: slow });
    const working = stopped.work(message!, log).then(() => steps.push('worked'));
    await isBegun;
    await stopped.stop();
    steps.push('stopped');
    await working;
    expect(steps.filter((step) => step === 'applied')).toHaveLength(1);
    expect(steps.indexOf('applied')).toBeLessThan(steps.indexOf('stopped'));
    expect((await told(push.id)).push.counts).toMatchObject({ applied: 1, sending: 0, unknown: 0 });
    const left = await messages();
    expect(left).toHaveLength(1);
    await pushes.work(left[0]!, log);
    expect((await told(push.id)).push.counts).toMatchObject({ applied: 3 });
  });
});

describe('messages that failed too often', () => {
  it('are seen in the health of pushes', async () => {
    expect(await pushes.health()).toEqual({ status: 'ok', poisoned: 0 });
    await storage.queue(poisonOf(PUSH_QUEUE)).send({ owner: 'x' });
    expect(await pushes.health()).toEqual({ status: 'degraded', poisoned: 1 });
    await (await storage.queueClient(poisonOf(PUSH_QUEUE))).clearMessages();
  });
});
