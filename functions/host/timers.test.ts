import { setTimeout as passed } from 'node:timers/promises';
import type { Timer } from '@azure/functions';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TimerFunction } from '../http/definition.ts';
import { startTimers } from './timers.ts';

function started(given: Partial<TimerFunction> & Pick<TimerFunction, 'handler'>) {
  const logged: string[] = [];
  const one: TimerFunction = { name: 'clock', schedule: '* * * * * *', ...given };
  const stop = startTimers([one], 'Europe/Amsterdam', (line) => logged.push(line));
  onTestFinished(stop);
  return { logged, stop };
}

describe('a timer', () => {
  it('fires on its schedule, which has seconds, until it is stopped', async () => {
    const told: Timer[] = [];
    const { stop } = started({ handler: async (timer) => void told.push(timer) });
    while (told.length < 2) await passed(20);
    await stop();
    const fired = told.length;
    await passed(1200);
    expect(told).toHaveLength(fired);
    expect(told[0]!.isPastDue).toBe(false);
    expect(Date.parse(told[0]!.scheduleStatus.next)).toBeGreaterThan(Date.now() - 10_000);
  });

  it('fires at the start where that is asked for, and only there', async () => {
    const fired: string[] = [];
    const handler = (name: string) => async () => void fired.push(name);
    started({ schedule: '0 0 0 1 1 *', atStart: true, handler: handler('at start') });
    started({ schedule: '0 0 0 1 1 *', handler: handler('later') });
    await passed(50);
    expect(fired).toEqual(['at start']);
  });

  it('that fails is logged, and fires again', async () => {
    let fired = 0;
    const { logged } = started({
      handler: async () => {
        fired++;
        throw new Error('out of order');
      },
    });
    while (fired < 2) await passed(20);
    expect(logged[0]).toContain('clock failed: Error: out of order');
  });

  it('is not called again while it is at work, and is waited for when the app stops', async () => {
    let atWork = 0;
    let most = 0;
    let ended = 0;
    const { stop } = started({
      handler: async () => {
        most = Math.max(most, ++atWork);
        await passed(1500);
        atWork--;
        ended++;
      },
    });
    while (atWork === 0) await passed(20);
    await passed(1200);
    await stop();
    expect([most, atWork, ended]).toEqual([1, 0, 1]);
  });
});
