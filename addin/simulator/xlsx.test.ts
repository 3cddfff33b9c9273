import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import writeExcelFile from 'write-excel-file/node';
import { openExcel } from './node.ts';
import { createWorkbook } from './workbook/workbook.ts';
import { xlsxSheets } from './xlsx.ts';

test('a downloaded workbook holds every sheet, with text as text, numbers as numbers and dates as dates', async () => {
  const workbook = createWorkbook();
  const { Excel } = openExcel(workbook);
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:A4').numberFormat = '@' as never;
    sheet.getRange('A1:D3').values = [
      ['Code', 'Amount', 'Date', 'Paid'],
      ['0100', 1234.5, '2024-02-29', true],
      ['=1+1', -0.01, '', false],
    ];
    sheet.getRange('A4').values = [['12345678901234567890']];
    sheet.getRange('B2:B3').numberFormat = [['#,##0.00'], ['#,##0.00']];
    sheet.freezePanes.freezeRows(1);
    context.workbook.worksheets.add('Second & last').getRange('B2').values = [['<text>']];
    await context.sync();
  });
  const file = await writeExcelFile(xlsxSheets(workbook)).toBuffer();
  expect(await readSheet(file, 'Sheet1')).toEqual([
    ['Code', 'Amount', 'Date', 'Paid'],
    ['0100', 1234.5, new Date('2024-02-29T00:00:00.000Z'), true],
    ['=1+1', -0.01, null, false],
    ['12345678901234567890', null, null, null],
  ]);
  expect(await readSheet(file, 'Second & last')).toEqual([
    [null, null],
    [null, '<text>'],
  ]);
});
