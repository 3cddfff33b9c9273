import { beforeEach, describe, expect, it } from 'vitest';
import { retryOptions } from '../../../shared/retry.ts';
import { type Breaker, type BreakerPermit, createBreaker, type Verdict } from './circuitBreaker.ts';

let now: number;
let logged: string[];
let breaker: Breaker;
beforeEach(() => {
  now = 0;
  logged = [];
  const rule = { maxFailures: 3, retry: retryOptions({ initialBackoffMs: 1000, maxBackoffMs: 3000 }) };
  breaker = createBreaker(rule, { now: () => now }, (line) => logged.push(line));
});

/** Attempts one after the other; false for one that was not let through. */
const attempts = (...verdicts: Verdict[]): boolean[] =>
  verdicts.map((verdict) => {
    const pass = breaker.enter();
    pass?.(verdict);
    return pass !== undefined;
  });

describe('the breaker', () => {
  it('permits every attempt while the service works, also after single failures', () => {
    expect(attempts('failed', 'failed', 'succeeded', 'failed', 'failed', 'succeeded')).not.toContain(false);
    expect(breaker.health()).toEqual({ state: 'closed', consecutiveFailures: 0 });
    expect(breaker.pause()).toBe(0);
  });

  it('opens after so many failures in a row', () => {
    expect(attempts('failed', 'failed', 'failed', 'failed')).toEqual([true, true, true, false]);
    expect(breaker.health()).toEqual({ state: 'open', consecutiveFailures: 3 });
    now = 400;
    expect(breaker.pause()).toBe(600);
    expect(logged).toHaveLength(1);
  });

  it('then permits exactly one attempt, and closes when it succeeds', () => {
    attempts('failed', 'failed', 'failed');
    now = 1000;
    expect(breaker.health().state).toBe('half-open');
    const probe = breaker.enter() as BreakerPermit;
    expect(attempts('succeeded', 'failed')).toEqual([false, false]);
    probe('succeeded');
    expect(attempts('succeeded')).toEqual([true]);
    expect(breaker.health()).toEqual({ state: 'closed', consecutiveFailures: 0 });
    expect(logged).toHaveLength(2);
  });

  it('waits longer each time that attempt fails, up to a limit', () => {
    attempts('failed', 'failed', 'failed');
    for (const pause of [1000, 2000, 3000, 3000]) {
      now += pause - 1;
      expect(attempts('failed')).toEqual([false]);
      now += 1;
      expect(attempts('failed')).toEqual([true]);
    }
  });

  it('permits another attempt when that one ended without a result', () => {
    attempts('failed', 'failed', 'failed');
    now = 1000;
    expect(attempts('aborted', 'succeeded')).toEqual([true, true]);
  });

  it('closes when an earlier attempt succeeds', () => {
    const early = breaker.enter() as BreakerPermit;
    attempts('failed', 'failed', 'failed');
    early('succeeded');
    expect(breaker.health().state).toBe('closed');
  });

  it('is not opened again by earlier attempts', () => {
    const early = [breaker.enter(), breaker.enter()] as BreakerPermit[];
    attempts('failed', 'failed', 'failed');
    for (const pass of early) pass('failed');
    now = 1000;
    expect(breaker.health().state).toBe('half-open');
  });
});
