import { beginning, type Place } from '../../../shared/client/wholeList.ts';
import type { Language } from '../../../shared/wire/language.ts';

/*
 * The state of one export, and the decisions that follow from it. All moments are seconds since 1970.
 */

/** One reading of all relations, from the first to the last. Its lines are blocks of one blob. */
export type ReadingPass = {
  /** Only relations changed since this moment; null: all. */
  since: number | null;
  startedOn: number;
  place: Place;
  /** The ids of the blocks that are in the storage account; [] once the blob is whole. */
  blocks: string[];
  relations: number;
  /** A hash over the lines, to see whether the next pass reads the same; "" where that is not needed. */
  digest: string;
};

export type WrittenFile = { bytes: number; sha256: string; lines: number | null };

/** The counts and files of an export. */
export type Outcome = {
  relations: number;
  added: number;
  changed: number;
  vanished: number;
  /** The number of texts that were cut for a cell of the workbook. */
  cut: number;
  files: Record<string, WrittenFile>;
  /** Bytes at the beginning of the workbook that are the same in each language; exports of earlier versions have none. */
  untranslated?: number;
};

/** The name of a file with the end of the workbook in a language other than English. */
export const workbookEnd = (language: Language): string => `relations.${language}.end`;

type Stage = 'reading' | 'merging' | 'workbook' | 'publishing' | 'published';

export type Run = {
  /** The folder of the export: its day, followed by -2 and so on for further exports of that day. */
  date: string;
  /** The moment of the schedule it is for, or the moment of the request. */
  scheduledOn: number;
  startedOn: number;
  /** The moment of its latest progress. */
  updatedOn: number;
  publishedOn: number | null;
  /** Whether every relation is read, not only changed ones. */
  full: boolean;
  /** Date of the previous export, which it is compared with; null: there is none. */
  base: string | null;
  state: 'running' | 'published' | 'failed';
  /** Whether it began while the clock was ahead, and has ended: it counts for nothing, also once its moment has come. */
  isAhead?: boolean;
  stage: Stage;
  passes: ReadingPass[];
  /** Failures since its latest progress. */
  failures: number;
  /** Why it failed; "" when it did not. */
  message: string;
  outcome: Outcome;
};

/** Seconds by which the clock of a service may differ, and a change may become visible after its timestamp. */
const OVERLAP = 3600;
const WEEK = 7 * 24 * 3600;
/** Seconds without progress after which a run is continued by another message. */
export const MAX_IDLE_SECONDS = 600;
/** A storage account removes uncommitted blocks after a week. */
const MAX_RUN_SECONDS = 6 * 24 * 3600;
/** The most passes that read changes made during the export: a busy service changes all the time. */
const MAX_CATCH_UPS = 3;

const newPass = (since: number | null, now: number): ReadingPass => ({
  since,
  startedOn: now,
  place: beginning,
  blocks: [],
  relations: 0,
  digest: '',
});

/** Restarts a run in full, since the previous export may be missing. */
export const restarted = (run: Run): Run => {
  const [first] = run.passes as [ReadingPass];
  return { ...run, full: true, base: null, stage: 'reading', passes: [newPass(null, first.startedOn)] };
};

export const isPublished = ({ state }: Pick<Run, 'state'>): boolean => state === 'published';

/** Whether a moment is later than now by more than clocks differ: the clock was ahead when it was stored. */
export const isFuture = (moment: number, now: number): boolean => moment > now + OVERLAP;

/** Whether a moment was less than so many seconds ago, or is as near ahead: one while the clock was ahead was not. */
export const isRecent = (moment: number, seconds: number, now: number): boolean => Math.abs(now - moment) < seconds;

/**
 * Without the exports of a clock that was ahead. They are there, but say nothing about the moments and the changes until
 * then.
 */
export const withoutFuture = (runs: readonly Run[], now: number): Run[] =>
  runs.filter(
    (run) => run.isAhead !== true && (!isPublished(run) || !isFuture(Math.max(run.startedOn, run.scheduledOn), now)),
  );

/** Whether it has ended with a stamp of the future, and is not marked yet. */
export const isUnmarkedAhead = (run: Run, now: number): boolean =>
  run.isAhead !== true && run.state !== 'running' && isFuture(Math.max(run.startedOn, run.scheduledOn), now);

/**
 * The earliest first; those of one second by their scheduled moment. Those of a clock that was ahead come before all
 * others: nobody knows when they began.
 */
export const byStart = (one: Run, other: Run): number =>
  Number(other.isAhead === true) - Number(one.isAhead === true) ||
  one.startedOn - other.startedOn ||
  one.scheduledOn - other.scheduledOn;

/** The latest published one that others can build on. */
export const latestPublished = (runs: readonly Run[]): Run | undefined =>
  runs
    .filter((run) => isPublished(run) && run.isAhead !== true)
    .toSorted(byStart)
    .at(-1);

