import { hash } from 'node:crypto';

/** Milliseconds after which a wrong guess no longer counts. */
const WINDOW_MS = 60_000;
/** Names that are counted, and right secrets that are remembered, at the same time. */
const MAX_REMEMBERED = 10_000;
type Failures = { count: number; until: number };

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
  let ended = Promise.withResolvers<void>();

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
    /** Milliseconds until a name may be guessed for again; 0 while it has at most so many failures. */
    wait(name: string, max: number): number {
      const found = current(name);
      return found === undefined || found.count <= max ? 0 : found.until - clock();
    },
    /** Whether a name would have more failures than that if all other secrets that are being tried are wrong. */
    isCrowded(name: string, max: number, secret: string): boolean {
      const secrets = tried.get(name);
      if (secrets === undefined) return false;
      return (current(name)?.count ?? 0) + secrets.size - (secrets.has(secret) ? 1 : 0) > max;
    },
    /** Resolves when it is known of a secret whether it is right. */
    nextEnd: (): Promise<void> => ended.promise,
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
        ended.resolve();
        ended = Promise.withResolvers();
      };
    },
    /** Remembers a right secret of an address. */
    remember: (address: string, secret: string): void => setLast(used, digestOf(address, secret), true),
    /** Whether an address used a secret before, which was right. */
    isKnown: (address: string, secret: string): boolean => used.has(digestOf(address, secret)),
  };
}
