import type { Clock } from './rateLimit/clock.ts';
import { tooManyRequests } from './rateLimit/deferred.ts';
import type { Result } from './readResponse.ts';

/**
 * Credentials that the service has not accepted yet: so many may be asked about at a time, or have failed in a minute.
 */
const MAX_UNACCEPTED = 60;
const WINDOW_MS = 60_000;
const MAX_REMEMBERED = 10_000;

export type AcceptedCredentials = ReturnType<typeof createAcceptedCredentials>;

/**
 * Remembers which credentials the service accepts. Made-up ones do not stop the requests of others, and reach the
 * service, and the stored history of the rate limiter, only so often.
 */
export function createAcceptedCredentials(clock: Pick<Clock, 'now'>) {
  const accepted = new Set<string>();
  /** The unaccepted credentials of requests that are under way, and how many of each. */
  const underWay = new Map<string, number>();
  /** The last failure of each unaccepted credential, the oldest first. */
  const failures = new Map<string, number>();

  function remember(key: string): void {
    accepted.delete(key);
    accepted.add(key);
    if (accepted.size > MAX_REMEMBERED) accepted.delete(accepted.values().next().value!);
  }

  /** @throws Deferred RATE_LIMIT */
  function checkLimit(key: string): void {
    const now = clock.now();
    for (const [failed, moment] of failures) {
      if (moment > now - WINDOW_MS) break;
      failures.delete(failed);
    }
    // A request with one of these makes them no more: the rate limiter counts its repetitions.
    if (failures.has(key) || underWay.has(key)) return;
    if (failures.size + underWay.size < MAX_UNACCEPTED) return;
    const [first = now] = failures.values();
    throw tooManyRequests(first + WINDOW_MS - now);
  }

  return {
    isAccepted: (key: string): boolean => accepted.has(key),
    /**
     * Begins a request.
     * @returns takes its result; undefined when it was not sent
     * @throws Deferred RATE_LIMIT for an unaccepted credential after too many others
     */
    enter(key: string): (result: Result | undefined) => void {
      if (accepted.has(key)) return () => {};
      checkLimit(key);
      underWay.set(key, (underWay.get(key) ?? 0) + 1);
      return (result) => {
        const left = underWay.get(key)! - 1;
        if (left === 0) underWay.delete(key);
        else underWay.set(key, left);
        if (result === undefined) return;
        failures.delete(key);
        if (result.kind === 'response') remember(key);
        else failures.set(key, clock.now());
      };
    },
  };
}
