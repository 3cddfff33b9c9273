import { crc32, deflateRawSync } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import { type Compressed, TOO_LARGE } from './compressed.ts';

type ArchivePart = Compressed & { name: string };

/** A file of a few characters. */
export function smallPart(name: string, text: string): ArchivePart {
  const bytes = Buffer.from(text);
  const compressed = deflateRawSync(bytes);
  return { name, size: bytes.length, crc: crc32(bytes), stored: compressed.length, chunks: () => [compressed] };
}

/** Zeros that stand for content. */
const nothing = new Uint8Array(65_536);

/** A file as long as another one: what stands behind it in an archive is the same. */
export const withoutContent = (part: ArchivePart): ArchivePart => ({
  ...part,
  *chunks() {
    for (let left = part.stored; left > 0; left -= nothing.length) yield nothing.subarray(0, left);
  },
});

/**
 * The bytes of a zip archive, while fflate writes it. Each file has the same timestamp, so that the same files give the
 * same bytes.
 * @param from the file with which the returned bytes begin
 * @throws RangeError when it comes to 4 GB
 */
export async function* archive(parts: Iterable<ArchivePart>, from = 0): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let made: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    made.push(chunk);
    bytes += chunk.length;
  });
  const taken = (): Uint8Array<ArrayBuffer>[] => {
    if (bytes >= TOO_LARGE) throw new RangeError('The archive comes to 4 GB, which a zip file cannot be.');
    const chunks = made;
    made = [];
    return chunks;
  };

  let index = 0;
  for (const { name, size, crc, chunks } of parts) {
    const isReturned = index++ >= from;
    // The properties that fflate needs for a file that is compressed already; it sets ondata.
    const file: ZipInputFile = { filename: name, size, crc, compression: 8, flag: 0, mtime: new Date(1980, 0, 1) };
    zip.add(file);
    for await (const chunk of chunks()) {
      file.ondata!(null, chunk, false);
      const bytesOfChunk = taken();
      if (isReturned) yield* bytesOfChunk;
    }
    file.ondata!(null, new Uint8Array(), true);
    const rest = taken();
    if (isReturned) yield* rest;
  }
  zip.end();
  yield* taken();
}
