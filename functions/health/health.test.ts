import { InvocationContext, type Timer } from '@azure/functions';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { HEALTH_KEY, healthAt, send, startApp, type TestApp } from '../../testing/app.ts';
import { listen } from '../../testing/listen.ts';
import { functionsOf } from '../app.ts';
import { createHost } from '../host/server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
afterEach(() => {
  vi.useRealTimers();
});

const otherCaller = (url: string, headers: Record<string, string> = {}) => send(url, 'GET', '/health', { headers });

describe('a caller without the health key', () => {
  it('gets only whether the app is up', async () => {
    const guesses: Record<string, string>[] = [{}, { 'Health-Key': '' }, { 'Health-Key': `${HEALTH_KEY}x` }];
    for (const headers of guesses) {
      const { status, text } = await otherCaller(app.url, headers);
      expect([status, text]).toEqual([200, '{"status":"ok"}']);
    }
  });

  it('gets 503 when the database cannot be reached; the log has the reason', async () => {
    const other = await startApp();
    await other.db.destroy();
    const { status, text } = await otherCaller(other.url);
    expect([status, text]).toEqual([503, '{"status":"unavailable"}']);
    expect(other.logged).toHaveLength(1);
    await other.close();
  });

  it('finds the response of an app that is up, and of one that is not, in the OpenAPI document', async () => {
    const { paths } = (await send(app.url, 'GET', '/rest/openapi.json')).json;
    const down = await startApp();
    await down.db.destroy();
    for (const { url } of [app, down]) {
      const { status, json } = await otherCaller(url);
      const described = paths['/health'].get.responses[status]?.content['application/json'].schema;
      expect([status, described && z.fromJSONSchema(described).safeParse(json).success]).toEqual([status, true]);
    }
    await down.close();
  });

  it('gets a cached result for five seconds', async () => {
    let looks = 0;
    const health = async () => {
      looks++;
      return { kind: 'builtin' };
    };
    const services = { administrations: { health } as never };
    const { http } = functionsOf(async () => services, { pages: '/nowhere', healthKey: HEALTH_KEY });
    const { url, close } = await listen(createHost(http, () => {}));
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    await Promise.all(Array.from({ length: 50 }, () => otherCaller(url)));
    expect(looks).toBe(1);
    vi.advanceTimersByTime(5000);
    // Somebody sets the clock of the machine back meanwhile.
    vi.setSystemTime(Date.now() - 3_600_000);
    await otherCaller(url);
    expect(looks).toBe(2);
    // A caller with the key gets the present state.
    await Promise.all([healthAt(url), healthAt(url)]);
    expect(looks).toBe(4);
    close();
  });
});

describe('a caller with the health key', () => {
  it('gets the state of each part', async () => {
    const { status, json } = await healthAt(app.url);
    expect(status).toBe(200);
    expect(json).toEqual({
      status: 'ok',
      version: expect.any(String),
      administration: {
        kind: 'builtin',
        administrations: 1,
        periodicInvoices: { waiting: 0, since: null },
        mail: {
          note: 'SMTP_URL is not set: mail waits',
          waiting: 0,
          sending: 0,
          failed: 0,
          held: 0,
          unknown: 0,
          lateBy: 0,
        },
      },
      // No timer is called here; a timer is late after a minute.
      timers: Object.fromEntries(
        [
          'auditfileMaintenance',
          'documentLinkRemoval',
          'healthLog',
          'outgoingMail',
          'periodicInvoices',
          'pushMaintenance',
          'relationExportTimer',
        ].map((name) => [name, { last: null, lateBy: expect.any(Number) }]),
      ),
    });
  });

  it('does not exist where the settings have no key', async () => {
    const services = { administrations: { health: async () => ({ kind: 'builtin' }) } as never };
    const { url, close } = await listen(
      createHost(functionsOf(async () => services, { pages: '/nowhere' }).http, () => {}),
    );
    for (const key of ['undefined', '', HEALTH_KEY]) {
      expect((await otherCaller(url, { 'Health-Key': key })).text).toBe('{"status":"ok"}');
    }
    close();
  });
});

describe('the log', () => {
  it('has the state of each part every quarter of an hour, a warning for a part with problems', async () => {
    const logged: [string, unknown][] = [];
    const context = new InvocationContext({
      functionName: 'healthLog',
      logHandler: (level, line) => logged.push([level, JSON.parse(String(line))]),
    });
    const health = async () => ({ status: 'degraded' as const, kind: 'builtin', mail: { lateBy: 700 } });
    const services = { administrations: { health } as never };
    const { timers } = functionsOf(async () => services, { pages: '/nowhere' });
    const timer = timers.find(({ name }) => name === 'healthLog')!;
    expect(timer.schedule).toBe('45 */15 * * * *');
    await timer.handler({} as Timer, context);
    expect(logged).toEqual([
      [
        'warning',
        { event: 'health', part: 'administration', status: 'degraded', kind: 'builtin', mail: { lateBy: 700 } },
      ],
      ['information', expect.objectContaining({ event: 'health', part: 'timers', status: 'ok' })],
    ]);
  });
});
