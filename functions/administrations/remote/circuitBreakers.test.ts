import { beforeEach, describe, expect, it } from 'vitest';
import { retryOptions } from '../../../shared/retry.ts';
import type { Verdict } from './circuitBreaker.ts';
import { type Breakers, createBreakers } from './circuitBreakers.ts';

let now: number;
let breakers: Breakers;
beforeEach(() => {
  now = 0;
  const options = { maxFailures: 3, retry: retryOptions({ initialBackoffMs: 1000, maxBackoffMs: 3000 }) };
  breakers = createBreakers(options, { now: () => now }, () => {});
});

/** Attempts with one credential; false for one that was not let through. */
const attempts = (key: string, ...verdicts: Verdict[]): boolean[] =>
  verdicts.map((verdict) => {
    const pass = breakers.enter(key);
    pass?.(verdict);
    return pass !== undefined;
  });

describe('failures of one credential', () => {
  it('stop its requests, and not those of others', () => {
    expect(attempts('a', 'failed', 'failed', 'failed', 'failed')).toEqual([true, true, true, false]);
    expect([breakers.pause('a'), breakers.pause('b')]).toEqual([1000, 0]);
    expect(attempts('b', 'succeeded')).toEqual([true]);
    expect(breakers.health()).toEqual({ state: 'open', consecutiveFailures: 3 });
  });

  it('never stop the requests of others, nor do those of two credentials', () => {
    for (let round = 0; round < 50; round++) {
      attempts('a', 'failed');
      attempts('b', 'failed');
      now += 3000;
    }
    expect(attempts('c', 'succeeded')).toEqual([true]);
  });

  it('end when an attempt after the pause succeeds', () => {
    attempts('a', 'failed', 'failed', 'failed');
    now = 1000;
    expect(attempts('a', 'succeeded', 'succeeded')).toEqual([true, true]);
    expect(breakers.health()).toEqual({ state: 'closed', consecutiveFailures: 0 });
  });
});

describe('failures of several credentials in a row', () => {
  it('stop all requests, until one attempt succeeds', () => {
    for (const key of ['a', 'b', 'c']) attempts(key, 'failed');
    expect(attempts('d', 'succeeded')).toEqual([false]);
    expect(breakers.pause('d')).toBe(1000);
    now = 1000;
    const probe = breakers.enter('d');
    expect(breakers.enter('a')).toBeUndefined();
    probe!('succeeded');
    expect(attempts('a', 'succeeded')).toEqual([true]);
  });

  it('do not count when one attempt succeeds in between', () => {
    attempts('a', 'failed');
    attempts('b', 'failed');
    attempts('d', 'succeeded');
    attempts('c', 'failed');
    expect(attempts('d', 'succeeded')).toEqual([true]);
  });
});

it('an attempt that one credential may not make leaves the probing attempt to others', () => {
  attempts('a', 'failed', 'failed', 'failed');
  for (const key of ['b', 'c']) attempts(key, 'failed');
  now = 1000;
  // Both breakers are half-open now; another credential may make the attempt that this one may not.
  attempts('a', 'failed');
  now = 1000 + 1000;
  expect(attempts('b', 'succeeded')).toEqual([false]);
  now = 1000 + 2000;
  expect(attempts('b', 'succeeded')).toEqual([true]);
});

it('the breaker of an unused credential is removed, with its failures', () => {
  attempts('a', 'failed', 'failed');
  attempts('b', 'failed');
  now = 11 * 60_000;
  attempts('x', 'aborted');
  expect(attempts('a', 'failed', 'failed')).toEqual([true, true]);
  expect(attempts('a', 'succeeded')).toEqual([true]);
});
