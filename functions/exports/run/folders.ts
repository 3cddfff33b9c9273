import { type Blob, BlobGone, type Blobs } from '../../storage/blobs.ts';
import { isSame, measure } from './exportFiles.ts';
import { latestPublished, type Run } from './run.ts';

/** What a date has behind it while its export is worked on. */
const UNFINISHED = '.unfinished';

/** The blobs of one administration's exports: a folder for each, and one beside it while it is worked on. */
export type ExportFolder = ReturnType<typeof exportFolder>;

export const exportFolder = (blobs: Blobs, administration: string) => ({
  /** A file of a published export. */
  published: (date: string, file: string): Promise<Blob> => blobs.blob(`${administration}/${date}/${file}`),

  /** A file under its temporary name. */
  unfinished: (date: string, file: string): Promise<Blob> =>
    blobs.blob(`${administration}/${date}${UNFINISHED}/${file}`),

  /** Whether the latest published relations are as they were written, to the last bit. */
  async isSound(runs: readonly Run[], signal: AbortSignal): Promise<boolean> {
    const last = latestPublished(runs);
    if (last === undefined) return false;
    try {
      const found = await measure(await this.published(last.date, 'relations.jsonl'), true, signal);
      return isSame(found, last.outcome.files['relations.jsonl']!);
    } catch (failure) {
      if (failure instanceof BlobGone) return false;
      throw failure;
    }
  },

  /**
   * Removes every blob that belongs to none of these runs, and what the ended and the failed ones among them left behind.
   * @throws what a blob could not be removed for, once all others are
   */
  async keepOnly(runs: readonly Run[], signal: AbortSignal): Promise<void> {
    const needed = new Set(
      runs.flatMap(({ date, state }) =>
        state === 'published' ? [date] : state === 'running' ? [date, `${date}${UNFINISHED}`] : [],
      ),
    );
    const orphans: string[] = [];
    for await (const path of blobs.list(`${administration}/`, signal)) {
      if (!needed.has(path.split('/')[1]!)) orphans.push(path);
    }
    // An export is there as long as its manifest is.
    const isManifest = (path: string) => path.endsWith('/manifest.json');
    orphans.sort((a, b) => Number(isManifest(b)) - Number(isManifest(a)));
    const failures: unknown[] = [];
    for (const path of orphans) {
      signal.throwIfAborted();
      // One that may not be removed yet is no reason to keep the others.
      await (await blobs.blob(path)).remove(signal).catch((failure) => failures.push(failure));
    }
    if (failures.length > 0) throw failures[0];
  },
});
