import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { send, startApp, type TestApp } from '../../../../testing/app.ts';
import { databaseKind, emptyDatabase } from '../../../../testing/database.ts';
import { folderOfTest } from '../../../../testing/temporaryFolder.ts';
import { builtinAdministrations } from '../builtin.ts';
import { createAdministration } from '../setup/createAdministration.ts';
import { issueKey, listKeys, type NewKey, revokeKey } from './keys.ts';
import { signIn } from './signIn.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const username = 'Anna@Example.com';
const TODAY = '2026-11-22';
const unauthorized = { code: 'UNAUTHORIZED' };

it('a key is random, and never the same twice', async () => {
  const { administrationId } = await app.addAdministration();
  const issue = () => issueKey(app.db, { administrationId, username, label: '', now: 1n });
  const keys = new Set(await Promise.all(Array.from({ length: 20 }, issue)));
  expect(keys.size).toBe(20);
  // 32 bytes in base64url, which a header can contain.
  for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
});

it('a key is stored neither in its table nor in the list', async () => {
  const { administrationId } = await app.addAdministration();
  const apiKey = await issueKey(app.db, { administrationId, username, label: 'Kassa', now: 1_700_000_000n });
  const rows = await app.db.selectFrom('api_key').selectAll().execute();
  expect(rows.flatMap((row) => Object.values(row).map(String)).filter((value) => value.includes(apiKey))).toEqual([]);
  const [, listed] = await listKeys(app.db, administrationId);
  expect(listed).toEqual({
    id: expect.any(BigInt),
    username: 'anna@example.com',
    label: 'Kassa',
    scope: 'all',
    created_on: 1_700_000_000n,
    last_used_on: null,
    ends_on: null,
    revoked_on: null,
  });
});

it('a key opens its administration, for its user only, in any case of the name', async () => {
  const first = await app.addAdministration();
  const second = await app.addAdministration();
  const issue = (administrationId: bigint, name: string) =>
    issueKey(app.db, { administrationId, username: name, label: '', now: 1n });
  const [firstKey, secondKey] = [
    await issue(first.administrationId, username),
    await issue(second.administrationId, username),
  ];
  const othersKey = await issue(first.administrationId, 'bob@example.com');
  const opened = (apiKey: string, name: string) =>
    signIn(app.db, { apiKey, username: name }, () => TODAY).then(
      ({ administration }) => administration.id,
      ({ code }) => code,
    );
  expect(await opened(firstKey, username)).toBe(first.administrationId);
  expect(await opened(secondKey, username)).toBe(second.administrationId);
  expect(await opened(firstKey, ' ANNA@example.COM ')).toBe(first.administrationId);
  expect(await opened(othersKey, username)).toBe('UNAUTHORIZED');
  expect(await opened(firstKey, 'bob@example.com')).toBe('UNAUTHORIZED');
  expect(await opened(firstKey.toLowerCase(), username)).toBe('UNAUTHORIZED');
  expect(await opened(firstKey.slice(0, -1), username)).toBe('UNAUTHORIZED');
  expect(await opened('', username)).toBe('UNAUTHORIZED');
  expect(await opened('', '')).toBe('UNAUTHORIZED');
  const [{ key_hash } = { key_hash: '' }] = await app.db.selectFrom('api_key').select('key_hash').execute();
  expect(await opened(key_hash, username)).toBe('UNAUTHORIZED');
});

it('a key is revoked once, and only through its own administration', async () => {
  const { administrationId, credential } = await app.addAdministration();
  const other = await app.addAdministration();
  const [key] = await listKeys(app.db, administrationId);
  const id = key!.id;
  expect(await revokeKey(app.db, { administrationId: other.administrationId, id, now: 5n })).toBe(false);
  expect(await signIn(app.db, credential, () => TODAY)).toMatchObject({ administration: { id: administrationId } });
  expect(await revokeKey(app.db, { administrationId, id, now: 5n })).toBe(true);
  await expect(signIn(app.db, credential, () => TODAY)).rejects.toMatchObject(unauthorized);
  expect(await revokeKey(app.db, { administrationId, id, now: 6n })).toBe(false);
  expect(await listKeys(app.db, administrationId)).toMatchObject([{ id, revoked_on: 5n }]);
  expect(await signIn(app.db, other.credential, () => TODAY)).toMatchObject({
    administration: { id: other.administrationId },
  });
});

/** A credential with another key of the app's administration. */
async function another(key: Partial<NewKey>) {
  const { administrationId } = app;
  const user = { username: 'another@example.com' };
  return { ...user, apiKey: await issueKey(app.db, { administrationId, ...user, label: '', now: 1n, ...key }) };
}
const ask = (method: string, target: string, credential: { apiKey: string; username: string }, body?: unknown) =>
  send(app.url, method, target, {
    headers: { ApiKey: credential.apiKey, Username: credential.username, 'Content-Type': 'application/json' },
    body,
  });

