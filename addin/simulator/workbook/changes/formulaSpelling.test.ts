import { expect, test } from 'vitest';
import { openEmpty } from '../../../../testing/addin/emptyWorkbook.ts';

test.each([
  ['=sum( a1 : $b2 )', '=SUM( A1 : $B2 )'],
  ['=if(true,"yes, sum(a1)",#n/a)', '=IF(TRUE,"yes, sum(a1)",#N/A)'],
  ["=sheet1!a1+'NET PRICE'!b:b", "=Sheet1!A1+'Net price'!B:B"],
  ["=max('net price'!a1:'net price'!a3)", "=MAX('Net price'!A1:'Net price'!A3)"],
  ['=RATE*vat', '=Rate*vat'],
  ['=sum(PRODUCTS[[unit PRICE]:[count]])', '=SUM(Products[[Unit price]:[Count]])'],
  ['=[@COUNT]+PRODUCTS[@[unit price]]', '=[@Count]+Products[@[Unit price]]'],
  ['=let(x,1,x+Unknown(x))', '=LET(x,1,x+Unknown(x))'],
  ['=[other.xlsx]data!a1', '=[other.xlsx]data!A1'],
])('The formula %s is written as %s', async (entered, written) => {
  await openEmpty().Excel.run(async (context) => {
    const { worksheets, names } = context.workbook;
    const sheet = worksheets.getActiveWorksheet();
    worksheets.add('Net price');
    sheet.getRange('A1:C1').values = [['Unit price', 'Count', 'Total']];
    sheet.tables.add('A1:C3', true).name = 'Products';
    names.add('Rate', '=0.21');
    const cell = sheet.getRange('C2');
    cell.formulas = [[entered]];
    cell.load('formulas');
    await context.sync();
    expect(cell.formulas).toEqual([[written]]);
  });
});
