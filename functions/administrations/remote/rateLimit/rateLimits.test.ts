import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE, maxWithin, SECOND } from '../../../../testing/remote/maxWithin.ts';
import { type Limits, maxRemembered, nextSlot, nextSlots } from './rateLimits.ts';

const WEEK = 7 * 24 * 60 * MINUTE;

/**
 * Everything that is sent until `end` by somebody who sends whenever it is allowed, `idle` milliseconds after that at
 * the earliest.
 * @param isSpread whether some of it is work that is spread out
 */
function sent(
  limits: Limits,
  end: number,
  idle: (index: number) => number = () => 0,
  isSpread: (index: number) => boolean = () => false,
): number[] {
  const history: number[] = [];
  let now = 0;
  while (true) {
    now = nextSlot(history, limits, now + idle(history.length), isSpread(history.length));
    if (now >= end) return history;
    history.push(now);
  }
}

describe('the slots', () => {
  it('of a week of constant work stay within both windows, and use at least 98% of them', () => {
    const moments = sent({ perSecond: 2, perMinute: 50 }, WEEK);
    expect(maxWithin(moments, SECOND)).toBe(2);
    expect(maxWithin(moments, MINUTE)).toBe(50);
    const allowed = (50 * WEEK) / MINUTE;
    expect(moments.length).toBeGreaterThan(0.98 * allowed);
  });

  it.each([
    [{ perSecond: 2, perMinute: 0 }, 2 * 60 * 60],
    [{ perSecond: 0, perMinute: 50 }, 50 * 60],
    [{ perSecond: 1, perMinute: 600 }, 60 * 60],
    [{ perSecond: 30, perMinute: 15 }, 15 * 60],
  ])('of %j use at least 98% of the narrower limit in an hour', (limits, allowed) => {
    const { length } = sent(limits, 60 * MINUTE);
    expect(length).toBeGreaterThan(0.98 * allowed);
    // The hour begins with a whole window at once.
    expect(length).toBeLessThanOrEqual(allowed + Math.max(limits.perSecond, limits.perMinute));
  });

  it('stay within every window, for any limits and any work', () => {
    const limit = fc.integer({ min: 1, max: 60 });
    const idle = fc.array(fc.oneof(fc.constant(0), fc.nat(300), fc.nat(90_000)), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(limit, limit, idle, fc.infiniteStream(fc.boolean()), (perSecond, perMinute, pauses, spread) => {
        const pause = (index: number) => pauses[index % pauses.length]!;
        const moments = sent({ perSecond, perMinute }, 20 * MINUTE, pause, () => spread.next().value);
        expect(maxWithin(moments, SECOND)).toBeLessThanOrEqual(perSecond);
        expect(maxWithin(moments, MINUTE)).toBeLessThanOrEqual(perMinute);
      }),
      { numRuns: 50 },
    );
  });

  it('of spread work are as many in a week, with free slots in between', () => {
    const limits = { perSecond: 2, perMinute: 50 };
    const moments = sent(limits, WEEK, undefined, () => true);
    expect(maxWithin(moments, MINUTE)).toBe(50);
    expect(moments.length).toBeGreaterThan((0.98 * 50 * WEEK) / MINUTE);
    const distances = moments.slice(1).map((moment, index) => moment - moments[index]!);
    expect(Math.min(...distances.slice(0, 10_000))).toBeGreaterThan(1100);
    expect(Math.max(...distances.slice(0, 10_000))).toBeLessThan(2000);
    // Somebody who comes right after one of them waits for one distance at the most.
    for (const [index, moment] of moments.slice(0, 10_000).entries()) {
      const history = moments.slice(Math.max(0, index - 60), index + 1);
      expect(nextSlot(history, limits, moment) - moment).toBeLessThan(2000);
    }
  });

  it('of limits with too many requests to store stay within them, and use at least 98% of them', () => {
    const limits = { perSecond: 5001, perMinute: 200_000 };
    const moments = sent(limits, 3 * MINUTE);
    expect(maxWithin(moments, SECOND)).toBeLessThanOrEqual(5001);
    expect(maxWithin(moments, MINUTE)).toBeLessThanOrEqual(200_000);
    expect(moments.length).toBeGreaterThan(0.98 * 3 * 200_000);
    expect(maxRemembered(limits)).toBeLessThanOrEqual(1000);
  });

  it('are immediate after a pause', () => {
    expect(nextSlot([0, 1], { perSecond: 2, perMinute: 50 }, 5000)).toBe(5000);
  });

  it('without limits are immediate', () => {
    expect(nextSlot([7, 7, 7], { perSecond: 0, perMinute: 0 }, 7)).toBe(7);
    expect(nextSlots([7, 7, 7], { perSecond: 0, perMinute: 0 }, 7, 2)).toEqual([7, 7]);
  });

  it('are predicted as they are taken', () => {
    const limits = { perSecond: 3, perMinute: 20 };
    expect(nextSlots([], limits, 0, 100)).toEqual(sent(limits, WEEK / 100).slice(0, 100));
  });
});