it('a key opens nothing after its last day', async () => {
  const credential = await another({ endsOn: '2026-03-29' });
  const status = async (instant: string) => {
    app.setTime(Date.parse(instant) / 1000);
    return (await ask('GET', '/rest/listtaxcodes', credential)).status;
  };
  onTestFinished(() => app.setTime(Date.parse('2026-11-22T12:00:00Z') / 1000));
  expect(await status('2026-03-28T12:00:00Z')).toBe(200);
  // The day is that of Amsterdam, where summer time begins that night.
  expect(await status('2026-03-29T21:59:59Z')).toBe(200);
  expect(await status('2026-03-29T22:00:00Z')).toBe(401);
});

describe('a key that may only read', () => {
  it.each(['listtaxcodes', 'listrelations', 'listsalesinvoices'])('reads: %s', async (name) => {
    expect((await ask('GET', `/rest/${name}`, await another({ scope: 'read' }))).status).toBe(200);
  });

  const line = {
    ProductNumber: 'A',
    Quantity: 1,
    UnitPriceExclTax: 1,
    SubTotalInclTax: 1,
    TaxPc: 21,
    Description: 'x',
  };
  it.each([
    ['PUT', 'updateproduct', { ArticleNumber: 'A', NewSalePrice: 2 }],
    ['POST', 'addproduct', { ArticleNumber: 'B', NewName: 'B', CategoryName: 'C' }],
    ['POST', 'addsalesinvoice', { CustomerNumber: 1, Invoice_InvoiceLine: [line] }],
    ['POST', 'addorder', { CustomerNumber: 1, Order_Orderline: [line] }],
    ['POST', 'addpurchasetransaction', { SupplierNumber: 1, Invoice_InvoiceLine: [line] }],
    ['POST', 'addsalestransaction', { CustomerNumber: 1, Invoice_InvoiceLine: [line] }],
  ])('writes nothing: %s %s', async (method, name, body) => {
    const credential = await another({ scope: 'read' });
    const { status, json } = await ask(method, `/rest/${name}`, credential, body);
    expect(status).toBe(403);
    expect(json).toMatchObject({ errorCode: 'FORBIDDEN', errorMessage: 'This API key may only read.' });
  });

  it('makes no pushes', async () => {
    const credential = await another({ scope: 'read' });
    const administrations = builtinAdministrations(app.db);
    await expect(administrations.writer(credential)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the last use of a key', () => {
  const lastUse = async (label: string) =>
    (await listKeys(app.db, app.administrationId)).find((key) => key.label === label)?.last_used_on;

  it('is stored at most once in ten minutes', async () => {
    const credential = await another({ label: 'last use' });
    const start = 1_790_000_000;
    onTestFinished(() => app.setTime(Date.parse('2026-11-22T12:00:00Z') / 1000));
    const usedAt = async (seconds: number) => {
      app.setTime(seconds);
      expect((await ask('GET', '/rest/listtaxcodes', credential)).status).toBe(200);
    };
    await usedAt(start);
    await expect.poll(() => lastUse('last use')).toBe(BigInt(start));
    await usedAt(start + 599);
    await usedAt(start + 600);
    await expect.poll(() => lastUse('last use')).toBe(BigInt(start + 600));
  });

  it('is not stored for a wrong key', async () => {
    const credential = await another({ label: 'unused' });
    expect((await ask('GET', '/rest/listtaxcodes', { ...credential, apiKey: 'wrong' })).status).toBe(401);
    expect(await lastUse('unused')).toBeNull();
  });

  it.skipIf(databaseKind() !== 'sqlite')(
    'does not wait for another writer, and is stored by a later request',
    async () => {
      const folder = folderOfTest();
      const file = path.join(folder, 'data.sqlite');
      const { db } = await emptyDatabase(file);
      const now = 1_700_000_000n;
      const id = await createAdministration(db, { name: 'A', country: 'NL', fiscalYears: [], now });
      const apiKey = await issueKey(db, { administrationId: id, username, label: '', now });
      const administrations = builtinAdministrations(db, { clock: () => Number(now) * 1000 });
      onTestFinished(() => administrations.close());
      const stored = async () => (await listKeys(db, id))[0]!.last_used_on;

      const other = new DatabaseSync(file);
      other.exec('begin immediate');
      await administrations.open({ username, apiKey });
      expect(await stored()).toBeNull();
      other.exec('rollback');
      other.close();
      await administrations.open({ username, apiKey });
      await expect.poll(stored).toBe(now);
    },
  );
});

it('a wrong key takes the same statements for a known and an unknown user name', async () => {
  const { credential } = await app.addAdministration();
  /** The statements of an attempt, with the numbers of rows they return. */
  const workOf = async (name: string): Promise<{ sql: string; rows: number }[]> => {
    const work: { sql: string; rows: number }[] = [];
    const execute = app.db.executeQuery.bind(app.db);
    const spy = vi.spyOn(app.db, 'executeQuery').mockImplementation(async (query, ...more) => {
      const result = await execute(query, ...more);
      work.push({ sql: (query as CompiledQuery).sql, rows: result.rows.length });
      return result as never;
    });
    onTestFinished(() => spy.mockRestore());
    await expect(signIn(app.db, { apiKey: 'wrong', username: name }, () => TODAY)).rejects.toMatchObject(unauthorized);
    spy.mockRestore();
    return work;
  };
  const known = await workOf(credential.username);
  expect(known).toHaveLength(1);
  expect(known[0]!.rows).toBe(0);
  expect(await workOf('nobody@example.com')).toEqual(known);
});
