import limited from 'p-limit';
import { addDays, dateIn } from '../../shared/wire/calendarDate.ts';
import { type ExportDependencies, type ExportLog, type ExportMessage, QUEUE } from './dependencies.ts';
import type { Exported } from './exportedAdministrations.ts';
import { coveredUpTo, isDue, isPublished, MAX_IDLE_SECONDS } from './run/run.ts';
import { firstMomentAfter, latestMoment } from './schedule.ts';

/** Administrations whose records are read at the same time: a firm may have thousands. */
const AT_A_TIME = 16;

/** Puts a message on the queue for every administration that is due. */
export async function enqueueDue(dependencies: ExportDependencies, log: ExportLog): Promise<void> {
  const all = await dependencies.exported.all();
  const limit = limited(AT_A_TIME);
  const outcomes = await Promise.allSettled(all.map((one) => limit(enqueueIfDue, dependencies, one, log)));
  // The messages of the other administrations are on the queue by now.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

async function enqueueIfDue(dependencies: ExportDependencies, { name }: Exported, log: ExportLog): Promise<void> {
  const { records, storage, now } = dependencies;
  const { queued, runs, moment: latest } = await recentRecords(dependencies, name);
  const moment = latest ?? runs.find(({ state }) => state === 'running')?.scheduledOn;
  if (moment === undefined || !isDue(runs, moment, now())) return;
  if (queued?.moment === moment && now() - queued.on < MAX_IDLE_SECONDS) return;
  // Recorded first: two records of one message are better than two messages.
  await records.recordQueued(name, moment, now());
  const message: ExportMessage = { administration: name, scheduledOn: moment };
  await storage.queue(QUEUE).send(message);
  log({ administration: name, event: 'queued', scheduledOn: moment });
}

/** Seconds in which a second request for an export gets the first one. */
const REQUEST_SECONDS = 60;

/**
 * Puts a message on the queue for an export now, unless one is running or was just requested.
 * @returns the moment that the export is for
 */
export async function enqueueNow(
  { records, storage, now }: ExportDependencies,
  name: string,
  log: ExportLog,
): Promise<number> {
  const { queued, runs: stored } = await records.read(name, now());
  const runs = stored.map(({ run }) => run);
  const running = runs.find(({ state }) => state === 'running');
  if (running !== undefined && now() - running.updatedOn < MAX_IDLE_SECONDS) return running.scheduledOn;
  const isMade = runs.some((run) => isPublished(run) && run.scheduledOn >= (queued?.moment ?? 0));
  if (queued !== undefined && !isMade && now() - queued.on < REQUEST_SECONDS) return queued.moment;
  // Later than every existing export: one that began in this second may have missed a change.
  const scheduledOn = Math.max(now(), ...runs.map((run) => run.scheduledOn + 1));
  await records.recordQueued(name, scheduledOn, now());
  const message: ExportMessage = { administration: name, scheduledOn };
  await storage.queue(QUEUE).send(message);
  log({ administration: name, event: 'requested', scheduledOn });
  return scheduledOn;
}

/**
 * How late each administration is.
 * @returns `late`: seconds since the first moment of the schedule it has no export for
 */
export async function lateness(
  dependencies: ExportDependencies,
): Promise<{ name: string; state: string; late: number }[]> {
  const { exported, records, settings, timeZone, now } = dependencies;
  return limited(AT_A_TIME).map(await exported.all(), async ({ name }) => {
    const { since, runs: recent } = await recentRecords(dependencies, name);
    // The last published export may be older than what was read.
    const runs = recent.some(isPublished) ? recent : (await records.read(name, now())).runs.map(({ run }) => run);
    const missed = firstMomentAfter(settings.schedule, timeZone, coveredUpTo(runs, since));
    const late = missed === undefined ? 0 : Math.max(0, now() - missed);
    return { name, state: runs.at(-1)?.state ?? 'none', late };
  });
}

/** Records back to the oldest possible unfinished run, or to the latest moment of the schedule if that is earlier. */
async function recentRecords({ records, settings, timeZone, now }: ExportDependencies, name: string) {
  const dayOf = (moment: number) => dateIn(timeZone, new Date(moment * 1000));
  const latest = latestMoment(settings.schedule, timeZone, now() * 1000);
  const days = [addDays(dayOf(now()), -9), ...(latest === undefined ? [] : [dayOf(latest)])];
  const { since, queued, runs } = await records.read(name, now(), days.toSorted()[0]);
  // Moments before the administration was known need no export.
  const moment = latest !== undefined && latest > since ? latest : undefined;
  return { since, queued, moment, runs: runs.map(({ run }) => run) };
}
