/**
 * Work of queues and timers in slices: when one is over, a later message or timer continues the work. A stop of the app
 * ends every slice, and waits for what is in hand.
 * @param length of a slice, in milliseconds; left out: as long as its work takes
 */
export function openSlices(length?: number) {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    /**
     * @param work ends soon after the first signal is aborted: the slice is over (a TimeoutError), or the app stops. The
     *   second one tells of the stop only
     */
    async run<Result>(work: (over: AbortSignal, stopping: AbortSignal) => Promise<Result>): Promise<Result> {
      const { signal } = stopping;
      const slice = work(
        length === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(length)]),
        signal,
      );
      running.add(slice);
      try {
        return await slice;
      } finally {
        running.delete(slice);
      }
    },
    /** Ends the running slices, and waits for them. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
