import type { Clock } from './clock.ts';

/** The most milliseconds by which a slot is given earlier, after callers took long to get ready. */
const MAX_LEAD = 1000;
/** The most milliseconds of busy waiting before a moment, since timers are late. */
const MAX_SPIN = 20;
/** The factor by which a measured delay shrinks when the next one is shorter. */
const DECAY_FACTOR = 0.95;

export type Timing = ReturnType<typeof createTiming>;

/** Measures the lateness of timers and the time callers take to get ready, to start earlier by that. */
export function createTiming(clock: Clock) {
  let preparing = 0;
  let lag = 0;
  const learned = (known: number, took: number): number => Math.min(MAX_LEAD, Math.max(took, known * DECAY_FACTOR));

  /** Calls a function at a moment, or as soon after it as possible. @returns a function that cancels it */
  const at = (moment: number, work: () => void): (() => void) =>
    clock.after(moment - clock.now(), () => {
      lag = learned(lag, clock.now() - moment);
      work();
    });

  return {
    at,
    /** Waits for a moment, accurate to the millisecond. */
    async reach(moment: number): Promise<void> {
      const spin = () => Math.min(lag + 1, MAX_SPIN);
      while (moment - clock.now() > spin()) await new Promise<void>((resolve) => at(moment - spin(), resolve));
      while (clock.now() < moment) await new Promise<void>((resolve) => clock.soon(resolve));
    },
    /** Milliseconds by which a slot is given before its moment. */
    lead: () => preparing + lag,
    /** Records how many milliseconds a caller took to get ready. */
    prepared(took: number): void {
      preparing = learned(preparing, took);
    },
  };
}
