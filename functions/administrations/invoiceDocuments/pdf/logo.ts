import { crc32 } from 'node:zlib';

/** What a PNG says of its pixels: an index into a palette. */
const INDEXED = 3;

type Chunk = { name: string; data: Buffer };

/**
 * A picture as pdfkit draws it right. Of a PNG with at most 16 colours, of which a byte has several pixels, it takes each
 * byte for one pixel where some are transparent. Their colours get what is seen of them on white paper, and no pixel has
 * to be unpacked.
 */
export function drawable(picture: Uint8Array): Buffer {
  const bytes = Buffer.from(picture);
  const chunks = chunksOf(bytes);
  const dataOf = (name: string) => chunks.find((chunk) => chunk.name === name)?.data;
  const [header, palette, opacity] = [dataOf('IHDR'), dataOf('PLTE'), dataOf('tRNS')];
  const isPacked = header !== undefined && header[8]! < 8 && header[9] === INDEXED;
  if (!isPacked || palette === undefined || opacity === undefined) return bytes;
  const onPaper = palette.map((value, place) => {
    const share = (opacity[Math.floor(place / 3)] ?? 255) / 255;
    return Math.round(value * share + 255 * (1 - share));
  });
  const written = chunks.flatMap(({ name, data }) =>
    name === 'tRNS' ? [] : chunkBytes(name, name === 'PLTE' ? Buffer.from(onPaper) : data),
  );
  return Buffer.concat([bytes.subarray(0, SIGNATURE), ...written]);
}

/** Bytes before the chunks of a PNG, and of a chunk beside its data: its length and name before it, its checksum behind. */
const [SIGNATURE, BEFORE, AROUND] = [8, 8, 12];

/** The chunks of a PNG; none of any other picture. */
function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  if (bytes.toString('latin1', 1, 4) !== 'PNG') return chunks;
  for (let at = SIGNATURE; at + AROUND <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const data = bytes.subarray(at + BEFORE, at + BEFORE + length);
    chunks.push({ name: bytes.toString('latin1', at + 4, at + BEFORE), data });
    at += AROUND + length;
  }
  return chunks;
}

function chunkBytes(name: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(AROUND + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(name, 4, 'latin1');
  data.copy(bytes, BEFORE);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, BEFORE + data.length)), BEFORE + data.length);
  return bytes;
}
