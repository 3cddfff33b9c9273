import { Problem } from '../../shared/problem.ts';
import { retries } from '../../shared/retry.ts';
import { dateIn } from '../../shared/wire/calendarDate.ts';
import { withTakeover } from '../storage/takeover.ts';
import { metrics } from '../telemetry/telemetry.ts';
import { type ExportDependencies, type ExportLog, type ExportMessage, leaseOf, QUEUE } from './dependencies.ts';
import type { Exported } from './exportedAdministrations.ts';
import { retain } from './retention.ts';
import { begin, isFuture, latestPublished, nextFor, type Run, withoutFuture } from './run/run.ts';
import { OvertakenError, type StoredRun } from './run/runRecords.ts';
import { Damaged, runStages, type StageContext } from './run/stages.ts';

export type Progress = {
  stage: Run['stage'];
  /** Relations processed in this stage. */
  relations: number;
  /** The expected number of relations, if known. */
  expected: number | undefined;
};

type SliceOptions = {
  /** Aborted when another message is to continue. */
  over: AbortSignal;
  log: ExportLog;
  /** Whether a failure is final. */
  isLastTry?: boolean;
  onProgress?: (progress: Progress) => void;
};

/** The result of a slice: done; more to do; or another worker holds the lease. */
export type SliceEnd = 'done' | 'more' | 'busy';

/** Works on a message for one slice, one worker at a time. */
export async function workOn(
  dependencies: ExportDependencies,
  message: ExportMessage,
  options: SliceOptions,
): Promise<SliceEnd> {
  const { administration: name, scheduledOn } = message;
  const { exported, storage } = dependencies;
  const { log } = options;
  const one = await exported.named(name);
  if (one === undefined) {
    log({ administration: name, event: 'not exported any more' });
    return 'done';
  }
  const lease = await storage.lease(leaseOf(name));
  if (lease === undefined) return 'busy';
  const { lost } = lease;
  try {
    const run = await takeRun(dependencies, one, message, { ...options, lost });
    if (run === undefined) return 'done';
    if (run.state !== 'published') return 'more';
    await retain(dependencies, { name, isExported: true, lost, log });
    return run.scheduledOn >= scheduledOn ? 'done' : 'more';
  } catch (failure) {
    // The worker that changed the run continues with it.
    if (failure instanceof OvertakenError || lost.aborted) return 'busy';
    throw failure;
  } finally {
    await lease.release();
  }
}

type RunOptions = SliceOptions & {
  /** Aborted when another worker may have begun. */
  lost: AbortSignal;
};

/**
 * Works on the run of a moment for one slice, and records a failure.
 * @returns the run afterwards; undefined when there was nothing to do
 */
async function takeRun(
  dependencies: ExportDependencies,
  exported: Exported,
  message: ExportMessage,
  { log, isLastTry = false, onProgress = () => {}, lost, over }: RunOptions,
): Promise<Run | undefined> {
  const { records, folderOf, now, timeZone } = dependencies;
  const { name, open } = exported;
  const stored = await records.markAhead(name, (await records.read(name, now())).runs, now());
  const expected = latestPublished(stored.map(({ run }) => run))?.outcome.relations;
  let current: StoredRun | undefined;
  try {
    current = await beginOrResume(dependencies, name, stored, message, { log, lost });
    if (current === undefined) return undefined;
    const { run } = current;
    const stages: StageContext = {
      folder: folderOf(name),
      open: (signal) => open({ timeout: Number.POSITIVE_INFINITY, signal }),
      now,
      timeZone,
      lost,
      over,
      async save(run) {
        const before = current!.run.stage;
        current = await records.change(name, current!, { ...run, updatedOn: now(), failures: 0, message: '' });
        if (run.stage !== before) log({ administration: name, date: run.date, event: run.stage });
        if (run.publishedOn !== null) metrics.exportDuration(run.publishedOn - run.startedOn);
        return current.run;
      },
      // At the last try it is believed: the relations may all have been removed.
      expected: isLastTry || run.failures >= retries.exportRun.maxAttempts - 1 ? 0 : (expected ?? 0),
      onProgress: (stage, relations) => onProgress({ stage, relations, expected }),
    };
    await withTakeover(dependencies.storage.queue(QUEUE), message, () => runStages(run, stages));
    return current.run;
  } catch (failure) {
    const isOurs = !(failure instanceof OvertakenError) && !lost.aborted;
    // A published run stays published, whatever fails after it.
    if (isOurs && current !== undefined && current.run.state !== 'published') {
      await recordFailure(dependencies, name, current, failure, { log, isLastTry });
    }
    throw failure;
  }
}

/** The run for a moment: a new one, or one to continue. @returns undefined when there is nothing to do */
async function beginOrResume(
  { records, folderOf, now, timeZone }: ExportDependencies,
  name: string,
  stored: readonly StoredRun[],
  { scheduledOn, takeover }: ExportMessage,
  { log, lost }: Pick<RunOptions, 'log' | 'lost'>,
): Promise<StoredRun | undefined> {
  const runs = stored.map(({ run }) => run);
  const next = nextFor(runs, scheduledOn, now());
  if (next.kind === 'nothing') return undefined;
  if (next.kind === 'go on') {
    const found = stored.find(({ run }) => run === next.run)!;
    if (found.run.state !== 'failed') return found;
    // Its last worker was not killed: it recorded that it gave up.
    if (takeover) return undefined;
    return records.change(name, found, { ...found.run, state: 'running', failures: 0 });
  }
  if (next.abandoned !== undefined) {
    const abandoned = stored.find(({ run }) => run === next.abandoned)!;
    const message = isFuture(abandoned.run.startedOn, now())
      ? 'It began while the clock was ahead.'
      : 'It did not come to an end within six days.';
    await records.change(name, abandoned, { ...abandoned.run, state: 'failed', message });
    log({ administration: name, date: abandoned.run.date, event: 'failed', message });
  }
  const isSound = await folderOf(name).isSound(withoutFuture(runs, now()), lost);
  const day = dateIn(timeZone, new Date(now() * 1000));
  const run = begin(runs, { scheduledOn, now: now(), day, isSound });
  const added = await records.add(name, run);
  log({ administration: name, date: run.date, event: 'begun', full: run.full, scheduledOn: run.scheduledOn });
  return added;
}

async function recordFailure(
  { records, now }: ExportDependencies,
  name: string,
  current: StoredRun,
  failure: unknown,
  { log, isLastTry }: { log: ExportLog; isLastTry: boolean },
): Promise<void> {
  const { run } = current;
  const failures = run.failures + 1;
  const state = isLastTry || failures >= retries.exportRun.maxAttempts ? 'failed' : 'running';
  const message = failure instanceof Problem ? failure.message : 'Something went wrong here; the log tells what.';
  const repaired = failure instanceof Damaged ? failure.repaired : run;
  await records.change(name, current, { ...repaired, state, failures, message, updatedOn: now() }).catch((other) => {
    if (!(other instanceof OvertakenError)) throw other;
  });
  log({ administration: name, date: run.date, event: state === 'failed' ? 'failed' : 'to be tried again', message });
}
