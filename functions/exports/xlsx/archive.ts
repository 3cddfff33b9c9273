import { crc32, deflateRawSync } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import { type Compressed, TOO_LARGE } from './compressed.ts';

type ArchivePart = Compressed & { name: string };

/** A file of a few characters. */
export function smallPart(name: string, text: string): ArchivePart {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, crc: crc32(bytes), chunks: () => [deflateRawSync(bytes)] };
}

/**
 * The bytes of a zip archive, while fflate writes it. Each file has the same timestamp, so that the same files give the
 * same bytes.
 * @throws RangeError when it comes to 4 GB
 */
export async function* archive(parts: Iterable<ArchivePart>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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

  for (const { name, size, crc, chunks } of parts) {
    // The properties that fflate needs for a file that is compressed already; it sets ondata.
    const file: ZipInputFile = { filename: name, size, crc, compression: 8, flag: 0, mtime: new Date(1980, 0, 1) };
    zip.add(file);
    for await (const chunk of chunks()) {
      file.ondata!(null, chunk, false);
      yield* taken();
    }
    file.ondata!(null, new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
