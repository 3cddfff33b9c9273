import pLimit, { type LimitFunction } from 'p-limit';
import { Problem } from '../../../../shared/problem.ts';

/** Downloads of one API key in any minute; a document may have 20 attachments. */
const MAX_PER_MINUTE = 60;
/** Downloads of one API key at a time; others wait for them. */
const MAX_AT_A_TIME = 5;
const MINUTE_MS = 60_000;

export type DownloadLimits = ReturnType<typeof downloadLimits>;

/** Limits the downloads of each API key, in this instance of the app. @param clock milliseconds since 1970 */
export function downloadLimits(clock: () => number) {
  const perKey = new Map<bigint | null, { begun: number[]; queue: LimitFunction }>();
  return {
    /**
     * Runs downloads for an API key, some at a time.
     * @param key its id; null: none, as of the app itself
     * @throws Problem RATE_LIMIT before any begins, when there would be too many in a minute
     */
    async run<T>(key: bigint | null, downloads: readonly (() => Promise<T>)[]): Promise<T[]> {
      if (downloads.length === 0) return [];
      const now = clock();
      const of = perKey.get(key) ?? { begun: [], queue: pLimit(MAX_AT_A_TIME) };
      perKey.set(key, of);
      // One from the future began before the clock was set back: it would count until that moment comes again.
      of.begun = of.begun.filter((at) => at > now - MINUTE_MS && at <= now);
      const tooMany = of.begun.length + downloads.length - MAX_PER_MINUTE;
      if (tooMany > 0) {
        const seconds = Math.ceil((of.begun[tooMany - 1]! + MINUTE_MS - now) / 1000);
        throw new Problem(
          'RATE_LIMIT',
          `Expected at most ${MAX_PER_MINUTE} attachments by their address in a minute. Nothing was stored: send it again in ${seconds} seconds.`,
          { headers: { 'Retry-After': String(seconds) } },
        );
      }
      of.begun.push(...downloads.map(() => now));
      return Promise.all(downloads.map((download) => of.queue(download)));
    },
  };
}
