import { Problem } from '../../shared/problem.ts';
import { retries } from '../../shared/retry.ts';
import { dateIn } from '../../shared/wire/calendarDate.ts';
import { type ExportDependencies, type ExportLog, type ExportMessage, leaseOf } from './dependencies.ts';
import type { Exported } from './exportedAdministrations.ts';
import { retain } from './retention.ts';
import { begin, latestPublished, nextFor, type Run } from './run/run.ts';
import { OvertakenError, type StoredRun } from './run/runRecords.ts';
import { Damaged, runStages } from './run/stages.ts';

/** How far a run is, for a person who waits for it. */
export type Progress = {
  stage: Run['stage'];
  /** Relations gone through in this stage. */
  relations: number;
  /** How many there will be, as far as can be told. */
  expected: number | undefined;
};

export type SliceOptions = {
  /** Aborted when another message is to go on with it. */
  over: AbortSignal;
  log: ExportLog;
  /** Whether nobody tries again when it fails. */
  isLastTry?: boolean;
  onProgress?: (progress: Progress) => void;
};

/** What came of a slice: all is done; there is more to do; or another worker was at it. */
export type SliceEnd = 'done' | 'more' | 'busy';

/** One slice of work on what a message asks for, by one worker at a time. */
export async function workOn(
  dependencies: ExportDependencies,
  { administration: name, scheduledOn }: ExportMessage,
  options: SliceOptions,
): Promise<SliceEnd> {
  const { exported, storage } = dependencies;
  const { log } = options;
  const one = (await exported.all()).find((candidate) => candidate.name === name);
  if (one === undefined) {
    log({ administration: name, event: 'not exported any more' });
    return 'done';
  }
  const lease = await storage.lease(leaseOf(name));
  if (lease === undefined) return 'busy';
  const { lost } = lease;
  try {
    const run = await takeRun(dependencies, one, scheduledOn, { ...options, lost });
    if (run === undefined) return 'done';
    if (run.state !== 'published') return 'more';
    await retain(dependencies, { name, isExported: true, lost, log });
    return run.scheduledOn >= scheduledOn ? 'done' : 'more';
  } catch (failure) {
    // Whoever has it now goes on with it.
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
 * Takes the run that a moment asks for as far as it comes in a slice, and records when it fails.
 * @returns what it has become; undefined: there was nothing to do
 */
async function takeRun(
  dependencies: ExportDependencies,
  exported: Exported,
  scheduledOn: number,
  { log, isLastTry = false, onProgress = () => {}, lost, over }: RunOptions,
): Promise<Run | undefined> {
  const { records, folderOf, now, timeZone } = dependencies;
  const { name, open } = exported;
  const { runs: stored } = await records.read(name, now());
  const expected = latestPublished(stored.map(({ run }) => run))?.outcome.relations;
  let current: StoredRun | undefined;
  try {
    current = await beginOrResume(dependencies, name, stored, scheduledOn, { log, lost });
    if (current === undefined) return undefined;
    await runStages(current.run, {
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
        return current.run;
      },
      onProgress: (stage, relations) => onProgress({ stage, relations, expected }),
    });
    return current.run;
  } catch (failure) {
    const isOurs = !(failure instanceof OvertakenError) && !lost.aborted;
    // What is published stays so, whatever comes after.
    if (isOurs && current !== undefined && current.run.state !== 'published') {
      await recordFailure(dependencies, name, current, failure, { log, isLastTry });
    }
    throw failure;
  }
}

/** The run a moment asks for: a new one, or one to go on with. @returns undefined when there is nothing to do */
async function beginOrResume(
  { records, folderOf, now, timeZone }: ExportDependencies,
  name: string,
  stored: readonly StoredRun[],
  scheduledOn: number,
  { log, lost }: Pick<RunOptions, 'log' | 'lost'>,
): Promise<StoredRun | undefined> {
  const runs = stored.map(({ run }) => run);
  const next = nextFor(runs, scheduledOn, now());
  if (next.kind === 'nothing') return undefined;
  if (next.kind === 'go on') {
    const found = stored.find(({ run }) => run === next.run)!;
    if (found.run.state !== 'failed') return found;
    return records.change(name, found, { ...found.run, state: 'running', failures: 0 });
  }
  if (next.abandoned !== undefined) {
    const abandoned = stored.find(({ run }) => run === next.abandoned)!;
    const message = 'It did not come to an end within six days.';
    await records.change(name, abandoned, { ...abandoned.run, state: 'failed', message });
    log({ administration: name, date: abandoned.run.date, event: 'failed', message });
  }
  const isSound = await folderOf(name).isSound(runs, lost);
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
