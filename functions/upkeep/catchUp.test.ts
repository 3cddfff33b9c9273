import { HttpRequest, type InvocationContext, type Timer } from '@azure/functions';
import { describe, expect, it } from 'vitest';
import { newContext } from '../host/context.ts';
import { catchingUp } from './catchUp.ts';

const start = Date.parse('2026-01-01T00:00:30Z');

function setUp() {
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
  const upkeep = catchingUp(timers, () => now);
  const handler = async () => ({ status: 200 });
  const [page, health] = upkeep.http([
    { name: 'page', methods: ['GET'], route: 'page', handler },
    { name: 'health', methods: ['GET'], route: 'health', handler },
  ]);
  const context: InvocationContext = newContext('page', (line) => logged.push(line));
  const request = new HttpRequest({ method: 'GET', url: 'http://localhost/page' });
  return {
    upkeep,
    calls,
    logged,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
    fail: () => {
      failing = true;
    },
    ask: () => page!.handler(request, context),
    askHealth: () => health!.handler(request, context),
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

  it('is not called by requests when it continues', async () => {
    const { ask, calls, fire, pass } = setUp();
    for (let call = 0; call < 5; call++) {
      pass(5 * 60);
      await fire();
      await ask();
    }
    expect(calls).toHaveLength(5);
  });

  it('does not fail the request when it fails', async () => {
    const { ask, fail, logged, pass } = setUp();
    fail();
    pass(10 * 60);
    expect(await ask()).toEqual({ status: 200 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(logged.join()).toContain('Error: No');
  });

  it('has its lateness in health, and a request for health does not call it', async () => {
    const { askHealth, ask, calls, pass, upkeep } = setUp();
    expect(upkeep.health()).toEqual({ fiveMinutes: { last: null, lateBy: 0 } });
    pass(10 * 60);
    await askHealth();
    expect(calls).toHaveLength(0);
    // Due at 00:05, and late a minute after that.
    expect(upkeep.health()).toEqual({ status: 'degraded', fiveMinutes: { last: null, lateBy: 270 } });
    await ask();
    await new Promise((resolve) => setImmediate(resolve));
    expect(upkeep.health()).toEqual({ fiveMinutes: { last: '2026-01-01T00:10:30.000Z', lateBy: 0 } });
  });
});
