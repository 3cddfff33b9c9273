import { inflateSync } from 'node:zlib';

/** A picture that is broken, or larger than what is drawn. */
export class PictureError extends Error {}

/** Pixels of one picture: ten times what a logo on paper has at 600 dots an inch, and more. */
const MAX_PIXELS = 16_000_000;

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Bytes of a chunk beside its data: its length and name before it, its checksum behind. */
const [BEFORE, AROUND] = [8, 12];

/** What a PNG says of its pixels. */
const [GREY, COLOUR, INDEXED, GREY_ALPHA, COLOUR_ALPHA] = [0, 2, 3, 4, 6] as const;

/** By the kind of pixel: values of one, and bits that a value may have. */
const kinds: Record<number, { channels: number; bits: readonly number[] } | undefined> = {
  [GREY]: { channels: 1, bits: [1, 2, 4, 8, 16] },
  [COLOUR]: { channels: 3, bits: [8, 16] },
  [INDEXED]: { channels: 1, bits: [1, 2, 4, 8] },
  [GREY_ALPHA]: { channels: 2, bits: [8, 16] },
  [COLOUR_ALPHA]: { channels: 4, bits: [8, 16] },
};

type Png = {
  width: number;
  height: number;
  bits: number;
  kind: number;
  channels: number;
  isInterlaced: boolean;
  palette: Buffer | undefined;
  /** Opacities of the palette, or the one colour that is transparent, in two bytes a value. */
  transparency: Buffer | undefined;
  /** All rows, compressed. */
  packed: Buffer;
};

/** Every so many pixels of a picture, from the first of them on. */
type Pass = readonly [left: number, top: number, across: number, down: number];

const wholePicture: readonly Pass[] = [[0, 0, 1, 1]];
const interlaced: readonly Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));

/** A PNG without its pixels. @throws PictureError */
export function readPng(bytes: Buffer): Png {
  const chunks = chunksOf(bytes);
  const dataOf = (name: string) => chunks.find((chunk) => chunk.name === name)?.data;
  const header = dataOf('IHDR');
  if (header?.length !== 13) throw new PictureError('it has no header');
  const [bits, type, , , interlace] = header.subarray(8);
  const [width, height, kind] = [header.readUInt32BE(0), header.readUInt32BE(4), kinds[type!]];
  if (kind === undefined || !kind.bits.includes(bits!) || width * height === 0 || interlace! > 1) {
    throw new PictureError('its header says what no PNG has');
  }
  if (width * height > MAX_PIXELS) throw new PictureError(`it has more than ${MAX_PIXELS} pixels`);
  const palette = dataOf('PLTE');
  if (type === INDEXED && palette === undefined) throw new PictureError('it has no palette');
  const transparency = type === GREY_ALPHA || type === COLOUR_ALPHA ? undefined : dataOf('tRNS');
  if (type !== INDEXED && transparency !== undefined && transparency.length !== 2 * kind.channels) {
    throw new PictureError('its transparent colour is none');
  }
  const packed = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data));
  return {
    ...{ width, height, bits: bits!, kind: type!, channels: kind.channels, isInterlaced: interlace === 1 },
    ...{ palette, transparency, packed },
  };
}

function chunksOf(bytes: Buffer): { name: string; data: Buffer }[] {
  const chunks: { name: string; data: Buffer }[] = [];
  for (let at = SIGNATURE.length; at + AROUND <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + BEFORE);
    if (name === 'IEND') return chunks;
    chunks.push({ name, data: bytes.subarray(at + BEFORE, at + BEFORE + length) });
    at += AROUND + length;
  }
  throw new PictureError('it is cut off');
}

/** Whether a PNG has only what every reader of PDFs takes from it as it is. */
export const isPlain = ({ kind, isInterlaced, palette, transparency }: Png): boolean =>
  !isInterlaced &&
  transparency === undefined &&
  (kind === INDEXED || ((kind === GREY || kind === COLOUR) && palette === undefined));

/**
 * The pixels of a PNG as they are seen on white paper: red, green and blue of each, a byte each.
 * @throws PictureError
 */
