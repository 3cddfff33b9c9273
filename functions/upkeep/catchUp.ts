import type { InvocationContext, Timer } from '@azure/functions';
import { Cron } from 'croner';
import type { Health } from '../health/health.ts';
import type { HttpFunction, TimerFunction } from '../http/definition.ts';

/** A timer is late when it should have been called so long ago, in milliseconds. */
const GRACE_MS = 60_000;

type State = { last: number; due: number; isRunning: boolean };

/**
 * Catches up on timers that stopped: each request checks whether one is late, and calls it without waiting for it.
 * Timers have been seen to stop after a deployment. The platform calls a timer on one of several instances. The others
 * call it too, which does no harm, since the work of a timer is done only once.
 * @param clock milliseconds since 1970
 */
export function catchingUp(timers: readonly TimerFunction[], clock: () => number = Date.now) {
  const started = clock();
  // Their schedules are in minutes, which are the same in every time zone; a name of one would cost a while to look up.
  const dueAfter = ({ schedule }: TimerFunction, moment: number): number =>
    new Cron(schedule, { utcOffset: 0, paused: true }).nextRun(new Date(moment))?.getTime() ?? Number.POSITIVE_INFINITY;
  let made: State[] | undefined;
  /** Made when first needed: the due times take milliseconds, which the start of the app does not wait for. */
  const states = (): State[] => {
    made ??= timers.map((timer) => ({ last: 0, due: dueAfter(timer, started), isRunning: false }));
    return made;
  };
  const lateBy = ({ due }: State): number => Math.max(0, clock() - due - GRACE_MS);

  const called = timers.map(
    (timer, index): TimerFunction => ({
      ...timer,
      handler: async (call, context) => {
        const state = states()[index]!;
        state.isRunning = true;
        try {
          await timer.handler(call, context);
        } finally {
          state.isRunning = false;
          state.last = clock();
          state.due = dueAfter(timer, state.last);
        }
      },
    }),
  );

  function callLate(context: InvocationContext): void {
    // None can be late yet.
    if (clock() < started + GRACE_MS) return;
    for (const [index, state] of states().entries()) {
      if (state.isRunning || lateBy(state) === 0) continue;
      const timer = called[index]!;
      context.warn(`${timer.name} is late: it is called by a request.`);
      timer.handler(lateTimer(state), context).catch((failure) => context.error(failure));
    }
  }

  return {
    timers: called,
    http: (functions: readonly HttpFunction[]): HttpFunction[] =>
      functions.map((one) => ({
        ...one,
        handler: (request, context) => {
          // Health must show how late they are.
          if (one.name !== 'health') callLate(context);
          return one.handler(request, context);
        },
      })),
    /** When each timer was called last, and by how many seconds it is late. */
    health: (): Health => ({
      ...(states().some((state) => lateBy(state) > 0) ? { status: 'degraded' } : {}),
      ...Object.fromEntries(
        timers.map(({ name }, index) => {
          const state = states()[index]!;
          const last = state.last === 0 ? null : new Date(state.last).toISOString();
          return [name, { last, lateBy: Math.round(lateBy(state) / 1000) }];
        }),
      ),
    }),
  };
}

const lateTimer = ({ last, due }: State): Timer => ({
  isPastDue: true,
  schedule: { adjustForDST: true },
  scheduleStatus: {
    last: new Date(last).toISOString(),
    next: new Date(due).toISOString(),
    lastUpdated: new Date(last).toISOString(),
  },
});
