import type { Clock } from './clock.ts';
import { createKeyHistory, type KeyHistory, type SharedHistory } from './rateLimitHistory.ts';
import { historySpan, type Limits, maxRemembered } from './rateLimits.ts';
import { createRequestQueue, type QueueOptions, type RequestQueue, stopping } from './requestQueue.ts';
import { createTiming } from './timing.ts';

/** How a caller waits for a permit. */
export type AcquireOptions = Omit<QueueOptions, 'until'> & {
  /** Milliseconds until which a permit is of use. */
  timeout: number;
};

/** The next request is this caller's. */
export type Permit = {
  /**
   * Waits for the very moment the request may leave: the permit itself comes earlier by what callers lately took to get
   * ready. Whoever is ready too late for its moment waits for another, before everybody else of its priority.
   * @throws Deferred when that one is further away than its timeout, or the service asked for too long a pause
   */
  ready(): Promise<void>;
};

export type RateLimiter = {
  /**
   * Waits for a permit to send one request.
   * @param key each key has limits of its own
   * @throws Deferred RATE_LIMIT with Retry-After, at once when the permit is further away than the caller's timeout, later
   *   when others went before it until it was; so too when the service asks for a longer pause than it waits through
   * @throws the signal's reason
   */
  acquire(key: string, options: AcquireOptions): Promise<Permit>;
  /** Gives nobody a permit for so many milliseconds: the service refused for its rate limit. */
  pause(key: string, milliseconds: number): void;
  /** How many wait for a permit. */
  waiting(): number;
  /** How many keys are remembered. */
  remembered(): number;
  close(): void;
};

/** What is known of one key. */
type Known = { history: KeyHistory; queue: RequestQueue; cancelForget: (() => void) | undefined };

const unlimited: Permit = { ready: async () => {} };

/**
 * Gives permits: first come first served, interactive callers before background work, never more than the limits.
 * Background work is spread out, so that somebody who comes in between gets a permit soon.
 * @param shared the history of all processes that use the same keys; left out: all requests go through this rate limiter
 */
export function createRateLimiter(limits: Limits, clock: Clock, shared?: SharedHistory): RateLimiter {
  const keys = new Map<string, Known>();
  const isLimited = maxRemembered(limits) > 0;
  const timing = createTiming(clock);
  let closed = false;

  function knownOf(key: string): Known {
    let known = keys.get(key);
    if (known === undefined) {
      const history = createKeyHistory(key, limits, clock, isLimited ? shared : undefined);
      known = { history, queue: createRequestQueue(history, { limits, clock, timing }), cancelForget: undefined };
      keys.set(key, known);
    }
    forgetLater(key, known);
    return known;
  }

  /** Forgets a key once nothing of its history counts any more. */
  function forgetLater(key: string, known: Known): void {
    const { history, queue } = known;
    const wait = Math.max(historySpan(limits), history.current().heldUntil - clock.now());
    known.cancelForget ??= clock.after(wait, () => {
      known.cancelForget = undefined;
      const { slots, heldUntil } = history.current();
      const end = Math.max((slots.at(-1) ?? 0) + historySpan(limits), heldUntil);
      if (end <= clock.now() && queue.length() === 0 && !history.isBusy()) keys.delete(key);
      else forgetLater(key, known);
    });
  }

  return {
    async acquire(key, { priority, timeout, maxPause, signal }) {
      signal?.throwIfAborted();
      if (!isLimited && !keys.has(key)) return unlimited;
      if (closed) throw stopping();
      const options = { priority, until: clock.now() + timeout, maxPause };
      const known = knownOf(key);
      let slot = await known.queue.slot({ ...options, signal }, false);
      const given = clock.now();
      return {
        async ready() {
          timing.prepared(clock.now() - given);
          for (;;) {
            await timing.reach(slot);
            // After a long while the key may have been forgotten, and be known anew.
            const { queue } = keys.get(key) ?? known;
            if (queue.isUsable(slot)) return;
            queue.giveBack(slot);
            slot = await queue.slot(options, true);
          }
        },
      };
    },

    pause: (key, milliseconds) => knownOf(key).queue.pause(milliseconds),
    waiting: () => [...keys.values()].reduce((count, { queue }) => count + queue.length(), 0),
    remembered: () => keys.size,

    close() {
      closed = true;
      for (const { queue, cancelForget } of keys.values()) {
        cancelForget?.();
        queue.close();
      }
      keys.clear();
    },
  };
}
