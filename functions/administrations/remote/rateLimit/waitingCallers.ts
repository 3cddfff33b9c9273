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

/** A waiting caller. Thousands may wait, so it has no functions of its own but those of its promise. */
type Caller = {
  priority: Priority;
  until: number;
  maxPause: number;
  resolve: (slot: number) => void;
  reject: (reason: unknown) => void;
  /** Ends what listens to its signal; undefined without a signal. */
  unlisten: (() => void) | undefined;
};

export type WaitingCallers = ReturnType<typeof createWaitingCallers>;

/** The waiting callers of one key: interactive ones before background work, first come first served. */
export function createWaitingCallers() {
  const waiting: Record<Priority, Caller[]> = { interactive: [], background: [] };

  function leave(caller: Caller): void {
    caller.unlisten?.();
    const callers = waiting[caller.priority];
    callers.splice(callers.indexOf(caller), 1);
  }

  function refuse(caller: Caller, reason: unknown): void {
    leave(caller);
    caller.reject(reason);
  }

  function listen(caller: Caller, signal: AbortSignal): void {
    const abort = () => refuse(caller, signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    caller.unlisten = () => signal.removeEventListener('abort', abort);
  }

  return {
    count: (priority: Priority): number => waiting[priority].length,
    length: (): number => waiting.interactive.length + waiting.background.length,
    all: (): Caller[] => [...waiting.interactive, ...waiting.background],

    /**
     * Adds a caller.
     * @param isFirst whether it goes before all others of its priority
     * @returns its slot; rejects with why it was refused, or with the signal's reason
     */
    add(
      { priority, until, maxPause = Number.POSITIVE_INFINITY, signal }: QueueOptions,
      isFirst: boolean,
    ): Promise<number> {
      return new Promise((resolve, reject) => {
        const caller: Caller = { priority, until, maxPause, resolve, reject, unlisten: undefined };
        if (isFirst) waiting[priority].unshift(caller);
        else waiting[priority].push(caller);
        if (signal !== undefined) listen(caller, signal);
      });
    },

    /** Gives a slot to the first caller. */
    giveToFirst(slot: number): void {
      const caller = (waiting.interactive[0] ?? waiting.background[0])!;
      leave(caller);
      caller.resolve(slot);
    },
    refuse,
  };
}
