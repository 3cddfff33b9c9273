import type { Clock } from './clock.ts';
import { createKeyHistory, type KeyHistory, type SharedHistory } from './rateLimitHistory.ts';
import { historySpan, type Limits, maxRemembered } from './rateLimits.ts';
import { createRequestQueue, type RequestQueue, stopping } from './requestQueue.ts';
import { createTiming } from './timing.ts';
import type { QueueOptions } from './waitingCallers.ts';

export type AcquireOptions = Omit<QueueOptions, 'until'> & {
  timeout: number;
};

export type RateLimiter = ReturnType<typeof createRateLimiter>;

type Permit = {
  /**
   * Sends the request when it may be sent. The permit is given earlier, by the time that callers recently took to get
   * ready. A caller that is ready too late waits for the next slot, before all others of its priority.
   * @param request sends it, at its first step
   * @throws Deferred when that slot is after its timeout, or the service asked for too long a pause
   */
  send<Sent>(request: () => Promise<Sent>): Promise<Sent>;
};

type Known = { history: KeyHistory; queue: RequestQueue; cancelForget: (() => void) | undefined };

/** Who a permit is for, and when it was given. */
type Given = { key: string; known: Known; options: QueueOptions; givenAt: number };

const unlimited: Permit = { send: (request) => request() };

/**
 * Gives permits: first come first served, interactive callers before background work, never more than the limits.
 * Background work is spread out, so that an interactive caller gets a permit soon.
 * @param shared the history of all processes that use the same keys; left out: all requests go through this rate
 *   limiter
 */
export function createRateLimiter(limits: Limits, clock: Clock, shared?: SharedHistory) {
  const keys = new Map<string, Known>();
  const isLimited = maxRemembered(limits) > 0;
  const timing = createTiming(clock);
  let closed = false;

  function knownOf(key: string): Known {
    let known = keys.get(key);
    if (known === undefined) {
      const history = createKeyHistory(key, limits, clock, isLimited ? shared : undefined);
      known = { history, queue: createRequestQueue({ history, limits, clock, timing }), cancelForget: undefined };
      keys.set(key, known);
    }
    forgetLater(key, known);
    return known;
  }

  /**
   * Removes a key once its history no longer counts, here and in the store. Who still has a permit then waits in the
   * queue that the key gets next.
   */
  function forgetLater(key: string, known: Known): void {
    const { history, queue } = known;
    const wait = Math.max(historySpan(limits), history.current().heldUntil - clock.now());
    known.cancelForget ??= clock.after(wait, () => {
      known.cancelForget = undefined;
      const { slots, heldUntil } = history.current();
      const end = Math.max((slots.at(-1) ?? 0) + historySpan(limits), heldUntil);
      if (end > clock.now() || queue.length() > 0 || history.isBusy()) return forgetLater(key, known);
      keys.delete(key);
      queue.close();
      history.removeStored();
    });
  }

  function permitFor(slot: number, { key, known, options, givenAt }: Given): Permit {
    return {
      async send(request) {
        timing.prepared(clock.now() - givenAt);
        for (let moment = slot; ; ) {
          await timing.reach(moment);
          // After a long wait the key may have been removed: then its slot counts no more.
          const { queue } = closed ? known : knownOf(key);
          // Called at once: sending the requests of others in between could make this one late.
          if (queue.isUsable(moment)) return request();
          queue.giveBack(moment);
          moment = await queue.slot(options, true);
        }
      },
    };
  }

  return {
    /**
     * Waits for a permit to send one request.
     * @param key each key has its own limits
     * @throws Deferred RATE_LIMIT with Retry-After: at once when the permit is further away than the caller's timeout,
     *   later when others of higher priority delay it beyond that, or when the service asks for a pause longer than
     *   `maxPause`
     * @throws the signal's reason
     */
    async acquire(key: string, { priority, timeout, maxPause, signal }: AcquireOptions): Promise<Permit> {
      signal?.throwIfAborted();
      if (!isLimited && !keys.has(key)) return unlimited;
      if (closed) throw stopping();
      const options = { priority, until: clock.now() + timeout, maxPause };
      const known = knownOf(key);
      // A caller that waits holds the promise, not this function.
      return known.queue
        .slot({ ...options, signal }, false)
        .then((slot) => permitFor(slot, { key, known, options, givenAt: clock.now() }));
    },

    /** Gives no permits for so many milliseconds: the service refused because of its rate limit. */
    pause: (key: string, milliseconds: number): void => knownOf(key).queue.pause(milliseconds),
    /**
     * The service refused a key that it never accepted: nothing of it stays in the store, but for slots of other
     * processes and a pause that the service asked for.
     */
    async refused(key: string): Promise<void> {
      const known = keys.get(key);
      if (known === undefined || !known.history.isOwn() || known.history.current().heldUntil > clock.now()) return;
      await known.queue.removeStored();
    },
    waiting: (): number => [...keys.values()].reduce((count, { queue }) => count + queue.length(), 0),
    remembered: (): number => keys.size,

    close(): void {
      closed = true;
      for (const { queue, cancelForget } of keys.values()) {
        cancelForget?.();
        queue.close();
      }
      keys.clear();
    },
  };
}
