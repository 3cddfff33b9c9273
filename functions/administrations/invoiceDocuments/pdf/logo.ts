import { Problem } from '../../../../shared/problem.ts';
import { isPlain, isPng, onPaper, PictureError } from './png.ts';

/**
 * A picture as pdfkit draws it right. Of a PNG it takes the wrong colour for the transparent one, a byte for a pixel where
 * a byte has several, and a palette that is only a proposal for the colours themselves. All but plain ones get the
 * colours that are seen on white paper.
 * @throws Problem INVALID_REQUEST for a PNG that is broken
 */
export function drawable(picture: Uint8Array): Buffer {
  const bytes = Buffer.from(picture);
  if (!isPng(bytes) || isPlain(bytes)) return bytes;
  try {
    return onPaper(bytes);
  } catch (thrown) {
    if (!(thrown instanceof PictureError)) throw thrown;
    throw new Problem('INVALID_REQUEST', `No PDF can be made: the logo cannot be drawn, since ${thrown.message}.`);
  }
}

/**
 * Whether a picture can be drawn: a PNG whose pixels are all there, or a JPEG with its size, its pixels and its end.
 * @throws PictureError
 */
export function checkLogo(picture: Uint8Array): void {
  const bytes = Buffer.from(picture);
  if (isPng(bytes)) onPaper(bytes);
  else checkJpeg(bytes);
}

/** Markers of a JPEG: the begin of its pixels, its end. */
const [SCAN, END] = [0xda, Buffer.from([0xff, 0xd9])];
/** How a JPEG is written, as readers of PDFs know it: in one go, with more values, in several goes. */
const FRAMES = [0xc0, 0xc1, 0xc2];

function checkJpeg(bytes: Buffer): void {
  let hasSize = false;
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1]!;
    // Bytes before a marker may be repeated.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (FRAMES.includes(marker)) {
      const [bits, height, width, colours] = [
        bytes[at + 4],
        bytes.readUInt16BE(at + 5),
        bytes.readUInt16BE(at + 7),
        bytes[at + 9]!,
      ];
      if (bits !== 8 || height * width === 0 || ![1, 3, 4].includes(colours)) {
        throw new PictureError('its header says what cannot be drawn');
      }
      hasSize = true;
    } else if (marker === SCAN) {
      if (!hasSize) throw new PictureError('it has no size');
      if (bytes.indexOf(END, at) < 0) throw new PictureError('it is cut off');
      return;
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  throw new PictureError('it has no pixels');
}
