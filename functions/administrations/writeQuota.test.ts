import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPushClient } from '../../shared/client/pushClient.ts';
import { send, startApp, type TestAdministration, type TestApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/storage.ts';

/* The quota of writes of a key. The clock stands still where a test does not move it. */

const QUOTA = 30;
const { connectionString } = await testStorage();
let app: TestApp;
let now = Date.parse('2026-03-02T10:00:00Z');
const pass = (milliseconds: number) => {
  now += milliseconds;
  vi.setSystemTime(now);
};
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  app = await startApp({ storage: connectionString, writesPerMinute: QUOTA });
});
afterEach(async () => {
  await app.close();
  vi.useRealTimers();
});

/** A write that the interface refuses, which counts like any other. @returns its status */
const write = async (of: TestAdministration = app): Promise<number> =>
  (await of.put('/rest/updateproduct', { ArticleNumber: 'none' })).status;
const writes = async (count: number, of?: TestAdministration): Promise<number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push(await write(of));
  return statuses;
};
const accepted = (count: number) => new Array(count).fill(400);

describe('a key', () => {
  it('may write as often as its quota at once, and then as its quota comes free', async () => {
    expect(await writes(QUOTA)).toEqual(accepted(QUOTA));
    const { status, headers, json } = await app.put('/rest/updateproduct', { ArticleNumber: 'none' });
    expect([status, json.errorCode, headers['retry-after']]).toEqual([429, 'RATE_LIMIT', '2']);
    expect(json.errorMessage).toContain('at most 30 writes a minute');
    pass(1999);
    expect(await write()).toBe(429);
    pass(1);
    expect(await writes(2)).toEqual([400, 429]);
    pass(3 * 60_000);
    expect(await writes(QUOTA + 1)).toEqual([...accepted(QUOTA), 429]);
  });

  it('may read meanwhile, and other keys may write', async () => {
    await writes(QUOTA + 1);
    expect((await app.get('/rest/listrelations')).status).toBe(200);
    expect(await writes(2, await app.addAdministration())).toEqual(accepted(2));
    expect(await write()).toBe(429);
  });

  it('is the same with its user name in other letters', async () => {
    const { apiKey, username } = app.credential;
    await writes(QUOTA);
    const headers = { ApiKey: apiKey, Username: username.toUpperCase(), 'Content-Type': 'application/json' };
    const { status } = await send(app.url, 'PUT', '/rest/updateproduct', { headers, body: { ArticleNumber: 'none' } });
    expect(status).toBe(429);
  });

  it('is refused before its body arrives', async () => {
    await writes(QUOTA);
    const sent = request(`${app.url}/rest/updateproduct`, {
      method: 'PUT',
      agent: false,
      headers: {
        ApiKey: app.credential.apiKey,
        Username: app.credential.username,
        'Content-Type': 'application/json',
        'Content-Length': 1000,
      },
    });
    sent.on('error', () => {});
    sent.write('{');
    const [response] = await once(sent, 'response');
    sent.destroy();
    expect(response.statusCode).toBe(429);
  });
});

it('the rows of a push do not count', async () => {
  const client = createPushClient({ base: app.url, credential: app.credential, fetch });
  const rows = Array.from({ length: 2 * QUOTA }, (_, row) => ({ row, update: { ArticleNumber: `no ${row}` } }));
  const { id } = await client.begin(rows, randomUUID());
  await expect
    .poll(async () => (await client.changes(id, '')).push.counts)
    .toMatchObject({ refused: 2 * QUOTA, waiting: 0 });
  expect(await write()).toBe(400);
});
