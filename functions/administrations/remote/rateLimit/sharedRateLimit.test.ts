import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deeper } from '../../../../testing/deep.ts';
import { type HandClock, handClock } from '../../../../testing/remote/clocks.ts';
import { MINUTE, maxWithin, SECOND } from '../../../../testing/remote/maxWithin.ts';
import { type MemoryHistory, memoryHistory } from '../../../../testing/remote/memoryHistory.ts';
import type { Priority } from '../../administration.ts';
import type { Clock } from './clock.ts';
import { createRateLimiter, type RateLimiter } from './rateLimiter.ts';
import { createSharedHistory } from './rateLimitHistory.ts';
import { type Limits, maxLateness } from './rateLimits.ts';

const usual: Limits = { perSecond: 2, perMinute: 50 };

const DAY = 24 * 60 * MINUTE;

/** Several instances of the app that serve one credential. */
type Instances = {
  clock: HandClock;
  record: MemoryHistory;
  limiters: RateLimiter[];
  logged: string[];
  /** When requests left, in order. */
  departures: number[];
  /**
   * Sends one request as soon as it may be.
   * @param sending milliseconds in which the process does nothing else
   * @returns milliseconds it waited
   */
  request(limiter: RateLimiter, priority: Priority, preparing?: number, sending?: number): Promise<number>;
  /** Sends one after the other until `end`, as a push does. */
  push(limiter: RateLimiter, end: number, preparing?: () => number): Promise<void>;
};

/**
 * @param given.latency milliseconds of the store for each request, repeated
 * @param given.lateness milliseconds each timer is late
 */
function instances(
  count: number,
  limits: Limits,
  given: { latency?: readonly number[]; lateness?: readonly number[] } = {},
): Instances {
  const { latency = [10], lateness = [0] } = given;
  const next = (numbers: readonly number[]) => {
    let index = 0;
    return () => numbers[index++ % numbers.length]!;
  };
  const clock = handClock();
  const record = memoryHistory(clock, next(latency));
  const late = next(lateness);
  const lateClock: Clock = { ...clock, after: (milliseconds, work) => clock.after(milliseconds + late(), work) };
  const logged: string[] = [];
  const departures: number[] = [];
  const limiters = Array.from({ length: count }, () =>
    createRateLimiter(
      limits,
      lateClock,
      createSharedHistory(record, lateClock, (line) => logged.push(line)),
    ),
  );
  const passed = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve));
  const request: Instances['request'] = async (limiter, priority, preparing = 0, sending = 0) => {
    const start = clock.now();
    const turn = await limiter.acquire('key', { priority, timeout: Number.POSITIVE_INFINITY });
    if (preparing > 0) await passed(preparing);
    await turn.send(async () => {
      departures.push(clock.now());
      clock.spend(sending);
    });
    return clock.now() - start;
  };
  return {
    clock,
    record,
    limiters,
    logged,
    departures,
    request,
    async push(limiter, end, preparing = () => 0) {
      while (clock.now() < end) await request(limiter, 'background', preparing());
    },
  };
}

/** Expects that the sent requests are within the limits in any second and any minute. */
function expectWithin({ perSecond, perMinute }: Limits, departures: readonly number[]): void {
  if (perSecond > 0) expect(maxWithin(departures, SECOND)).toBeLessThanOrEqual(perSecond);
  if (perMinute > 0) expect(maxWithin(departures, MINUTE)).toBeLessThanOrEqual(perMinute);
}

/** Days on a machine that has the time, else hours. */
const LONG = deeper(4, 3 * 24) * 60 * MINUTE;

