import { createReadStream } from 'node:fs';
import { Unzip, UnzipInflate } from 'fflate';
import { UnreadableFile } from './source.ts';

/** Bytes of a workbook when it is unpacked, and its entries: several times what 100,000 rows come to. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;
const MAX_ENTRIES = 10_000;
/** Bytes unpacked at a time. A thousand times as many may come out, and are held in memory. */
const PIECE = 4096;

class TooLarge extends Error {}

/**
 * Unpacks a workbook without keeping anything of it, to see how large it is: by what its entries declare and by what really
 * comes out. What is no sound package is left to its reader.
 * @throws UnreadableFile when it is larger than any real one, long before all of it was unpacked
 */
export async function requireModestSize(file: string): Promise<void> {
  let bytes = 0;
  let declared = 0;
  let entries = 0;
  const check = () => {
    if (Math.max(bytes, declared) > MAX_UNPACKED_BYTES || entries > MAX_ENTRIES) throw new TooLarge();
  };
  const unzip = new Unzip((entry) => {
    entries++;
    declared += entry.originalSize ?? 0;
    check();
    entry.ondata = (error, data) => {
      if (error !== null) throw error;
      bytes += data.length;
      check();
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  try {
    for await (const piece of createReadStream(file, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
      unzip.push(piece);
    }
  } catch (error) {
    if (!(error instanceof TooLarge)) {
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
      return;
    }
    const limits = `${MAX_UNPACKED_BYTES / 1024 / 1024} MB in ${MAX_ENTRIES.toLocaleString('en')} parts`;
    throw new UnreadableFile(1, `unpacks to more than ${limits}: save it as CSV, or in several files`);
  }
}