/** The watermark of an export: it contains every change before this moment. */
export const watermarkOf = ({ startedOn }: Pick<Run, 'startedOn'>): number => startedOn;

/**
 * A run that begins now.
 * @param day today's date in the administration's time zone
 * @param isSound whether the files of the previous export are as they were written
 */
export function begin(
  runs: readonly Run[],
  { scheduledOn, now, day, isSound }: { scheduledOn: number; now: number; day: string; isSound: boolean },
): Run {
  const past = withoutFuture(runs, now);
  const base = isSound ? latestPublished(past) : undefined;
  const lastFull = latestPublished(past.filter((run) => run.full));
  const full = base === undefined || lastFull === undefined || now - lastFull.startedOn >= WEEK - 3600;
  const taken = new Set(runs.map(({ date }) => date));
  let date = day;
  for (let number = 2; taken.has(date); number++) date = `${day}-${number}`;
  return {
    date,
    scheduledOn,
    startedOn: now,
    updatedOn: now,
    publishedOn: null,
    full,
    base: base?.date ?? null,
    state: 'running',
    stage: 'reading',
    passes: [newPass(full ? null : watermarkOf(base) - OVERLAP, now)],
    failures: 0,
    message: '',
    outcome: { relations: 0, added: 0, changed: 0, vanished: 0, cut: 0, files: {} },
  };
}

/** The next stage after a pass: another pass for changes made meanwhile, until there are none. */
export function afterPass(run: Run, now: number): Pick<Run, 'stage' | 'passes'> {
  const [first, ...catchUps] = run.passes as [ReadingPass, ...ReadingPass[]];
  const [before, last] = catchUps.slice(-2).length === 2 ? catchUps.slice(-2) : [undefined, catchUps.at(-1)];
  const isQuiet = last !== undefined && (last.relations === 0 || last.digest === before?.digest);
  if (isQuiet || catchUps.length === MAX_CATCH_UPS) return { stage: 'merging', passes: run.passes };
  return { stage: 'reading', passes: [...run.passes, newPass(first.startedOn - OVERLAP, now)] };
}

/** The next step for a message. */
type Next =
  | { kind: 'nothing' }
  /** `abandoned`: an unfinished run that the new one replaces. */
  | { kind: 'begin'; abandoned: Run | undefined }
  | { kind: 'go on'; run: Run };

/** @param scheduledOn the moment the message is for */
export function nextFor(runs: readonly Run[], scheduledOn: number, now: number): Next {
  // An unfinished run is completed first, since it may be almost done.
  const running = runs.find(({ state }) => state === 'running');
  if (running !== undefined) {
    // One of a clock that was ahead would read only what changed since a moment that has not been.
    const isGivenUp = now - running.startedOn > MAX_RUN_SECONDS || isFuture(running.startedOn, now);
    return isGivenUp ? { kind: 'begin', abandoned: running } : { kind: 'go on', run: running };
  }
  const counted = isFuture(scheduledOn, now) ? runs : withoutFuture(runs, now);
  if (counted.some((run) => isPublished(run) && run.scheduledOn >= scheduledOn)) return { kind: 'nothing' };
  const failed = runs.find((run) => run.state === 'failed' && run.scheduledOn === scheduledOn && run.isAhead !== true);
  return failed === undefined ? { kind: 'begin', abandoned: undefined } : { kind: 'go on', run: failed };
}

/**
 * Whether an administration needs a message: its run makes no progress, or its latest moment has no export and none
 * that failed finally.
 */
export function isDue(runs: readonly Run[], moment: number, now: number): boolean {
  const running = runs.find(({ state }) => state === 'running');
  if (running !== undefined) return !isRecent(running.updatedOn, MAX_IDLE_SECONDS, now);
  return !runs.some(
    ({ state, scheduledOn }) => (state === 'published' && scheduledOn >= moment) || scheduledOn === moment,
  );
}

/**
 * The moment up to which an administration has all its exports.
 * @param since when it was first known: it needs none before
 */
export function coveredUpTo(runs: readonly Run[], since: number): number {
  return Math.max(since, ...runs.filter(isPublished).map(({ scheduledOn }) => scheduledOn));
}

/**
 * The dates of exports that are too old and can be removed. For an exported administration never the last
 * published one, nor a running one and its base.
 */
export function outdated(
  runs: readonly Run[],
  { days, now, isExported }: { days: number; now: number; isExported: boolean },
): string[] {
  const running = runs.filter(({ state }) => state === 'running');
  const needed = isExported
    ? new Set([latestPublished(runs)?.date, ...running.flatMap(({ date, base }) => [date, base])])
    : new Set();
  return runs
    .filter(({ date, startedOn }) => !needed.has(date) && now - startedOn > days * 24 * 3600)
    .map(({ date }) => date);
}
