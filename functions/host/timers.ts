import { Cron } from 'croner';
import type { TimerFunction } from '../http/definition.ts';
import { type Log, newContext } from './context.ts';

/**
 * Calls functions on their schedules, as Azure does; calls of one function never overlap.
 * @param timeZone where the schedules are read
 * @returns a function that stops it and waits for running functions
 */
export function startTimers(functions: readonly TimerFunction[], timeZone: string, log: Log): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const jobs = functions.map((one) => {
    const call = (job: Cron): Promise<void> => {
      const moment = (date: Date | null | undefined) => (date ?? new Date(0)).toISOString();
      const timer = {
        isPastDue: false,
        schedule: { adjustForDST: true },
        scheduleStatus: {
          last: moment(job.previousRun()),
          next: moment(job.nextRun()),
          lastUpdated: moment(new Date()),
        },
      };
      const work = one
        .handler(timer, newContext(one.name, log))
        .catch((failure) => log(`${one.name} failed: ${failure instanceof Error ? failure.stack : failure}`))
        .finally(() => running.delete(work));
      running.add(work);
      return work;
    };
    const job = new Cron(one.schedule, { timezone: timeZone, protect: true }, call);
    if (one.atStart) call(job);
    return job;
  });
  return async () => {
    for (const job of jobs) job.stop();
    await Promise.all(running);
  };
}
