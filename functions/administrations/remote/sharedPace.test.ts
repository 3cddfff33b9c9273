import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Priority } from '../administration.ts';
import type { Clock } from './clock.ts';
import type { Limits } from './pace.ts';
import { createPacer, type Pacer } from './pacer.ts';
import { type HandClock, handClock } from './testing/clocks.ts';
import { type MemoryRecord, memoryRecord } from './testing/memoryRecord.ts';
import { mostWithin } from './testing/mostWithin.ts';
import { createSharing } from './turnBook.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const usual: Limits = { perSecond: 2, perMinute: 50 };

/** Several instances of the app that serve one credential. */
type Instances = {
  clock: HandClock;
  record: MemoryRecord;
  pacers: Pacer[];
  logged: string[];
  /** When requests left, in order. */
  departures: number[];
  /** Sends one request as soon as it may be. @returns milliseconds it waited */
  request(pacer: Pacer, priority: Priority, preparing?: number): Promise<number>;
  /** Sends one after the other until `end`, as a push does. */
  push(pacer: Pacer, end: number, preparing?: () => number): Promise<void>;
};

/**
 * @param given.latency milliseconds the record takes for each question, again and again
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
  const record = memoryRecord(clock, next(latency));
  const late = next(lateness);
  const own: Clock = { now: clock.now, after: (milliseconds, work) => clock.after(milliseconds + late(), work) };
  const logged: string[] = [];
  const departures: number[] = [];
  const pacers = Array.from({ length: count }, () =>
    createPacer(
      limits,
      own,
      createSharing(record, own, (line) => logged.push(line)),
    ),
  );
  const passed = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve));
  const request: Instances['request'] = async (pacer, priority, preparing = 0) => {
    const start = clock.now();
    const turn = await pacer.turn('key', { priority, patience: Number.POSITIVE_INFINITY });
    if (preparing > 0) await passed(preparing);
    await turn.depart();
    departures.push(clock.now());
    return clock.now() - start;
  };
  return {
    clock,
    record,
    pacers,
    logged,
    departures,
    request,
    async push(pacer, end, preparing = () => 0) {
      while (clock.now() < end) await request(pacer, 'background', preparing());
    },
  };
}

/** Holds what left against what may be in any second and any minute. */
function expectWithin({ perSecond, perMinute }: Limits, departures: readonly number[]): void {
  if (perSecond > 0) expect(mostWithin(departures, SECOND)).toBeLessThanOrEqual(perSecond);
  if (perMinute > 0) expect(mostWithin(departures, MINUTE)).toBeLessThanOrEqual(perMinute);
}

it('x', async () => {
  for (const limits of [
    usual,
    { perSecond: 2, perMinute: 0 },
    { perSecond: 10, perMinute: 0 },
    { perSecond: 30, perMinute: 0 },
    { perSecond: 0, perMinute: 50 },
  ] as Limits[])
    for (const count of [1, 2, 4])
      for (const latency of [[0], [10], [5, 200, 3, 40, 80], [300]])
        for (const prep of [0, 30]) {
          const all = instances(count, limits, { latency, lateness: [0, 1, 0, 2, 0, 0, 1, 7] });
          const end = 20 * MINUTE;
          for (const p of all.pacers) for (let i = 0; i < 4; i++) all.push(p, end, () => prep);
          const t = performance.now();
          await all.clock.pass(end);
          const allowed = Math.min(limits.perSecond || Infinity, limits.perMinute / 60 || Infinity) * 60 * 20;
          console.log(
            JSON.stringify([limits, count, latency, prep]),
            (all.departures.length / allowed).toFixed(4),
            'ops/turn',
            (all.record.asked / all.departures.length).toFixed(2),
            'sec',
            limits.perSecond && mostWithin(all.departures, 1000),
            'min',
            limits.perMinute && mostWithin(all.departures, MINUTE),
            (performance.now() - t).toFixed(0),
            all.logged.length,
          );
        }
}, 600000);
