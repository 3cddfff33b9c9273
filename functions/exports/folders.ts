import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { answered } from '../storage/storage.ts';
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
  read(date: string, file: string, start: number, count: number): Promise<NodeJS.ReadableStream>;
  /** Removes every blob that belongs to none of these runs, and what the ended ones among them left under temporary names. */
  keepOnly(runs: readonly Run[]): Promise<void>;
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
        const { readableStreamBody } = await (await published(date, file)).download(start, count);
        return readableStreamBody!;
      },

      async keepOnly(runs) {
        const kept = new Set(runs.map(({ date, state }) => (state === 'published' ? date : `${date}${UNFINISHED}`)));
        // A run that is being published stands in both.
        for (const { date, state } of runs) if (state === 'running') kept.add(date);
        const blobs = (await container()).listBlobsFlat({ prefix: `${administration}/` });
        for await (const { name } of blobs) {
          const folder = name.split('/')[1]!;
          if (!kept.has(folder)) await (await container()).deleteBlob(name);
        }
      },
    };
  },
});

/** Whether two files hold the same. */
export const isSame = (one: WrittenFile, other: WrittenFile): boolean =>
  one.bytes === other.bytes && one.sha256 === other.sha256 && one.lines === other.lines;
