import { hash } from 'node:crypto';
import limited from 'p-limit';
import { addDays, dateIn } from '../../shared/wire/calendarDate.ts';
import { type ExportDependencies, type ExportLog, type ExportMessage, QUEUE } from './dependencies.ts';
import type { Exported } from './exportedAdministrations.ts';
import { coveredUpTo, isDue, isPublished, isRecent, MAX_IDLE_SECONDS, type Run, withoutFuture } from './run/run.ts';
import type { Complete, StoredRun } from './run/runRecords.ts';
import { firstMomentAfter, latestMoment } from './schedule.ts';

/** Administrations whose records are read at the same time: a firm may have thousands. */
const AT_A_TIME = 16;

/**
 * Puts a message on the queue for every administration that is due. While all are exported for the latest moment, their
 * records are not looked through.
 */
export async function enqueueDue(dependencies: ExportDependencies, log: ExportLog): Promise<void> {
  const { exported, records } = dependencies;
  const all = await exported.all();
  const moment = latestOf(dependencies);
  const { complete, version } = await records.complete();
  if (moment !== undefined && isOf(complete, moment, all)) return;
  // It was recorded while the clock was ahead.
  if (moment !== undefined && complete !== undefined && complete.moment > moment) await records.recordIncomplete();
  const limit = limited(AT_A_TIME);
  const outcomes = await Promise.allSettled(all.map((one) => limit(enqueueIfDue, dependencies, one, log)));
  const states: ExportState[] = [];
  for (const outcome of outcomes) {
    // The messages of the other administrations are on the queue by now.
    if (outcome.status === 'rejected') throw outcome.reason;
    states.push(outcome.value);
  }
  if (moment === undefined || states.includes('incomplete')) return;
  const without = all.filter((_, index) => states[index] === 'none').map(({ name }) => name);
  await records.recordComplete({ moment, digest: digestOf(all), without }, version);
}

/** Whether an administration has what it needs for the latest moment: an export that was the last one, or none yet. */
type ExportState = 'complete' | 'none' | 'incomplete';

async function enqueueIfDue(
  dependencies: ExportDependencies,
  { name }: Exported,
  log: ExportLog,
): Promise<ExportState> {
  const { records, storage, now } = dependencies;
  const { queued, stored, moment: latest } = await recentRecords(dependencies, name);
  const runs = knownRuns(await records.markAhead(name, stored, now()), now());
  const moment = latest ?? runs.find(({ state }) => state === 'running')?.scheduledOn;
  if (moment === undefined || !isDue(runs, moment, now())) {
    if (runs.length === 0) return 'none';
    const isCovered = latest === undefined || runs.some((run) => isPublished(run) && run.scheduledOn >= latest);
    return isCovered && runs.every((run) => run.state !== 'running') && isPublished(runs.at(-1)!)
      ? 'complete'
      : 'incomplete';
  }
  if (queued?.moment === moment && isRecent(queued.on, MAX_IDLE_SECONDS, now())) return 'incomplete';
  // Recorded first: two records of one message are better than two messages.
  await records.recordQueued(name, moment, now());
  const message: ExportMessage = { administration: name, scheduledOn: moment };
  await storage.queue(QUEUE).send(message);
  log({ administration: name, event: 'queued', scheduledOn: moment });
  return 'incomplete';
}

const latestOf = ({ settings, timeZone, now }: ExportDependencies): number | undefined =>
  latestMoment(settings.schedule, timeZone, now() * 1000);

/** Whether these administrations are what was complete for a moment. */
const isOf = (complete: Complete | undefined, moment: number, all: readonly Exported[]): complete is Complete =>
  complete?.moment === moment && complete.digest === digestOf(all);

const digestOf = (all: readonly Exported[]): string =>
  hash('sha256', JSON.stringify(all.map(({ name }) => name).toSorted()));

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
  const runs = knownRuns(stored, now());
  const running = runs.find(({ state }) => state === 'running');
  if (running !== undefined && isRecent(running.updatedOn, MAX_IDLE_SECONDS, now())) return running.scheduledOn;
  const isMade = runs.some((run) => isPublished(run) && run.scheduledOn >= (queued?.moment ?? 0));
  if (queued !== undefined && isRecent(queued.on, REQUEST_SECONDS, now()) && !isMade) return queued.moment;
  // Whether the message of an earlier request is on the queue may not be known: two for one moment make one export.
  const isWaiting =
    queued !== undefined &&
    queued.moment <= now() &&
    isRecent(queued.moment, MAX_IDLE_SECONDS, now()) &&
    !runs.some((run) => run.scheduledOn >= queued.moment);
  // Else later than every existing export: one that began in this second may have missed a change.
  const scheduledOn = isWaiting ? queued.moment : Math.max(now(), ...runs.map((run) => run.scheduledOn + 1));
  await records.recordIncomplete();
  await records.recordQueued(name, scheduledOn, undefined);
  const message: ExportMessage = { administration: name, scheduledOn };
  await storage.queue(QUEUE).send(message);
  // Recorded when it is on the queue: who asks again after a failure would else get an export that nobody makes.
  await records.recordQueued(name, scheduledOn, now());
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
  const all = await exported.all();
  const moment = latestOf(dependencies);
  const { complete } = await records.complete();
  if (moment !== undefined && isOf(complete, moment, all)) {
    const without = new Set(complete.without);
    return all.map(({ name }) => ({ name, state: without.has(name) ? 'none' : 'published', late: 0 }));
  }
  return limited(AT_A_TIME).map(all, async ({ name }) => {
    const { since, stored } = await recentRecords(dependencies, name);
    const recent = knownRuns(stored, now());
    // The last published export may be older than what was read.
    const runs = recent.some(isPublished) ? recent : knownRuns((await records.read(name, now())).runs, now());
    const missed = firstMomentAfter(settings.schedule, timeZone, coveredUpTo(runs, since));
    const late = missed === undefined ? 0 : Math.max(0, now() - missed);
    return { name, state: runs.at(-1)?.state ?? 'none', late };
  });
}

/** Records back to the oldest possible unfinished run, or to the latest moment of the schedule if that is earlier. */
async function recentRecords(dependencies: ExportDependencies, name: string) {
  const { records, timeZone, now } = dependencies;
  const dayOf = (moment: number) => dateIn(timeZone, new Date(moment * 1000));
  const latest = latestOf(dependencies);
  const days = [addDays(dayOf(now()), -9), ...(latest === undefined ? [] : [dayOf(latest)])];
  const { since, queued, runs: stored } = await records.read(name, now(), days.toSorted()[0]);
  // Moments before the administration was known need no export.
  const moment = latest !== undefined && latest > since ? latest : undefined;
  return { since, queued, moment, stored };
}

const knownRuns = (stored: readonly StoredRun[], now: number): Run[] =>
  withoutFuture(
    stored.map(({ run }) => run),
    now,
  );
