import { setTimeout as sleep } from 'node:timers/promises';
import type { Timer } from '@azure/functions';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TimerFunction } from '../http/definition.ts';
import { startTimers } from './timers.ts';

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
    while (calls.length < 2) await sleep(20);
    await stop();
    const fired = calls.length;
    await sleep(1200);
    expect(calls).toHaveLength(fired);
    expect(calls[0]!.isPastDue).toBe(false);
    expect(Date.parse(calls[0]!.scheduleStatus.next)).toBeGreaterThan(Date.now() - 10_000);
  });

  it('is called at the start only when it says so', async () => {
    const fired: string[] = [];
    const handler = (name: string) => async () => void fired.push(name);
    started({ schedule: '0 0 0 1 1 *', atStart: true, handler: handler('at start') });
    started({ schedule: '0 0 0 1 1 *', handler: handler('later') });
    await sleep(50);
    expect(fired).toEqual(['at start']);
  });

  it('that fails is logged, and called again', async () => {
    let fired = 0;
    const { logged } = started({
      handler: async () => {
        fired++;
        throw new Error('out of order');
      },
    });
    while (fired < 2) await sleep(20);
    expect(logged[0]).toContain('clock failed: Error: out of order');
  });

  it('is not called while it runs, and is completed before the app stops', async () => {
    let atWork = 0;
    let highest = 0;
    let ended = 0;
    const { stop } = started({
      handler: async () => {
        highest = Math.max(highest, ++atWork);
        await sleep(1500);
        atWork--;
        ended++;
      },
    });
    while (atWork === 0) await sleep(20);
    await sleep(1200);
    await stop();
    expect([highest, atWork, ended]).toEqual([1, 0, 1]);
  });
});
