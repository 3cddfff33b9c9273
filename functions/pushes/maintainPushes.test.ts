import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Push } from '../../shared/resources/push.ts';
import { ignoreLog, startTestPushes } from '../../testing/pushes/testPushes.ts';
import { anonymiseRelation } from '../administrations/builtin/anonymise/anonymiseRelation.ts';
import { pushSecrets } from './pushSecrets.ts';
import { openPushStore } from './pushStore.ts';

/* How long pushes are stored, also when the secret key changes. */

const { storage, app, administrations, secretKey, open, pushes, messages, workOnMessages, ...test } =
  await startTestPushes();
const { newProduct, stockOf, begin, changesOf, listedIds, owner } = test;
const { credential } = app;
const beginOne = (instance: typeof pushes, update: object) =>
  begin(instance, credential, randomUUID(), [{ row: 2, update }]);
const inDays = (days: number): number => Date.now() + days * 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

describe('an ended push', () => {
  it('is removed with all its rows after the days of the settings', async () => {
    const { id } = await beginOne(pushes, { ArticleNumber: await newProduct(), NewStockQty: 1 });
    await workOnMessages(pushes);
    const [before, after] = [inDays(29.9), inDays(30.1)];
    vi.useFakeTimers({ toFake: ['Date'], now: before });
    await pushes.maintain();
    expect((await changesOf(pushes, credential, id!)).push.state).toBe('ended');
    vi.setSystemTime(after);
    await pushes.maintain();
    await expect(changesOf(pushes, credential, id!)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    vi.useRealTimers();
    for await (const { rowKey } of (await storage.tableClient('pushes')).listEntities())
      expect(rowKey).not.toContain(id);
  });
});

describe('an ended push of documents', () => {
  it('is removed when a relation of its administration was anonymised, and pushes of products are not', async () => {
    const { id: relationId } = await app.addRelation({ name: 'Familie Zwartkoning', customerNumber: 77 });
    const line = { SubTotalInclTax: 121, TaxPc: 21 };
    const request = { CustomerNumber: 77, InvoiceNotes: 'Zwartkoning', Invoice_InvoiceLine: [line] };
    const document = await begin(pushes, credential, randomUUID(), [
      { row: 2, endpoint: 'addsalestransaction', request },
    ]);
    const product = await beginOne(pushes, { ArticleNumber: await newProduct(), NewStockQty: 1 });
    await workOnMessages(pushes);
    await pushes.maintain();
    expect((await changesOf(pushes, credential, document.id!)).push.state).toBe('ended');
    const relation = await app.db
      .selectFrom('relation')
      .where('id', '=', relationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    await anonymiseRelation(app.db, relation, () => BigInt(Math.floor(Date.now() / 1000)));
    await pushes.maintain();
    await expect(changesOf(pushes, credential, document.id!)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await changesOf(pushes, credential, product.id!)).push.state).toBe('ended');
  });
});

describe('an unfinished push', () => {
  it('is never removed, nor are the keys of its applied rows', async () => {
    const removedBefore: number[] = [];
    const appliedWrites = administrations.appliedWrites!;
    const instance = open({
      administrations: {
        ...administrations,
        appliedWrites: {
          ...appliedWrites,
          forget: async (before) => {
            removedBefore.push(before);
            await appliedWrites.forget(before);
          },
        },
      },
    });
    const article = await newProduct();
    const { id, createdOn } = await beginOne(instance, { ArticleNumber: article, NewStockQty: 1 });
    await messages();
    vi.useFakeTimers({ toFake: ['Date'], now: inDays(40) });
    await instance.maintain();
    expect((await changesOf(pushes, credential, id!)).push.state).toBe('waiting');
    expect(removedBefore[0]).toBeLessThanOrEqual(Number(createdOn));
    vi.useRealTimers();
    await pushes.work({ owner }, ignoreLog);
    expect((await openPushStore(storage, pushSecrets([secretKey])).head(owner, id!))!.head.state).toBe('ended');
    expect(await stockOf(article)).toBe('1');
  });

  it('is removed after the days of the settings when its secret key is lost', async () => {
    const lost = randomBytes(32);
    const { id } = await beginOne(open({ secretKeys: [lost] }), { ArticleNumber: await newProduct() });
    await messages();
    const head = async () => openPushStore(storage, pushSecrets([secretKey])).head(owner, id!);
    await pushes.maintain();
    expect(await head()).toBeDefined();
    vi.useFakeTimers({ toFake: ['Date'], now: inDays(31) });
    await pushes.maintain();
    vi.useRealTimers();
    expect(await head()).toBeUndefined();
  });

  describe('whose secret key is lost', () => {
    const lost = open({ secretKeys: [randomBytes(32)] });
    const isStored = async ({ id }: Push) => (await listedIds(pushes, credential)).includes(id);
    /** What a timer and its message do so many minutes later. */
    const inMinutes = async (minutes: number, instance = pushes): Promise<void> => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
      for (let tries = 0; tries < 3; tries++) await instance.work({ owner }, ignoreLog).catch(() => {});
    };

    it('is removed when others of its administration waited an hour for it, and may be sent again', async () => {
      const [article, other] = [await newProduct(), await newProduct()];
      const key = randomUUID();
      const rows = [{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }];
      const push = await begin(lost, credential, key, rows);
      await inMinutes(0);
      await inMinutes(61);
      // It is in nobody's way, and the key may be found.
      expect(await isStored(push)).toBe(true);
      const later = await beginOne(pushes, { ArticleNumber: other, NewStockQty: 1 });
      await inMinutes(1);
      expect(await isStored(push)).toBe(false);
      expect((await changesOf(pushes, credential, later.id!)).push).toMatchObject({ counts: { applied: 1 } });
      await begin(pushes, credential, key, rows);
      await inMinutes(1);
      expect([await stockOf(article), await stockOf(other)]).toEqual(['1', '1']);
    });

    it('is removed after an hour also when it was found unreadable while the clock was a day ahead', async () => {
      const push = await beginOne(lost, { ArticleNumber: await newProduct(), NewStockQty: 1 });
      const later = await beginOne(pushes, { ArticleNumber: await newProduct(), NewStockQty: 1 });
      await inMinutes(24 * 60);
      // The clock is right again.
      vi.useRealTimers();
      await inMinutes(0);
      await inMinutes(59);
      expect(await isStored(push)).toBe(true);
      await inMinutes(2);
      expect(await isStored(push)).toBe(false);
      expect((await changesOf(pushes, credential, later.id!)).push).toMatchObject({ counts: { applied: 1 } });
    });

    it('is removed an hour after it was cancelled, too', async () => {
      const push = await beginOne(lost, { ArticleNumber: await newProduct(), NewStockQty: 1 });
      await pushes.cancel(credential, push.id!, ignoreLog);
      await inMinutes(0);
      await inMinutes(59);
      expect(await isStored(push)).toBe(true);
      await inMinutes(2);
      expect(await isStored(push)).toBe(false);
    });

    it('stays before later ones while an instance that has the key works on it', async () => {
      const article = await newProduct();
      const push = await beginOne(lost, { ArticleNumber: article, NewSalePrice: 1 });
      const later = await beginOne(pushes, { ArticleNumber: article, NewSalePrice: 2 });
      await inMinutes(0);
      await inMinutes(59);
      expect(await isStored(push)).toBe(true);
      expect((await changesOf(pushes, credential, later.id!)).push.state).toBe('waiting');
      await inMinutes(1, lost);
      expect((await changesOf(lost, credential, push.id!)).push).toMatchObject({ counts: { applied: 1 } });
      await inMinutes(1);
      expect((await app.client.updateproduct({ ArticleNumber: article })).Price).toBe('2');
    });
  });
});

