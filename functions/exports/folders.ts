import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { answered, unless } from '../storage/storage.ts';
import { measure } from './blobs.ts';
import type { Run, WrittenFile } from './run.ts';

/** The blobs of one administration's exports: a folder for each, and one beside it while it is worked on. */
export type ExportFolder = {
  /** A file of a published export. */
  published(date: string, file: string): Promise<BlockBlobClient>;
  /** A file under its temporary name. */
  unfinished(date: string, file: string): Promise<BlockBlobClient>;
  /** Whether the latest published relations are as they were written, to the last bit. */
  isSound(runs: readonly Run[], signal: AbortSignal): Promise<boolean>;
  /** Bytes of a file of a published export; undefined when it is not there. */
  read(date: string, file: string, start: number, count: number): Promise<NodeJS.ReadableStream | undefined>;
  /**
   * Removes every blob that belongs to none of these runs, and what the ended and the failed ones among them left behind.
   * @throws what a blob could not be removed for, once all others are
   */
  keepOnly(runs: readonly Run[], signal: AbortSignal): Promise<void>;
};

export type ExportFolders = { of(administration: string): ExportFolder };

/** What a date has behind it while its export is worked on. */
const UNFINISHED = '.unfinished';

/** @param container is made when it is first needed */
export const exportFolders = (container: () => Promise<ContainerClient>): ExportFolders => ({
  of(administration) {
    const blob = async (path: string) => (await container()).getBlockBlobClient(`${administration}/${path}`);
    const published: ExportFolder['published'] = (date, file) => blob(`${date}/${file}`);
    return {
      published,
      unfinished: (date, file) => blob(`${date}${UNFINISHED}/${file}`),

      async isSound(runs, signal) {
        const last = runs.findLast(({ state }) => state === 'published');
        if (last === undefined) return false;
        const written = last.outcome.files['relations.jsonl']!;
        try {
          return isSame(await measure(await published(last.date, 'relations.jsonl'), true, signal), written);
        } catch (failure) {
          if (answered(failure, 404)) return false;
          throw failure;
        }
      },

      async read(date, file, start, count) {
        const answer = await (await published(date, file)).download(start, count).catch(unless(404));
        return answer?.readableStreamBody;
      },

      async keepOnly(runs, signal) {
        const kept = new Set(
          runs.flatMap(({ date, state }) =>
            state === 'published' ? [date] : state === 'running' ? [date, `${date}${UNFINISHED}`] : [],
          ),
        );
        const all = await container();
        const orphans: string[] = [];
        for await (const { name } of all.listBlobsFlat({ prefix: `${administration}/`, abortSignal: signal })) {
          if (!kept.has(name.split('/')[1]!)) orphans.push(name);
        }
        // An export is there as long as its manifest is.
        const [manifests, others] = [true, false].map((is) => orphans.filter((name) => isManifest(name) === is));
        const failures: unknown[] = [];
        for (const name of [...manifests!, ...others!]) {
          signal.throwIfAborted();
          // One that may not be removed yet is no reason to keep the others.
          await all
            .deleteBlob(name, { abortSignal: signal })
            .catch(unless(404))
            .catch((failure) => failures.push(failure));
        }
        if (failures.length > 0) throw failures[0];
      },
    };
  },
});

const isManifest = (name: string): boolean => name.endsWith('/manifest.json');

/** Whether two files hold the same. */
export const isSame = (one: WrittenFile, other: WrittenFile): boolean =>
  one.bytes === other.bytes && one.sha256 === other.sha256 && one.lines === other.lines;
