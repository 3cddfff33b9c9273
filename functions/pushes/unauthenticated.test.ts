import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Credential } from '../../shared/client/client.ts';
import { openRemote } from '../../testing/remote/askRemote.ts';
import { type ScriptedService, startScriptedService } from '../../testing/remote/scriptedService.ts';
import { testStorage } from '../../testing/storage.ts';
import { systemClock } from '../administrations/remote/rateLimit/clock.ts';
import { relationExports } from '../exports/relationExports.ts';
import { RATE_LIMIT_TABLE, rateLimitTable } from '../storage/rateLimitTable.ts';
import { openPushes } from './openPushes.ts';
import { pushSecrets } from './pushSecrets.ts';
import { newHead, openPushStore } from './pushStore.ts';

/*
 * The data that callers of an app in front of a service can make it store.
 */

const { storage } = await testStorage();
const secretKey = randomBytes(32);
const ownerOf = (credential: Credential, key: Buffer): string => pushSecrets([key]).ownersOf(credential)[0];
let service: ScriptedService;
let later = 0;
const clock = { ...systemClock, now: () => systemClock.now() + later };
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.close());
const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

const open = () => {
  const history = rateLimitTable(storage.table(RATE_LIMIT_TABLE));
  const administrations = openRemote(service.url, { perSecond: 100 }, { clock, history });
  close.push(() => administrations.close());
  return openPushes({ storage, administrations, secretKeys: [secretKey], days: 30 });
};
const rows = [{ row: 2, update: { ArticleNumber: 'A', NewSalePrice: 1 } }];
const log = () => {};
const someone = () => ({ apiKey: randomUUID(), username: 'anna@example.com' });
const stored = async () => Array.fromAsync(storage.table('pushes').list({}), ({ key }) => key);

describe('a push with a credential that the service refuses', () => {
  it('is refused, and nothing is stored', async () => {
    service.play({ status: 401, body: '{"errorCode":"UNAUTHORIZED","errorMessage":"Invalid"}' });
    const before = await stored();
    const pushes = open();
    await expect(pushes.begin(someone(), 'key', { rows }, log)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(pushes.authorize(someone())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await stored()).toEqual(before);
  });

  it('sees no list of pushes, and no push, and is refused there too', async () => {
    service.play({ status: 401, body: '{"errorCode":"UNAUTHORIZED","errorMessage":"Invalid"}' });
    const pushes = open();
    await expect(pushes.list(someone())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(pushes.changes(someone(), 'a'.repeat(32), '')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(pushes.cancel(someone(), 'a'.repeat(32), log)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const exported = { administrations: 'all', schedule: '0 0 2 * * *', days: 90 } as const;
    const administrations = openRemote(service.url);
    close.push(() => administrations.close());
    const exports = relationExports(storage, administrations, { exports: exported, timeZone: 'UTC' });
    await expect(exports.list(someone())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(exports.file(someone(), '1', '2026-01-01', 'a')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    service.play({ body: '[]' });
    expect(await exports.list(someone())).toEqual([]);
  });

  it('is not accepted while the service cannot be reached', async () => {
    service.play({ status: 404, body: '<html>' });
    await expect(open().begin(someone(), 'key', { rows }, log)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('each credential is verified once in some minutes', async () => {
  service.play({ body: '[]' });
  const pushes = open();
  const [one, another] = [someone(), someone()];
  await Promise.all([1, 2, 3].map(() => pushes.begin(one, randomUUID(), { rows }, log)));
  expect(service.received.map(({ path, query }) => [path, query.includes('Limit=1')])).toEqual([
    ['/rest/listrelations/', true],
  ]);
  await pushes.begin(another, randomUUID(), { rows }, log);
  expect(service.received).toHaveLength(2);
  later += 6 * 60_000;
  await pushes.begin(one, randomUUID(), { rows }, log);
  expect(service.received).toHaveLength(3);
});

describe('a credential', () => {
  const head = (owner: string, total: number) =>
    newHead({ owner, id: randomUUID().replaceAll('-', ''), total, relative: 0, contentHash: '', credential: '' });

  it('may have fifty waiting pushes; a further one gets 429 with Retry-After', async () => {
    service.play({ body: '[]' });
    const pushes = open();
    const mine = someone();
    const keys = Array.from({ length: 50 }, () => randomUUID());
    for (const key of keys) await pushes.begin(mine, key, { rows }, log);
    await expect(pushes.begin(mine, randomUUID(), { rows }, log)).rejects.toMatchObject({
      code: 'RATE_LIMIT',
      headers: { 'Retry-After': '60' },
    });
    // Its pushes can be read nevertheless, and other credentials may begin pushes.
    await pushes.begin(mine, keys[0], { rows }, log);
    await pushes.begin(someone(), randomUUID(), { rows }, log);
  });

  it('may have fifty waiting pushes also when it begins sixty at once', async () => {
    service.play({ body: '[]' });
    const pushes = open();
    const mine = someone();
    const begin = () => pushes.begin(mine, randomUUID(), { rows }, log);
    const begun = await Promise.allSettled(Array.from({ length: 60 }, begin));
    const refusals = begun.filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
    expect(refusals).toEqual(Array(10).fill('RATE_LIMIT'));
    expect(JSON.parse(await pushes.list(mine)).pushes).toHaveLength(50);
  });

  it('may have a hundred thousand waiting rows', async () => {
    service.play({ body: '[]' });
    const mine = someone();
    const store = openPushStore(storage, pushSecrets([secretKey]));
    await store.create({ ...head(ownerOf(mine, secretKey), 99_999), state: 'running' });
    await open().begin(mine, randomUUID(), { rows }, log);
    await expect(open().begin(mine, randomUUID(), { rows }, log)).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  });

  it('lists its pushes a hundred at a time, the latest first', async () => {
    service.play({ body: '[]' });
    const mine = someone();
    const store = openPushStore(storage, pushSecrets([secretKey]));
    const heads = Array.from({ length: 230 }, (_, index) => ({
      ...head(ownerOf(mine, secretKey), 1),
      state: 'ended' as const,
      // Several pushes begin in one millisecond.
      createdOn: 1_760_000_000_000 + Math.floor(index / 3),
    }));
    for (const one of heads) await store.create(one);
    const pushes = open();
    const listed: { id: string; createdOn: number }[] = [];
    const sizes: number[] = [];
    for (let cursor = '', more = true; more; ) {
      const page = JSON.parse(await pushes.list(mine, cursor));
      listed.push(...page.pushes);
      sizes.push(page.pushes.length);
      ({ cursor, more } = page);
    }
    expect(sizes).toEqual([100, 100, 30]);
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(heads.map(({ id }) => id)));
    expect(listed.map(({ createdOn }) => createdOn)).toEqual(
      listed.map(({ createdOn }) => createdOn).toSorted((a, b) => b - a),
    );
    await expect(pushes.list(mine, 'x')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

it('the data of unused credentials is removed', async () => {
  service.play({ body: '[]' });
  const pushes = open();
  await pushes.authorize(someone());
  const histories = async () => (await Array.fromAsync(storage.table(RATE_LIMIT_TABLE).list({}))).length;
  await expect.poll(histories).toBeGreaterThan(0);
  await pushes.maintain();
  const before = await histories();
  expect(before).toBeGreaterThan(0);
  later += 2 * 60 * 60_000;
  await pushes.maintain();
  expect(await histories()).toBe(0);
});
