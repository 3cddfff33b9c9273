/**
 * Work on queue messages in slices of time: when a slice is over, another message continues the work.
 * @param length of a slice, in milliseconds
 */
export function openSlices(length: number) {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    /** @param work ends soon after the signal is aborted: the slice is over, or the app stops */
    async run<Result>(work: (over: AbortSignal) => Promise<Result>): Promise<Result> {
      const slice = work(AbortSignal.any([stopping.signal, AbortSignal.timeout(length)]));
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
