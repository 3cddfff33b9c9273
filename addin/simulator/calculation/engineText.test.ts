import { expect, test } from 'vitest';
import { enterValues } from '../workbook/changes/enter.ts';
import { addTable } from '../workbook/changes/tableShape.ts';
import { valueAt } from '../workbook/sheet.ts';
import { addSheet } from '../workbook/sheets.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

/** The result of a formula beside a table of three rows, in a workbook with a name whose cells were deleted. */
const resultOf = (formula: string) => {
  const workbook = new Workbook();
  const sheet = workbook.active;
  enterValues(sheet, { row: 0, column: 0, rows: 4, columns: 2 }, [
    ['n', 'Net [#]'],
    [1, 10],
    [2, 20],
    [3, 30],
  ]);
  addTable(sheet, { row: 0, column: 0, rows: 4, columns: 2 }, true);
  enterValues(addSheet(workbook, "Bob's 2"), { row: 0, column: 0, rows: 2, columns: 1 }, [[100], [200]]);
  workbook.names.push({ id: '1', name: 'Gone', formula: '=#REF!$A$1', comment: '', visible: true, scope: undefined });
  enterValues(sheet, { row: 9, column: 9, rows: 1, columns: 1 }, formula);
  attachCalculator(workbook);
  return valueAt(sheet, 9, 9);
};

test.each([
  ['=SUM( A2 : A4 )', 6],
  ['=SUM( $A : $A )', 6],
  ['=SUM( 2 : 3 )', 33],
  ['=SUM (A2:\n A4)', 6],
  ["=SUM('Bob''s 2'!A1 : 'Bob''s 2'!A2)", 300],
  ['=SUM(Sheet1!A2:Sheet1!A4)', 6],
  ['=COUNT(Sheet1!A:Sheet1!B)', 6],
  ["=SUM(Table1[[Net '['#']]])", 60],
  ["=SUM(Table1[Net '['#']])", 60],
  ['=SUM(A2:B4 A:A)', 6],
])('%s is %s', (formula, result) => {
  expect(resultOf(formula)).toBe(result);
});

test.each([
  ...['=#REF!A1', '=SUM(#REF!A1:B2)', '=Sheet1!#REF!+1', '=#REF!Rate', '=IF(#REF!A1>0,1,2)', '=Gone', '=ROWS(Gone)'],
  ...['=ROWS(#REF!)', '=COUNTIF(#REF!A:A,1)', '=SUMIFS(A2:A4,#REF!,1)', '=SUMIF(#REF!,1)', '=COUNTBLANK( #REF!A1 )'],
  ...['=IFNA(VLOOKUP(1,#REF!A:B,2,FALSE),0)', '=SUBTOTAL(3,#REF!)', '=1+COUNTIFS(A2:A4,1,#REF!,(1))'],
])('%s has lost its cells, and is an error', (formula) => {
  expect(resultOf(formula)).toBe('#REF!');
});

test.each([
  ['=IFERROR(#REF!A1,7)', 7],
  ['=ISERROR(ROWS(#REF!))', true],
  ['=ROWS(IF(1>0,A2:A4,#REF!))', 3],
])('%s is no error: %s', (formula, result) => {
  expect(resultOf(formula)).toBe(result);
});
