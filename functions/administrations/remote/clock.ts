/** Time as the pace and the patience of calls know it: monotonic, so that setting the machine's clock changes nothing. */
export type Clock = {
  /** Milliseconds since some moment. */
  now(): number;
  /** Does something after so many milliseconds; answers what prevents it. */
  after(milliseconds: number, work: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, Math.ceil(milliseconds));
    return () => clearTimeout(timer);
  },
};
