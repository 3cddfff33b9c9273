import { expect, test } from 'vitest';
import { enterAsTyped } from '../workbook/changes/tableShape.ts';
import { cellAt, valueAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

const names: Readonly<Record<string, string>> = {
  Rate: '=10',
  Double: '=Rate*2',
  'two??': '=Sheet1!$A$1:INDEX(Sheet1!$A:$A,2)',
  '\\x': '=3',
  'x²': '=4',
  हिन्दी: '=6',
  𝒳: '=7',
  Self: '=Self',
  Half: '=LAMBDA(n,n/2)',
  Many: '=LAMBDA(n,IF(n=0,1,Many(n-1)+Many(n-1)))',
  Endless: '=LAMBDA(n,Endless(n+1))',
  Large: '=SUM(SEQUENCE(10000000))',
  Odd: '=1~2',
};

/** The result of a formula in a workbook with these names, 5, 7 and -9 in A1:A3, and why it is an error. */
function resultOf(formula: string) {
  const workbook = new Workbook();
  for (const [row, text] of ['5', '7', '-9'].entries()) {
    enterAsTyped(workbook.active, { row, column: 0, rows: 1, columns: 1 }, text);
  }
  for (const [name, meaning] of Object.entries(names)) {
    workbook.names.push({ id: name, name, formula: meaning, comment: '', visible: true, scope: undefined });
  }
  enterAsTyped(workbook.active, { row: 0, column: 9, rows: 1, columns: 1 }, formula);
  attachCalculator(workbook);
  return { value: valueAt(workbook.active, 0, 9), message: cellAt(workbook.active, 0, 9)?.message };
}

test.each([
  ['=SUM(two??)', 12],
  ['=LET(two,5,SUM(two??)+1)', 13],
  ['=SUM(Sheet1!two??)', 12],
  ['=\\x+1', 4],
  ['=LET(x,1,\\x+x)', 4],
  ['=LET(x,1,x²+x)', 5],
  ['=LET(\\y,2,\\z,3,\\y*\\z)', 6],
  ['=हिन्दी+𝒳', 13],
  ['=Sheet1!Rate+1', 11],
])('%s has the value of the name in it: %s', (formula, value) => {
  expect(resultOf(formula).value).toBe(value);
});

test.each([
  ['=LET(Rate,5,Rate)', 5],
  ['=LET(Rate,5,Double+Rate)', 25],
  ['=LET(Rate,Rate+1,Rate)', 11],
  ['=LET(Rate,{-1,-2},SUM(ABS(Rate)))', 3],
  ['=SUM(MAP({1,2},LAMBDA(Rate,Rate+Double)))', 43],
  ['=LET(Half,LAMBDA(n,n*100),Half(3))', 300],
  ['=Half(6)', 3],
  ['=LET(a,1,b,a+1,LET(a,b*10,a+b))', 22],
])('%s tells what it names so from a name of the workbook: %s', (formula, value) => {
  expect(resultOf(formula).value).toBe(value);
});

test.each(['=A1?', '=no?', '=LET(a,5,a?)', '=Self+1'])('%s has a name that means nothing', (formula) => {
  expect(resultOf(formula).value).toMatch(/^#(?:NAME\?|CALC!)$/);
});

test.each(['=A1|', '=A1~', '=A1;', '=LET(a,5,a~)', '=SUM(A1:A2)|', '=Odd'])(
  '%s cannot be read, and says so',
  (formula) => {
    expect(resultOf(formula)).toEqual({ value: '#CALC!', message: expect.stringContaining('cannot be read') });
  },
);

test.each(['=Many(40)', '=Large'])('%s would take too long by what its name means, and says so', (formula) => {
  expect(resultOf(formula)).toEqual({ value: '#CALC!', message: expect.stringContaining('too long') });
});

test('A LAMBDA that calls itself without an end is an error', () => {
  expect(resultOf('=Endless(1)').value).toBe('#NUM!');
});
