import type { Credential } from '../../shared/client.ts';
import { Problem } from '../../shared/problem.ts';
import { exportFiles, type RelationExport } from '../../shared/resources/relationExport.ts';
import { retries } from '../../shared/retry.ts';
import { addDays, dateIn } from '../../shared/wire/calendarDate.ts';
import type { Administrations } from '../administrations/administration.ts';
import type { Settings } from '../settings.ts';
import { takeLease } from '../storage/lease.ts';
import { enqueue, poisonOf, type Storage } from '../storage/storage.ts';
import { type Exported, exportedAdministrations } from './exported.ts';
import { exportFolders } from './folders.ts';
import { exportRecords, type Kept, Overtaken } from './records.ts';
import { retain, retainDaily, type Shelves } from './retention.ts';
import { begin, coveredUpTo, isDue, isPublished, nextFor, type Run, STANDSTILL } from './run.ts';
import { firstMomentAfter, latestMoment } from './schedule.ts';
import { Damaged, takeStages } from './stages.ts';

export const QUEUE = 'relation-exports';
const TABLE = 'relationexports';

/** Seconds after which a message that finds somebody at work comes back. */
const WHILE_BUSY = 20;
/** Seconds after which an export is so late that somebody should look. */
const TOO_LATE = 3600;

/** Takes what happened, for whoever runs the app. */
export type ExportLog = (event: Record<string, unknown>) => void;

/** How far a run is, for a person who waits for it. */
export type Progress = {
  stage: Run['stage'];
  /** Relations gone through in this stage. */
  relations: number;
  /** How many there will be, as far as can be told. */
  expected: number | undefined;
};

/** What came of a slice: all is done; there is more to do; or somebody else was at it. */
export type SliceEnd = 'done' | 'more' | 'busy';

export type ExportOptions = {
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Milliseconds after which work stops at the next checkpoint and goes on by another message: well within what a platform gives a function. */
  slice?: number;
};

/** A file of an export, as it is sent. */
export type FoundFile = {
  bytes: number;
  sha256: string;
  /** @param start of the first byte, @param count of bytes @throws Problem NOT_FOUND when it has been removed meanwhile */
  read(start: number, count: number): Promise<NodeJS.ReadableStream>;
};

export type RelationExports = {
  /** Puts a message on the queue for every administration that is due. */
  enqueueDue(log: ExportLog): Promise<void>;
  /** Removes exports that are too old, and what was left behind, once a day. */
  retainDaily(log: ExportLog): Promise<void>;
  /** Does what a message asks for, as far as it comes in a slice; the rest follows by another message. */
  work(message: unknown, log: ExportLog): Promise<void>;
  /** The administrations that are exported. */
  administrations(): Promise<Exported[]>;
  /** Exports one now, to its end. @returns what was published @throws Problem when it failed */
  runNow(name: string, log: ExportLog, onProgress: (progress: Progress) => void): Promise<RelationExport>;
  /** The exports of a credential's administration, the latest first. @throws Problem UNAUTHORIZED */
  list(credential: Credential): Promise<RelationExport[]>;
  /** A file of a published export. @throws Problem UNAUTHORIZED, and NOT_FOUND also for what belongs to others */
  file(credential: Credential, administration: string, date: string, file: string): Promise<FoundFile>;
  /** Seconds since the first moment of the schedule each administration has no export for, and how many messages failed for good. */
  health(): Promise<{ status: 'ok' | 'degraded' } & Record<string, unknown>>;
  /** Ends the slices that are under way, at their next checkpoint. */
  stop(): void;
};

type Message = { administration: string; scheduledOn: number };

