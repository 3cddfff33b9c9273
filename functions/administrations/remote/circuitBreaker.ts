import { backoffMs, type RetryOptions, retries } from '../../../shared/retry.ts';
import type { Clock } from './rateLimit/clock.ts';

/** How an attempt ended; `aborted`: it says nothing about the service. */
export type Verdict = 'succeeded' | 'failed' | 'aborted';
/** The permit for one attempt; call it with the result of the attempt. */
export type BreakerPermit = (verdict: Verdict) => void;

export type BreakerHealth = { state: 'closed' | 'open' | 'half-open'; consecutiveFailures: number };

export type Breaker = ReturnType<typeof createBreaker>;

export type BreakerOptions = {
  /** Consecutive failures after which nothing is sent. */
  maxFailures: number;
  /** The time until one attempt is allowed, and until the next after that one failed. */
  retry: RetryOptions;
};

export const DEFAULT_BREAKER: BreakerOptions = { maxFailures: 10, retry: retries.remoteBreaker };

/**
 * Stops requests to a failing service: after so many failures in a row nothing is sent for a while, then one attempt
 * is allowed, and its result closes the breaker or opens it again.
 * @param mayOpen whether so many failures may open it; left out: always
 */
export function createBreaker(
  { maxFailures, retry }: BreakerOptions,
  clock: Pick<Clock, 'now'>,
  log: (line: string) => void,
  mayOpen: () => boolean = () => true,
) {
  let failures = 0;
  /** When an attempt may be made again; undefined while the service works. */
  let openUntil: number | undefined;
  /** How often it was opened without a success in between. */
  let openings = 0;
  let probing = false;

  const open = () => {
    openUntil = clock.now() + backoffMs(++openings, retry);
  };
  const close = () => {
    if (openUntil !== undefined) log('The remote administration answers again.');
    openUntil = undefined;
    openings = 0;
    failures = 0;
  };

  const permitFor = (isProbe: boolean): BreakerPermit => {
    let used = false;
    return (verdict) => {
      if (used) return;
      used = true;
      if (isProbe) probing = false;
      if (verdict === 'succeeded') close();
      if (verdict !== 'failed') return;
      failures++;
      if (isProbe) open();
      else if (openUntil === undefined && failures >= maxFailures && mayOpen()) {
        log(`The remote administration failed ${failures} times in a row: nothing is sent to it for a while.`);
        open();
      }
    };
  };

  return {
    /** @returns a permit; undefined while the breaker is open */
    enter(): BreakerPermit | undefined {
      if (openUntil === undefined) return permitFor(false);
      if (probing || clock.now() < openUntil) return undefined;
      probing = true;
      return permitFor(true);
    },
    /** Milliseconds until a permit may be available; 0: now. */
    pause: (): number =>
      openUntil === undefined ? 0 : probing ? retry.initialBackoffMs : Math.max(0, openUntil - clock.now()),
    health: (): BreakerHealth => ({
      state: openUntil === undefined ? 'closed' : probing || clock.now() >= openUntil ? 'half-open' : 'open',
      consecutiveFailures: failures,
    }),
  };
}
