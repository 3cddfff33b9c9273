import { HttpRequest, InvocationContext } from '@azure/functions';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import { send, startApp, type TestApp } from '../../testing/app.ts';
import { healthFunctions } from '../health/health.ts';
import { credentialOf } from './credential.ts';
import type { HttpFunction } from './definition.ts';
import { withMiddleware } from './middleware.ts';
import { signInLimit } from './signIn.ts';

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

  it('is limited for a minute, also when the clock of the machine is set back by an hour', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { url, close } = await startApp();
    const guess = (ApiKey: string) =>
      send(url, 'GET', '/rest/listtaxcodes', { headers: { ApiKey, Username: 'anna@example.com' } });
    await attempts(20, (index) => guess(`${index}`));
    vi.setSystemTime(Date.now() - 3_600_000);
    const { status, headers } = await guess('again');
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    await close();
  });

  it('does not lock out the owner, who is known at the address or comes from another one', async () => {
    const { username, apiKey } = app.credential;
    expect((await attempt(username, apiKey, '10.0.1.1')).status).toBe(200);
    await attempts(25, (index) => attempt(username, `${index}`, '10.0.1.1'));
    expect((await attempt(username, 'wrong', '10.0.1.1')).status).toBe(429);
    expect((await attempt(username, 'wrong', '10.0.1.2')).status).toBe(429);
    expect((await attempt(username, apiKey, '10.0.1.1')).status).toBe(200);
    expect((await attempt(username, apiKey, '10.0.1.3')).status).toBe(200);
  });

  it('teaches nothing while it is limited: a right key is refused too, at an address that never used it', async () => {
    const { credential } = await app.addAdministration();
    await attempts(20, (index) => attempt(credential.username, `${index}`, '10.0.2.1'));
    expect((await attempt(credential.username, credential.apiKey, '10.0.2.1')).status).toBe(429);
    await attempts(100, (index) => attempt(`user-${index}@example.org`, 'x', '10.0.2.2'));
    expect((await attempt(credential.username, credential.apiKey, '10.0.2.2')).status).toBe(429);
    // A page that needs no key says nothing about one.
    await send(app.url, 'GET', '/taskpane/taskpane.html', {
      headers: { ApiKey: credential.apiKey, Username: credential.username, 'X-Forwarded-For': '10.0.2.4' },
    });
    await attempts(20, (index) => attempt(credential.username, `${index}`, '10.0.2.4'));
    expect((await attempt(credential.username, credential.apiKey, '10.0.2.4')).status).toBe(429);
  });

  it('from one network of IPv6 is limited, in any spelling', async () => {
    const statuses = await attempts(101, (index) =>
      attempt(
        `six-${index}@example.com`,
        'x',
        index % 2 ? `[2001:db8:0:7::${index}]:443` : `2001:0db8:0:7:1:2:3:${index}`,
      ),
    );
    expect(statuses).toEqual([...Array(100).fill(401), 429]);
    expect((await attempt('someone@example.com', 'x', '2001:db8:0:8::1')).status).toBe(401);
  });

  it('without an address is limited as if from one address', async () => {
    const other = await startApp();
    try {
      const statuses = await attempts(101, (index) =>
        send(other.url, 'GET', '/rest/listtaxcodes', {
          headers: { ApiKey: 'x', Username: `none-${index}@example.com` },
        }),
      );
      expect(statuses).toEqual([...Array(100).fill(401), 429]);
    } finally {
      await other.close();
    }
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

describe('guessing keys at the same time', () => {
  const username = 'anna@example.com';

  /** Sends requests with these keys, of which none is answered before all have come. @returns their statuses */
  async function atOnce(keys: readonly string[], namesOf = (_: number) => username): Promise<number[]> {
    const all = Promise.withResolvers<void>();
    const handler: HttpFunction['handler'] = async (request) => {
      const { apiKey } = credentialOf(request);
      await all.promise;
      if (!apiKey.startsWith('right')) throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
      return { status: 200 };
    };
    const [one] = withMiddleware([{ name: 'one', methods: ['GET'], route: 'one', handler }], signInLimit());
    const context = new InvocationContext({ functionName: 'one', logHandler() {} });
    const statuses = keys.map(async (apiKey, index) => {
      const headers = { ApiKey: apiKey, Username: namesOf(index), 'X-Forwarded-For': '10.2.0.1' };
      const request = new HttpRequest({ method: 'GET', url: 'http://localhost/one', headers });
      try {
        return (await one!.handler(request, context)).status!;
      } catch (thrown) {
        return (thrown as Problem).status;
      }
    });
    all.resolve();
    return Promise.all(statuses);
  }
  const guesses = (count: number) => Array.from({ length: count }, (_, index) => `guess ${index}`);

  it('tries twenty of a user name from an address, and no right one after them', async () => {
    expect(await atOnce([...guesses(20), 'right'])).toEqual([...Array(20).fill(401), 429]);
  });

  it('tries a hundred from an address', async () => {
    const statuses = await atOnce([...guesses(100), 'right'], (index) => `user-${index}@example.com`);
    expect(statuses).toEqual([...Array(100).fill(401), 429]);
  });

  it('has the many keys of one person wait for each other, and refuses none of them', async () => {
    const keys = Array.from({ length: 150 }, (_, index) => `right ${index}`);
    expect(await atOnce(keys)).toEqual(keys.map(() => 200));
  });

  it('takes the requests of one key for one guess', async () => {
    expect(await atOnce(Array(150).fill('right'))).toEqual(Array(150).fill(200));
    expect(await atOnce([...guesses(19), ...Array(10).fill('right')])).toEqual([
      ...Array(19).fill(401),
      ...Array(10).fill(200),
    ]);
  });
});

it('a request without a key does not count as an attempt', async () => {
  const statuses = await attempts(30, () =>
    send(app.url, 'GET', '/rest/listtaxcodes', { headers: { Username: 'nobody@example.com' } }),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
});

describe('guessing the health key', () => {
  const key = 'a-key-of-enough-characters';
  const [health] = withMiddleware(
    healthFunctions(async () => ({}), key, '1'),
    signInLimit(key),
  );
  async function ask(guess: string, address: string): Promise<unknown> {
    const context = new InvocationContext({ functionName: 'health', logHandler() {} });
    const headers = { 'Health-Key': guess, 'X-Forwarded-For': address };
    const request = new HttpRequest({ method: 'GET', url: 'http://localhost/health', headers });
    try {
      return Object.keys(JSON.parse((await health!.handler(request, context)).body as string)).length > 1;
    } catch (thrown) {
      return (thrown as Problem).status;
    }
  }

  it('is limited after twenty attempts from an address, except for the key that was used from it', async () => {
    expect(await ask(key, '10.1.0.1')).toBe(true);
    for (const address of ['10.1.0.1', '10.1.0.2']) {
      for (let index = 0; index < 20; index++) expect(await ask(`guess ${index}`, address)).toBe(false);
      expect(await ask('another guess', address)).toBe(429);
    }
    expect(await ask(key, '10.1.0.1')).toBe(true);
    expect(await ask(key, '10.1.0.2')).toBe(429);
    expect(await ask(key, '10.1.0.3')).toBe(true);
  });
});
