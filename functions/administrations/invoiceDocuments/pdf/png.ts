import { PNG } from 'pngjs';

/** A picture that is broken, or larger than what is drawn. */
export class PictureError extends Error {}

const BROKEN = 'it is broken or cut off';

/** Pixels of one picture: ten times what a logo on paper has at 600 dots an inch, and more. */
const MAX_PIXELS = 16_000_000;

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Bytes before the data of the first chunk, which is the header. */
const HEADER_AT = 16;
/** What a header says of the pixels. */
const [GREY, COLOUR, INDEXED] = [0, 2, 3];

export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));

/** Whether a PNG has only what every reader of PDFs takes from it as it is. */
export function isPlain(bytes: Buffer): boolean {
  const [kind, , , interlacing] = bytes.subarray(HEADER_AT + 9);
  const beforePixels = bytes.subarray(0, bytes.indexOf('IDAT'));
  if (interlacing !== 0 || beforePixels.includes('tRNS')) return false;
  return kind === INDEXED || ((kind === GREY || kind === COLOUR) && !beforePixels.includes('PLTE'));
}

/** A PNG of 8 bits a colour with what is seen of another on white paper. @throws PictureError */
export function onPaper(bytes: Buffer): Buffer {
  const { width, height } = sizeOf(bytes);
  if (width * height > MAX_PIXELS) throw new PictureError(`it has more than ${MAX_PIXELS} pixels`);
  let png: PNG;
  try {
    png = PNG.sync.read(bytes);
  } catch {
    // What it throws for most faults names another one.
    throw new PictureError(BROKEN);
  }
  return PNG.sync.write(png, { colorType: 2, inputHasAlpha: true, bgColor: { red: 255, green: 255, blue: 255 } });
}

function sizeOf(bytes: Buffer): { width: number; height: number } {
  if (bytes.length < HEADER_AT + 8) throw new PictureError(BROKEN);
  return { width: bytes.readUInt32BE(HEADER_AT), height: bytes.readUInt32BE(HEADER_AT + 4) };
}
