import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { retryOptions } from '../../../shared/retry.ts';
import { ask, credential, openRemote, problemOf, requests } from '../../../testing/remote/askRemote.ts';
import { fastClock, handClock } from '../../../testing/remote/clocks.ts';
import { type ScriptedService, startScriptedService } from '../../../testing/remote/scriptedService.ts';
import { testCertificate } from '../../../testing/testCertificate.ts';
import type { Administrations } from '../administration.ts';
import { systemClock } from './rateLimit/clock.ts';
import type { Transport } from './transport.ts';

let service: ScriptedService;
beforeAll(async () => {
  service = await startScriptedService();
});
afterAll(() => service.close());

const opened: Administrations[] = [];
const open: typeof openRemote = (...given) => {
  const remote = openRemote(...given);
  opened.push(remote);
  return remote;
};
afterEach(async () => {
  for (const remote of opened.splice(0)) await remote.close();
});

const other = { apiKey: 'other', username: 'bob@example.com' };

describe('the rate limit', () => {
  it('counts every attempt, including retries, of simultaneous requests', async () => {
    const clock = handClock();
    const left: number[] = [];
    const reply = (status: number) => ({ status, headers: {}, body: Buffer.from('[]') });
    const transport: Transport = {
      send: async () => ({ kind: 'response', response: reply(left.push(clock.now()) % 3 === 0 ? 500 : 200) }),
      close: async () => {},
    };
    const limits = { perSecond: 2, perMinute: 50, timeout: 3_600_000 };
    const remote = open(service.url, limits, { clock, transport });
    const requested = Promise.allSettled(Array.from({ length: 200 }, () => ask(remote, 'listtaxcodes')));
    await clock.pass(3_600_000);
    await requested;
    // Every third attempt fails, and is tried again.
    expect(left.length).toBeGreaterThan(250);
    for (const [index, moment] of left.entries()) {
      if (index >= 2) expect(moment - left[index - 2]!).toBeGreaterThanOrEqual(1000);
      if (index >= 50) expect(moment - left[index - 50]!).toBeGreaterThanOrEqual(60_000);
    }
    // At least 98% of the limits: 50 a minute, the last of them within the 25 seconds they take at 2 a second.
    expect(left.at(-1)!).toBeLessThan(Math.floor((left.length - 1) / 50) * 60_000 * 1.02 + 25_500);
  });

  it('of one credential does not delay another', async () => {
    service.play({ body: '[]' });
    const remote = open(service.url, { perMinute: 1 });
    expect(await ask(remote, 'listtaxcodes')).toEqual([]);
    const problem = await problemOf(ask(remote, 'listtaxcodes'));
    expect(problem.status).toBe(429);
    // 61, and less on a busy machine.
    expect(problem.headers['Retry-After']).toMatch(/^(61|60|5\d)$/);
    expect(await ask(remote, 'listtaxcodes', {}, undefined, other)).toEqual([]);
    // The same key of another user is another credential.
    expect(await ask(remote, 'listtaxcodes', {}, undefined, { ...credential, username: 'else' })).toEqual([]);
    expect(service.received).toHaveLength(3);
  });

  it('gives interactive requests priority over background work', async () => {
    const order: string[] = [];
    service.play(({ path }) => {
      order.push(path);
      return { body: '[]' };
    });
    const remote = open(service.url, { perSecond: 1, timeout: 1_000_000 }, { clock: fastClock(10) });
    const background = { priority: 'background', timeout: Number.POSITIVE_INFINITY } as const;
    await Promise.all([
      ask(remote, 'listtaxcodes'),
      ask(remote, 'listsalesinvoices', {}, background),
      ask(remote, 'listsalesinvoices', {}, background),
      ask(remote, 'listrelations'),
    ]);
    expect(order).toEqual([
      '/rest/listtaxcodes/',
      '/rest/listrelations/',
      '/rest/listsalesinvoices/',
      '/rest/listsalesinvoices/',
    ]);
  });

  it('stops waiting when its signal aborts, and a sent request is waited for', async () => {
    service.play({ body: '[]', wait: 300 });
    const remote = open(service.url, { perMinute: 1, timeout: 120_000 });
    const stop = new AbortController();
    const sent = ask(remote, 'listtaxcodes', {}, { signal: stop.signal });
    await expect.poll(() => service.received).toHaveLength(1);
    const waiting = ask(remote, 'listrelations', {}, { signal: stop.signal });
    await expect.poll(async () => (await remote.health()).waiting).toBe(1);
    stop.abort(new Error('no longer wanted'));
    await expect(waiting).rejects.toThrow('no longer wanted');
    expect(await sent).toEqual([]);
    expect(service.received).toHaveLength(1);
  });
});

