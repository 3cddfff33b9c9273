import { setTimeout as sleep } from 'node:timers/promises';
import type { Credential } from '../../shared/client/client.ts';
import { Problem } from '../../shared/problem.ts';
import { exportFiles, isExportFile, type RelationExport } from '../../shared/resources/relationExport.ts';
import type { Language } from '../../shared/wire/language.ts';
import type { Administrations } from '../administrations/administration.ts';
import type { Settings } from '../settings.ts';
import { poisonOf } from '../storage/queue.ts';
import { openSlices } from '../storage/slices.ts';
import type { Storage } from '../storage/storage.ts';
import { type ExportDependencies, type ExportLog, type ExportMessage, QUEUE } from './dependencies.ts';
import { enqueueDue, enqueueNow, lateness } from './dueExports.ts';
import { type Exported, exportedAdministrations } from './exportedAdministrations.ts';
import { type Progress, type SliceEnd, workOn } from './exportWorker.ts';
import { retainDaily } from './retention.ts';
import { exportFolder } from './run/folders.ts';
import { isPublished, type Run, type WrittenFile, withoutFuture, workbookEnd } from './run/run.ts';
import { runRecords } from './run/runRecords.ts';

/** Seconds until a message that found another worker is delivered again. */
const BUSY_DELAY = 20;
/** Seconds after which a late export makes health degraded. */
const MAX_LATE = 3600;
/** Milliseconds, well below the time a platform allows a function. */
const DEFAULT_SLICE = 240_000;

export type ExportOptions = {
  /** Milliseconds since 1970. */
  clock?: () => number;
  /** Milliseconds after which work stops at the next checkpoint; another message continues it. */
  slice?: number;
};

/** A file of an export for download. */
type FoundFile = {
  bytes: number;
  /** Of the content: another one for each. */
  tag: string;
  /** The language that it is in; undefined for a file that has no language. */
  language: Language | undefined;
  /**
   * @param start of the first byte,
   * @param count of bytes
   * @throws Problem NOT_FOUND when it has been removed meanwhile
   */
  read(start: number, count: number): Promise<AsyncIterable<Uint8Array>>;
};

export type RelationExports = ReturnType<typeof relationExports>;

