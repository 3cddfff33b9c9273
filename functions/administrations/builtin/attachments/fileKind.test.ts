import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { refusalText } from '../../../../shared/fieldErrors.ts';
import * as files from '../../../../testing/attachments/files.ts';
import * as fileKind from './fileKind.ts';
import { bookkeepingFiles, type FileKind, invoiceFiles } from './fileKind.ts';

const { compoundFile, officePackage, packageRelationships, sheetMain, wordMain } = files;
const byKind: Record<FileKind, Uint8Array> = {
  jpg: files.jpg,
  png: files.png,
  gif: files.gif,
  pdf: files.pdf,
  doc: files.doc,
  docx: files.docx,
  xls: files.xls,
  xlsx: files.xlsx,
};
const contentTypes: Record<FileKind, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  pdf: 'application/pdf',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
/** The file, or the sentence it is refused with. */
function checkFile(...given: Parameters<typeof fileKind.checkFile>) {
  const checked = fileKind.checkFile(...given);
  return checked.kind === 'refused' ? refusalText(checked.reason) : checked.value;
}
const everyKind = Object.keys(byKind) as FileKind[];
const whenAllowed = (allowed: readonly FileKind[]) =>
  everyKind.map((kind) => [kind, allowed.includes(kind)] as [FileKind, boolean]);