describe('a new secret key', () => {
  it('continues the pushes that began with the previous one', async () => {
    const article = await newProduct();
    const key = randomUUID();
    const rows = [{ row: 2, update: { ArticleNumber: article, NewStockQty: 1 } }];
    const push = await begin(pushes, credential, key, rows);
    const waiting = await beginOne(pushes, { ArticleNumber: article, NewSalePrice: 2 });
    const queued = await messages();

    const renewed = open({ secretKeys: [randomBytes(32), secretKey] });
    // The same idempotency key is the same push, and a new push waits for the earlier ones.
    expect((await begin(renewed, credential, key, rows)).id).toBe(push.id);
    const later = await beginOne(renewed, { ArticleNumber: article, NewSalePrice: 3 });
    expect(JSON.parse(await renewed.cancel(credential, waiting.id!, ignoreLog)).push.id).toBe(waiting.id);
    for (const message of queued) await renewed.work(message, ignoreLog);
    const stateOf = async ({ id }: Push) => (await changesOf(renewed, credential, id!)).push;
    expect(await stateOf(push)).toMatchObject({ state: 'ended', counts: { applied: 1 } });
    expect(await stateOf(waiting)).toMatchObject({ state: 'ended', counts: { cancelled: 1 } });
    expect(await stateOf(later)).toMatchObject({ state: 'ended', counts: { applied: 1 } });
    expect(await stockOf(article)).toBe('1');

    const listed = await listedIds(renewed, credential);
    expect(listed).toEqual(expect.arrayContaining([push.id, waiting.id, later.id]));
    await expect(renewed.changes(credential, '../x', '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
