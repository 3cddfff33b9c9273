import { crc32, deflateSync } from 'node:zlib';
import { extractImages } from 'unpdf';
import { expect, test } from 'vitest';
import { customers, documentOf, issuers } from '../../../../testing/documents/invoiceDocuments.ts';
import { invoicePdf } from './invoicePdf.ts';

/** A chunk of a PNG. */
function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

type Palette = readonly (readonly [red: number, green: number, blue: number, opacity: number])[];

/** @param kind 0 grey, 2 colours, 3 indexes into a palette, 4 grey with opacity @param rows each with its filter before it */
function pngOf(
  { width, height, bits, kind, interlaced = false }: Record<'width' | 'height' | 'bits' | 'kind', number> & Interlaced,
  chunks: Record<string, readonly number[]>,
  rows: readonly (readonly number[])[],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, kind, 0, 0, interlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...Object.entries(chunks).map(([name, data]) => chunk(name, Uint8Array.from(data))),
    chunk('IDAT', deflateSync(Uint8Array.from(rows.flat()))),
    chunk('IEND', new Uint8Array()),
  ]);
}

type Interlaced = { interlaced?: boolean };

/** A PNG whose pixels are indexes into a palette. @param bits of a pixel */
function indexedPng(bits: 1 | 2 | 4 | 8, palette: Palette, rows: readonly (readonly number[])[]): Buffer {
  const packed = rows.map((row) => {
    const text = row.map((index) => index.toString(2).padStart(bits, '0')).join('');
    const bytes = text.padEnd(Math.ceil(text.length / 8) * 8, '0').match(/.{8}/g)!;
    // The first byte of a row is its filter: none.
    return [0, ...bytes.map((byte) => Number.parseInt(byte, 2))];
  });
  const chunks = {
    PLTE: palette.flatMap((colour) => colour.slice(0, 3)),
    tRNS: palette.map(([, , , opacity]) => opacity),
  };
  return pngOf({ width: rows[0]!.length, height: rows.length, bits, kind: 3 }, chunks, packed);
}

/** The colours of the picture in a PDF as they are seen on white paper: red, green and blue of each pixel. */
async function seenIn(pdf: Uint8Array): Promise<number[][]> {
  const [picture] = await extractImages(Uint8Array.from(pdf), 1);
  const { data, channels } = picture!;
  return Array.from({ length: data.length / channels }, (_, pixel) => {
    const [red, green, blue, opacity = 255] = data.slice(pixel * channels, (pixel + 1) * channels);
    return [red, green, blue].map((value) => Math.round((value! * opacity + 255 * (255 - opacity)) / 255));
  });
}

const pdfWith = (logo: Uint8Array): Promise<Uint8Array> => {
  const document = documentOf([], 0n, { issuer: issuers.NL, customer: customers.NL });
  return invoicePdf({ ...document, template: { ...document.template, logo } }, null);
};

test.each([1, 2, 4, 8] as const)(
  'a logo of %d bits a pixel is drawn whole where some of it is transparent',
  async (bits) => {
    const palette: Palette = [
      [200, 0, 0, 255],
      [0, 0, 0, 0],
    ];
    const rows = Array.from({ length: 6 }, (_, y) => Array.from({ length: 10 }, (_, x) => (x + y) % 2));
    const pdf = await pdfWith(indexedPng(bits, palette, rows));
    const colours = [
      [200, 0, 0],
      [255, 255, 255],
    ];
    expect(await seenIn(pdf)).toEqual(rows.flat().map((index) => colours[index]));
  },
);

test('a half transparent colour of a logo is half as dark', async () => {
  const pdf = await pdfWith(indexedPng(4, [[0, 100, 0, 128]], [[0, 0, 0]]));
  expect(await seenIn(pdf)).toEqual([0, 1, 2].map(() => [127, 177, 127]));
});

const [black, white] = [
  [0, 0, 0],
  [255, 255, 255],
];

test('the ink of a grey logo is seen where its white is transparent', async () => {
  const logo = pngOf({ width: 2, height: 1, bits: 8, kind: 0 }, { tRNS: [0, 255] }, [[0, 0, 255]]);
  expect(await seenIn(await pdfWith(logo))).toEqual([black, white]);
});

test('the one colour of a logo that is transparent is not seen, and all others are', async () => {
  const pixels = [
    [9, 8, 7],
    [0, 0, 0],
    [0, 9, 8],
  ];
  const logo = pngOf({ width: 3, height: 1, bits: 8, kind: 2 }, { tRNS: [0, 9, 0, 8, 0, 7] }, [[0, ...pixels.flat()]]);
  expect(await seenIn(await pdfWith(logo))).toEqual([white, ...pixels.slice(1)]);
});

test('the last of 256 colours of a logo is seen where the first is transparent', async () => {
  const colours = Array.from({ length: 256 }, (_, index) => [index, 0, 100]);
  const chunks = { PLTE: colours.flat(), tRNS: [0] };
  const logo = pngOf({ width: 3, height: 1, bits: 8, kind: 3 }, chunks, [[0, 0, 254, 255]]);
  expect(await seenIn(await pdfWith(logo))).toEqual([white, [254, 0, 100], [255, 0, 100]]);
});

test('a palette that a logo of many colours proposes does not change them', async () => {
  const logo = pngOf({ width: 2, height: 1, bits: 8, kind: 2 }, { PLTE: [1, 2, 3] }, [[0, 10, 20, 30, 40, 50, 60]]);
  expect(await seenIn(await pdfWith(logo))).toEqual([
    [10, 20, 30],
    [40, 50, 60],
  ]);
});

test('an interlaced logo of one bit a pixel is drawn', async () => {
  // Pixels 0, 4, 2 and 6, and the four odd ones, of one row of eight.
  const passes = [
    [0, 0x80],
    [0, 0x00],
    [0, 0x40],
    [0, 0xa0],
  ];
  const logo = pngOf({ width: 8, height: 1, bits: 1, kind: 0, interlaced: true }, {}, passes);
  const bits = [1, 1, 0, 0, 0, 1, 1, 0];
  expect(await seenIn(await pdfWith(logo))).toEqual(bits.map((bit) => (bit === 1 ? white : black)));
});

test('a row of a logo is told by those before and above, and its opacity with it', async () => {
  const rows = [
    [1, 10, 255, 5, 0],
    [2, 1, 0, 1, 0],
    [3, 100, 128, 50, 0],
    [4, 1, 1, 1, 0],
  ];
  // By hand: the left neighbour, the one above, half of both, and the nearest of the three.
  const grey = [
    [10, 15],
    [11, 16],
    [105, 110],
    [106, 111],
  ].flat();
  const opacity = [255, 255, 255, 255, 255, 255, 0, 0];
  const logo = pngOf({ width: 2, height: 4, bits: 8, kind: 4 }, {}, rows);
  const seen = await seenIn(await pdfWith(logo));
  expect(seen).toEqual(grey.map((value, pixel) => Array(3).fill(opacity[pixel] === 0 ? 255 : value)));
});