describe('the kind of a file', () => {
  it.each(whenAllowed(invoiceFiles))('an order or invoicing invoice and a .%s: taken is %s', (kind, taken) => {
    expect(taken).toBe(kind !== 'gif');
    expect(checkFile(byKind[kind], `file.${kind}`, invoiceFiles)).toEqual(
      taken
        ? { fileName: `file.${kind}`, contentType: contentTypes[kind] }
        : 'expected a file name ending in .jpg, .png, .pdf, .doc, .docx, .xls or .xlsx',
    );
  });

  it.each(whenAllowed(bookkeepingFiles))('a bookkeeping document and a .%s: taken is %s', (kind, taken) => {
    expect(taken).toBe(!['xls', 'xlsx'].includes(kind));
    expect(checkFile(byKind[kind], `file.${kind}`, bookkeepingFiles)).toEqual(
      taken
        ? { fileName: `file.${kind}`, contentType: contentTypes[kind] }
        : 'expected a file name ending in .jpg, .png, .pdf, .doc, .docx or .gif',
    );
  });

  const mismatches = everyKind.flatMap((name) =>
    everyKind.filter((content) => content !== name).map((content) => [content, name] as const),
  );
  it.each(mismatches)('is refused for the content of a .%s with the extension .%s', (content, name) => {
    expect(checkFile(byKind[content], `file.${name}`, everyKind)).toBe(`the content is not that of a .${name} file`);
  });

  it.each(everyKind)('is refused for a program, a web page and plain text with the extension .%s', (kind) => {
    for (const content of [files.program, files.html, Buffer.from('just words'), Buffer.from('PK\x03\x04 no zip')]) {
      expect(checkFile(content, `file.${kind}`, everyKind)).toBe(`the content is not that of a .${kind} file`);
    }
  });

  it.each(['invoice.PDF', 'my invoice.v2.Pdf'])('is found from an extension in any case: %s', (fileName) => {
    expect(checkFile(files.pdf, fileName, invoiceFiles)).toEqual({ fileName, contentType: 'application/pdf' });
  });

  it('is jpg for .jpeg', () => {
    expect(checkFile(files.jpg, 'photo.jpeg', invoiceFiles)).toMatchObject({ contentType: 'image/jpeg' });
    expect(checkFile(files.png, 'photo.jpeg', invoiceFiles)).toBe('the content is not that of a .jpg file');
  });

  it.each(['', 'pdf', '.pdf', '..pdf', 'invoice', 'invoice.', 'invoice.pdf.exe', 'invoice.pdf ', 'invoice.pdfx'])(
    'is refused for a name without an allowed extension: %j',
    (fileName) => {
      expect(checkFile(files.pdf, fileName, ['jpg', 'pdf'])).toBe('expected a file name ending in .jpg or .pdf');
    },
  );

  it('is found for ten megabytes, and refused for one byte more', () => {
    const ofSize = (size: number) => Buffer.concat([files.pdf, Buffer.alloc(size - files.pdf.length, ' ')]);
    expect(checkFile(ofSize(10 * 1024 * 1024), 'a.pdf', invoiceFiles)).toMatchObject({ fileName: 'a.pdf' });
    expect(checkFile(ofSize(10 * 1024 * 1024 + 1), 'a.pdf', invoiceFiles)).toBe('the file is larger than 10 MB');
  });

  it('is refused for an empty file', () => {
    expect(checkFile(Buffer.alloc(0), 'a.pdf', invoiceFiles)).toBe('the file is empty');
  });

  it('is PDF also after a byte order mark or an empty line, and not after other bytes', () => {
    for (const before of ['\xef\xbb\xbf', '\r\n', '\xef\xbb\xbf\n']) {
      const content = Buffer.concat([Buffer.from(before, 'latin1'), files.pdf]);
      expect(checkFile(content, 'a.pdf', invoiceFiles)).toMatchObject({ contentType: 'application/pdf' });
    }
    for (const before of ['MZ', '<html>', 'PK']) {
      const content = Buffer.concat([Buffer.from(before), files.pdf]);
      expect(checkFile(content, 'a.pdf', invoiceFiles)).toBe('the content is not that of a .pdf file');
    }
  });

  it('is found or refused for any bytes', () => {
    const start = fc.constantFrom(...everyKind).map((kind) => byKind[kind]);
    const broken = fc
      .tuple(start, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 8 }), fc.option(fc.nat()))
      .map(([bytes, changes, cut]) => {
        const changed = Buffer.from(bytes);
        for (const [at, byte] of changes) changed[at % changed.length] = byte;
        return cut === null ? changed : changed.subarray(0, cut % changed.length);
      });
    fc.assert(
      fc.property(fc.oneof(broken, fc.uint8Array()), fc.constantFrom(...everyKind), (bytes, kind) => {
        const checked = checkFile(bytes, `file.${kind}`, everyKind);
        expect(typeof checked === 'string' || checked.contentType === contentTypes[kind]).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

const isWord = (bytes: Uint8Array) => typeof checkFile(bytes, 'a.docx', everyKind) !== 'string';
const isSheet = (bytes: Uint8Array) => typeof checkFile(bytes, 'a.xlsx', everyKind) !== 'string';

describe('an Office Open XML file', () => {
  it('of a spreadsheet program is a workbook', async () => {
    const written = await writeExcelFile([[{ value: 'a' }]]).toBuffer();
    expect(isSheet(written)).toBe(true);
    expect(isWord(written)).toBe(false);
  });

  it.each([
    ['stored without compression', officePackage('word/document.xml', wordMain, { compressed: false })],
    ['with its main part elsewhere', officePackage('word/document2.xml', wordMain)],
    [
      'with its main part named from the root',
      officePackage('word/document.xml', wordMain, {
        relationships: packageRelationships('/word/document.xml'),
      }),
    ],
    [
      'with the type of its main part by extension',
      officePackage('word/document.xml', wordMain, {
        types: `<Default Extension="xml" ContentType="${wordMain}"/>`,
      }),
    ],
    [
      'with prefixed elements',
      officePackage('word/document.xml', wordMain, {
        types: `<ns0:Override PartName="/word/document.xml" ContentType="${wordMain}"></ns0:Override>`,
      }),
    ],
    [
      'with a workbook inside',
      officePackage('word/document.xml', wordMain, {
        parts: { 'word/embeddings/sheet.xlsx': 'PK', 'xl/workbook.xml': '<workbook/>' },
      }),
    ],
  ])('is a document %s', (_how, bytes) => {
    expect(isWord(bytes)).toBe(true);
    expect(isSheet(bytes)).toBe(false);
  });

  it.each([
    ['holds macros', officePackage('word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml')],
    [
      'only mentions a document',
      officePackage('ppt/presentation.xml', sheetMain.replace('sheet', 'slides'), {
        types: `<Override PartName="/word/document.xml" ContentType="${wordMain}"/>`,
      }),
    ],
    [
      'lacks its main part',
      officePackage('word/document.xml', wordMain, {
        relationships: packageRelationships('word/other.xml'),
      }),
    ],
    [
      'lacks its relationships',
      zipSync({
        '[Content_Types].xml': strToU8(
          `<Types><Override PartName="/word/document.xml" ContentType="${wordMain}"/></Types>`,
        ),
        'word/document.xml': strToU8('<w/>'),
      }),
    ],
    ['is any other zip', zipSync({ 'word/document.xml': strToU8('<w/>') })],
    ['is cut off', files.docx.subarray(0, files.docx.length - 10)],
  ])('is refused as a document when it %s', (_why, bytes) => {
    expect(isWord(bytes)).toBe(false);
  });

  it('is refused when its parts decompress to too many bytes', () => {
    const bomb = officePackage('word/document.xml', wordMain, {
      types: `${' '.repeat(9_000_000)}<Override PartName="/word/document.xml" ContentType="${wordMain}"/>`,
    });
    expect(bomb.length).toBeLessThan(20_000);
    expect(isWord(bomb)).toBe(false);
  });

  it('is refused when its directory has too many entries', () => {
    // The count of the end record, then the same by the larger count of a zip64 one.
    const lying = Buffer.from(files.docx);
    lying.writeUInt16LE(0xffff, lying.length - 14);
    expect(isWord(lying)).toBe(false);
    const end = files.docx.subarray(-22);
    const end64 = Buffer.alloc(56);
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeUInt32LE(0xffffffff, 32);
    end64.writeUInt32LE(Buffer.from(end).readUInt32LE(16), 48);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeUInt32LE(files.docx.length - 22, 8);
    expect(isWord(Buffer.concat([files.docx.subarray(0, -22), end64, locator, end]))).toBe(false);
  });
});

const isDoc = (bytes: Uint8Array) => typeof checkFile(bytes, 'a.doc', everyKind) !== 'string';
const isXls = (bytes: Uint8Array) => typeof checkFile(bytes, 'a.xls', everyKind) !== 'string';
const filler = Array.from({ length: 40 }, (_, index) => ({ name: `Stream${index}` }));

describe('an OLE compound file', () => {
  it('is of the kind of its root, also with an embedded file of the other kind', () => {
    const pool = (name: string) => ({ name: 'ObjectPool', inside: [{ name: '_1', inside: [{ name }] }] });
    const letter = compoundFile([{ name: 'WordDocument' }, pool('Workbook')]);
    expect([isDoc(letter), isXls(letter)]).toEqual([true, false]);
    const sheet = compoundFile([pool('WordDocument'), { name: 'Workbook' }]);
    expect([isDoc(sheet), isXls(sheet)]).toEqual([false, true]);
  });

  it('is a sheet also in the format of Excel 5', () => {
    expect(isXls(compoundFile([{ name: 'Book' }]))).toBe(true);
  });

  it.each([
    ['a few kilobytes', 0],
    ['a megabyte', 2_000],
    ['nine megabytes, past the first list of its sectors', 18_000],
  ])('is read with a long directory at %s', (_where, before) => {
    const bytes = compoundFile([...filler, { name: 'WordDocument' }, ...filler], { before });
    expect([isDoc(bytes), isXls(bytes)]).toEqual([true, false]);
  });

  it('is refused when it is a mail, a presentation, or protected by a password', () => {
    for (const name of ['__properties_version1.0', 'PowerPoint Document', 'EncryptedPackage']) {
      const bytes = compoundFile([{ name }]);
      expect([isDoc(bytes), isXls(bytes)]).toEqual([false, false]);
    }
  });

  it('is refused when its directory or its tree is circular', () => {
    const around = Buffer.from(files.doc);
    const start = around.readUInt32LE(48);
    around.writeUInt32LE(start, 512 + start * 4);
    expect(isDoc(around)).toBe(false);

    const circle = compoundFile([{ name: 'Contents' }]);
    const first = (circle.readUInt32LE(48) + 1) * 512;
    circle.writeUInt32LE(1, first + 128 + 68);
    expect(isDoc(circle)).toBe(false);
  });
});
