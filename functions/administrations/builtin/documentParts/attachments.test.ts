import { expect, it } from 'vitest';
import { docx, officePackage, wordMain } from '../../../../testing/attachments/files.ts';
import { turnsDuring } from '../../../../testing/turnsDuring.ts';
import { invoiceFiles } from '../attachments/fileKind.ts';
import { readAttachments } from './attachments.ts';

const many = (count: number, bytes: Uint8Array) =>
  Array.from({ length: count }, () => ({
    FileContent: Buffer.from(bytes).toString('base64'),
    FileName: 'brief.docx',
    Internal: false,
  }));
const read = (files: ReturnType<typeof many>) => readAttachments(files, invoiceFiles, 'Invoice_Attachment');

const elements = '<a/>'.repeat(250_000);
const large = officePackage('word/document.xml', wordMain, { types: elements, relationships: elements });
const entries = Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [`x${index}`, '']));
const crowded = officePackage('word/document.xml', wordMain, { parts: entries });

it.each([
  ['unpack to much', large, 20],
  ['have many entries', crowded, 7],
])('office documents that together %s are refused before they delay others', async (_, bytes, count) => {
  const files = many(count, bytes);
  const start = process.threadCpuUsage();
  await expect(read(files)).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    errors: [{ code: 'FILES_UNPACK_TOO_LARGE' }],
  });
  // One of them took a hundred, all of them thousands.
  expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(400);
});

it('other requests run between the files of a request', async () => {
  const turns = await turnsDuring(async () => expect(await read(many(20, docx))).toHaveLength(20));
  expect(turns).toBeGreaterThanOrEqual(19);
});
