import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as otherWork } from 'node:timers/promises';
import { linesOf } from '../../../shared/client/exportClient.ts';
import { pauses } from '../../../shared/inSteps.ts';
import type { Blob } from '../../storage/blobs.ts';
import type { WrittenFile } from './run.ts';

/** The smallest size of a block, in bytes. */
export const BLOCK_BYTES = 1024 * 1024;
/** Blocks that are uploaded at the same time, which is faster than one after another. */
const MAX_UPLOADS = 4;
/** Characters that are encoded in one call. */
const TEXT_BATCH = 65_536;

/**
 * Writes a file from beginning to end. The file appears when it is closed.
 * @param isLines whether each text is a line: lines are counted
 * @param blob left out: the file is only measured
 */
export function fileWriter(isLines: boolean, signal: AbortSignal, blob?: Blob) {
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
    async write(piece: string | Uint8Array): Promise<void> {
      if (typeof piece !== 'string') return append(piece);
      lines++;
      text += piece;
      if (text.length >= TEXT_BATCH) await flush();
    },
    async close(): Promise<WrittenFile> {
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
  // The next write fails with it, since no one reads the stream any more.
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

/** Several uploads at the same time. */
export function openUploads() {
  const underWay: Promise<void>[] = [];
  return {
    /** Starts an upload once there is room. @throws the failure of an earlier one */
    async begin(upload: () => Promise<void>): Promise<void> {
      if (underWay.length === MAX_UPLOADS) await underWay.shift();
      const begun = upload();
      // Awaited later; without this its failure would count as unhandled.
      begun.catch(() => {});
      underWay.push(begun);
    },
    /** Waits for all uploads. @throws the failure of one */
    async end(): Promise<void> {
      await Promise.allSettled(underWay);
      await Promise.all(underWay);
    },
  };
}

/**
 * The lines of a file, without their line feeds. Others get their turn while the lines of a block are worked on: there are
 * thousands of them, and none waits for the storage.
 */
export async function* linesIn(blob: Pick<Blob, 'bytes'>, signal: AbortSignal): AsyncGenerator<string, void> {
  const pause = pauses(otherWork);
  for await (const line of linesOf(blob.bytes(signal))) {
    yield line;
    const paused = pause();
    if (paused !== undefined) await paused;
  }
}

/** The measurements of a stored file, read back. */
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

/** Whether two files have the same content. */
export const isSame = (one: WrittenFile, other: WrittenFile): boolean =>
  one.bytes === other.bytes && one.sha256 === other.sha256 && one.lines === other.lines;
