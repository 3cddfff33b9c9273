import type { Clock } from '../../functions/administrations/remote/rateLimit/clock.ts';
import type { History, HistoryStore } from '../../functions/administrations/remote/rateLimit/rateLimitHistory.ts';

export type MemoryHistory = HistoryStore & {
  /** Milliseconds a question takes, half of them before it is carried out. */
  latency: () => number;
  /** Writes that were refused because somebody else was quicker. */
  lost: number;
  /** While it is down, every question fails. */
  isDown: boolean;
  /** Questions so far. */
  asked: number;
};

/** A record in memory that several limiters share. */
export function memoryHistory(clock: Clock, latency: () => number): MemoryHistory {
  const written = new Map<string, { history: History; version: string }>();
  const passed = (milliseconds: number) => new Promise<void>((resolve) => clock.after(milliseconds, resolve));
  const asked = async <Answer>(carryOut: () => Answer): Promise<Answer> => {
    record.asked++;
    const half = record.latency() / 2;
    await passed(half);
    if (record.isDown) throw new Error('the record is down');
    const answer = carryOut();
    await passed(half);
    return answer;
  };
  const record: MemoryHistory = {
    latency,
    lost: 0,
    isDown: false,
    asked: 0,
    read: (key) => asked(() => written.get(key) ?? { history: { slots: [], heldUntil: 0 }, version: undefined }),
    write: (key, history, version) =>
      asked(() => {
        if (written.get(key)?.version !== version) {
          record.lost++;
          return undefined;
        }
        const next = String(Number(version ?? 0) + 1);
        written.set(key, { history: structuredClone(history), version: next });
        return next;
      }),
  };
  return record;
}
