import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { receiveYear, zippedParts } from './receiveYear.ts';

const entry = (lines: number, text: string) =>
  `<transaction>\n <nr>1</nr>\n <desc>${text}</desc>\n${'<trLine>\n</trLine>\n'.repeat(lines)}</transaction>\n`;
const fileOf = (relations: readonly string[], entries: readonly string[], lines: number) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>\n<auditfile>\n<customersSuppliers>\n',
    ...relations.map((name) => `<customerSupplier>\n <custSupName>${name}</custSupName>\n</customerSupplier>\n`),
    '</customersSuppliers>\n<openingBalance>\n<linesCount>9</linesCount>\n</openingBalance>\n',
    `<transactions>\n<linesCount>${lines}</linesCount>\n<journal>\n`,
    ...entries,
    '</journal>\n</transactions>\n</auditfile>\n',
  ].join('');

/** A text in UTF-8, in pieces that may end within a character. */
async function* piecesOf(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

describe('an audit file that is received', () => {
  it('is cut between entries, and is whole again when its parts are put together', async () => {
    const name = fc.string({ unit: fc.constantFrom('é', '😀', 'x', ' '), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { maxLength: 10 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), name), { maxLength: 20 }),
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 600, max: 2000 }),
        async (relations, entries, length, maxBytes) => {
          const lines = entries.reduce((sum, [count]) => sum + count, 0);
          const file = fileOf(
            relations,
            entries.map(([count, text]) => entry(count, text)),
            lines,
          );
          const percents: number[] = [];
          const parts = await receiveYear(piecesOf(file, length), (percent) => percents.push(percent), maxBytes);
          const texts = await Promise.all(parts.map((part) => part.text()));
          expect(texts.join('')).toBe(file);
          expect(percents).toEqual(percents.toSorted((a, b) => a - b));
          expect(percents.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
          const beforeEntries = entries.length === 0 ? file.length : file.indexOf('<transaction>');
          for (const [index, part] of texts.entries()) {
            if (index > 0) expect(part.startsWith('<transaction>')).toBe(true);
            const bytes = Buffer.byteLength(part) + (index > 0 ? 48 : 0);
            const isPossible = index > 0 || Buffer.byteLength(file.slice(0, beforeEntries)) <= maxBytes;
            if (isPossible) expect(bytes).toBeLessThanOrEqual(maxBytes);
            // No part ends before it has to: the next entry would be too much.
            const next = texts[index + 1];
            if (next === undefined) continue;
            const first = next.split(/(?=<transaction>)/)[0]!;
            expect(bytes + Buffer.byteLength(first)).toBeGreaterThan(maxBytes);
          }
        },
      ),
      // A file of 910 bytes without entries does not fit in 909.
      {
        numRuns: 200,
        examples: [[['', 'é  xxx', 'éxx é  éx', '😀é 😀😀', ' xx😀x😀', '', 'é', ' ', 'x'], [], 1, 909]],
      },
    );
  });

  it('is one part when nothing was booked, and says how much was received', async () => {
    const file = fileOf(['A'], [entry(2, 'a'), entry(2, 'b')], 4);
    const percents: number[] = [];
    const parts = await receiveYear(piecesOf(file, 40), (percent) => percents.push(percent));
    expect(parts).toHaveLength(1);
    expect(percents).toContain(50);
    expect(await receiveYear(piecesOf(fileOf([], [], 0), 10), () => {})).toHaveLength(1);
  });

  it('is zipped as files that say which one they are', async () => {
    const zip = await zippedParts([new Blob(['é']), new Blob(['two']), new Blob(['3'])], 'auditfile-2025.xaf');
    const files = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    expect(Object.fromEntries(Object.entries(files).map(([name, held]) => [name, strFromU8(held)]))).toEqual({
      'auditfile-2025.xaf': 'é',
      'auditfile-2025_2.xaf': '<!-- Vervolgbestand 2 van 3                 -->\ntwo',
      'auditfile-2025_3.xaf': '<!-- Vervolgbestand 3 van 3                 -->\n3',
    });
  });
});
