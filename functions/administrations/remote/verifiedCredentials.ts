import type { Clock } from './rateLimit/clock.ts';

/** Milliseconds for which a verified credential counts as valid. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Caches which credentials the service accepts: it is asked about each once in some minutes. */
export function createVerifiedCredentials(clock: Pick<Clock, 'now'>) {
  /** The requests and the end of their validity, the oldest first. */
  const known = new Map<string, { until: number; verified: Promise<void> }>();

  function removeOldest(): void {
    for (const [key, { until }] of known) {
      if (until > clock.now() && known.size <= MAX_REMEMBERED) return;
      known.delete(key);
    }
  }

  return {
    /** @param ask throws when the service does not accept the credential */
    async verify(key: string, ask: () => Promise<void>): Promise<void> {
      const last = known.get(key);
      if (last !== undefined && last.until > clock.now()) return last.verified;
      const entry = { until: Number.POSITIVE_INFINITY, verified: ask() };
      known.delete(key);
      known.set(key, entry);
      try {
        await entry.verified;
        entry.until = clock.now() + MAX_AGE_MS;
        removeOldest();
      } catch (failure) {
        if (known.get(key) === entry) known.delete(key);
        throw failure;
      }
    },
  };
}
