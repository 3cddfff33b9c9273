import type { Priority } from '../../administration.ts';

/** The options of a caller that waits for a slot. */
export type QueueOptions = {
  priority: Priority;
  /** The latest useful moment of a slot. */
  until: number;
  /** The longest pause of the service for which it waits, independent of `until`. Left out: any. */
  maxPause?: number | undefined;
  signal?: AbortSignal | undefined;
};

/** A waiting caller; it leaves the queue when it gets a slot or is refused. */
type Caller = {
  until: number;
  maxPause: number;
  giveSlot: (slot: number) => void;
  refuse: (reason: unknown) => void;
};

export type WaitingCallers = ReturnType<typeof createWaitingCallers>;

/** The waiting callers of one key: interactive ones before background work, first come first served. */
export function createWaitingCallers() {
  const waiting: Record<Priority, Caller[]> = { interactive: [], background: [] };

  return {
    count: (priority: Priority): number => waiting[priority].length,
    length: (): number => waiting.interactive.length + waiting.background.length,
    first: (): Caller | undefined => waiting.interactive[0] ?? waiting.background[0],
    all: (): Caller[] => [...waiting.interactive, ...waiting.background],

    /**
     * Adds a caller.
     * @param isFirst whether it goes before all others of its priority
     * @returns its slot
     * @throws why it was refused, or the signal's reason
     */
    add(
      { priority, until, maxPause = Number.POSITIVE_INFINITY, signal }: QueueOptions,
      isFirst: boolean,
    ): Promise<number> {
      return new Promise((resolve, reject) => {
        const callers = waiting[priority];
        const leave = () => {
          signal?.removeEventListener('abort', abort);
          callers.splice(callers.indexOf(caller), 1);
        };
        const caller: Caller = {
          until,
          maxPause,
          giveSlot(slot) {
            leave();
            resolve(slot);
          },
          refuse(reason) {
            leave();
            reject(reason);
          },
        };
        const abort = () => caller.refuse(signal!.reason);
        signal?.addEventListener('abort', abort, { once: true });
        if (isFirst) callers.unshift(caller);
        else callers.push(caller);
      });
    },
  };
}
