import { type Clock, systemClock } from '../../functions/administrations/remote/rateLimit/clock.ts';

/** A clock that runs so many times as fast: for what waits minutes. */
export const fastClock = (times: number): Clock => ({
  now: () => systemClock.now() * times,
  after: (milliseconds, work) => systemClock.after(milliseconds / times, work),
  soon: systemClock.soon,
});

export type HandClock = Clock & {
  /** Lets time pass, doing what is due on the way, each thing at its time. */
  pass(milliseconds: number): Promise<void>;
  /** What waits for its time. */
  pending(): number;
};

/** A clock that stands still until time is let pass. */
export function handClock(): HandClock {
  let now = 0;
  let due: { at: number; work: () => void }[] = [];
  // Whoever was woken goes on first.
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const after = (milliseconds: number, work: () => void) => {
    const one = { at: now + Math.max(0, milliseconds), work };
    due.push(one);
    return () => {
      due = due.filter((other) => other !== one);
    };
  };
  return {
    now: () => now,
    after,
    // A machine takes its time, too.
    soon: (work) => void after(1, work),
    async pass(milliseconds) {
      const end = now + milliseconds;
      await settle();
      while (true) {
        const [next] = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        due = due.filter((other) => other !== next);
        now = next.at;
        next.work();
        await settle();
      }
      now = end;
    },
    pending: () => due.length,
  };
}
