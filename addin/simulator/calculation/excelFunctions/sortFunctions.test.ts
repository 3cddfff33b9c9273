import { expect, test } from 'vitest';
import { parseArea } from '../../workbook/cells/address.ts';
import { enterValues } from '../../workbook/changes/enter.ts';
import { valueAt } from '../../workbook/sheet.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { attachCalculator } from '../calculator.ts';

function resultOf(formula: string) {
  const workbook = new Workbook();
  const sheet = workbook.active;
  enterValues(sheet, parseArea('A1:C6')!, [
    [3, 'z', 'first'],
    ['', 'é', 'second'],
    [1, 'Ea', 'third'],
    ['b', 'f', 'fourth'],
    [true, '', 'fifth'],
    [2, 'e', 'sixth'],
  ]);
  enterValues(sheet, parseArea('A8:C9')!, [
    ['c', 'a', 'b'],
    [2, '', 1],
  ]);
  enterValues(sheet, parseArea('J1')!, formula);
  attachCalculator(workbook);
  return valueAt(sheet, 0, 9);
}

// As Microsoft describes the order of a sort: numbers, texts, FALSE, TRUE, errors; empty cells are always last.
test.each([
  ['SORT(A1:A6)', '1|2|3|b|TRUE|'],
  ['SORT(A1:A6,1,-1)', 'TRUE|b|3|2|1|'],
  ['SORT(A1:A6,,-1)', 'TRUE|b|3|2|1|'],
  ['SORT(B1:B6)', 'e|é|Ea|f|z|'],
  ['SORT(B1:B6,1,-1)', 'z|f|Ea|é|e|'],
  ['SORT(A8:C9,2,-1,TRUE)', 'c|b|a|2|1|'],
  ['SORTBY(C1:C6,A1:A6,-1)', 'fifth|fourth|first|sixth|third|second'],
  ['SORTBY(C1:C6,LEN(C1:C6),-1,A1:A6,-1)', 'fourth|second|fifth|first|sixth|third'],
  ['SORTBY(A8:C8,A9:C9)', 'b|c|a'],
  ['SORTBY(A8:C9,A9:C9,-1)', 'c|b|a|2|1|'],
])('%s is %s', (formula, sorted) => {
  expect(resultOf(`=TEXTJOIN("|",FALSE,${formula})`)).toBe(sorted);
});

test.each([
  '=SORT(A1:A6,2)',
  '=SORT(A1:A6,0)',
  '=SORT(A1:A6,1,2)',
  '=SORTBY(C1:C6,A1:A5)',
  '=SORTBY(C1:C6,A1:B6)',
  '=SORTBY(A8:C8,A1:A6)',
])('%s is an error', (formula) => {
  expect(resultOf(formula)).toBe('#VALUE!');
});
