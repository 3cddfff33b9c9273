import { hash } from 'node:crypto';
import type { Credential } from '../../shared/client/client.ts';
import { Problem } from '../../shared/problem.ts';
import type { Administrations } from './administration.ts';

/** Keys that are counted at the same time; the oldest is forgotten first. */
const MAX_KEYS = 10_000;

/**
 * Administrations that refuse the writes of a key above so many a minute, before their bodies are read. A key may write
 * that many at once, and then as many a minute as come free. The rows of a push do not count: there are limits of
 * their own for those. Each instance of the app counts by itself.
 * @param perMinute 0 for no limit @param clock milliseconds since 1970
 */
export function withWriteQuota(
  administrations: Administrations,
  perMinute: number,
  clock: () => number = Date.now,
): Administrations {
  if (perMinute === 0) return administrations;
  /** What each key may still write at once, at a moment. */
  const left = new Map<string, { count: number; at: number }>();
  const perMs = perMinute / 60_000;

  /** @throws Problem RATE_LIMIT */
  const take = (credential: Credential) => {
    const key = keyOf(credential);
    const now = clock();
    const before = left.get(key) ?? { count: perMinute, at: now };
    const count = Math.min(perMinute, before.count + Math.max(0, now - before.at) * perMs);
    if (count < 1) {
      const seconds = Math.ceil((1 - count) / perMs / 1000);
      throw new Problem(
        'RATE_LIMIT',
        `Expected at most ${perMinute} writes a minute with one key. Nothing was changed: send it again in ${seconds} seconds.`,
        { headers: { 'Retry-After': String(seconds) } },
      );
    }
    // Deleted and set again, so that the key that has not written for longest is the first.
    left.delete(key);
    left.set(key, { count: count - 1, at: now });
    if (left.size > MAX_KEYS) left.delete(left.keys().next().value!);
  };

  return {
    ...administrations,
    async open(credential, options) {
      // Whether the key may write at all is known first: others learn nothing about the quota, and are not counted.
      const opened = await administrations.open(credential, options);
      if (options?.writes) take(credential);
      return opened;
    },
  };
}

/** One key in several spellings of its user name is one. */
const keyOf = ({ apiKey, username }: Credential): string =>
  hash('sha256', `${username.trim().toLowerCase()}\n${apiKey}`, 'base64');