export function onPaper(png: Png): Buffer {
  const { width, height, bits, channels, isInterlaced } = png;
  const passes = (isInterlaced ? interlaced : wholePicture)
    .map(([left, top, across, down]) => ({
      ...{ left, top, across, down },
      columns: Math.ceil((width - left) / across),
      rows: Math.ceil((height - top) / down),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
  const rowBytes = (columns: number) => Math.ceil((columns * bits * channels) / 8);
  const unpacked = unpack(
    png.packed,
    passes.reduce((sum, { columns, rows }) => sum + rows * (1 + rowBytes(columns)), 0),
  );
  const colourAt = colourOf(png);
  const seen = Buffer.alloc(3 * width * height);
  let at = 0;
  for (const { left, top, across, down, columns, rows } of passes) {
    const length = rowBytes(columns);
    let above: Buffer = Buffer.alloc(length);
    for (let row = 0; row < rows; row++) {
      const values = unpacked.subarray(at + 1, at + 1 + length);
      unfilter(unpacked[at]!, values, above, Math.max((bits * channels) / 8, 1));
      for (let column = 0; column < columns; column++) {
        colourAt(values, column, seen, 3 * ((top + row * down) * width + left + column * across));
      }
      above = values;
      at += 1 + length;
    }
  }
  return seen;
}

function unpack(packed: Buffer, length: number): Buffer {
  let unpacked: Buffer;
  try {
    unpacked = inflateSync(packed, { maxOutputLength: length });
  } catch {
    throw new PictureError('its pixels cannot be unpacked');
  }
  if (unpacked.length < length) throw new PictureError('it lacks pixels');
  return unpacked;
}

/** Changes the bytes of a row, which are differences from the bytes before and above, into values. */
function unfilter(filter: number, row: Buffer, above: Buffer, step: number): void {
  if (filter > 4) throw new PictureError('its pixels have no known form');
  if (filter === 0) return;
  for (let at = 0; at < row.length; at++) {
    const [left, up, corner] = at < step ? [0, above[at]!, 0] : [row[at - step]!, above[at]!, above[at - step]!];
    const expected =
      filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : nearest(left, up, corner);
    row[at] = row[at]! + expected;
  }
}

/** Which of three neighbours is nearest to what they lead to expect. */
function nearest(left: number, up: number, corner: number): number {
  const expected = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(expected - left), Math.abs(expected - up), Math.abs(expected - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Writes the colour that a pixel of a row has on white paper. */
function colourOf({ bits, kind, channels, palette, transparency }: Png) {
  const most = 2 ** bits - 1;
  const sampleAt = (row: Buffer, index: number): number => {
    if (bits === 8) return row[index]!;
    if (bits === 16) return row.readUInt16BE(2 * index);
    return (row[(index * bits) >> 3]! >> (8 - bits - ((index * bits) & 7))) & most;
  };
  const hasAlpha = kind === GREY_ALPHA || kind === COLOUR_ALPHA;
  const colours = hasAlpha ? channels - 1 : channels;
  const isTransparent = (row: Buffer, from: number): boolean => {
    if (transparency === undefined) return false;
    for (let index = 0; index < colours; index++) {
      if (sampleAt(row, from + index) !== (transparency.readUInt16BE(2 * index) & most)) return false;
    }
    return true;
  };
  return (row: Buffer, column: number, seen: Buffer, at: number): void => {
    const from = column * channels;
    const entry = kind === INDEXED ? sampleAt(row, from) : 0;
    let opacity = 1;
    if (kind === INDEXED) opacity = (transparency?.[entry] ?? 255) / 255;
    else if (hasAlpha) opacity = sampleAt(row, from + colours) / most;
    else if (isTransparent(row, from)) opacity = 0;
    for (let part = 0; part < 3; part++) {
      const value =
        kind === INDEXED
          ? (palette![3 * entry + part] ?? 0)
          : (sampleAt(row, from + (colours === 1 ? 0 : part)) / most) * 255;
      seen[at + part] = Math.round(value * opacity + 255 * (1 - opacity));
    }
  };
}
