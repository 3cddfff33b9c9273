import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** Without zip64 neither a file in an archive nor the archive may be as large as this. */
const TOO_LARGE = 2 ** 32;

/** A file to be put into an archive; its text is asked for when it is its turn, in pieces worth compressing. */
export type ArchivePart = { name: string; text: AsyncIterable<string> | Iterable<string> };

/**
 * A zip archive of texts, its bytes while they are made: fflate writes the archive, zlib compresses, beside the thread.
 * Each file has the same moment, so that the same texts are the same bytes.
 * @throws RangeError when it comes to 4 GB
 */
export async function* archive(
  parts: AsyncIterable<ArchivePart> | Iterable<ArchivePart>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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

  for await (const { name, text } of parts) {
    // What fflate wants to know of a file that comes in pieces; it sets ondata, and reads size and crc at the end.
    const file: ZipInputFile = {
      filename: name,
      size: 0,
      crc: 0,
      compression: 8,
      flag: 0,
      mtime: new Date(1980, 0, 1),
    };
    zip.add(file);
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of text) {
        const chunk = Buffer.from(piece);
        file.size += chunk.length;
        if (file.size >= TOO_LARGE) throw new RangeError(`${name} comes to 4 GB, which a zip file cannot hold.`);
        file.crc = crc32(chunk, file.crc);
        yield chunk;
      }
    };
    // Failures come out of the loop; the callback is there because it must be.
    for await (const chunk of pipeline(Readable.from(counted()), createDeflateRaw(), () => {})) {
      file.ondata!(null, chunk as Uint8Array<ArrayBuffer>, false);
      yield* taken();
    }
    file.ondata!(null, new Uint8Array(), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}
