import { beforeEach, expect, it } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../testing/addin/workbook.ts';
import { writeLists } from './lists.ts';

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

const listOf = (key: string, ...values: string[]) => ({ key, heading: key.toUpperCase(), values });

it('Lists stand beside each other on a hidden sheet as text, and each is the source of a validation', async () => {
  const sources = await writeLists('Lists', 'a1', [
    listOf('codes', '0100', '=1+1', "'s"),
    listOf('none'),
    listOf('yes', 'Yes'),
  ]);
  expect(sources).toEqual({ codes: "='Lists'!$A$2:$A$4", yes: "='Lists'!$C$2:$C$2" });
  expect(excel.sheet('Lists').visibility).toBe('Hidden');
  expect(excel.cells('Lists')).toEqual([
    ['CODES', 'NONE', 'YES'],
    ['0100', '', 'Yes'],
    ['=1+1', '', ''],
    ["'s", '', ''],
  ]);
});

it('Lists that are written again replace their own values, and leave the others and those of another owner alone', async () => {
  await writeLists('Lists', 'a1', [listOf('codes', '1', '2', '3'), listOf('yes', 'Yes', 'No')]);
  const other = await writeLists('Lists', 'a2', [listOf('codes', '9')]);
  expect(other).toEqual({ codes: "='Lists (2)'!$A$2:$A$2" });
  expect(await writeLists('Lists', 'a1', [listOf('units', 'box'), listOf('codes', '4')])).toEqual({
    units: "='Lists'!$C$2:$C$2",
    codes: "='Lists'!$A$2:$A$2",
  });
  expect(excel.cells('Lists')).toEqual([
    ['CODES', 'YES', 'UNITS'],
    ['4', 'Yes', 'box'],
    ['', 'No', ''],
  ]);
  expect(excel.cells('Lists (2)')).toEqual([['CODES'], ['9']]);
});

it('A list of many thousands of values is written in several requests that Excel takes', async () => {
  const values = Array.from({ length: 20_000 }, (_, index) => `Rekening ${'x'.repeat(60)} ${index}`);
  expect(await writeLists('Lists', 'a1', [listOf('accounts', ...values)])).toEqual({
    accounts: "='Lists'!$A$2:$A$20001",
  });
  expect(excel.cells('Lists').map(([cell]) => cell)).toEqual(['ACCOUNTS', ...values]);
});
