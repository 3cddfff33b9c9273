import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../shared/problem.ts';
import { jpg, pdf } from '../../../../testing/attachments/files.ts';
import { turnsDuring } from '../../../../testing/turnsDuring.ts';
import { decodeFile } from './decodeFile.ts';
import { invoiceFiles } from './fileKind.ts';

const base64 = pdf.toString('base64');
const decoded = (FileContent: string, FileName = 'invoice.pdf') =>
  decodeFile({ FileContent, FileName }, 'Invoice_Attachment[0]', invoiceFiles);

async function refusal(FileContent: string, FileName?: string) {
  try {
    await decoded(FileContent, FileName);
  } catch (error) {
    if (error instanceof Problem) {
      const [{ path, message } = { path: '', message: '' }] = error.errors;
      return { code: error.code, path, message };
    }
    throw error;
  }
  return undefined;
}

describe('the content of a file', () => {
  it('is decoded to its bytes, its name and its content type', async () => {
    expect(await decoded(base64)).toEqual({ bytes: pdf, fileName: 'invoice.pdf', contentType: 'application/pdf' });
  });

  it.each([
    ['lines', base64.replace(/.{76}/g, '$&\r\n')],
    ['spaces around it', `  ${base64}\n`],
    ['a data address', `data:application/pdf;base64,${base64}`],
    ['a data address with parameters', `data:application/pdf;name=a.pdf;BASE64,\n${base64}`],
  ])('may have %s', async (_what, content) => {
    expect((await decoded(content)).bytes).toEqual(pdf);
  });

  it.each([
    ['characters that are not base64', `${base64.slice(0, 8)}*${base64.slice(8)}`],
    ['the alphabet of addresses', Buffer.from('%PDF-\xff\xef\xfe>>>???', 'latin1').toString('base64url')],
    ['an end cut off', base64.replace(/=*$/, '').slice(0, -1)],
    ['padding too much', `${base64}====`],
    ['padding within', `JVBERi0=${base64}`],
    ['a data address that is not base64', 'data:text/plain,hello'],
    ['bits left over', 'JVBERi0xLjd='],
    ['hexadecimal digits of an odd number', pdf.toString('hex').slice(1)],
  ])('is refused with %s', async (_what, content) => {
    expect(await refusal(content)).toEqual({
      code: 'INVALID_REQUEST',
      path: 'Invoice_Attachment[0].FileContent',
      message: 'expected base64',
    });
  });

  it.each([
    ['over ten megabytes', Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64'), 'the file is larger than 10 MB'],
    ['empty', ' ', 'the file is empty'],
    ['of another kind than its name says', jpg.toString('base64'), 'the content is not that of a .pdf file'],
  ])('is refused when it is %s', async (_what, content, message) => {
    expect(await refusal(content)).toEqual({
      code: 'INVALID_REQUEST',
      path: 'Invoice_Attachment[0].FileContent',
      message,
    });
  });

  it.each([
    ['C:\\Users\\jan\\invoice.pdf', 'invoice.pdf'],
    ['../../etc/invoice.pdf', 'invoice.pdf'],
    ['/a/b\\c/invoice.pdf', 'invoice.pdf'],
    ['  .invoice.pdf. ', 'invoice.pdf'],
    ['in\u0000vo\r\nice\u007f.pdf', 'invoice.pdf'],
    ['invoice\u202efdp.pdf', 'invoicefdp.pdf'],
    ['a<b>:"c"|?*.pdf', 'abc.pdf'],
    ['Factuur café 2026-08 €.pdf', 'Factuur café 2026-08 €.pdf'],
    ['发票.pdf', '发票.pdf'],
  ])('is stored with a clean name: %j', async (fileName, cleanName) => {
    expect((await decoded(base64, fileName)).fileName).toBe(cleanName);
  });

  it.each(['invoice', 'invoice.exe', 'folder.pdf/', '.pdf', '\u202e', 'invoice.pdf\u0000.exe'])(
    'is refused under the name %j',
    async (fileName) => {
      expect(await refusal(base64, fileName)).toEqual({
        code: 'INVALID_REQUEST',
        path: 'Invoice_Attachment[0].FileName',
        message: 'expected a file name ending in .jpg, .png, .pdf, .doc, .docx, .xls or .xlsx',
      });
    },
  );

  it('is refused with a name that is too long for file systems', async () => {
    expect((await decoded(base64, `${'a'.repeat(251)}.pdf`)).fileName).toHaveLength(255);
    expect(await refusal(base64, `${'a'.repeat(252)}.pdf`)).toMatchObject({ path: 'Invoice_Attachment[0].FileName' });
  });

  it('is decoded with any bytes after the header, and line breaks anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 80 }), async (rest, width) => {
        const bytes = Buffer.concat([pdf, rest]);
        const lines = bytes.toString('base64').replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
        expect((await decoded(lines)).bytes).toEqual(bytes);
      }),
    );
  });

  it('is decoded as a whole wherever it is divided, and refused when anything but white space follows its end', async () => {
    const million = 1_000_000;
    const near = fc.integer({ min: -8, max: 8 });
    await fc.assert(
      fc.asyncProperty(
        near,
        fc.array(near, { maxLength: 3 }),
        fc.constantFrom('\n', ' \t', '=', '*', 'QUJD', 'A'),
        async (more, places, added) => {
          const bytes = Buffer.concat([pdf, randomBytes((million * 3) / 4 - pdf.length + more)]);
          const text = places.reduce(
            (lines, place) => `${lines.slice(0, million + place)}\r\n${lines.slice(million + place)}`,
            bytes.toString('base64'),
          );
          expect(bytes.equals((await decoded(text)).bytes)).toBe(true);
          const changed = text + added;
          // Node decodes what it can, and says nothing of the rest.
          const isValid = Buffer.from(changed, 'base64').toString('base64') === changed.replace(/\s/g, '');
          expect(await refusal(changed)).toEqual(
            isValid ? undefined : expect.objectContaining({ message: 'expected base64' }),
          );
        },
      ),
      {
        numRuns: 40,
        // Its padding ends a part, and more is in the next.
        examples: [
          [-1, [], 'QUJD'],
          [-2, [], '='],
          [-1, [], ' \t'],
        ],
      },
    );
  });

  it('gives others their turns while a large file is decoded', async () => {
    const large = Buffer.concat([pdf, Buffer.alloc(9_000_000)]);
    const content = large.toString('base64');
    const turns = await turnsDuring(async () => expect(large.equals((await decoded(content)).bytes)).toBe(true));
    expect(turns).toBeGreaterThanOrEqual(12);
  });
});
