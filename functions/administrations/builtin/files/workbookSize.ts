import { createReadStream } from 'node:fs';
import { Unzip, UnzipInflate } from 'fflate';
import { sheetCells } from './sheetCells.ts';
import { UnreadableFile } from './source.ts';

/** Unpacked bytes and entries of a workbook: several times those of 100,000 rows. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;
const MAX_ENTRIES = 10_000;
/** Packed bytes that are read at a time: unpacked, they may be a thousand times as many in memory. */
const PIECE = 4096;

class TooLarge extends Error {}

const tooLarge = (): never => {
  const limits = `${MAX_UNPACKED_BYTES / 1024 / 1024} MB in ${MAX_ENTRIES.toLocaleString('en')} parts`;
  throw new TooLarge(`unpacks to more than ${limits}: save it as CSV, or in several files`);
};

/**
 * Measures a workbook by unpacking it: by the declared and the real sizes, and by the cells of its sheets. A broken package
 * is left to its reader.
 * @throws UnreadableFile as soon as it is too large
 */
export async function requireModestSize(file: string): Promise<void> {
  let bytes = 0;
  let declared = 0;
  let entries = 0;
  const check = () => {
    if (Math.max(bytes, declared) > MAX_UNPACKED_BYTES || entries > MAX_ENTRIES) tooLarge();
  };
  const cells = sheetCells();
  const unzip = new Unzip((entry) => {
    entries++;
    cells.beginPart();
    declared += entry.originalSize ?? 0;
    check();
    entry.ondata = (error, data) => {
      if (error !== null) throw error;
      bytes += data.length;
      check();
      const wrong = cells.add(data);
      if (wrong !== undefined) throw new TooLarge(wrong);
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
    throw new UnreadableFile(1, error.message);
  }
}
