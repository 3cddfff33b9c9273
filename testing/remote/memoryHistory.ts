import type { Clock } from '../../functions/administrations/remote/rateLimit/clock.ts';
import type { History, HistoryStore } from '../../functions/administrations/remote/rateLimit/rateLimitHistory.ts';

export type MemoryHistory = HistoryStore & {
  /** Milliseconds of a request; half of them pass before it is carried out. */
  latency: () => number;
  /** Writes that failed since another limiter wrote first. */
  conflicts: number;
  /** While it is down, every request fails. */
  isDown: boolean;
  /** The number of requests. */
  requests: number;
  /** Whose history is stored. */
  keys(): string[];
};

/** A rate limit history in memory that several limiters share. */
export function memoryHistory(clock: Clock, latency: () => number): MemoryHistory {
  let writes = 0;
  const written = new Map<string, { history: History; version: string }>();
  const sleep = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve));
  const request = async <Result>(carryOut: () => Result): Promise<Result> => {
    store.requests++;
    const half = store.latency() / 2;
    await sleep(half);
    if (store.isDown) throw new Error('the store is down');
    const result = carryOut();
    await sleep(half);
    return result;
  };
  const store: MemoryHistory = {
    latency,
    conflicts: 0,
    isDown: false,
    requests: 0,
    read: (key) => request(() => written.get(key) ?? { history: { slots: [], heldUntil: 0 }, version: undefined }),
    write: (key, history, version) =>
      request(() => {
        if (written.get(key)?.version !== version) {
          store.conflicts++;
          return undefined;
        }
        const next = String(++writes);
        written.set(key, { history: structuredClone(history), version: next });
        return next;
      }),
    remove: (key, version) => request(() => written.get(key)?.version === version && written.delete(key)),
    keys: () => [...written.keys()],
  };
  return store;
}
