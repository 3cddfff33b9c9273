import type { InvocationContext, Timer } from '@azure/functions';
import { Cron } from 'croner';
import { isOfClockAhead } from '../administrations/clockAhead.ts';
import type { Health } from '../health/health.ts';
import type { TimerFunction } from '../http/definition.ts';
import type { Middleware } from '../http/middleware.ts';
import type { TimerRuns } from './timerRuns.ts';

/** A timer is late when it should have been called so long ago, in milliseconds. */
const GRACE_MS = 60_000;
/** Milliseconds between two looks for late timers. */
const LOOK_INTERVAL_MS = 60_000;

/** A timer, with its last run and the milliseconds by which the next one is late. */
type Lateness = { timer: TimerFunction; last: number | undefined; due: number; lateBy: number };

/**
 * Catches up on timers that stopped: a request with a valid credential looks once a minute whether one is late, and
 * calls it without waiting for it. Timers have been seen to stop after a deployment. Each instance serves functions of
 * one kind, and the one that serves requests never runs a timer: the runs of all instances are stored. A late timer may
 * be called by several of them, which does no harm, since the work of a timer is done only once.
 * @param clock milliseconds since 1970
 */
export function catchingUp(
  timers: readonly TimerFunction[],
  runs: () => Promise<TimerRuns>,
  clock: () => number = Date.now,
) {
  const started = clock();
  // Their schedules are in minutes, which are the same in every time zone; a name of one would cost a while to look up.
  const dueAfter = ({ schedule }: TimerFunction, moment: number): number =>
    new Cron(schedule, { utcOffset: 0, paused: true }).nextRun(new Date(moment))?.getTime() ?? Number.POSITIVE_INFINITY;
  const running = new Set<string>();
  let nextLook = started + GRACE_MS;

  const called = timers.map(
    (timer): TimerFunction => ({
      ...timer,
      handler: async (call, context) => {
        running.add(timer.name);
        try {
          await timer.handler(call, context);
        } finally {
          running.delete(timer.name);
          // A run that is not recorded is repeated.
          await runs()
            .then((all) => all.record(timer.name, clock()))
            .catch((failure) => context.warn(`The run of ${timer.name} was not recorded: ${failure}`));
        }
      },
    }),
  );

  async function lateness(): Promise<Lateness[]> {
    const all = await (await runs()).read();
    return called.map((timer) => {
      const recorded = all.get(timer.name);
      // The clock was ahead: until then nobody would see that the timer has stopped.
      const last = recorded !== undefined && isOfClockAhead(recorded, clock()) ? undefined : recorded;
      const due = dueAfter(timer, last ?? started);
      return { timer, last, due, lateBy: Math.max(0, clock() - due - GRACE_MS) };
    });
  }

  async function callLate(context: InvocationContext): Promise<void> {
    const now = clock();
    // A look further ahead was planned by a clock that was ahead.
    if (now < nextLook && nextLook <= now + LOOK_INTERVAL_MS) return;
    nextLook = now + LOOK_INTERVAL_MS;
    for (const { timer, last, due, lateBy } of await lateness()) {
      if (lateBy === 0 || running.has(timer.name)) continue;
      context.warn(`${timer.name} is late: it is called by a request.`);
      timer.handler(lateTimer(last ?? 0, due), context).catch((failure) => context.error(failure));
    }
  }

  /** For functions that only respond with success to a valid credential. */
  const lookAfterSuccess: Middleware = (next) => async (request, context) => {
    const response = await next(request, context);
    if ((response.status ?? 200) < 400) callLate(context).catch((failure) => context.error(failure));
    return response;
  };

  return {
    timers: called,
    lookAfterSuccess,
    /** When each timer ran last on any instance, and by how many seconds it is late. */
    async health(): Promise<Health> {
      const all = await lateness();
      return {
        ...(all.some(({ lateBy }) => lateBy > 0) ? { status: 'degraded' } : {}),
        ...Object.fromEntries(
          all.map(({ timer, last, lateBy }) => [
            timer.name,
            { last: last === undefined ? null : new Date(last).toISOString(), lateBy: Math.round(lateBy / 1000) },
          ]),
        ),
      };
    },
  };
}

const lateTimer = (last: number, due: number): Timer => ({
  isPastDue: true,
  schedule: { adjustForDST: true },
  scheduleStatus: {
    last: new Date(last).toISOString(),
    next: new Date(due).toISOString(),
    lastUpdated: new Date(last).toISOString(),
  },
});
