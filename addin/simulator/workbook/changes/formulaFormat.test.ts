import { expect, test } from 'vitest';
import { parseArea } from '../cells/address.ts';
import { numberFormatAt } from '../sheet.ts';
import { Workbook } from '../workbook.ts';
import { enterValues } from './enter.ts';
import { setStyle } from './restyle.ts';

// As Excel does when a formula is typed into a cell without a format of its own.
test.each<[formula: string, format: string]>([
  ['=TODAY()', 'dd-mm-yyyy'],
  ['=DATE(YEAR(A1),12,31)', 'dd-mm-yyyy'],
  ['=NOW()', 'dd-mm-yyyy h:mm'],
  ['=A1', 'd mmmm yyyy'],
  ['=$A$1+30', 'd mmmm yyyy'],
  ['=Blad1!A1-1', 'd mmmm yyyy'],
  ['=A1-A2', 'General'],
  ['=B1+B2', '#,##0.00'],
  ['=SUM(B1:B9)', '#,##0.00'],
  ['=SUBTOTAL(109,B1:B9)', '#,##0.00'],
  ['=MAX(A1,B1)', 'd mmmm yyyy'],
  ['=SUM(C1:C3)', 'General'],
  ['=TODAY()-A1', 'General'],
  ['=B1*2', 'General'],
  ['=A1&" is a day"', 'General'],
  ['=A1>B1', 'General'],
  ['=COUNT(A1:A2)', 'General'],
  ['=YEAR(A1)', 'General'],
  ['=missing', 'General'],
])('%s is shown as %s', (formula, format) => {
  const sheet = new Workbook('nl').active;
  setStyle(sheet, parseArea('A1:A2')!, 'numberFormat', 'd mmmm yyyy');
  setStyle(sheet, parseArea('B1:B9')!, 'numberFormat', '#,##0.00');
  setStyle(sheet, parseArea('C1')!, 'numberFormat', '@');
  enterValues(sheet, parseArea('D1')!, formula);
  expect(numberFormatAt(sheet, 0, 3)).toBe(format);
});
