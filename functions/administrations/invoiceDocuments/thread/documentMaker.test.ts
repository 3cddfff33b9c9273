import { setImmediate as otherWork } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { customers, documentOf, issuers } from '../../../../testing/documents/invoiceDocuments.ts';
import { readPdf } from '../../../../testing/documents/readPdf.ts';
import type { InvoiceDocument, TextLine } from '../invoiceDocument.ts';
import { documentMaker } from './documentMaker.ts';

const small = (number: string): InvoiceDocument => ({
  ...documentOf([], 0n, { issuer: issuers.NL, customer: customers.NL }),
  number,
});

const textLine = (description: string, category = ''): TextLine => ({ kind: 'text', category, description });

/** Within all limits of a request: texts of 1,995 line breaks, of which there may be 75. */
const heavy = (number: string, texts = 15): InvoiceDocument => ({
  ...small(number),
  lines: Array.from({ length: texts }, () => textLine('a\n'.repeat(1995))),
});

/** Other tests may need the processor. */
const patient = { maxMs: 100_000 };

it('makes a PDF and an e-invoice', async () => {
  const maker = documentMaker();
  const { content } = await maker.make({ kind: 'pdf', document: small('1') }, 'one', 'pdf');
  expect((await readPdf(content)).info).toMatchObject({ Title: 'Factuur 1' });
  const refused = maker.make({ kind: 'eInvoice', document: heavy('2') }, 'one', 'xml');
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_REQUEST', errors: [expect.anything()] });
});

it('leaves the thread of requests to others', async () => {
  const maker = documentMaker(patient);
  let isMade = false;
  const making = maker.make({ kind: 'pdf', document: heavy('1') }, 'one', 'heavy').finally(() => {
    isMade = true;
  });
  // Drawing it here would let others have a turn before it and after it only.
  let turns = 0;
  for (; !isMade; turns++) await otherWork();
  await making;
  expect(turns).toBeGreaterThan(100);
});

it.each([
  ['time', { maxMs: 1 }],
  ['memory', { ...patient, maxMegabytes: 64 }],
])('refuses a document that takes too much %s, and the second time at once', async (_, limits) => {
  const maker = documentMaker({ threads: 1, ...limits });
  const order = { kind: 'pdf', document: heavy('7', 75) } as const;
  const refusal = { code: 'INVALID_REQUEST', message: expect.stringContaining('sales invoice 7') };
  await expect(maker.make(order, 'one', 'heavy')).rejects.toMatchObject(refusal);
  // Before anything else has a turn.
  const first = Promise.race([maker.make(order, 'one', 'heavy'), otherWork('other work')]);
  await expect(first).rejects.toMatchObject(refusal);
});

it('refuses it for ten minutes, also when the clock of the machine is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const maker = documentMaker({ ...patient, threads: 1, maxMegabytes: 64 });
  const make = (document: InvoiceDocument) => maker.make({ kind: 'pdf', document }, 'one', 'of the same key');
  await expect(make(heavy('7', 75))).rejects.toThrow('sales invoice 7');
  vi.setSystemTime(Date.now() - 3_600_000);
  await expect(make(small('7'))).rejects.toThrow('sales invoice 7');
  vi.advanceTimersByTime(600_000);
  expect((await readPdf((await make(small('7'))).content)).info).toMatchObject({ Title: 'Factuur 7' });
});

it('ends the thread of a document that takes too much, and makes the next one in another', async () => {
  const maker = documentMaker({ ...patient, threads: 1, maxMegabytes: 64 });
  const make = (document: InvoiceDocument) => maker.make({ kind: 'pdf', document }, 'one', document.number);
  const made = await Promise.allSettled([make(heavy('1', 75)), make(small('2'))]);
  expect(made.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

it('lets administrations take turns', async () => {
  const maker = documentMaker(patient);
  const done: string[] = [];
  const make = async (owner: string, number: string, document: InvoiceDocument) => {
    await maker.make({ kind: 'pdf', document }, owner, number);
    done.push(number);
  };
  await Promise.all([
    make('one', '1', heavy('1')),
    make('one', '2', heavy('2')),
    make('one', '3', heavy('3')),
    make('other', '4', small('4')),
  ]);
  expect(done.indexOf('4')).toBeLessThan(2);
});

it('makes the same document once at a time', async () => {
  const maker = documentMaker();
  const order = { kind: 'pdf', document: small('1') } as const;
  const [one, other] = await Promise.all([maker.make(order, 'one', 'same'), maker.make(order, 'one', 'same')]);
  expect(one).toBe(other);
});

it('refuses texts that are too long together, in whatever fields they are, and more documents than may wait', async () => {
  const maker = documentMaker();
  const long = 'x'.repeat(65_535);
  const lines = Array.from({ length: 5 }, () => textLine('', long));
  const inCategories = { ...small('1'), lines };
  const make = (document: InvoiceDocument, key: string) => maker.make({ kind: 'pdf', document }, 'one', key);
  await expect(make(inCategories, '1')).rejects.toThrow('at most 300000 characters');
  const street = { ...customers.NL.address, street: 'x'.repeat(300_000) };
  await expect(make({ ...small('2'), customer: { ...customers.NL, address: street } }, '2')).rejects.toThrow('300000');

  const busy = documentMaker({ threads: 0 });
  const full = { ...small('3'), notes: 'x '.repeat(100_000) };
  const refused: unknown[] = [];
  for (let index = 0; index < 60; index++) {
    busy.make({ kind: 'pdf', document: full }, 'one', `full ${index}`).catch((reason) => refused.push(reason));
  }
  await otherWork();
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.length).toBeLessThan(50);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'UNAVAILABLE', headers: { 'Retry-After': '10' } });
});