/** The relation exports of an app. */
export function relationExports(
  storage: Storage,
  administrations: Administrations,
  { exports: settings, timeZone }: Pick<Settings, 'exports' | 'timeZone'>,
  { clock = Date.now, slice = 240_000 }: ExportOptions = {},
): RelationExports {
  const exported = exportedAdministrations(administrations, settings.administrations);
  const records = exportRecords(() => storage.table(TABLE));
  const folders = exportFolders(() => storage.container(QUEUE));
  const stopping = new AbortController();
  const now = (): number => Math.floor(clock() / 1000);
  const take: Shelves['take'] = async (name) => takeLease(await storage.container('locks'), `${QUEUE}/${name}`);
  const shelves: Shelves = { take, records, folders, days: settings.days, now };
  const dayOf = (moment: number): string => dateIn(timeZone, new Date(moment * 1000));
  const today = (): string => dayOf(now());

  /** What was recorded as far back as an unfinished run can go, or one for the schedule's latest moment, where that is further. */
  async function recent(name: string) {
    const latest = latestMoment(settings.schedule, timeZone, clock());
    const days = [addDays(today(), -9), ...(latest === undefined ? [] : [dayOf(latest)])];
    const { since, queued, runs } = await records.read(name, now(), days.toSorted()[0]);
    // Moments before the administration was known are nobody's.
    const moment = latest !== undefined && latest > since ? latest : undefined;
    return { since, queued, moment, runs: runs.map(({ run }) => run) };
  }

  async function enqueueIfDue({ name }: Exported, log: ExportLog): Promise<void> {
    const { queued, runs: known, moment: latest } = await recent(name);
    const moment = latest ?? known.find(({ state }) => state === 'running')?.scheduledOn;
    if (moment === undefined || !isDue(known, moment, now())) return;
    if (queued?.moment === moment && now() - queued.on < STANDSTILL) return;
    // Noted first: two notes of one message are better than two messages.
    await records.noteQueued(name, moment, now());
    const message: Message = { administration: name, scheduledOn: moment };
    await enqueue(await storage.queue(QUEUE), message);
    log({ administration: name, event: 'queued', scheduledOn: moment });
  }

  /** One slice of work on what a message asks for, by one worker at a time. */
  async function work(
    { administration: name, scheduledOn }: Message,
    log: ExportLog,
    patience: { lastTry?: boolean; onProgress?: (progress: Progress) => void } = {},
  ): Promise<SliceEnd> {
    const one = (await exported.all()).find((candidate) => candidate.name === name);
    if (one === undefined) {
      log({ administration: name, event: 'not exported any more' });
      return 'done';
    }
    const lease = await take(name);
    if (lease === undefined) return 'busy';
    const { lost } = lease;
    try {
      const run = await workOn(one, scheduledOn, { lost, log, ...patience });
      if (run === undefined) return 'done';
      if (run.state !== 'published') return 'more';
      await retain(shelves, { name, isExported: true, lost, log });
      return run.scheduledOn >= scheduledOn ? 'done' : 'more';
    } catch (failure) {
      // Whoever has it now goes on with it.
      if (failure instanceof Overtaken || lost.aborted) return 'busy';
      throw failure;
    } finally {
      await lease.release();
    }
  }

  /**
   * Takes the run that a moment asks for as far as it comes in a slice, and notes down when it fails.
   * @returns what it has become; undefined: there was nothing to do
   */
  async function workOn(
    { name, open }: Exported,
    scheduledOn: number,
    {
      lost,
      log,
      lastTry = false,
      onProgress = () => {},
    }: { lost: AbortSignal; log: ExportLog; lastTry?: boolean; onProgress?: (progress: Progress) => void },
  ): Promise<Run | undefined> {
    const sliceEnd = new AbortController();
    const timer = setTimeout(() => sliceEnd.abort(), slice);
    let kept: Kept | undefined;
    try {
      const all = await records.read(name, now());
      const runs = all.runs.map(({ run }) => run);
      const next = nextFor(runs, scheduledOn, now());
      if (next.kind === 'nothing') return undefined;
      if (next.kind === 'begin') {
        if (next.abandoned !== undefined) {
          const abandoned = all.runs.find(({ run }) => run === next.abandoned)!;
          const message = 'It did not come to an end within six days.';
          await records.change(name, abandoned, { ...abandoned.run, state: 'failed', message });
          log({ administration: name, date: abandoned.run.date, event: 'failed', message });
        }
        const isSound = await folders.of(name).isSound(runs, lost);
        const run = begin(runs, { scheduledOn, now: now(), day: today(), isSound });
        kept = await records.add(name, run);
        log({ administration: name, date: run.date, event: 'begun', full: run.full, scheduledOn: run.scheduledOn });
      } else {
        kept = all.runs.find(({ run }) => run === next.run)!;
        if (kept.run.state === 'failed') {
          kept = await records.change(name, kept, { ...kept.run, state: 'running', failures: 0 });
        }
      }
      const expected = runs.findLast(({ state }) => state === 'published')?.outcome.relations;
      await takeStages(kept.run, {
        folder: folders.of(name),
        open: (signal) => open({ patience: Number.POSITIVE_INFINITY, signal }),
        now,
        zone: timeZone,
        lost,
        sliceEnd: AbortSignal.any([sliceEnd.signal, stopping.signal]),
        async save(run) {
          const before = kept!.run.stage;
          kept = await records.change(name, kept!, { ...run, updatedOn: now(), failures: 0, message: '' });
          if (run.stage !== before) log({ administration: name, date: run.date, event: run.stage });
          return kept.run;
        },
        onProgress: (stage, relations) => onProgress({ stage, relations, expected }),
      });
      return kept.run;
    } catch (failure) {
      const isOurs = !(failure instanceof Overtaken) && !lost.aborted;
      // What is published stays so, whatever comes after.
      if (isOurs && kept !== undefined && kept.run.state !== 'published') {
        await noteFailure(name, kept, failure, lastTry, log);
      }
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  }

  async function noteFailure(name: string, kept: Kept, failure: unknown, lastTry: boolean, log: ExportLog) {
    const { run } = kept;
    const failures = run.failures + 1;
    const state = lastTry || failures >= retries.exportRun.maxAttempts ? 'failed' : 'running';
    const message = failure instanceof Problem ? failure.message : 'Something went wrong here; the log tells what.';
    const repaired = failure instanceof Damaged ? failure.repaired : run;
    await records.change(name, kept, { ...repaired, state, failures, message, updatedOn: now() }).catch((other) => {
      if (!(other instanceof Overtaken)) throw other;
    });
    log({ administration: name, date: run.date, event: state === 'failed' ? 'failed' : 'to be tried again', message });
  }

  return {
    async enqueueDue(log) {
      const outcomes = await Promise.allSettled((await exported.all()).map((one) => enqueueIfDue(one, log)));
      const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      // The others have theirs by now.
      if (failed.length > 0) throw failed[0];
    },

    retainDaily: (log) =>
      retainDaily(shelves, {
        day: today(),
        exported: async () => (await exported.all()).map(({ name }) => name),
        log,
      }),

    async work(given, log) {
      const message = readMessage(given);
      const end = await work(message, log);
      if (end === 'done') return;
      await enqueue(await storage.queue(QUEUE), message, end === 'busy' ? WHILE_BUSY : 0);
    },

    administrations: () => exported.all(),

    async runNow(name, log, onProgress) {
      const scheduledOn = now();
      let end: SliceEnd = 'more';
      while (end !== 'done') {
        end = await work({ administration: name, scheduledOn }, log, { lastTry: true, onProgress });
        if (end === 'busy') await new Promise((resolve) => setTimeout(resolve, 1000));
      }
      const { runs } = await records.read(name, now());
      const done = runs.findLast(({ run }) => run.state === 'published' && run.scheduledOn >= scheduledOn);
      if (done === undefined) throw new Problem('NOT_FOUND', `There is no administration ${name} to export.`);
      return answerOf(name, done.run);
    },

    async list(credential) {
      const name = await exported.nameFor(credential);
      if (name === undefined) return [];
      const { runs } = await records.read(name, now());
      return runs.map(({ run }) => answerOf(name, run)).reverse();
    },

    async file(credential, administration, date, file) {
      const name = await exported.nameFor(credential);
      const missing = new Problem('NOT_FOUND', `There is no file ${file} of an export ${date}.`);
      if (name === undefined || name !== administration) throw missing;
      const { runs } = await records.read(name, now());
      const run = runs.find((kept) => kept.run.date === date && kept.run.state === 'published')?.run;
      const written = run?.outcome.files[file];
      if (written === undefined || !Object.hasOwn(run!.outcome.files, file)) throw missing;
      return {
        bytes: written.bytes,
        sha256: written.sha256,
        async read(start, count) {
          const found = await folders.of(name).read(date, file, start, count);
          if (found === undefined) throw missing;
          return found;
        },
      };
    },

    async health() {
      const late = await Promise.all(
        (await exported.all()).map(async ({ name }) => {
          const { since, runs } = await recent(name);
          // The last good one may be long ago.
          const known = runs.some(isPublished) ? runs : (await records.read(name, now())).runs.map(({ run }) => run);
          const missed = firstMomentAfter(settings.schedule, timeZone, coveredUpTo(known, since));
          return {
            name,
            state: known.at(-1)?.state ?? 'none',
            late: missed === undefined ? 0 : Math.max(0, now() - missed),
          };
        }),
      );
      const { approximateMessagesCount: poisoned = 0 } = await (await storage.queue(poisonOf(QUEUE))).getProperties();
      const isWell = poisoned === 0 && late.every((one) => one.late <= TOO_LATE);
      return { status: isWell ? 'ok' : 'degraded', administrations: late, poisoned };
    },

    stop: () => stopping.abort(),
  };
}

/** Answers what stands in a message. */
function readMessage(message: unknown): Message {
  const { administration, scheduledOn } = Object(message) as Partial<Message>;
  if (typeof administration !== 'string' || typeof scheduledOn !== 'number') {
    throw new TypeError('This message is not one of an export.');
  }
  return { administration, scheduledOn };
}

function answerOf(administration: string, run: Run): RelationExport {
  const { relations, added, changed, vanished, files } = run.outcome;
  const published = isPublished(run);
  return {
    administration,
    date: run.date,
    state: run.state,
    startedOn: String(run.startedOn),
    publishedOn: run.publishedOn === null ? null : String(run.publishedOn),
    relations: published ? relations : (run.passes[0]?.relations ?? 0),
    added: published ? added : 0,
    changed: published ? changed : 0,
    vanished: published ? vanished : 0,
    full: run.full,
    message: run.message,
    files: published
      ? exportFiles.flatMap((name) => (files[name] === undefined ? [] : [{ name, bytes: files[name].bytes }]))
      : [],
  };
}
