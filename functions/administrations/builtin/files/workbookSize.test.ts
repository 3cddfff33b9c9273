import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { readXlsx } from './readXlsx.ts';
import { measuredWorkbook } from './workbookSize.ts';

const folder = temporaryFolder();

const MEGABYTE = 1024 * 1024;

const zeros = Buffer.alloc(MEGABYTE);
/** A megabyte of zeros in a packed entry, and the end of such an entry. */
const packedMegabyte = deflateRawSync(zeros, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
const packedEnd = deflateRawSync(Buffer.alloc(0));

/**
 * A workbook with one entry of zeros.
 * @param declared the size in its headers, which may be wrong
 */
function bomb(name: string, megabytes: number, declared: number): string {
  const packed = Buffer.concat([...Array.from({ length: megabytes }, () => packedMegabyte), packedEnd]);
  const entry = Buffer.from('xl/worksheets/sheet1.xml');
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(declared, 22);
  header.writeUInt16LE(entry.length, 26);
  const file = path.join(folder, name);
  const handle = openSync(file, 'w');
  writeSync(handle, Buffer.concat([header, entry, packed]));
  closeSync(handle);
  return file;
}

/** Runs the real command on a workbook. @returns its result, and its peak memory in megabytes */
function importing(file: string) {
  const command = path.resolve(import.meta.dirname, '../cli/command.ts');
  const script = `
    process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS / 1024));
    const { runCommand } = await import(${JSON.stringify(command)});
    const io = { env: process.env, say: console.log, complain: console.error, now: () => new Date() };
    await runCommand(['create', '--name', 'A', '--country', 'NL', '--empty'], io);
    process.exitCode = await runCommand(['import', 'relations', ${JSON.stringify(file)}, '--administration', '1'], io);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, DATA_DIR: mkdtempSync(path.join(folder, 'data-')) },
    encoding: 'utf8',
  });
  const peak = Number(/^peak ([\d.]+)$/m.exec(stderr)?.[1]);
  return { status, stderr, peak };
}

describe('a workbook that is very large when it is unpacked', () => {
  const refusal = 'unpacks to more than 200 MB in 10,000 parts';

  test.each([
    ['as it says', 1024 * MEGABYTE],
    ['but says it is small', 1000],
  ])('is refused before it takes memory: %s', (what, declared) => {
    const small = path.join(folder, `small-${declared}.xlsx`);
    writeFileSync(small, zipSync({ 'a.txt': new Uint8Array([1]) }));
    const usual = importing(small);
    expect(usual.stderr).toContain('is not a valid .xlsx workbook');
    const file = bomb(`${what}.xlsx`, 1024, declared);
    expect(statSync(file).size).toBeLessThan(1.1 * MEGABYTE);
    const { status, stderr, peak } = importing(file);
    expect(status).toBe(1);
    expect(stderr).toContain(refusal);
    expect(usual.peak).toBeGreaterThan(10);
    // Unpacked, it would take a gigabyte more.
    expect(peak).toBeLessThan(usual.peak + 300);
  });

  /** A workbook with one sheet of these rows. */
  function withRows(name: string, rows: string): string {
    const ns = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const r = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const package_ = 'http://schemas.openxmlformats.org/package/2006/relationships';
    const parts = {
      'xl/workbook.xml': `<workbook ${ns} xmlns:r="${r}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${package_}"><Relationship Id="rId1" Type="${r}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      'xl/worksheets/sheet1.xml': `<worksheet ${ns}><sheetData>${rows}</sheetData></worksheet>`,
    };
    const file = path.join(folder, name);
    const encoded = Object.entries(parts).map(([part, xml]) => [part, new TextEncoder().encode(xml)] as const);
    writeFileSync(file, zipSync(Object.fromEntries(encoded)));
    return file;
  }
  const cell = (address: string, text: string) => `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const heading = `<row r="1">${cell('A1', 'Name')}</row>`;

  test('is refused before it takes memory when one cell is far away', () => {
    const usual = importing(withRows('near.xlsx', `${heading}<row r="2">${cell('A2', 'Jansen')}</row>`));
    expect(usual.stderr).not.toContain('problem');
    expect(usual.status).toBe(0);
    const file = withRows('far.xlsx', `${heading}<row r="1048576">${cell('XFD1048576', 'x')}</row>`);
    expect(statSync(file).size).toBeLessThan(1500);
    const { status, stderr, peak } = importing(file);
    expect(status).toBe(1);
    expect(stderr).toContain(
      'has a sheet of 1,048,576 rows of 16,384 columns, and a workbook may have 10,000,000 cells',
    );
    expect(peak).toBeLessThan(usual.peak + 100);
  });

  test.each([
    [
      'rows apart',
      `<row r="1">${cell('XFD1', 'x')}</row><row r="1048576">${cell('A1048576', 'x')}</row>`,
      'has a sheet of',
    ],
    ['prefixed', `<x:row r="1"><x:c r='XFD700'><x:v>1</x:v></x:c></x:row>`, 'has a sheet of'],
    ['more rows than Excel has', '<row r="2000000"/>', 'has a sheet of 2,000,000 rows'],
    ['in another notation', `<row r="1">${cell('A1e9', 'x')}</row>`, 'has a cell without an address'],
    ['an encoded address', `<row r="1">${cell('&#88;FD1', 'x')}</row>`, 'has a cell without an address'],
    ['a row in another notation', '<row r="1e9"></row>', 'has a row without a number'],
    ['after a bracket', '<row a=">" r="9000000"/>', 'has a sheet of 9,000,000 rows'],
    ['not well-formed', '<row a="<" r="9000000"/>', 'no well-formed XML'],
  ])('is refused when its cells are %s', async (name, rows, message) => {
    await expect(measuredWorkbook(withRows(`${name}.xlsx`, rows))).rejects.toThrow(message);
  });

  describe('is not unpacked otherwise than it was measured', () => {
    const far = `${heading}<row r="1048576">${cell('XFD1048576', 'x')}</row>`;
    const near = `${heading}<row r="2">${cell('A2', 'Jansen')}</row>`;
    const sheet = 'xl/worksheets/sheet1.xml';
    /** What ends a part of which the size stands behind it. */
    const mark = 'PK\x07\x08';

    /** A workbook whose parts are not packed. @param first a part of another program, before the others */
    function stored(name: string, rows: string, { flags = 0, first = false } = {}): string {
      const part = (name: string, text: Buffer, { flags = 0, method = 0 } = {}) => {
        const header = Buffer.alloc(30);
        header.writeUInt32LE(0x04034b50, 0);
        header.writeUInt16LE(20, 4);
        header.writeUInt16LE(flags, 6);
        header.writeUInt16LE(method, 8);
        header.writeUInt32LE(crc32(text), 14);
        header.writeUInt32LE(text.length, 18);
        header.writeUInt32LE(text.length, 22);
        header.writeUInt16LE(name.length, 26);
        return Buffer.concat([header, Buffer.from(name), text]);
      };
      const parts = unzipSync(readFileSync(withRows(name, rows)));
      const file = path.join(folder, name);
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x06054b50);
      const written = Object.entries(parts).map(([name, text]) =>
        part(name, Buffer.from(text), name === sheet ? { flags } : {}),
      );
      const unknown = first ? [part('docProps/thumb.bin', Buffer.from('x'), { method: 12 })] : [];
      writeFileSync(file, Buffer.concat([...unknown, ...written, end]));
      return file;
    }
    const rowsOf = async (file: string) => {
      const rows: unknown[] = [];
      for await (const { cells } of (await readXlsx(file)).rows) rows.push(cells);
      return rows;
    };

    test('with a part before its sheet that cannot be unpacked', async () => {
      expect(await rowsOf(stored('unknown-near.xlsx', near, { first: true }))).toEqual([['Jansen']]);
      await expect(readXlsx(stored('unknown.xlsx', far, { first: true }))).rejects.toThrow('has a sheet of');
    });

    test('with a sheet that says its size and seems to end before its cells', async () => {
      // Its size stands before and, as its flag says, behind it.
      const options = { flags: 8 };
      const comment = `<!--${mark}${'a'.repeat(12)}-->`;
      await expect(readXlsx(stored('ended.xlsx', comment + far, options))).rejects.toThrow(
        'not a valid .xlsx workbook',
      );
    });
  });

  test('is read with empty cells far away, and with a million cells', async () => {
    const styled = `<row r="5">${cell('A5', 'x')}<c r="XFD5" s="1"/></row>`;
    await expect(measuredWorkbook(withRows('styled.xlsx', heading + styled.repeat(1)))).resolves.toBeInstanceOf(Buffer);
    const rows = Array.from(
      { length: 10_000 },
      (_, row) => `<row r="${row + 1}">${cell(`CV${row + 1}`, '&lt;c')}</row>`,
    );
    await expect(measuredWorkbook(withRows('million.xlsx', rows.join('')))).resolves.toBeInstanceOf(Buffer);
  });

  test('is refused when it has very many entries', async () => {
    const file = path.join(folder, 'parts.xlsx');
    const parts = Array.from({ length: 10_001 }, (_, index) => [`${index}.xml`, new Uint8Array()] as const);
    writeFileSync(file, zipSync(Object.fromEntries(parts), { level: 0 }));
    await expect(measuredWorkbook(file)).rejects.toThrow(refusal);
    writeFileSync(file, zipSync(Object.fromEntries(parts.slice(0, 10_000)), { level: 0 }));
    await expect(measuredWorkbook(file)).resolves.toBeInstanceOf(Buffer);
  });
});