describe('instances that share a history', () => {
  it('together send all that the limits allow, and never more', async () => {
    const all = instances(2, usual, { latency: [4, 9, 30, 6, 12, 90, 5], lateness: [0, 1, 0, 3, 1, 12] });
    for (const limiter of all.limiters) all.push(limiter, LONG, () => 15);
    await all.clock.pass(LONG);
    expectWithin(usual, all.departures);
    expect(all.departures.length).toBeGreaterThan((0.98 * usual.perMinute * LONG) / MINUTE);
    expect(all.record.conflicts).toBeGreaterThan(all.departures.length / 2);
    expect(all.logged).toEqual([]);
  });

  it('never send more, for any limits, delays of the store and of timers, and work', async () => {
    const work = fc.record({
      instance: fc.nat(2),
      at: fc.nat(3 * MINUTE),
      priority: fc.constantFrom('interactive', 'background'),
      preparing: fc.oneof(fc.constant(0), fc.nat(100), fc.nat(3000)),
      sending: fc.oneof(fc.constant(0), fc.nat(30)),
      times: fc.oneof(fc.constant(1), fc.nat(40)),
    });
    const limit = (least: number) => fc.oneof(fc.constant(0), fc.integer({ min: least, max: 60 }));
    // Now and then a process stands still for a while.
    const milliseconds = (usually: number) =>
      fc.array(fc.oneof({ weight: 9, arbitrary: fc.nat(usually) }, { weight: 1, arbitrary: fc.nat(900) }), {
        minLength: 1,
        maxLength: 20,
      });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ perSecond: limit(1), perMinute: limit(10) }),
        milliseconds(60),
        milliseconds(10),
        fc.array(work, { minLength: 1, maxLength: 8 }),
        async (limits, latency, lateness, works) => {
          const all = instances(3, limits, { latency, lateness });
          let calls = 0;
          for (const { instance, at, priority, preparing, sending, times } of works) {
            calls += times;
            all.clock.after(at, () => {
              for (let time = 0; time < times; time++)
                all.request(all.limiters[instance]!, priority, preparing, sending);
            });
          }
          // Time for all of it, were it the slowest of limits. Where sending takes longer than a request may be late it may
          // be one a minute: slots of one moment are given back when others have taken those of the next minute.
          const isSlow = works.some(({ sending }) => sending > maxLateness(limits));
          const most = isSlow ? calls + 40 : 40;
          for (let minutes = 0; all.departures.length < calls && minutes < most; minutes++)
            await all.clock.pass(MINUTE);
          expectWithin(limits, all.departures);
          // Where timers are late again and again nothing may leave: moments pass unused.
          if (Math.max(...lateness) <= 10) expect(all.departures).toHaveLength(calls);
        },
      ),
      {
        numRuns: deeper(25, 120),
        examples: [
          // Requests with the same slot in two instances, sent slowly.
          [
            { perSecond: 9, perMinute: 10 },
            [0],
            [0],
            [
              { instance: 1, at: 0, priority: 'interactive', preparing: 0, sending: 1, times: 16 },
              { instance: 0, at: 1, priority: 'interactive', preparing: 1, sending: 2, times: 18 },
              { instance: 0, at: 1, priority: 'interactive', preparing: 2, sending: 6, times: 32 },
              { instance: 1, at: 0, priority: 'interactive', preparing: 8, sending: 0, times: 10 },
              { instance: 0, at: 1, priority: 'interactive', preparing: 0, sending: 6, times: 2 },
            ],
          ],
          // A slot that is taken early and returned must not remove those before it.
          [
            { perSecond: 1, perMinute: 0 },
            [0],
            [0],
            [
              { instance: 0, at: 0, priority: 'interactive', preparing: 1011, sending: 0, times: 1 },
              { instance: 0, at: 0, priority: 'interactive', preparing: 0, sending: 0, times: 2 },
            ],
          ],
          // A single request that is prepared for longer than its slot.
          [
            { perSecond: 1, perMinute: 0 },
            [2, 0],
            [0],
            [{ instance: 0, at: 0, priority: 'interactive', preparing: 2019, sending: 0, times: 1 }],
          ],
          // Timers that come late again and again, just when it matters.
          [
            { perSecond: 1, perMinute: 0 },
            [9],
            [0, 6],
            [
              { instance: 0, at: 1029, priority: 'interactive', preparing: 3, sending: 0, times: 3 },
              { instance: 0, at: 0, priority: 'interactive', preparing: 0, sending: 0, times: 1 },
            ],
          ],
          // The same, with a record that is slow now and then.
          [
            { perSecond: 1, perMinute: 0 },
            [624, 0],
            [6],
            [
              { instance: 0, at: 0, priority: 'background', preparing: 1, sending: 0, times: 3 },
              { instance: 1, at: 0, priority: 'interactive', preparing: 458, sending: 0, times: 1 },
            ],
          ],
          // Requests with the same slot, of which each is sent slowly.
          [
            { perSecond: 33, perMinute: 33 },
            [4, 0, 7, 0, 35, 0, 35, 0, 19, 492, 57, 39],
            [1, 7, 1],
            [
              { instance: 1, at: 161, priority: 'interactive', preparing: 0, sending: 0, times: 11 },
              { instance: 1, at: 124, priority: 'background', preparing: 0, sending: 0, times: 1 },
              { instance: 1, at: 125, priority: 'interactive', preparing: 0, sending: 0, times: 1 },
              { instance: 0, at: 0, priority: 'interactive', preparing: 0, sending: 19, times: 35 },
            ],
          ],
        ],
      },
    );
  });

  it('let an interactive caller in within two slots of background work', async () => {
    const all = instances(2, usual, { latency: [5, 20, 10] });
    const end = 60 * MINUTE;
    for (const limiter of all.limiters) for (let one = 0; one < 4; one++) all.push(limiter, end, () => 10);
    const waits: number[] = [];
    for (let at = 0; at < end - MINUTE; at += 17_351) {
      all.clock.after(at, async () => {
        waits.push(await all.request(all.limiters[at % 2]!, 'interactive'));
      });
    }
    await all.clock.pass(end);
    expect(waits.length).toBeGreaterThan(200);
    expectWithin(usual, all.departures);
    // And the time of the store: a write that came too late, a read, and another write.
    expect(Math.max(...waits)).toBeLessThan((2 * 60_600) / 50 + 60);
  });

  it('write the history once for each slot when there is only one of them', async () => {
    const all = instances(1, usual);
    all.push(all.limiters[0]!, 10 * MINUTE);
    await all.clock.pass(10 * MINUTE);
    // Once to read it, and once for the slot that is waited for at the end.
    expect(all.record.requests).toBeLessThanOrEqual(all.departures.length + 2);
  });

  it('share a pause that the service asked one of them for', async () => {
    const all = instances(2, usual);
    const [one, other] = all.limiters as [RateLimiter, RateLimiter];
    for (const limiter of all.limiters) all.push(limiter, 5 * MINUTE);
    await all.clock.pass(MINUTE);
    one.pause('key', 2 * MINUTE);
    const before = all.departures.length;
    await all.clock.pass(2 * MINUTE - SECOND);
    // At most those that had their slot already.
    expect(all.departures.length).toBeLessThanOrEqual(before + 1);
    await expect(other.acquire('key', { priority: 'interactive', timeout: 0 })).rejects.toMatchObject({
      code: 'RATE_LIMIT',
    });
    await all.clock.pass(MINUTE);
    expect(all.departures.length).toBeGreaterThan(before + 40);
  });

  it.each([
    ['slots', { slots: [DAY, DAY + SECOND], heldUntil: 0 }],
    ['a pause', { slots: [], heldUntil: DAY }],
  ])('do not wait for %s of a clock that was a day ahead, and keep the limits', async (_, history) => {
    const all = instances(2, usual);
    const stored = all.record.write('key', history, undefined);
    await all.clock.pass(SECOND);
    await stored;
    for (const limiter of all.limiters) all.push(limiter, 5 * MINUTE);
    await all.clock.pass(5 * MINUTE);
    expectWithin(usual, all.departures);
    expect(all.departures.length).toBeGreaterThan(4 * usual.perMinute);
    const reading = all.record.read('key');
    await all.clock.pass(SECOND);
    const { history: left } = await reading;
    expect(Math.max(left.heldUntil, ...left.slots)).toBeLessThan(10 * MINUTE);
  });

  it('wait for the longest pause that a service can ask for', async () => {
    const all = instances(2, usual);
    const [one, other] = all.limiters as [RateLimiter, RateLimiter];
    one.pause('key', 60 * MINUTE);
    await all.clock.pass(SECOND);
    all.request(other, 'background');
    await all.clock.pass(59 * MINUTE);
    expect(all.departures).toEqual([]);
    await all.clock.pass(MINUTE);
    expect(all.departures).toHaveLength(1);
  });

  it('refuse callers with a maximum pause when the service asked another instance for a longer one', async () => {
    const all = instances(2, { perSecond: 0, perMinute: 1 });
    const [one, other] = all.limiters as [RateLimiter, RateLimiter];
    all.request(one, 'background');
    await all.clock.pass(SECOND);
    let refusal: unknown;
    const options = { priority: 'background', timeout: Number.POSITIVE_INFINITY, maxPause: 10_000 } as const;
    other.acquire('key', options).catch((reason) => {
      refusal = reason;
    });
    await all.clock.pass(SECOND);
    one.pause('key', 10 * MINUTE);
    // Its slot would have been a minute after the first one.
    await all.clock.pass(MINUTE);
    expect(refusal).toMatchObject({ code: 'RATE_LIMIT', after: expect.any(Number) });
    expect(Object(refusal).after).toBeGreaterThan(8 * MINUTE);
  });

  it('refuse callers with a short timeout when others have used the slots', async () => {
    const all = instances(2, usual);
    const [one, other] = all.limiters as [RateLimiter, RateLimiter];
    for (let turn = 0; turn < 50; turn++) all.request(one, 'interactive');
    await all.clock.pass(30_000);
    expect(all.departures).toHaveLength(50);
    let refusal: unknown;
    other.acquire('key', { priority: 'interactive', timeout: 20_000 }).catch((reason) => {
      refusal = reason;
    });
    await all.clock.pass(100);
    // A minute after the first of them.
    expect(refusal).toMatchObject({ code: 'RATE_LIMIT', headers: { 'Retry-After': '31' } });
  });

  it('return a slot that a process missed', async () => {
    const all = instances(1, usual, { lateness: [0, 0, 0, 0, 0, 0, 2000] });
    all.push(all.limiters[0]!, 10 * MINUTE);
    await all.clock.pass(10 * MINUTE);
    expectWithin(usual, all.departures);
    expect(all.departures.length).toBeGreaterThan(200);
  });

  it('remove the history once nothing in it counts, and of a refused key at once', async () => {
    const all = instances(2, usual);
    const [one, other] = all.limiters as [RateLimiter, RateLimiter];
    all.request(one, 'interactive');
    await all.clock.pass(MINUTE);
    expect(all.record.keys()).toEqual(['key']);
    all.request(other, 'interactive');
    await all.clock.pass(SECOND);
    // The history of one has ended; that of the other has not.
    expect(all.record.keys()).toEqual(['key']);
    // The slots of others stay, also after a refusal.
    one.refused('key');
    await all.clock.pass(SECOND);
    expect(all.record.keys()).toEqual(['key']);
    await all.clock.pass(2 * MINUTE);
    expect(all.record.keys()).toEqual([]);
    all.request(one, 'interactive');
    await all.clock.pass(SECOND);
    one.refused('key');
    await all.clock.pass(SECOND);
    expect(all.record.keys()).toEqual([]);
  });

  it('still count the requests of a refused key, each its own', async () => {
    const all = instances(1, usual, { latency: [4, 30, 90], lateness: [0, 1, 12] });
    const [one] = all.limiters as [RateLimiter];
    const end = 10 * MINUTE;
    const refusals = async () => {
      while (all.clock.now() < end) {
        await all.request(one, 'interactive');
        await one.refused('key');
      }
    };
    for (let index = 0; index < 3; index++) refusals();
    await all.clock.pass(end);
    expectWithin(usual, all.departures);
    expect(all.departures.length).toBeGreaterThan(9 * usual.perMinute);
  });

  it('store nothing without limits', async () => {
    const all = instances(2, { perSecond: 0, perMinute: 0 });
    all.limiters[0]!.pause('key', 1000);
    for (const limiter of all.limiters) await Promise.race([all.request(limiter, 'interactive'), all.clock.pass(2000)]);
    await all.clock.pass(0);
    expect([all.departures.length, all.record.requests]).toEqual([2, 0]);
  });
});

