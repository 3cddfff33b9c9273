import { beginning, type Place } from '../../../shared/client/wholeList.ts';

/*
 * What is known of one export, from its beginning, and what follows from it. All moments are seconds since 1970.
 */

/** Reading of relations from the first to the last, once. Its lines stand in blocks of one blob. */
export type ReadingPass = {
  /** Only those changed since; null: all. */
  since: number | null;
  startedOn: number;
  place: Place;
  /** The ids of the blocks that are in the storage account; [] once the blob is whole. */
  blocks: string[];
  relations: number;
  /** Chained over the lines, to tell whether the next pass reads the same; "" where that is not asked. */
  digest: string;
};

export type WrittenFile = { bytes: number; sha256: string; lines: number | null };

/** What an export is made of, and what came of it. */
export type Outcome = {
  relations: number;
  added: number;
  changed: number;
  vanished: number;
  /** Texts too long for a cell of the workbook. */
  cut: number;
  files: Record<string, WrittenFile>;
};

export type Stage = 'reading' | 'merging' | 'workbook' | 'publishing' | 'published';

export type Run = {
  /** The folder of the export: its day, -2 and so on behind it for a further one. */
  date: string;
  /** The moment of the schedule it is for, or when it was asked for. */
  scheduledOn: number;
  startedOn: number;
  /** When it was last known to get on. */
  updatedOn: number;
  publishedOn: number | null;
  /** Whether every relation is read. */
  full: boolean;
  /** Date of the export it goes on from, which says what is new and what is gone; null: there is none. */
  base: string | null;
  state: 'running' | 'published' | 'failed';
  stage: Stage;
  passes: ReadingPass[];
  /** Times it failed since it last got on. */
  failures: number;
  /** Why it failed; "" when it did not. */
  message: string;
  outcome: Outcome;
};

/** Seconds the clocks of a service and of ours may differ, and a change may take to be seen after the moment it bears. */
export const OVERLAP = 3600;
const WEEK = 7 * 24 * 3600;
/** Seconds after which a run that stands still is taken up again. */
export const MAX_IDLE_SECONDS = 600;
/** A storage account forgets blocks that wait for their blob after a week. */
const MAX_RUN_SECONDS = 6 * 24 * 3600;
/** Passes that look for what changed meanwhile, at the most: a busy service is never the same twice. */
const MAX_CATCH_UPS = 3;

const newPass = (since: number | null, now: number): ReadingPass => ({
  since,
  startedOn: now,
  place: beginning,
  blocks: [],
  relations: 0,
  digest: '',
});

/** The same run from its beginning, in full: the export before may be what is missing. */
export const restarted = (run: Run): Run => {
  const [first] = run.passes as [ReadingPass];
  return { ...run, full: true, base: null, stage: 'reading', passes: [newPass(null, first.startedOn)] };
};

export const isPublished = ({ state }: Pick<Run, 'state'>): boolean => state === 'published';

export const latestPublished = (runs: readonly Run[]): Run | undefined =>
  runs.filter(isPublished).toSorted((a, b) => b.startedOn - a.startedOn)[0];

/** From when on a changed-since export has to read: its watermark. Whatever changed before that stands in the export. */
export const watermarkOf = ({ startedOn }: Pick<Run, 'startedOn'>): number => startedOn;

/**
 * A run that begins now.
 * @param day today's date where the administration is
 * @param isSound whether the files of the export it would go on from are as they were written
 */
export function begin(
  runs: readonly Run[],
  { scheduledOn, now, day, isSound }: { scheduledOn: number; now: number; day: string; isSound: boolean },
): Run {
  const base = isSound ? latestPublished(runs) : undefined;
  const lastFull = latestPublished(runs.filter((run) => run.full));
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

/** What a run does after its last pass has read everything: reads what changed meanwhile, until nothing did. */
export function afterPass(run: Run, now: number): Pick<Run, 'stage' | 'passes'> {
  const [first, ...catchUps] = run.passes as [ReadingPass, ...ReadingPass[]];
  const [before, last] = catchUps.slice(-2).length === 2 ? catchUps.slice(-2) : [undefined, catchUps.at(-1)];
  const isQuiet = last !== undefined && (last.relations === 0 || last.digest === before?.digest);
  if (isQuiet || catchUps.length === MAX_CATCH_UPS) return { stage: 'merging', passes: run.passes };
  return { stage: 'reading', passes: [...run.passes, newPass(first.startedOn - OVERLAP, now)] };
}

/** What a message for a moment asks for. */
export type Next =
  | { kind: 'nothing' }
  /** `abandoned`: an unfinished one that makes way for it. */
  | { kind: 'begin'; abandoned: Run | undefined }
  | { kind: 'go on'; run: Run };

/** @param scheduledOn the moment the message is for */
export function nextFor(runs: readonly Run[], scheduledOn: number, now: number): Next {
  // One of before may have come far: it is ended first, however late it is.
  const running = runs.find(({ state }) => state === 'running');
  if (running !== undefined) {
    const isTooOld = now - running.startedOn > MAX_RUN_SECONDS;
    return isTooOld ? { kind: 'begin', abandoned: running } : { kind: 'go on', run: running };
  }
  if (runs.some((run) => run.state === 'published' && run.scheduledOn >= scheduledOn)) return { kind: 'nothing' };
  const failed = runs.find((run) => run.state === 'failed' && run.scheduledOn === scheduledOn);
  return failed === undefined ? { kind: 'begin', abandoned: undefined } : { kind: 'go on', run: failed };
}

/**
 * Whether an administration needs a message: work on it stands still, or its latest moment has no export and none that
 * failed for good.
 */
export function isDue(runs: readonly Run[], moment: number, now: number): boolean {
  const running = runs.find(({ state }) => state === 'running');
  if (running !== undefined) return now - running.updatedOn >= MAX_IDLE_SECONDS;
  return !runs.some(
    ({ state, scheduledOn }) => (state === 'published' && scheduledOn >= moment) || scheduledOn === moment,
  );
}

/** The moment up to which an administration has its exports. @param since when it was first known: it needs none before */
export function coveredUpTo(runs: readonly Run[], since: number): number {
  return Math.max(since, ...runs.filter(isPublished).map(({ scheduledOn }) => scheduledOn));
}

/**
 * The dates of exports that are to be removed: those that are too old. Of an administration that is exported never the last
 * good one, nor what is worked on or needed for that.
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
