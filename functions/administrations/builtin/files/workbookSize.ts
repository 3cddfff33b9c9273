import { createReadStream } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { Unzip, UnzipInflate, UnzipPassThrough, zipSync } from 'fflate';
import { sheetCells } from './sheetCells.ts';
import { UnreadableFile } from './source.ts';

/** Unpacked bytes and entries of a workbook: several times those of 100,000 rows. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;
const MAX_ENTRIES = 10_000;
/** Packed bytes that are read at a time: unpacked, they may be a thousand times as many in memory. */
const PIECE = 4096;

/** What the reader of workbooks takes of a package. */
const IS_READ = /\.xml(?:\.rels)?$/;

/** Nobody reads it, and a package needs one. */
const ANY_DATE = new Date(2000, 0, 1);

/** How parts of a package are packed. */
const [STORED, DEFLATED] = [0, 8];

const FROM_1904 = /(<(?:\w+:)?workbookPr\b[^<>]*\sdate1904\s*=\s*["'])true(?=["'])/g;
/** A cell whose date is a text with a time: the format has no time zones. */
const DATE_TEXT =
  /(<(?:\w+:)?c\s(?:[^<>]*\s)?t=["']d["'][^<>]*>(?:<(?:\w+:)?f\b[^<>]*>(?:[^<]*<\/(?:\w+:)?f>)?)?<(?:\w+:)?v>[\d-]+T[\d:.]+)(?=<\/)/g;
const [CDATA, CDATA_END] = ['<![CDATA[', ']]>'];
/** What stands in parts with one or another of these. */
const signs = ['date1904', 't="d"', "t='d'", CDATA];

/**
 * A part in the words that the reader of workbooks knows, where the format has others for them. It reads nothing of
 * sections of CDATA, and takes a time without a zone for one of the machine, so that the day would be another one.
 */
function asRead(part: Buffer): Buffer {
  if (!signs.some((sign) => part.includes(sign))) return part;
  // Each byte is one character of Latin-1: other text stays as it is.
  const text = withoutSections(part.toString('latin1')).replace(FROM_1904, '$11').replace(DATE_TEXT, '$1Z');
  return Buffer.from(text, 'latin1');
}

/** XML whose sections of CDATA are written as other text is. */
function withoutSections(xml: string): string {
  const [before = '', ...sections] = xml.split(CDATA);
  return sections.reduce((whole, section) => {
    const end = section.indexOf(CDATA_END);
    if (end === -1) return whole + CDATA + section;
    const text = section.slice(0, end).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return whole + text + section.slice(end + CDATA_END.length);
  }, before);
}

class TooLarge extends Error {}

const tooLarge = (): never => {
  const limits = `${MAX_UNPACKED_BYTES / 1024 / 1024} MB in ${MAX_ENTRIES.toLocaleString('en')} parts`;
  throw new TooLarge(`unpacks to more than ${limits}: save it as CSV, or in several files`);
};

/**
 * Measures a workbook by unpacking it: by the declared and the real sizes, and by the cells of its sheets.
 * @returns the workbook with the parts that were measured, in words that its reader knows: of a package that is written
 *   in two ways at once, another one may unpack other parts. undefined for a file that is no package
 * @throws UnreadableFile as soon as it is too large, or for a broken package
 */
export async function measuredWorkbook(file: string): Promise<Buffer | undefined> {
  let bytes = 0;
  let declared = 0;
  let entries = 0;
  const check = () => {
    if (Math.max(bytes, declared) > MAX_UNPACKED_BYTES || entries > MAX_ENTRIES) tooLarge();
  };
  const cells = sheetCells();
  /** What is read, as it is packed: unpacked, it would be held before it is known to be small. */
  const parts = new Map<string, { packing: number; pieces: Uint8Array[] }>();
  let pieces: Uint8Array[] = [];
  const unzip = new Unzip((entry) => {
    entries++;
    cells.beginPart();
    declared += entry.originalSize ?? 0;
    check();
    const isRead = IS_READ.test(entry.name);
    pieces = [];
    if (isRead) parts.set(entry.name, { packing: entry.compression, pieces });
    entry.ondata = (error, data) => {
      if (error !== null) {
        if (isRead) throw error;
        return;
      }
      bytes += data.length;
      check();
      const wrong = cells.add(data);
      if (wrong !== undefined) throw new TooLarge(wrong);
    };
    // One that is packed in another way is left as it is, unless it is read.
    if (entry.compression === STORED || entry.compression === DEFLATED) entry.start();
    else if (isRead) throw new Error(`${entry.name} is packed in an unknown way`);
  });
  // Parts come one after another, and their bytes before the next one.
  for (const Decoder of [UnzipPassThrough, UnzipInflate]) {
    unzip.register(
      class extends Decoder {
        override push(data: Uint8Array, final: boolean): void {
          pieces.push(data);
          super.push(data, final);
        }
      },
    );
  }
  try {
    for await (const piece of createReadStream(file, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
      unzip.push(piece);
    }
    if (entries === 0) return undefined;
    const whole = [...parts].map(([name, { packing, pieces }]) => {
      const packed = Buffer.concat(pieces);
      const isPacked = packing === DEFLATED && packed.length > 0;
      const part = isPacked ? inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }) : packed;
      return [name, asRead(part)] as const;
    });
    return Buffer.from(zipSync(Object.fromEntries(whole), { level: 0, mtime: ANY_DATE }));
  } catch (error) {
    if (error instanceof TooLarge) throw new UnreadableFile(1, error.message);
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new UnreadableFile(1, `is not a valid .xlsx workbook: ${(error as Error).message}`, { cause: error });
  }
}