describe('a shared history that cannot be reached', () => {
  it.each([
    ['refuses', 5],
    ['does not answer', 10 * MINUTE],
  ])('and %s leaves each instance its own limits, with one log line, until it is shared again', async (_, latency) => {
    let takes = 5;
    const all = instances(2, usual);
    all.record.latency = () => takes;
    const end = 30 * MINUTE;
    for (const limiter of all.limiters) all.push(limiter, end);
    await all.clock.pass(5 * MINUTE);
    expect(all.logged).toEqual([]);

    all.record.isDown = true;
    takes = latency;
    const waited = all.request(all.limiters[0]!, 'interactive');
    await all.clock.pass(5 * MINUTE);
    expect(await waited).toBeLessThan(10_000);
    expect(all.logged.map((line) => /not shared/.test(line))).toEqual([true, true]);
    const alone = all.departures.filter((moment) => moment > 6 * MINUTE);
    expect(maxWithin(alone, MINUTE)).toBeLessThanOrEqual(2 * usual.perMinute);
    expect(alone.length).toBeGreaterThan(0.95 * 2 * 4 * usual.perMinute);

    all.record.isDown = false;
    takes = 5;
    await all.clock.pass(20 * MINUTE);
    expect(all.logged.map((line) => /shared .* again/.test(line))).toEqual([false, false, true, true]);
    expectWithin(
      usual,
      all.departures.filter((moment) => moment > 12 * MINUTE),
    );
  });
});