describe('the timeout', () => {
  it('ends a request without a response', async () => {
    service.play({ body: '[]', wait: 2000 });
    const remote = open(service.url, { timeout: 250 }, {});
    expect((await problemOf(ask(remote, 'listrelations'))).code).toBe('REMOTE_TIMEOUT');
    service.play({ body: '[]', wait: 2000 });
    expect((await problemOf(ask(remote, 'addorder', requests.addorder))).code).toBe('OUTCOME_UNKNOWN');
    expect(service.received).toHaveLength(1);
  });
});

describe('a service that cannot be reached', () => {
  it('causes an error that says that nothing was sent', async () => {
    for (const name of ['listrelations', 'addorder', 'updateproduct'] as const) {
      const remote = open('http://127.0.0.1:1');
      const problem = await problemOf(ask(remote, name, requests[name]));
      expect([problem.code, problem.message]).toEqual(['REMOTE_FAILED', expect.stringContaining('Nothing was sent')]);
    }
  });

  it('with an unknown name causes an error without that name', async () => {
    const remote = open('https://books.invalid');
    const problem = await problemOf(ask(remote, 'listrelations'));
    expect(problem.status).toBe(502);
    expect(problem.message).not.toContain('books.invalid');
  });

  it('gets no requests after some failures, then one; /health reports that', async () => {
    let later = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const logged: string[] = [];
    const rule = { maxFailures: 4, retry: retryOptions({ initialBackoffMs: 50_000, maxBackoffMs: 50_000 }) };
    const remote = open(service.url, {}, { clock, breaker: rule, log: (line) => logged.push(line) });
    expect(await remote.health()).toMatchObject({ status: 'ok', kind: 'remote', breaker: { state: 'closed' } });

    service.play({ status: 503 });
    await problemOf(ask(remote, 'listrelations'));
    expect(await remote.health()).toMatchObject({
      status: 'degraded',
      breaker: { state: 'open', consecutiveFailures: 4 },
    });
    service.play({ body: '[]' });
    const problem = await problemOf(ask(remote, 'addorder', requests.addorder));
    expect([problem.code, Number(problem.headers['Retry-After'])]).toEqual(['REMOTE_FAILED', expect.any(Number)]);
    expect(service.received).toEqual([]);
    // Others are not to suffer from one caller's failures.
    expect(await ask(remote, 'listrelations', {}, undefined, other)).toEqual([]);

    later = 50_000;
    service.play({ body: '[]', wait: 300 });
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => ask(remote, 'listrelations')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(service.received).toHaveLength(1);
    expect(await remote.health()).toMatchObject({ status: 'ok', breaker: { state: 'closed', consecutiveFailures: 0 } });
    expect(logged).toHaveLength(2);
  });

  it('is different from a service that refuses requests', async () => {
    const remote = open(
      service.url,
      {},
      { breaker: { maxFailures: 1, retry: retryOptions({ initialBackoffMs: 50_000, maxBackoffMs: 50_000 }) } },
    );
    service.play({ status: 400, body: '{"errorMessage":"Nee."}' });
    for (let time = 0; time < 3; time++) await problemOf(ask(remote, 'listrelations'));
    expect(service.received).toHaveLength(3);
  });

  it('does not delay the end of the app', async () => {
    service.play({ body: '[]', wait: 5000 });
    const remote = open(service.url, { perMinute: 1, timeout: 120_000 });
    const requested = [ask(remote, 'listrelations'), ask(remote, 'listrelations')].map(problemOf);
    await expect.poll(() => service.received).toHaveLength(1);
    await remote.close();
    expect((await Promise.all(requested)).map(({ code }) => code)).toEqual(['REMOTE_FAILED', 'REMOTE_FAILED']);
  });
});

describe('TLS', () => {
  it('with an untrusted certificate is refused, for any environment variables, and nothing is sent', async () => {
    let requestsHeard = 0;
    const server = createTlsServer(testCertificate, (_, response) => {
      requestsHeard++;
      response.end('[]');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      const remote = open(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
      const problem = await problemOf(ask(remote, 'addorder', requests.addorder));
      expect([problem.code, problem.message]).toEqual(['REMOTE_FAILED', expect.stringContaining('certificate')]);
      expect(requestsHeard).toBe(0);
    } finally {
      vi.unstubAllEnvs();
      server.close();
      server.closeAllConnections();
    }
  });
});
