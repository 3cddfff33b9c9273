import { Cron } from 'croner';

/**
 * The latest moment a schedule names, in seconds since 1970, up to and including now; undefined before its first.
 * @param now milliseconds since 1970
 */
export function latestMoment(schedule: string, timeZone: string, now: number): number | undefined {
  const cron = new Cron(schedule, { timezone: timeZone, paused: true });
  // It looks before a moment; the one that begins this very second counts.
  const [moment] = cron.previousRuns(1, new Date(now + 1000));
  return moment === undefined ? undefined : Math.floor(moment.getTime() / 1000);
}
