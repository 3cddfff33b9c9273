import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { attachCalculator } from '../calculation/calculator.ts';
import { openExcel } from '../node.ts';
import { formulaAt, valueAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { readFile } from './readFile.ts';
import { writeFile } from './writeFile.ts';

const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';

/** A workbook of 1, 2 and 3 in A1:A3 and 10, 20 and 30 in B1:B3, which are called Numbers, with a formula in D2. */
async function workbookWith(formula: string): Promise<Workbook> {
  const workbook = new Workbook();
  attachCalculator(workbook);
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:B3').values = [
      [1, 10],
      [2, 20],
      [3, 30],
    ];
    context.workbook.names.add('Numbers', '=Sheet1!$B$1:$B$3');
    sheet.getRange('D2').formulas = [[formula]];
    await context.sync();
  });
  return workbook;
}

/** What is in D2 when a file is opened that says nothing of several values, and when it is calculated again. */
async function openedFrom(formula: string): Promise<unknown[]> {
  const parts = unzipSync(await writeFile(await workbookWith('=0'), ADD_IN));
  const path = 'xl/worksheets/sheet1.xml';
  const escaped = formula.slice(1).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const cell = `<c r="D2"><f>${escaped}</f><v>-1</v></c>`;
  parts[path] = strToU8(strFromU8(parts[path]!).replace(/<c r="D2".*?<\/c>/, cell));
  const { workbook } = await readFile(zipSync(parts), ADD_IN, 'en');
  const sheet = workbook.active;
  attachCalculator(workbook);
  workbook.recalculate();
  return [formulaAt(sheet, 1, 3), valueAt(sheet, 1, 3), valueAt(sheet, 2, 3)];
}

// Microsoft's "Implicit intersection operator: @"; the results are by hand, for a formula in row 2.
test.each([
  ['=A1:A3*2', '=@A1:A3*2', 4],
  ['=A1:A3', '=@A1:A3', 2],
  ['=-(A1:A3)', '=-(@A1:A3)', -2],
  ['=Numbers+1', '=@Numbers+1', 21],
  ['=LEN(B1:B3)', '=LEN(@B1:B3)', 2],
  ['=A:A&""', '=@A:A&""', '2'],
  ['=SUM(A1:A3*2)', '=SUM(@A1:A3*2)', 4],
  ['=IF(A1:A3>1,A1:A3,0)', '=IF(@A1:A3>1,@A1:A3,0)', 2],
  ['=VLOOKUP(A1:A3,A1:B3,2,FALSE)', '=VLOOKUP(@A1:A3,A1:B3,2,FALSE)', 20],
  ['=SUMIF(A1:A3,A1:A3,B1:B3)', '=SUMIF(A1:A3,@A1:A3,B1:B3)', 20],
  ['=INDEX(A1:B3,0,2)', '=@INDEX(A1:B3,0,2)', 20],
  ['=INDEX(A1:B3,2,0)', '=@INDEX(A1:B3,2,0)', '#VALUE!'],
  ['=INDEX(B3:B5,0)', '=@INDEX(B3:B5,0)', '#VALUE!'],
  ['=OFFSET(A1,0,1,3,1)', '=@OFFSET(A1,0,1,3,1)', 20],
  ['=INDIRECT("B1:B3")', '=@INDIRECT("B1:B3")', 20],
  ['={1,2,3}', '=@{1,2,3}', 1],
  // These compute with all values, as they did before.
  ['=SUM(A1:A3)', '=SUM(A1:A3)', 6],
  ['=SUMPRODUCT(A1:A3*B1:B3)', '=SUMPRODUCT(A1:A3*B1:B3)', 140],
  ['=SUMPRODUCT(LEN(B1:B3))', '=SUMPRODUCT(LEN(B1:B3))', 6],
  ['=SUM(COUNTIF(A1:A3,{1,3}))', '=SUM(COUNTIF(A1:A3,{1,3}))', 2],
  ['=LOOKUP(2,1/(A1:A3<3),B1:B3)', '=LOOKUP(2,1/(A1:A3<3),B1:B3)', 20],
  ['=INDEX(B1:B3,MATCH(3,A1:A3,0))', '=INDEX(B1:B3,MATCH(3,A1:A3,0))', 30],
  ['=A2*2', '=A2*2', 4],
])('An older file with %s opens as %s, and fills no other cells', async (formula, shown, result) => {
  expect(await openedFrom(formula)).toEqual([shown, result, '']);
});

test.each([
  ['=SUM(A1:A3*2)', 12, true],
  ['=A1:A3*2', 2, true],
  ['=@A1:A3*2', 4, false],
  ['=SUMPRODUCT(A1:A3*B1:B3)', 140, false],
  ['=MAX(LEN(Numbers))', 2, true],
  ['=SUM(A1:A3)', 6, false],
])('A file with %s computes the same when it is opened again', async (formula, result, isMarked) => {
  const bytes = await writeFile(await workbookWith(formula), ADD_IN);
  const cell = /<c r="D2"[^>]*>/.exec(strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!))![0];
  expect(cell.includes(' cm="1"')).toBe(isMarked);
  const { workbook } = await readFile(bytes, ADD_IN, 'en');
  attachCalculator(workbook);
  workbook.recalculate();
  expect([formulaAt(workbook.active, 1, 3), valueAt(workbook.active, 1, 3)]).toEqual([formula, result]);
});
