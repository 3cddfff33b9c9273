import type { Clock } from './clock.ts';

/** Milliseconds by which anything is begun earlier at the most, because it took so long the last times. */
const MAX_LEAD = 1000;
/** Milliseconds before a moment in which nothing else is waited for, at the most: timers come late. */
const MAX_SPIN = 20;
/** What of a measured delay remains when the next one is shorter. */
const DECAY_FACTOR = 0.95;

/** Learns how late timers come and how long callers take to get ready, to begin earlier by that. */
export type Timing = {
  /** Does something at a moment, or as soon after it as the machine can. @returns what prevents it */
  at(moment: number, work: () => void): () => void;
  /** Waits for a moment, to the millisecond. */
  reach(moment: number): Promise<void>;
  /** Milliseconds a slot is given to its caller before its moment. */
  lead(): number;
  /** Learns that a caller took so many milliseconds to get ready. */
  prepared(took: number): void;
};

export function createTiming(clock: Clock): Timing {
  let preparing = 0;
  let lag = 0;
  const learned = (known: number, took: number): number => Math.min(MAX_LEAD, Math.max(took, known * DECAY_FACTOR));
  const timing: Timing = {
    at: (moment, work) =>
      clock.after(moment - clock.now(), () => {
        lag = learned(lag, clock.now() - moment);
        work();
      }),
    async reach(moment) {
      const spin = () => Math.min(lag + 1, MAX_SPIN);
      while (moment - clock.now() > spin()) {
        await new Promise<void>((resolve) => timing.at(moment - spin(), resolve));
      }
      while (clock.now() < moment) await new Promise<void>((resolve) => clock.soon(resolve));
    },
    lead: () => preparing + lag,
    prepared(took) {
      preparing = learned(preparing, took);
    },
  };
  return timing;
}
