import { HttpRequest, type InvocationContext, type Timer } from '@azure/functions';
import { describe, expect, it } from 'vitest';
import { testStorage } from '../../testing/storage.ts';
import { newContext } from '../host/context.ts';
import { withMiddleware } from '../http/middleware.ts';
import { openStorage } from '../storage/storage.ts';
import { catchingUp } from './catchUp.ts';
import { ownTimerRuns, storedTimerRuns } from './timerRuns.ts';

const start = Date.parse('2026-01-01T00:00:30Z');

function setUp(runs = ownTimerRuns()) {
  let now = start;
  const calls: number[] = [];
  const logged: string[] = [];
  let failing = false;
  const timers = [
    {
      name: 'fiveMinutes',
      schedule: '0 */5 * * * *',
      handler: async () => {
        calls.push(now);
        if (failing) throw new Error('No');
      },
    },
  ];
  let status = 200;
  const upkeep = catchingUp(
    timers,
    async () => runs,
    () => now,
  );
  const handler = async () => ({ status });
  const [page] = withMiddleware([{ name: 'page', methods: ['GET'], route: 'page', handler }], upkeep.lookAfterSuccess);
  const context: InvocationContext = newContext('page', (line) => logged.push(line));
  const request = new HttpRequest({ method: 'GET', url: 'http://localhost/page' });
  return {
    health: upkeep.health,
    calls,
    logged,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    fail: () => {
      failing = true;
    },
    /** A request with this status, and what it started. */
    ask: async (responseStatus = 200) => {
      status = responseStatus;
      const response = await page!.handler(request, context);
      await new Promise((resolve) => setTimeout(resolve));
      return response;
    },
    fire: () => upkeep.timers[0]!.handler({} as Timer, context),
  };
}

describe('a timer that stopped', () => {
  it('is called once by the next request', async () => {
    const { ask, calls, pass, logged } = setUp();
    await ask();
    expect(calls).toHaveLength(0);
    pass(6 * 60);
    await ask();
    await ask();
    expect(calls).toHaveLength(1);
    expect(logged.join()).toContain('fiveMinutes is late');
    pass(60);
    await ask();
    expect(calls).toHaveLength(1);
    pass(6 * 60);
    await ask();
    expect(calls).toHaveLength(2);
  });

  it('is called also when it ran, and was looked for, while the clock was a day ahead', async () => {
    const { ask, fire, calls, pass, health } = setUp();
    const day = 24 * 60 * 60;
    pass(day);
    await fire();
    await ask();
    pass(6 * 60 - day);
    expect(await health()).toMatchObject({ status: 'degraded' });
    await ask();
    await ask();
    expect(calls).toHaveLength(2);
    expect(await health()).not.toHaveProperty('status');
  });

  it('is not called by requests when it continues', async () => {
    const { ask, calls, fire, pass } = setUp();
    for (let call = 0; call < 5; call++) {
      pass(5 * 60);
      await fire();
      await ask();
    }
    expect(calls).toHaveLength(5);
  });

  it('is not called by a request that is refused: a stranger starts nothing', async () => {
    const { ask, calls, pass } = setUp();
    pass(10 * 60);
    for (const status of [401, 403, 404, 429]) await ask(status);
    expect(calls).toHaveLength(0);
    await ask();
    expect(calls).toHaveLength(1);
  });

  it('does not fail the request when it fails', async () => {
    const { ask, fail, logged, pass } = setUp();
    fail();
    pass(10 * 60);
    expect(await ask()).toEqual({ status: 200 });
    expect(logged.join()).toContain('Error: No');
  });

  it('has its lateness in health, which does not call it', async () => {
    const { ask, calls, pass, health } = setUp();
    expect(await health()).toEqual({ fiveMinutes: { last: null, lateBy: 0 } });
    pass(10 * 60);
    // Due at 00:05, and late a minute after that.
    expect(await health()).toEqual({ status: 'degraded', fiveMinutes: { last: null, lateBy: 270 } });
    expect(calls).toHaveLength(0);
    await ask();
    expect(await health()).toEqual({ fiveMinutes: { last: '2026-01-01T00:10:30.000Z', lateBy: 0 } });
  });
});

it('an instance that never runs timers knows when others ran them', async () => {
  const { connectionString } = await testStorage();
  const runs = () => storedTimerRuns(openStorage(connectionString).table('timers'));
  const worker = setUp(runs());
  const front = setUp(runs());
  for (const instance of [worker, front]) instance.pass(5 * 60);
  await worker.fire();
  for (const instance of [worker, front]) instance.pass(4 * 60);
  await front.ask();
  expect(front.calls).toHaveLength(0);
  expect(await front.health()).toEqual({ fiveMinutes: { last: '2026-01-01T00:05:30.000Z', lateBy: 0 } });
  front.pass(3 * 60);
  expect(await front.health()).toMatchObject({ status: 'degraded' });
});
