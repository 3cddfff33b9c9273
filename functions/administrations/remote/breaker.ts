import type { Clock } from './clock.ts';

/** What became of an attempt; `given up`: nothing was learned of the service. */
export type Verdict = 'succeeded' | 'failed' | 'given up';
/** Leave to make one attempt; says what became of it. */
export type Pass = (verdict: Verdict) => void;

export type BreakerHealth = { state: 'closed' | 'open' | 'half-open'; consecutiveFailures: number };

export type Breaker = {
  /** A pass; undefined while the service is left alone. */
  enter(): Pass | undefined;
  /** In how many milliseconds it is worth asking for a pass; 0 when it is now. */
  pause(): number;
  health(): BreakerHealth;
};

export type BreakerRule = {
  /** Consecutive failures after which nothing is sent. */
  failures: number;
  /** Milliseconds until one attempt is let through; doubled each time that one fails, up to `longest`. */
  pause: number;
  longest: number;
};

export const usualRule: BreakerRule = { failures: 10, pause: 5000, longest: 60_000 };

/**
 * Keeps from asking a service that is down: after so many failures in a row nothing is sent for a while, then one attempt
 * is let through, and what becomes of it decides for all.
 */
export function createBreaker(rule: BreakerRule, clock: Pick<Clock, 'now'>, log: (line: string) => void): Breaker {
  let failures = 0;
  /** When an attempt may be made again; undefined while the service works. */
  let openUntil: number | undefined;
  let pause = rule.pause;
  let probing = false;

  const open = () => {
    openUntil = clock.now() + pause;
    pause = Math.min(pause * 2, rule.longest);
  };
  const close = () => {
    if (openUntil !== undefined) log('The remote administration answers again.');
    openUntil = undefined;
    pause = rule.pause;
    failures = 0;
  };

  const passFor = (isProbe: boolean): Pass => {
    let used = false;
    return (verdict) => {
      if (used) return;
      used = true;
      if (isProbe) probing = false;
      if (verdict === 'succeeded') close();
      if (verdict !== 'failed') return;
      failures++;
      if (isProbe) open();
      else if (openUntil === undefined && failures >= rule.failures) {
        log(`The remote administration failed ${failures} times in a row: it is left alone for a while.`);
        open();
      }
    };
  };

  return {
    enter() {
      if (openUntil === undefined) return passFor(false);
      if (probing || clock.now() < openUntil) return undefined;
      probing = true;
      return passFor(true);
    },
    pause: () => (openUntil === undefined ? 0 : probing ? rule.pause : Math.max(0, openUntil - clock.now())),
    health: () => ({
      state: openUntil === undefined ? 'closed' : probing || clock.now() >= openUntil ? 'half-open' : 'open',
      consecutiveFailures: failures,
    }),
  };
}
