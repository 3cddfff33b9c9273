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

/** A PNG whose pixels are indexes into a palette. @param bits of a pixel */
function pngOf(bits: 1 | 2 | 4 | 8, palette: Palette, rows: readonly (readonly number[])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(rows[0]!.length, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([bits, 3], 8);
  const packed = rows.map((row) => {
    const text = row.map((index) => index.toString(2).padStart(bits, '0')).join('');
    const bytes = text.padEnd(Math.ceil(text.length / 8) * 8, '0').match(/.{8}/g)!;
    // The first byte of a row is its filter: none.
    return [0, ...bytes.map((byte) => Number.parseInt(byte, 2))];
  });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flatMap((colour) => colour.slice(0, 3)))),
    chunk('tRNS', Uint8Array.from(palette.map(([, , , opacity]) => opacity))),
    chunk('IDAT', deflateSync(Uint8Array.from(packed.flat()))),
    chunk('IEND', new Uint8Array()),
  ]);
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
    const pdf = await pdfWith(pngOf(bits, palette, rows));
    const colours = [
      [200, 0, 0],
      [255, 255, 255],
    ];
    expect(await seenIn(pdf)).toEqual(rows.flat().map((index) => colours[index]));
  },
);

test('a half transparent colour of a logo is half as dark', async () => {
  const pdf = await pdfWith(pngOf(4, [[0, 100, 0, 128]], [[0, 0, 0]]));
  expect(await seenIn(pdf)).toEqual([0, 1, 2].map(() => [127, 177, 127]));
});
