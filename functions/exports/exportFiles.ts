import { createHash } from 'node:crypto';
import { linesOf } from '../../shared/exportClient.ts';
import type { Blob } from '../storage/blobs.ts';
import type { WrittenFile } from './run.ts';

/** Bytes of a block, at the least. */
export const BLOCK_BYTES = 1024 * 1024;
/** Blocks on their way at a time, beside the one that is being filled: a storage account takes several sooner than one after another. */
const MAX_UPLOADS = 4;
/** Characters that are encoded at a time. */
const TEXT_BATCH = 65_536;

/** Writes a file from beginning to end. Nothing of it can be seen until it is closed. */
export type FileWriter = {
  write(piece: string | Uint8Array): Promise<void>;
  close(): Promise<WrittenFile>;
};

/**
 * @param isLines whether it is made of lines, each written by itself: they are counted
 * @param blob left out: the file is only measured
 */
export function fileWriter(isLines: boolean, signal: AbortSignal, blob?: Blob): FileWriter {
  const hash = createHash('sha256');
  const blocks: string[] = [];
  const uploads = openUploads();
  let begun = 0;
  let pieces: Uint8Array[] = [];
  let pending = 0;
  let text = '';
  let bytes = 0;
  let lines = 0;

  const append = (piece: Uint8Array) => {
    hash.update(piece);
    bytes += piece.length;
    if (blob === undefined) return;
    pieces.push(piece);
    pending += piece.length;
  };
  const flush = async () => {
    const block = Buffer.concat(pieces);
    const index = begun++;
    pieces = [];
    pending = 0;
    await uploads.begin(async () => {
      blocks[index] = await blob!.stage(block, signal);
    });
  };
  return {
    async write(piece) {
      if (typeof piece === 'string') {
        lines++;
        text += piece;
        if (text.length < TEXT_BATCH) return;
        append(Buffer.from(text));
        text = '';
      } else append(piece);
      if (pending >= BLOCK_BYTES) await flush();
    },
    async close() {
      if (text !== '') append(Buffer.from(text));
      if (pending > 0) await flush();
      await uploads.end();
      await blob?.commit(blocks, signal);
      return { bytes, sha256: hash.digest('hex'), lines: isLines ? lines : null };
    },
  };
}

/** Uploads of which a few are under way at a time. */
export type Uploads = {
  /** Begins one when there is room. @throws what an earlier one failed with */
  begin(upload: () => Promise<void>): Promise<void>;
  /** Waits until none is under way. @throws what one failed with */
  end(): Promise<void>;
};

export function openUploads(): Uploads {
  const underWay: Promise<void>[] = [];
  return {
    async begin(upload) {
      if (underWay.length === MAX_UPLOADS) await underWay.shift();
      const begun = upload();
      // Awaited later; until then its failure is nobody's.
      begun.catch(() => {});
      underWay.push(begun);
    },
    async end() {
      await Promise.allSettled(underWay);
      await Promise.all(underWay);
    },
  };
}

/** The lines of a file, without their line feeds. */
export const linesIn = (blob: Blob, signal: AbortSignal): AsyncGenerator<string, void> => linesOf(blob.bytes(signal));

/** What a file really holds, read back. */
export async function measure(blob: Blob, isLines: boolean, signal: AbortSignal): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  for await (const piece of blob.bytes(signal)) {
    hash.update(piece);
    bytes += piece.length;
    if (!isLines) continue;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
  }
  return { bytes, sha256: hash.digest('hex'), lines: isLines ? lines : null };
}

/** Whether two files hold the same. */
export const isSame = (one: WrittenFile, other: WrittenFile): boolean =>
  one.bytes === other.bytes && one.sha256 === other.sha256 && one.lines === other.lines;
