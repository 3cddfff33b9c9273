/**
 * Time as the rate limiter and the timeouts know it: it only goes on, so that setting the machine's clock changes nothing,
 * and began where that clock was, so that other processes know the same time.
 */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Does something after so many milliseconds; answers what prevents it. */
  after(milliseconds: number, work: () => void): () => void;
  /** Does something next, when what the machine is doing is done: for the last stretch to a moment, which timers miss. */
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
