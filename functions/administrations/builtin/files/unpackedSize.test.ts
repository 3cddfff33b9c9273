import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { requireModestSize } from './unpackedSize.ts';

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
  ])('is refused before it takes memory: %s', { timeout: 120_000 }, (what, declared) => {
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

  test('is refused when it has very many entries', async () => {
    const file = path.join(folder, 'parts.xlsx');
    const parts = Array.from({ length: 10_001 }, (_, index) => [`${index}.xml`, new Uint8Array()] as const);
    writeFileSync(file, zipSync(Object.fromEntries(parts)));
    await expect(requireModestSize(file)).rejects.toThrow(refusal);
    writeFileSync(file, zipSync(Object.fromEntries(parts.slice(0, 10_000))));
    await expect(requireModestSize(file)).resolves.toBeUndefined();
  });
});
