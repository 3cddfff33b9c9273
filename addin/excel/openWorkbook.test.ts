import { readSheet } from 'read-excel-file/node';
import { beforeEach, describe, expect, it } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { openTestWorkbook, type TestWorkbook } from '../../testing/addin/workbook.ts';
import { MAX_WORKBOOK_BYTES, openWorkbook } from './openWorkbook.ts';

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

describe('An opened workbook', () => {
  it('appears in a new window with all its bytes', async () => {
    const rows = Array.from({ length: 3000 }, (_, row) => [{ value: `row ${row} ${Math.sin(row)}`, type: String }]);
    const file = await writeExcelFile(rows).toBuffer();
    expect(file.length).toBeGreaterThan(0x8000);
    await openWorkbook(file);
    expect(excel.workbook.opened).toHaveLength(1);
    const opened = Buffer.from(excel.workbook.opened[0]!);
    expect(opened.equals(file)).toBe(true);
    expect((await readSheet(opened)).length).toBe(3000);
    expect(excel.workbook.sheets).toHaveLength(1);
  });

  it('is refused when it is too large or not a workbook', async () => {
    const large = new Uint8Array(MAX_WORKBOOK_BYTES + 1);
    await expect(openWorkbook(large)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const fits = new Uint8Array(MAX_WORKBOOK_BYTES);
    fits.set([0x50, 0x4b, 3, 4]);
    await openWorkbook(fits);
    await expect(openWorkbook(new Uint8Array([1, 2, 3]))).rejects.toMatchObject({ code: 'UNEXPECTED' });
    expect(excel.workbook.opened).toHaveLength(1);
  });
});
