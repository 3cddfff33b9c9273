import { type Blob, BlobGone, type Blobs } from '../../storage/blobs.ts';
import { isSame, measure } from './exportFiles.ts';
import { latestPublished, type Run } from './run.ts';

/** The suffix of a folder whose export is not published yet. */
const UNFINISHED = '.unfinished';

/** The blobs of one administration's exports: a folder for each, and a temporary folder while it is made. */
export type ExportFolder = ReturnType<typeof exportFolder>;

export const exportFolder = (blobs: Blobs, administration: string) => ({
  /** A file of a published export. */
  published: (date: string, file: string): Promise<Blob> => blobs.blob(`${administration}/${date}/${file}`),

  /** A file under its temporary name. */
  unfinished: (date: string, file: string): Promise<Blob> =>
    blobs.blob(`${administration}/${date}${UNFINISHED}/${file}`),

  /** Whether the latest published relations are still stored exactly as they were written. */
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
   * Removes every blob that belongs to none of these runs, and the temporary files of ended and failed runs.
   * @throws the failure to remove a blob, after all others are removed
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
    // An export exists as long as its manifest.
    const isManifest = (path: string) => path.endsWith('/manifest.json');
    orphans.sort((a, b) => Number(isManifest(b)) - Number(isManifest(a)));
    const failures: unknown[] = [];
    for (const path of orphans) {
      signal.throwIfAborted();
      // When one cannot be removed, the others still are.
      await (await blobs.blob(path)).remove(signal).catch((failure) => failures.push(failure));
    }
    if (failures.length > 0) throw failures[0];
  },
});
