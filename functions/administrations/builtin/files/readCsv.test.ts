import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importInto, NOW, problemsOf } from '../../../../testing/builtin/imports.ts';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { importRows } from '../import/importRows.ts';
import { costCenters } from '../import/names.ts';
import { type Delimiter, readCsv } from './readCsv.ts';
import type { SourceRow } from './source.ts';

const folder = temporaryFolder();

async function read(content: string | Buffer, delimiter?: Delimiter, verbatim?: boolean) {
  const file = path.join(folder, 'rows.csv');
  writeFileSync(file, content);
  const { headings, rows, headingLine } = await readCsv(file, delimiter, verbatim);
  const found: SourceRow[] = [];
  for await (const row of rows) found.push(row);
  return { headings, headingLine, rows: found };
}

describe('a CSV file', () => {
  test('is read with the delimiter of its heading, comma or semicolon', async () => {
    expect((await read('Number,Name\n0100,"a;b"')).rows).toEqual([{ line: 2, cells: ['0100', 'a;b'] }]);
    expect((await read('Number;Name\n0100;a,b')).rows).toEqual([{ line: 2, cells: ['0100', 'a,b'] }]);
    expect((await read('"Na;me;s",Number\nx,1')).headings).toEqual(['Na;me;s', 'Number']);
  });

  test('has the delimiter that is most frequent outside quotes and brackets', async () => {
    const { headings } = await read('Name;Custom: Bedrag (Decimal, Customer)\nx;1');
    expect(headings).toEqual(['Name', 'Custom: Bedrag (Decimal, Customer)']);
  });

  test('may have tabs between its cells', async () => {
    expect((await read('Number\tName\n0100\t"a\tb,c;d"')).rows).toEqual([{ line: 2, cells: ['0100', 'a\tb,c;d'] }]);
  });

  test('may have rows of delimiters only, as spreadsheets write them, unless it is read verbatim', async () => {
    const text = 'a;b;c\n1;;\n;;\n ; ;\n;;;\n2;;\n';
    expect((await read(text)).rows).toEqual([
      { line: 2, cells: ['1', '', ''] },
      { line: 6, cells: ['2', '', ''] },
    ]);
    expect((await read(text, ';', true)).rows).toHaveLength(5);
  });

  test('is read with the delimiter of the argument', async () => {
    expect((await read('a,b,c;d\n1;2', ';')).rows[0]?.cells).toEqual(['1', '2']);
  });

  test('may begin with a byte order mark', async () => {
    expect((await read('\ufeffNumber,Name\n1,x')).headings).toEqual(['Number', 'Name']);
    expect((await read('\ufeff"Number",Name\n1,x')).headings).toEqual(['Number', 'Name']);
  });

  test.each(['\n', '\r\n', '\r'])('has the right line numbers, with line ends %j', async (end) => {
    const lines = ['a,b', '1,"two', 'lines, and', 'a third"', '', '2,x', '"3","y', '"', '4,z'];
    const { rows } = await read(lines.join(end));
    expect(rows).toEqual([
      { line: 2, cells: ['1', 'two\nlines, and\na third'] },
      { line: 6, cells: ['2', 'x'] },
      { line: 7, cells: ['3', 'y\n'] },
      { line: 9, cells: ['4', 'z'] },
    ]);
  });

  test('is read verbatim on request, with the same line numbers', async () => {
    const { rows } = await read('a,b\r\n1,"two\r\nlines\n\n and\r"\r\n 2 ,x\r\n"3","\r\n"\r\n4,z\r\n', ',', true);
    expect(rows).toEqual([
      { line: 2, cells: ['1', 'two\r\nlines\n\n and\r'] },
      { line: 7, cells: [' 2 ', 'x'] },
      { line: 8, cells: ['3', '\r\n'] },
      { line: 10, cells: ['4', 'z'] },
    ]);
    await expect(read('a\r\n"1\r\n2"\r\n"x', ',', true)).rejects.toMatchObject({ line: 4 });
  });

  test('may have line breaks in its headings', async () => {
    const { headings, headingLine, rows } = await read('\n"Account\nnumber",Name\n1,x\n');
    expect({ headings, headingLine, rows }).toEqual({
      headings: ['Account\nnumber', 'Name'],
      headingLine: 2,
      rows: [{ line: 4, cells: ['1', 'x'] }],
    });
  });

  test('returns every written cell, with its line', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ',', ';', '"', '\n', ' ', '=', '0') });
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom<Delimiter>(',', ';'), async (rows, delimiter) => {
        let line = 2;
        const expected = rows.map((cells) => {
          const row = { line, cells };
          line += cells.join('').split('\n').length;
          return row;
        });
        const quoted = rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter));
        expect((await read(`A${delimiter}B\n${quoted.join('\n')}\n`, delimiter, true)).rows).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a wrong CSV file', () => {
  test('is refused without a required column, and the delimiter is named', async () => {
    const { db, administrationId } = await importInto();
    const file = path.join(folder, 'pipes.csv');
    const problems = async (text: string, delimiter?: Delimiter) => {
      writeFileSync(file, text);
      const source = await readCsv(file, delimiter);
      return problemsOf(await importRows(db, costCenters, source, { administrationId, now: NOW }));
    };
    const missing = '1 expected the column Name, which the file does not have.';
    expect(await problems('Naam\tExtra\nWinkel\tx\n', ';')).toEqual([
      `${missing} Its headings seem separated by tabs, not by ";": say --delimiter tab`,
    ]);
    expect(await problems('Name|Extra, of iets\nWinkel|x, y\n')).toEqual([
      `${missing} Its headings seem separated by "|", not by ",": save it with commas, semicolons or tabs`,
    ]);
    expect(await problems('Colour,Size\nred,1\n')).toEqual([
      `${missing} Its headings "Colour" and "Size" are not known here. Say which are meant: --columns "Name=...", or give every row one value: --set "Name=..."`,
    ]);
  });

  test('is refused in another encoding, and line and byte are named', async () => {
    const windows = Buffer.concat([Buffer.from('Name\r\nok\r\nCaf'), Buffer.from([0xe9]), Buffer.from('\r\nx\r\n')]);
    await expect(read(windows)).rejects.toMatchObject({
      name: 'UnreadableFile',
      line: 3,
      message: expect.stringContaining('byte 14 is not'),
    });
    const utf16 = Buffer.from('\ufeffName\nx', 'utf16le');
    await expect(read(utf16)).rejects.toMatchObject({ line: 1, message: expect.stringContaining('byte 1 is not') });
    const cutOff = Buffer.from('Name\nCafé').subarray(0, -1);
    await expect(read(cutOff)).rejects.toMatchObject({ line: 2 });
  });

  test('is refused in another encoding at the right byte, far into a long file', async () => {
    const before = 'x,naïve café\n'.repeat(60_000);
    const wrong = Buffer.concat([Buffer.from(`Name,Text\n${before}`), Buffer.from([0x93, 0x0a])]);
    await expect(read(wrong)).rejects.toMatchObject({
      line: 60_002,
      message: expect.stringContaining(`byte ${wrong.length - 1} is not`),
    });
  });

  test('is refused with a wrong quote, and the line is named', async () => {
    await expect(read('a,b\n1,2\n3,"x\n4,5\n')).rejects.toMatchObject({ name: 'UnreadableFile', line: 3 });
    await expect(read('a,b\n1,x "y" z\n')).rejects.toMatchObject({ name: 'UnreadableFile', line: 2 });
    await expect(read('a,b\n1,"x" z\n')).rejects.toMatchObject({ name: 'UnreadableFile', line: 2 });
    await expect(read('"Naam"|"Klant"\n', ';')).rejects.toMatchObject({
      line: 1,
      message: expect.stringContaining('expected a semicolon or a line end after the "'),
    });
  });

  test.each([
    ['heading', `${','.repeat(16_384)}\n1`, 1],
    ['row', `a,b\n1,2\n${',"x"'.repeat(16_384)}\n`, 3],
  ])('is refused when its %s has too many columns, and the line is named', async (_, text, line) => {
    await expect(read(text, ',')).rejects.toMatchObject({
      name: 'UnreadableFile',
      line,
      message: 'expected at most 16,384 columns, got more',
    });
    expect((await read(`a${','.repeat(16_383)}\n"${','.repeat(20_000)}"`, ',')).rows).toHaveLength(1);
  });

  test('is refused when a row has too many characters, and the line is named', async () => {
    const text = `a,b\n1,"${'x'.repeat(51_000_000)}`;
    await expect(read(text)).rejects.toMatchObject({ message: expect.stringContaining('50,000,000 characters') });
  });

  test('of an archive has rows of more characters, since a VAT return has all its documents in one cell', async () => {
    const documents = '["sales"],'.repeat(5_100_000);
    const { rows } = await read(`a,b\n1,"${documents.replaceAll('"', '""')}"\n`, undefined, true);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.cells[1] === documents).toBe(true);
  });

  test('is refused without any text', async () => {
    await expect(read('')).rejects.toMatchObject({ name: 'UnreadableFile' });
    await expect(read('\n\n')).rejects.toMatchObject({ name: 'UnreadableFile' });
  });
});
