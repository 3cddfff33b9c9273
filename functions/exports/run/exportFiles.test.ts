import { createHash } from 'node:crypto';
import { setInterval } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testStorage } from '../../../testing/storage.ts';
import { fileWriter, linesIn, measure } from './exportFiles.ts';

const { storage } = await testStorage();
const never = new AbortController().signal;
let made = 0;
const newBlob = () => storage.blobs('files').blob(`file-${++made}`);

it('a file contains what was written, and has the measurements of what is read back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 50 }),
      fc.integer({ min: 1, max: 4000 }),
      async (words, times) => {
        const lines = words.map((word) => word.replaceAll('\n', ' ').repeat(times).toWellFormed());
        const blob = await newBlob();
        const writer = fileWriter(true, never, blob);
        for (const line of lines) await writer.write(`${line}\n`);
        const written = await writer.close();
        expect(await Array.fromAsync(linesIn(blob, never))).toEqual(lines);
        const text = lines.map((line) => `${line}\n`).join('');
        expect(written).toEqual({
          bytes: Buffer.byteLength(text),
          sha256: createHash('sha256').update(text).digest('hex'),
          lines: lines.length,
        });
        expect(await measure(blob, true, never)).toEqual(written);
      },
    ),
    { numRuns: 20 },
  );
});

it('a file does not exist before it is closed; when its upload fails, the writer gets the error', async () => {
  const blob = await newBlob();
  const stop = new AbortController();
  const writer = fileWriter(false, stop.signal, blob);
  const piece = Buffer.alloc(500_000, 'x');
  for (let count = 0; count < 10; count++) await writer.write(piece);
  expect(await blob.exists()).toBe(false);
  stop.abort();
  const writeOn = async () => {
    for (let count = 0; count < 100; count++) await writer.write(piece);
    await writer.close();
  };
  await expect(writeOn()).rejects.toThrow(/abort/i);
  await expect(writer.close()).rejects.toThrow(/abort/i);
  expect(await blob.exists()).toBe(false);
});

it('others get their turn while the lines of a block are worked on', async () => {
  async function* block() {
    yield Buffer.from('x\n'.repeat(100));
  }
  const isOver = new AbortController();
  let turns = 0;
  const others = (async () => {
    for await (const _ of setInterval(0, undefined, { signal: isOver.signal })) turns++;
  })().catch(() => {});
  for await (const _ of linesIn({ bytes: block }, never)) {
    const start = performance.now();
    while (performance.now() - start < 2);
  }
  isOver.abort();
  await others;
  // The work takes 200 ms, and others are to wait for some milliseconds of it.
  expect(turns).toBeGreaterThan(10);
});
