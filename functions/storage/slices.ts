/** Work on queue messages in slices of time: when a slice is over, another message continues the work. */
type Slices = {
  /** @param work ends soon after the signal is aborted: the slice is over, or the app stops */
  run<Result>(work: (over: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Ends the running slices, and waits for them. */
  stop(): Promise<void>;
};

/** @param length of a slice, in milliseconds */
export function openSlices(length: number): Slices {
  const stopping = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    async run(work) {
      const slice = work(AbortSignal.any([stopping.signal, AbortSignal.timeout(length)]));
      running.add(slice);
      try {
        return await slice;
      } finally {
        running.delete(slice);
      }
    },
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
