import type { Timer } from '@azure/functions';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TimerFunction } from '../http/definition.ts';
import { startTimers } from './timers.ts';

const START = Date.parse('2026-03-01T12:00:00.500Z');

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

function started(definition: Partial<TimerFunction> & Pick<TimerFunction, 'handler'>) {
  const logged: string[] = [];
  const one: TimerFunction = { name: 'clock', schedule: '* * * * * *', ...definition };
  const stop = startTimers([one], 'Europe/Amsterdam', (line) => logged.push(line));
  onTestFinished(stop);
  return { logged, stop };
}

describe('a timer', () => {
  it('is called on its schedule, which has seconds, until it is stopped', async () => {
    const calls: Timer[] = [];
    const { stop } = started({ handler: async (timer) => void calls.push(timer) });
    await vi.advanceTimersByTimeAsync(2000);
    expect(calls.map(({ isPastDue }) => isPastDue)).toEqual([false, false]);
    expect(calls.map(({ scheduleStatus: { next } }) => next)).toEqual([
      '2026-03-01T12:00:02.000Z',
      '2026-03-01T12:00:03.000Z',
    ]);
    await stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(2);
  });

  it('is called at the start only when it says so', async () => {
    const fired: string[] = [];
    const handler = (name: string) => async () => void fired.push(name);
    started({ schedule: '0 0 0 1 1 *', atStart: true, handler: handler('at start') });
    started({ schedule: '0 0 0 1 1 *', handler: handler('later') });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(fired).toEqual(['at start']);
  });

  it('is called at the hour of its time zone, also after the clock was put forward', async () => {
    const fired: string[] = [];
    started({ schedule: '0 30 4 * * *', handler: async () => void fired.push(new Date().toISOString()) });
    vi.setSystemTime(Date.parse('2026-03-28T00:00:00Z'));
    await vi.advanceTimersByTimeAsync(2 * 86_400_000);
    expect(fired.slice(-2)).toEqual(['2026-03-28T03:30:00.000Z', '2026-03-29T02:30:00.000Z']);
  });

  it('that fails is logged, and called again', async () => {
    let fired = 0;
    const { logged } = started({
      handler: async () => {
        fired++;
        throw new Error('out of order');
      },
    });
    await vi.advanceTimersByTimeAsync(2000);
    expect(fired).toBe(2);
    expect(logged[0]).toContain('clock failed: Error: out of order');
  });

  it('is not called while it runs, and is completed before the app stops', async () => {
    const steps: string[] = [];
    const { promise: isStopping, resolve: startStopping } = Promise.withResolvers<void>();
    const { stop } = started({
      handler: async () => {
        steps.push('begun');
        await isStopping;
        steps.push('ended');
      },
    });
    await vi.advanceTimersByTimeAsync(5000);
    const stopping = stop().then(() => steps.push('stopped'));
    startStopping();
    await stopping;
    expect(steps).toEqual(['begun', 'ended', 'stopped']);
  });
});
