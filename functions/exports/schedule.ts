import { Cron } from 'croner';

/**
 * The latest moment a schedule names, in seconds since 1970, up to and including now; undefined before its first.
 * @param now milliseconds since 1970
 */
export function latestMoment(schedule: string, timeZone: string, now: number): number | undefined {
  // Croner looks before its argument; the present second must be included.
  const [moment] = cronOf(schedule, timeZone).previousRuns(1, new Date(now + 1000));
  return moment === undefined ? undefined : Math.floor(moment.getTime() / 1000);
}

/** The first moment a schedule names after another one, both in seconds since 1970; undefined after its last. */
export function firstMomentAfter(schedule: string, timeZone: string, after: number): number | undefined {
  const moment = cronOf(schedule, timeZone).nextRun(new Date(after * 1000));
  return moment === null ? undefined : Math.floor(moment.getTime() / 1000);
}

const cronOf = (schedule: string, timezone: string): Cron => new Cron(schedule, { timezone, paused: true });
