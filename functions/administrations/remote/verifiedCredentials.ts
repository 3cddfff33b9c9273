import type { Clock } from './rateLimit/clock.ts';

/** Milliseconds the service's word for a credential counts. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Which credentials the service knows: each is asked for once in some minutes. */
type VerifiedCredentials = {
  /** @param ask throws when the service does not know the credential */
  verify(key: string, ask: () => Promise<void>): Promise<void>;
};

export function createVerifiedCredentials(clock: Pick<Clock, 'now'>): VerifiedCredentials {
  /** Until when each counts, the oldest first. */
  const known = new Map<string, number>();
  const asking = new Map<string, Promise<void>>();

  async function verify(key: string, ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
    } finally {
      asking.delete(key);
    }
    known.delete(key);
    known.set(key, clock.now() + MAX_AGE_MS);
    for (const [oldest, until] of known) {
      if (until > clock.now() && known.size <= MAX_REMEMBERED) break;
      known.delete(oldest);
    }
  }

  return {
    async verify(key, ask) {
      if ((known.get(key) ?? 0) > clock.now()) return;
      let asked = asking.get(key);
      if (asked === undefined) {
        asked = verify(key, ask);
        asking.set(key, asked);
      }
      await asked;
    },
  };
}