export function relationExports(
  storage: Storage,
  administrations: Administrations,
  { exports: settings, timeZone }: Pick<Settings, 'exports' | 'timeZone'>,
  { clock = Date.now, slice = DEFAULT_SLICE }: ExportOptions = {},
) {
  const exported = exportedAdministrations(administrations, settings.administrations);
  const records = runRecords(storage.table('relationexports'));
  const blobs = storage.blobs(QUEUE);
  const slices = openSlices(slice);
  const now = () => Math.floor(clock() / 1000);
  const folderOf: ExportDependencies['folderOf'] = (name) => exportFolder(blobs, name);
  const dependencies = { storage, exported, records, folderOf, settings, timeZone, now };
  const runsOf = async (name: string): Promise<Run[]> => (await records.read(name, now())).runs.map(({ run }) => run);

  return {
    enqueueDue: (log: ExportLog): Promise<void> => enqueueDue(dependencies, log),
    /** How late each administration is. */
    lateness: () => lateness(dependencies),
    retainDaily: (log: ExportLog): Promise<void> => retainDaily(dependencies, log),

    /** Works on a message for one slice; the rest follows by another message. */
    async work(content: unknown, log: ExportLog): Promise<void> {
      const message = readMessage(content);
      await slices.run(async (over) => {
        const end = await workOn(dependencies, message, { over, log });
        const { administration, scheduledOn, takeover } = message;
        // Who holds the lease continues by itself.
        if (end === 'done' || (end === 'busy' && takeover)) return;
        await storage.queue(QUEUE).send({ administration, scheduledOn }, end === 'busy' ? BUSY_DELAY : 0);
      });
    },

    administrations: (): Promise<Exported[]> => exported.all(),

    /** Exports an administration now. @returns the published export @throws Problem when it failed */
    async runNow(name: string, log: ExportLog, onProgress: (progress: Progress) => void): Promise<RelationExport> {
      const known = async () => withoutFuture(await runsOf(name), now());
      // Later than every existing export: one that began in this second may have missed a change.
      const scheduledOn = Math.max(now(), ...(await known()).map((run) => run.scheduledOn + 1));
      let end: SliceEnd = 'more';
      await records.recordIncomplete();
      while (end !== 'done') {
        const message = { administration: name, scheduledOn };
        end = await slices.run((over) => workOn(dependencies, message, { over, log, isLastTry: true, onProgress }));
        if (end === 'busy') await sleep(1000);
      }
      const done = (await known()).findLast((run) => isPublished(run) && run.scheduledOn >= scheduledOn);
      if (done === undefined) throw new Problem('NOT_FOUND', `There is no administration ${name} to export.`);
      return responseOf(name, done, 'en');
    },

    /** Whether the administration of a credential is exported. @throws Problem UNAUTHORIZED */
    covers: async (credential: Credential): Promise<boolean> => (await exported.nameFor(credential)) !== undefined,

    /**
     * The exports of a credential's administration, the latest first.
     * @param language of the workbooks, whose bytes are listed; left out: English
     * @throws Problem UNAUTHORIZED
     */
    async list(credential: Credential, language: Language = 'en'): Promise<RelationExport[]> {
      const name = await exported.nameFor(credential);
      if (name === undefined) return [];
      return (await runsOf(name)).map((run) => responseOf(name, run, language)).reverse();
    },

    /**
     * Requests an export of a credential's administration now. While one is running or was just requested, that one.
     * @returns the moment, in seconds since 1970, that the export is for
     * @throws Problem UNAUTHORIZED, and NOT_FOUND when the administration is not exported
     */
    async request(credential: Credential, log: ExportLog): Promise<number> {
      const name = await exported.nameFor(credential);
      // One that is archived has a name: what was exported can be read.
      if (name === undefined || (await exported.named(name)) === undefined)
        throw new Problem('NOT_FOUND', 'The relations of this administration are not exported.');
      return enqueueNow(dependencies, name, log);
    },

    /**
     * A file of a published export.
     * @param language of the workbook; left out: English
     * @throws Problem UNAUTHORIZED, and NOT_FOUND also for exports of others
     */
    async file(
      credential: Credential,
      administration: string,
      date: string,
      file: string,
      language: Language = 'en',
    ): Promise<FoundFile> {
      const name = await exported.nameFor(credential);
      const missing = new Problem('NOT_FOUND', `There is no file ${file} of an export ${date}.`);
      if (name === undefined || name !== administration) throw missing;
      const run = (await runsOf(name)).find((one) => one.date === date && isPublished(one));
      const written = run?.outcome.files[file];
      if (written === undefined || !isExportFile(file)) throw missing;
      const read = async (of: string, start: number, count: number) => {
        const found = await (await folderOf(name).published(date, of)).read(start, count);
        if (found === undefined) throw missing;
        return found;
      };
      const whole = { bytes: written.bytes, tag: written.sha256 };
      if (file !== 'relations.xlsx') {
        return { ...whole, language: undefined, read: (start, count) => read(file, start, count) };
      }
      const translation = translationOf(run!, language);
      if (translation === undefined)
        return { ...whole, language: 'en', read: (start, count) => read(file, start, count) };
      const { from, end } = translation;
      return {
        bytes: from + end.bytes,
        tag: `${written.sha256}-${end.sha256}`,
        language,
        async read(start, count) {
          const before = Math.max(0, Math.min(start + count, from) - start);
          if (before === count) return read(file, start, count);
          const behind = await read(workbookEnd(language), start + before - from, count - before);
          return before === 0 ? behind : joined(await read(file, start, before), behind);
        },
      };
    },

    /**
     * Seconds since the first moment of the schedule each administration has no export for, and how many messages
     * failed for good.
     */
    async health(): Promise<{ status: 'ok' | 'degraded' } & Record<string, unknown>> {
      const late = await lateness(dependencies);
      const poisoned = await storage.queue(poisonOf(QUEUE)).length();
      const isWell = poisoned === 0 && late.every((one) => one.late <= MAX_LATE);
      return { status: isWell ? 'ok' : 'degraded', administrations: late, poisoned };
    },

    /** Ends the running slices at their next checkpoint, and waits for them. */
    stop: slices.stop,
  };
}

function readMessage(message: unknown): ExportMessage {
  const { administration, scheduledOn, takeover } = Object(message) as Partial<ExportMessage>;
  if (typeof administration !== 'string' || typeof scheduledOn !== 'number') {
    throw new TypeError('This message is not one of an export.');
  }
  return { administration, scheduledOn, takeover: takeover === true };
}

/** What the workbook of an export has in a language other than English: how many bytes before its end, and the end. */
function translationOf(
  { outcome: { files, untranslated } }: Run,
  language: Language,
): { from: number; end: WrittenFile } | undefined {
  const end = files[workbookEnd(language)];
  return end === undefined || untranslated === undefined ? undefined : { from: untranslated, end };
}

async function* joined(...parts: AsyncIterable<Uint8Array>[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield* part;
}

function responseOf(administration: string, run: Run, language: Language): RelationExport {
  const { relations, added, changed, vanished, files } = run.outcome;
  const counts = isPublished(run)
    ? { relations, added, changed, vanished }
    : { relations: run.passes[0]?.relations ?? 0, added: 0, changed: 0, vanished: 0 };
  return {
    administration,
    date: run.date,
    state: run.state,
    scheduledOn: String(run.scheduledOn),
    startedOn: String(run.startedOn),
    publishedOn: run.publishedOn === null ? null : String(run.publishedOn),
    ...counts,
    full: run.full,
    message: run.message,
    files: isPublished(run)
      ? exportFiles.flatMap((name) => {
          const written = files[name];
          if (written === undefined) return [];
          const translation = name === 'relations.xlsx' ? translationOf(run, language) : undefined;
          return [{ name, bytes: translation ? translation.from + translation.end.bytes : written.bytes }];
        })
      : [],
  };
}
