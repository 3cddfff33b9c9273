import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { linesOf } from '../../../shared/client/exportClient.ts';
import type { Blob } from '../../storage/blobs.ts';
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
  const upload = blob && openUpload(blob, signal);
  let text = '';
  let bytes = 0;
  let lines = 0;

  const append = async (piece: Uint8Array) => {
    hash.update(piece);
    bytes += piece.length;
    await upload?.write(piece);
  };
  const flush = async () => {
    const piece = Buffer.from(text);
    text = '';
    await append(piece);
  };
  return {
    async write(piece) {
      if (typeof piece !== 'string') return append(piece);
      lines++;
      text += piece;
      if (text.length >= TEXT_BATCH) await flush();
    },
    async close() {
      if (text !== '') await flush();
      await upload?.end();
      return { bytes, sha256: hash.digest('hex'), lines: isLines ? lines : null };
    },
  };
}

/** Uploads bytes as they are written. */
function openUpload(blob: Blob, signal: AbortSignal) {
  const stream = new PassThrough({ highWaterMark: BLOCK_BYTES });
  const uploaded = blob.upload(stream, { blockBytes: BLOCK_BYTES, concurrency: MAX_UPLOADS, signal });
  // Whoever writes next learns of it: nobody reads any more.
  uploaded.catch((failure) => stream.destroy(failure));
  stream.on('error', () => {});
  return {
    async write(piece: Uint8Array): Promise<void> {
      if (stream.destroyed) await uploaded;
      if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), uploaded]);
    },
    async end(): Promise<void> {
      stream.end();
      await uploaded;
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
