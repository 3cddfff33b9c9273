import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';

/** Without zip64 a file and an archive must be smaller than this. */
export const TOO_LARGE = 2 ** 32;

/** A compressed text, with its length and checksum before compression. */
export type Compressed = {
  size: number;
  crc: number;
  /** Bytes after compression. */
  stored: number;
  chunks(): AsyncIterable<Uint8Array<ArrayBuffer>> | Iterable<Uint8Array<ArrayBuffer>>;
};

const compress = promisify(deflateRaw);
/** The fastest level: zlib's default takes a quarter longer for a whole workbook, and makes it a tenth smaller. */
const COMPRESSION_LEVEL = constants.Z_BEST_SPEED;
/** The end of a text that was compressed in pieces: an empty final block. */
const END = Uint8Array.of(3, 0);
/** Bytes read at a time. */
const CHUNK_BYTES = 262_144;

/**
 * Writes a text, compressed, to a temporary file. The file is unlinked at once, so that
 * nothing remains however the process ends. Each piece is compressed by itself, in parallel with the thread and the
 * next piece: write large pieces.
 */
export function compressedFile() {
  const file = nameless();
  // Awaited with the first piece; without this its failure would count as unhandled.
  file.catch(() => {});
  let size = 0;
  let crc = 0;
  let stored = 0;
  let buffer = Buffer.alloc(0);
  let underWay: Promise<void> = Promise.resolve();
  const put = async (bytes: Uint8Array) => {
    await (await file).writeFile(bytes);
    stored += bytes.length;
  };
  return {
    /** @throws RangeError when the text comes to 4 GB */
    async write(piece: string): Promise<void> {
      await underWay;
      // One buffer for all reads: gigabytes pass through, and discarded buffers are not freed at once.
      if (buffer.length < 3 * piece.length) buffer = Buffer.allocUnsafeSlow(3 * piece.length);
      const bytes = buffer.subarray(0, buffer.write(piece));
      size += bytes.length;
      if (size >= TOO_LARGE) throw new RangeError('A part of the archive comes to 4 GB, which a zip file cannot hold.');
      crc = crc32(bytes, crc);
      underWay = compress(bytes, {
        level: COMPRESSION_LEVEL,
        chunkSize: 32_768,
        finishFlush: constants.Z_SYNC_FLUSH,
      }).then(put);
      // Awaited before the next one; without this its failure would count as unhandled.
      underWay.catch(() => {});
    },
    async end(): Promise<Compressed> {
      await underWay;
      await put(END);
      const chunks = async function* () {
        for (let at = 0; at < stored; ) {
          const { bytesRead, buffer } = await (await file).read(
            Buffer.allocUnsafeSlow(CHUNK_BYTES),
            0,
            CHUNK_BYTES,
            at,
          );
          yield buffer.subarray(0, bytesRead);
          at += bytesRead;
        }
      };
      return { size, crc, stored, chunks };
    },
    /** Removes the temporary file. */
    async close(): Promise<void> {
      await underWay.catch(() => {});
      const opened = await file.catch(() => undefined);
      await opened?.close();
    },
  };
}

async function nameless(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `ledgerline-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    await unlink(name);
  } catch (failure) {
    await file.close();
    throw failure;
  }
  return file;
}
