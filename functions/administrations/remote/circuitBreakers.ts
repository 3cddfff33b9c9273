import {
  type Breaker,
  type BreakerHealth,
  type BreakerOptions,
  type BreakerPermit,
  createBreaker,
} from './circuitBreaker.ts';
import type { Clock } from './rateLimit/clock.ts';

export type Breakers = ReturnType<typeof createBreakers>;

/** Credentials that must fail, without a success of any other, before the breaker for all opens. */
const MIN_FAILING_KEYS = 3;
/** Milliseconds after which the breaker of an unused credential is removed. */
const MAX_IDLE_MS = 10 * 60_000;

/**
 * One breaker for each credential, and one for all: the failures of one caller do not block the others.
 * @param isAccepted whether the service accepted a credential; made-up ones of one caller do not block others
 */
export function createBreakers(
  options: BreakerOptions,
  clock: Pick<Clock, 'now'>,
  log: (line: string) => void,
  isAccepted: (key: string) => boolean = () => true,
) {
  const failingKeys = new Set<string>();
  const common = createBreaker(options, clock, log, () => failingKeys.size >= MIN_FAILING_KEYS);
  const byKey = new Map<string, { breaker: Breaker; usedAt: number }>();
  let lastRemoval = clock.now();

  function breakerOf(key: string): Breaker {
    const now = clock.now();
    let one = byKey.get(key);
    if (one === undefined) {
      const breaker = createBreaker(options, clock, (line) => log(`For one credential: ${line}`));
      one = { breaker, usedAt: now };
      byKey.set(key, one);
    }
    one.usedAt = now;
    if (now - lastRemoval > MAX_IDLE_MS) removeIdle(now);
    return one.breaker;
  }

  function removeIdle(now: number): void {
    lastRemoval = now;
    for (const [key, { breaker, usedAt }] of byKey) {
      if (now - usedAt > MAX_IDLE_MS && breaker.pause() === 0) byKey.delete(key);
    }
    // Old failures say nothing about the present state of the service.
    for (const key of failingKeys) if (!byKey.has(key)) failingKeys.delete(key);
  }

  return {
    /** @returns a permit; undefined while a breaker is open */
    enter(key: string): BreakerPermit | undefined {
      const commonPermit = common.enter();
      if (commonPermit === undefined) return undefined;
      const breaker = breakerOf(key);
      const keyPermit = breaker.enter();
      if (keyPermit === undefined) {
        commonPermit('aborted');
        return undefined;
      }
      return (verdict) => {
        if (verdict === 'failed' && isAccepted(key)) failingKeys.add(key);
        if (verdict === 'succeeded') failingKeys.clear();
        commonPermit(verdict);
        keyPermit(verdict);
        const { state, consecutiveFailures } = breaker.health();
        if (state === 'closed' && consecutiveFailures === 0) byKey.delete(key);
      };
    },
    /** Milliseconds until a permit may be available; 0: now. */
    pause: (key: string): number => Math.max(common.pause(), byKey.get(key)?.breaker.pause() ?? 0),
    /** The state of the breaker with the most failures. */
    health(): BreakerHealth {
      const severity = { open: 2, 'half-open': 1, closed: 0 };
      const [worst] = [common.health(), ...[...byKey.values()].map(({ breaker }) => breaker.health())].sort(
        (a, b) => severity[b.state] - severity[a.state] || b.consecutiveFailures - a.consecutiveFailures,
      );
      return worst!;
    },
  };
}
