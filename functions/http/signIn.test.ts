import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send, startApp, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const attempt = (username: string, apiKey: string, address?: string) =>
  send(app.url, 'GET', '/rest/listtaxcodes', {
    headers: { ApiKey: apiKey, Username: username, ...(address === undefined ? {} : { 'X-Forwarded-For': address }) },
  });

async function attempts(count: number, attempted: (index: number) => ReturnType<typeof attempt>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) statuses.push((await attempted(index)).status);
  return statuses;
}

describe('guessing keys', () => {
  it('of one user name is limited after twenty attempts, in any case of the name', async () => {
    const statuses = await attempts(22, (index) =>
      attempt(index % 2 ? 'ANNA@example.com' : 'anna@example.com', `${index}`),
    );
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
    const { headers, json } = await attempt('anna@example.com', 'again');
    expect(json.errorCode).toBe('RATE_LIMIT');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('does not lock out the owner: a right key is always accepted', async () => {
    const { username, apiKey } = app.credential;
    await attempts(25, (index) => attempt(username, `${index}`));
    expect((await attempt(username, 'wrong')).status).toBe(429);
    expect((await attempt(username, apiKey)).status).toBe(200);
  });

  it('of many user names is limited after a hundred attempts from one address', async () => {
    const statuses = await attempts(101, (index) =>
      attempt(`user-${index}@example.com`, 'x', `1.2.3.4, 10.0.0.9:${index}`),
    );
    expect(statuses).toEqual([...Array(100).fill(401), 429]);
    expect((await attempt('someone@example.com', 'x', '10.0.0.10')).status).toBe(401);
  });

  it('is logged with user name and address, without the key', async () => {
    app.logged.length = 0;
    await attempt('eve@example.com', 'guessed-key', '10.0.0.11');
    expect(app.logged.map((line) => JSON.parse(line))).toEqual([
      { event: 'sign-in refused', username: 'eve@example.com', address: '10.0.0.11' },
    ]);
  });
});

it('a request without a key does not count as an attempt', async () => {
  const statuses = await attempts(30, () =>
    send(app.url, 'GET', '/rest/listtaxcodes', { headers: { Username: 'nobody@example.com' } }),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
});
