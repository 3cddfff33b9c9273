import { hash } from 'node:crypto';

/** Milliseconds after which a wrong guess no longer counts. */
const WINDOW_MS = 60_000;
/** Names that are counted, and right secrets that are remembered, at the same time. */
const MAX_REMEMBERED = 10_000;
/** Milliseconds to wait while secrets are tried of which it is not known yet whether they are right. */
const UNDER_WAY_MS = 1000;

type Failures = { count: number; until: number };

export type GuessLimit = ReturnType<typeof guessLimit>;

/**
 * Counts wrong guesses by a name, those that are being tried among them, and remembers which right secrets an address
 * used.
 * @param clock milliseconds
 */
export function guessLimit(clock: () => number) {
  const failures = new Map<string, Failures>();
  const used = new Map<string, true>();
  /** By the name, how often each secret is being tried. */
  const tried = new Map<string, Map<string, number>>();

  /** Deleted and set again, so that the oldest entry is the first of the map and is removed. */
  function setLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
    map.delete(key);
    map.set(key, value);
    if (map.size > MAX_REMEMBERED) map.delete(map.keys().next().value!);
  }
  const digestOf = (address: string, secret: string): string => hash('sha256', `${address}\n${secret}`, 'base64');
  const current = (name: string): Failures | undefined => {
    const found = failures.get(name);
    return found === undefined || found.until <= clock() ? undefined : found;
  };

  return {
    /** Counts a wrong guess. */
    fail(name: string): void {
      const { count, until } = current(name) ?? { count: 0, until: clock() + WINDOW_MS };
      setLast(failures, name, { count: count + 1, until });
    },
    /**
     * Milliseconds until a name may be guessed for again; 0 while it has at most so many failures. Other secrets than
     * this one that are being tried may all be wrong.
     */
    wait(name: string, max: number, secret?: string): number {
      const found = current(name);
      if (found !== undefined && found.count > max) return found.until - clock();
      const secrets = tried.get(name);
      if (secret === undefined || secrets === undefined) return 0;
      const others = secrets.size - (secrets.has(secret) ? 1 : 0);
      return (found?.count ?? 0) + others > max ? UNDER_WAY_MS : 0;
    },
    /** Counts a secret for some names until it is known whether it is right. @returns a function that ends this */
    begin(names: readonly string[], secret: string): () => void {
      for (const name of names) {
        const secrets = tried.get(name) ?? new Map<string, number>();
        tried.set(name, secrets.set(secret, (secrets.get(secret) ?? 0) + 1));
      }
      return () => {
        for (const name of names) {
          const secrets = tried.get(name)!;
          const left = secrets.get(secret)! - 1;
          if (left > 0) secrets.set(secret, left);
          else secrets.delete(secret);
          if (secrets.size === 0) tried.delete(name);
        }
      };
    },
    /** Remembers a right secret of an address. */
    remember: (address: string, secret: string): void => setLast(used, digestOf(address, secret), true),
    /** Whether an address used a secret before, which was right. */
    isKnown: (address: string, secret: string): boolean => used.has(digestOf(address, secret)),
  };
}
