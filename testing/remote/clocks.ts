import { type Clock, systemClock } from '../../functions/administrations/remote/rateLimit/clock.ts';

/** A clock that runs so many times as fast, for tests that wait for minutes. */
export const fastClock = (times: number): Clock => ({
  now: () => systemClock.now() * times,
  after: (milliseconds, work) => systemClock.after(milliseconds / times, work),
  soon: systemClock.soon,
});

export type HandClock = ReturnType<typeof handClock>;

/** A clock that stands still until a test lets time pass. */
export function handClock() {
  let now = 0;
  let due: { at: number; work: () => void }[] = [];
  // Promises that were resolved continue first.
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const after = (milliseconds: number, work: () => void) => {
    const one = { at: now + Math.max(0, milliseconds), work };
    due.push(one);
    return () => {
      due = due.filter((other) => other !== one);
    };
  };
  return {
    now: (): number => now,
    after,
    // Work takes some time on a real machine, too.
    soon: (work: () => void): void => void after(1, work),
    /** Lets time pass, and does all due work at its moment. */
    async pass(milliseconds: number): Promise<void> {
      const end = now + milliseconds;
      await settle();
      while (true) {
        const [next] = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        due = due.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.work();
        await settle();
      }
      now = Math.max(now, end);
    },
    /** Lets time pass without doing anything, as a turn of the event loop that takes long does. */
    spend: (milliseconds: number): void => {
      now += milliseconds;
    },
    /** The number of pending calls. */
    pending: (): number => due.length,
  };
}
