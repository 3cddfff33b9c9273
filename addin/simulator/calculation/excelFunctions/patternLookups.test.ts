import { expect, test } from 'vitest';
import { enterAsTyped } from '../../workbook/changes/tableShape.ts';
import { valueAt } from '../../workbook/sheet.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { attachCalculator } from '../calculator.ts';

/** The first column; the second has the number of the row. A3 has two lines, and C1 is empty. */
const texts = ['100', 'abc', '="x"&CHAR(10)&"ab"', 'a*b', 'zab', 'ZAB'];

function resultOf(formula: string) {
  const workbook = new Workbook();
  const type = (row: number, column: number, text: string) =>
    enterAsTyped(workbook.active, { row, column, rows: 1, columns: 1 }, text);
  for (const [row, text] of texts.entries()) {
    type(row, 0, text);
    type(row, 1, String(row + 1));
  }
  type(0, 9, formula);
  attachCalculator(workbook);
  return valueAt(workbook.active, 0, 9);
}

test.each([
  ['=MATCH("x*",A1:A6,0)', 3],
  ['=MATCH("a~*b",A1:A6,0)', 4],
  ['=MATCH("a?b",A1:A6,C1)', 4],
  ['=MATCH("1*",A1:A6,0)', '#N/A'],
  ['=SUM(MATCH({"abc","z*"},A1:A6,0))', 7],
  ['=VLOOKUP("?ab",A1:B6,2,FALSE)', 5],
  ['=VLOOKUP("?ab",A1:B6,2,C1)', 5],
  ['=HLOOKUP("a*",A2:B6,3,FALSE)', 'a*b'],
  ['=XMATCH("*ab",A1:A6,2)', 3],
  ['=XMATCH("*ab",A1:A6,2,-1)', 6],
  ['=XMATCH("*ab",A1:A6)', '#N/A'],
  ['=XLOOKUP("*B",A1:A6,B1:B6,"none",2,-1)', 6],
  ['=XLOOKUP("1?0",A1:A6,B1:B6,"none",2)', 'none'],
  ['=SUM(B1:XLOOKUP("ab*",A1:A6,B1:B6,,2))', 3],
  ['=MATCH(REPT("?",256)&"*",A1:A6,0)', '#VALUE!'],
])('%s finds the first text that is like its pattern: %s', (formula, value) => {
  expect(resultOf(formula)).toBe(value);
});

/** Microsoft's defaults are for arguments that are left out: an empty cell is a zero. */
test.each([
  ['=SUM(SEQUENCE(3,1,C1))', 3],
  ['=SUM(SEQUENCE(3,,5))', 18],
  ['=LOG(8,C1)', '#NUM!'],
  ['=LOG(100)', 2],
  ['=SORT(B1:B3,1,C1)', '#VALUE!'],
  ['=WEEKDAY(3,C1)', '#NUM!'],
  ['=WEEKNUM(100,C1)', '#NUM!'],
  ['=DDB(1000,100,5,1,C1)', '#NUM!'],
  ['=DDB(1000,100,5,1)', 400],
  ['=XMATCH(2,B1:B6,0,C1)', '#VALUE!'],
  ['=SWITCH(C1,0,"zero","other")', 'zero'],
])('%s takes an empty cell for a zero: %s', (formula, value) => {
  expect(resultOf(formula)).toBe(value);
});
