import { inflateSync } from 'node:zlib';
import jsQr from 'jsqr';
import { getDocumentProxy } from 'unpdf';

/** A text on a page, with its position in points from the left and bottom. */
export type PdfText = { page: number; text: string; x: number; baseline: number; width: number; size: number };

/** The texts of a PDF with their positions, the number of pages, and the attached files. */
export async function readPdf(bytes: Uint8Array) {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes));
  const texts: PdfText[] = [];
  for (let page = 1; page <= pdf.numPages; page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent();
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue;
      const [, , , size, x, baseline] = item.transform as number[];
      texts.push({ page, text: item.str, x: x!, baseline: baseline!, width: item.width, size: size! });
    }
  }
  const { info } = await pdf.getMetadata();
  const attachments = (await pdf.getAttachments()) as Record<string, { filename: string; content: Uint8Array }> | null;
  const pages = pdf.numPages;
  await pdf.loadingTask.destroy();
  return { texts, pages, info: info as Record<string, unknown>, attachments: Object.values(attachments ?? {}) };
}

/** The streams of a PDF as text, decompressed. */
export function pdfStreams(bytes: Uint8Array): string[] {
  const pdf = Buffer.from(bytes);
  const heads = pdf.toString('latin1').matchAll(/<<((?:(?!endobj)[\s\S])*?)>>\s*stream\r?\n/g);
  return [...heads].map(({ 0: all, 1: head = '', index }) => {
    const start = index + all.length;
    const body = pdf.subarray(start, start + Number(/\/Length (\d+)/.exec(head)?.[1]));
    return (/FlateDecode/.test(head) ? inflateSync(body) : body).toString('latin1');
  });
}

/** Pixels of a side of a module of a QR code. */
const PIXELS = 4;

/**
 * The text of the QR code in a PDF, read from the drawn squares as by a camera; `undefined` without one.
 */
export function qrOf(bytes: Uint8Array): string | undefined {
  const bars = pdfStreams(bytes)
    .flatMap((stream) => [...stream.matchAll(/^(-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) re$/gm)])
    .map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number]);
  if (bars.length === 0) return undefined;
  const module = Math.min(...bars.map(([, , , height]) => height));
  const left = Math.min(...bars.map(([x]) => x));
  const top = Math.min(...bars.map(([, y]) => y));
  const side = Math.round((Math.max(...bars.map(([x, , width]) => x + width)) - left) / module);
  const pixels = (side + 8) * PIXELS;
  const image = new Uint8ClampedArray(pixels * pixels * 4).fill(255);
  for (const [x, y, width] of bars) {
    const from = Math.round((x - left) / module) + 4;
    const row = Math.round((y - top) / module) + 4;
    const modules = Math.round(width / module);
    for (let dy = 0; dy < PIXELS; dy++) {
      for (let dx = 0; dx < modules * PIXELS; dx++) {
        image.fill(
          0,
          ((row * PIXELS + dy) * pixels + from * PIXELS + dx) * 4,
          ((row * PIXELS + dy) * pixels + from * PIXELS + dx) * 4 + 3,
        );
      }
    }
  }
  return jsQr(image, pixels, pixels)?.data;
}
