import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { administrationOf, issueKey, listKeys, revokeKey } from './keys.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const username = 'Anna@Example.com';

it('issues a key that nobody guesses, twice the same never', async () => {
  const { administrationId } = await app.addAdministration();
  const issue = () => issueKey(app.db, { administrationId, username, label: '', now: 1n });
  const keys = new Set(await Promise.all(Array.from({ length: 20 }, issue)));
  expect(keys.size).toBe(20);
  // 32 bytes in base64url, which goes into a header as it is.
  for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
});

it('keeps no key: not in the table, not in the list', async () => {
  const { administrationId } = await app.addAdministration();
  const apiKey = await issueKey(app.db, { administrationId, username, label: 'Kassa', now: 1_700_000_000n });
  const rows = await app.db.selectFrom('api_key').selectAll().execute();
  expect(rows.flatMap((row) => Object.values(row).map(String)).filter((value) => value.includes(apiKey))).toEqual([]);
  const [, listed] = await listKeys(app.db, administrationId);
  expect(listed).toEqual({
    id: expect.any(BigInt),
    username: 'anna@example.com',
    label: 'Kassa',
    createdOn: 1_700_000_000n,
    revokedOn: null,
  });
});

it('opens the administration the key was issued for, to that user only, in any case of the name', async () => {
  const first = await app.addAdministration();
  const second = await app.addAdministration();
  const issue = (administrationId: bigint, name: string) =>
    issueKey(app.db, { administrationId, username: name, label: '', now: 1n });
  const [firstKey, secondKey] = [
    await issue(first.administrationId, username),
    await issue(second.administrationId, username),
  ];
  const othersKey = await issue(first.administrationId, 'bob@example.com');
  const opened = async (apiKey: string, name: string) =>
    (await administrationOf(app.db, { apiKey, username: name }))?.id;
  expect(await opened(firstKey, username)).toBe(first.administrationId);
  expect(await opened(secondKey, username)).toBe(second.administrationId);
  expect(await opened(firstKey, ' ANNA@example.COM ')).toBe(first.administrationId);
  expect(await opened(othersKey, username)).toBeUndefined();
  expect(await opened(firstKey, 'bob@example.com')).toBeUndefined();
  expect(await opened(firstKey.toLowerCase(), username)).toBeUndefined();
  expect(await opened(firstKey.slice(0, -1), username)).toBeUndefined();
  expect(await opened('', username)).toBeUndefined();
  const [{ key_hash } = { key_hash: '' }] = await app.db.selectFrom('api_key').select('key_hash').execute();
  expect(await opened(key_hash, username)).toBeUndefined();
});

it('ends a key once, and only through its own administration', async () => {
  const { administrationId, credential } = await app.addAdministration();
  const other = await app.addAdministration();
  const [key] = await listKeys(app.db, administrationId);
  const id = key!.id;
  expect(await revokeKey(app.db, { administrationId: other.administrationId, id, now: 5n })).toBe(false);
  expect(await administrationOf(app.db, credential)).toMatchObject({ id: administrationId });
  expect(await revokeKey(app.db, { administrationId, id, now: 5n })).toBe(true);
  expect(await administrationOf(app.db, credential)).toBeUndefined();
  expect(await revokeKey(app.db, { administrationId, id, now: 6n })).toBe(false);
  expect(await listKeys(app.db, administrationId)).toMatchObject([{ id, revokedOn: 5n }]);
  expect(await administrationOf(app.db, other.credential)).toMatchObject({ id: other.administrationId });
});
