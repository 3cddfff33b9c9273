/**
 * The clock of the rate limiter and the timeouts: it is monotonic, so that setting the machine's clock changes nothing,
 * and starts at that clock's time, so that processes agree on the time.
 */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls a function after so many milliseconds. @returns a function that cancels it */
  after(milliseconds: number, work: () => void): () => void;
  /**
   * Calls a function on the next turn of the event loop: for the last milliseconds, for which timers are too coarse.
   */
  soon(work: () => void): void;
};

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, Math.ceil(milliseconds));
    return () => clearTimeout(timer);
  },
  soon: (work) => void setImmediate(work),
};
