import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deeper } from '../../../testing/deep.ts';
import type { CellValue } from '../workbook/cells/entry.ts';
import { addTable, enterAsTyped } from '../workbook/changes/tableShape.ts';
import { valueAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { calculateAlike } from './alikeFormulas.ts';
import { attachCalculator } from './calculator.ts';
import { Dependencies } from './dependencies.ts';

const ROWS = 100;

/** Formulas over the columns before their own, in a row. */
const formulas = [
  ...['=A#+B#', '=-A#^2', '=A#&"-"&B#', '=A#=B#', '=A#<>C#', '=A#>=$C$3', '=(A#+1)*(C#-1)%', '=A#', '=1.5E+2*A#'],
  ...['=IF(A#>B#,"more; (or)",C#)', '=IF(A#="",B#)', '=IFERROR(A#/B#,C#)', '=IFNA(A#,0)', '=IFS(A#>1,B#,TRUE,C#)'],
  ...['=ROUND(A#*0.21,2)', '=ROUNDUP(B#,0)+ROUNDDOWN(C#,1)', '=ABS(A#)-INT(B#)', '=MOD(A#,3)', '=TRUNC(A#)'],
  ...['=AND(A#,B#)', '=OR(A#>1,NOT(B#))', '=SUM(A#,B#,1)', '=MAX(A#,C#)', '=MIN(A#,B#,C#)', '=SQRT(A#)', '=SIGN(C#)'],
  ...['=LEFT(A#,2)&RIGHT(B#)', '=MID(A#,2,3)', '=LEN(A#)', '=TRIM(B#)', '=UPPER(A#)&LOWER(B#)', '=VALUE(A#)+1'],
  ...[
    '=TEXT(A#,"0.00")',
    '=DATE(2026,A#,B#)',
    '=YEAR(A#)*100+MONTH(A#)',
    '=ISBLANK(A#)',
    '=ISNUMBER(B#)',
    '=ISTEXT(C#)',
  ],
  ...['=ISERROR(A#)', '=EXACT(A#,B#)', '=FIND("e",A#)', '=SUBSTITUTE(A#,"e","x")', '=REPT("z",B#)', '=POWER(A#,B#)'],
  ...['=SWITCH(A#,1,"one",2,"two",B#)', '=B#+$A1', "=Sheet1!A#+'Sheet1'!B#", '=IF(ISNUMBER(D#),D#*2,D#)'],
] as const;

/** Formulas that refer to more than the values of their own row, or of another column of such formulas. */
const others = [
  '=SUM(A$1:A#)',
  '=ROW()+A#',
  '=COUNT(A#)',
  '=NOW()*0+A#',
  '={1,2}+A#',
  '=INDIRECT("A"&B#)',
  '=NAME1+A#',
];

const values = fc.oneof(
  fc.integer({ min: -3, max: 400 }),
  fc.constantFrom<CellValue>('', 'text', 'een', '12', ' 7 ', true, false, 0.1, 2.675, '#N/A', '#DIV/0!', 46_000.5),
);

/** The data, and behind them columns with a formula in every row, which may refer to those before them. */
function workbookOf(data: readonly CellValue[][], ...columns: string[]): Workbook {
  const workbook = new Workbook();
  const sheet = workbook.active;
  sheet.rows = data.map((row, at) => ({
    cells: [
      ...row.map((value) => (value === '' ? undefined : { value })),
      ...columns.map((formula) => {
        const filled = formula.replaceAll('#', String(at + 1)).replaceAll('$A1', `$A${at + 1}`);
        return { value: filled, formula: filled };
      }),
    ],
  }));
  sheet.formulas = data.length * columns.length;
  return workbook;
}

const resultsOf = ({ active }: Workbook, columns = 2) =>
  Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length: columns }, (_, column) => valueAt(active, row, column + 3)),
  );

/** How many formulas are not calculated together. */
function restOf(workbook: Workbook): number {
  return calculateAlike(new Set(new Dependencies(workbook).all()), () => {}).size;
}

/** A function that keeps a formula from being calculated together with others. */
const apart = (formula: string): string => `=CHOOSE(1,${formula.slice(1)})`;

test('Formulas that are calculated together have the results that each has by itself', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(values, values, values) as fc.Arbitrary<CellValue[]>, { minLength: ROWS, maxLength: ROWS }),
      (data) => {
        const together = workbookOf(data, ...formulas);
        expect(restOf(together)).toBe(0);
        attachCalculator(together);
        const alone = workbookOf(data, ...formulas.map(apart));
        expect(restOf(alone)).toBe(formulas.length * ROWS);
        attachCalculator(alone);
        expect(resultsOf(together, formulas.length)).toEqual(resultsOf(alone, formulas.length));
      },
    ),
    { numRuns: deeper(4, 50) },
  );
});

const ordinary = Array.from({ length: ROWS }, (_, at): CellValue[] => [at % 9, at / 4, at % 2 === 0 ? 'even' : '']);

test.each(others)('%s is not calculated together with others, nor what depends on it', (formula) => {
  const workbook = workbookOf(ordinary, formula, '=D#&"!"');
  expect(restOf(workbook)).toBe(2 * ROWS);
  attachCalculator(workbook);
  const alone = workbookOf(ordinary, apart(formula), '=CHOOSE(1,D#&"!")');
  attachCalculator(alone);
  expect(resultsOf(workbook)).toEqual(resultsOf(alone));
});

test('A running balance is calculated from top to bottom, and what depends on it after it', () => {
  const workbook = workbookOf(ordinary, '=0', '=ROUND(D#,2)');
  for (let row = 0; row < ROWS; row++) {
    const formula = row === 0 ? '=B1' : `=D${row}+B${row + 1}`;
    enterAsTyped(workbook.active, { row, column: 3, rows: 1, columns: 1 }, formula);
  }
  attachCalculator(workbook);
  let balance = 0;
  for (const [row, [, amount]] of ordinary.entries()) {
    balance += amount as number;
    expect(valueAt(workbook.active, row, 3)).toBe(balance);
  }
  expect(valueAt(workbook.active, ROWS - 1, 4)).toBe(balance);
});

test('Columns of a table that refer to their row are calculated together, also after a cell changed', () => {
  const workbook = workbookOf([['One', 'Two', 'Three'], ...ordinary], '=0', '=0');
  const sheet = workbook.active;
  sheet.rows[0]!.cells.length = 3;
  addTable(sheet, { row: 0, column: 0, rows: ROWS + 1, columns: 5 }, true);
  for (let row = 1; row <= ROWS; row++) {
    enterAsTyped(sheet, { row, column: 3, rows: 1, columns: 1 }, '=[@One]*$H$1');
    enterAsTyped(sheet, { row, column: 4, rows: 1, columns: 1 }, '=[@Column4]+[@Two]');
  }
  enterAsTyped(sheet, { row: 0, column: 7, rows: 1, columns: 1 }, '3');
  attachCalculator(workbook);
  expect(restOf(workbook)).toBe(0);
  const total = (row: number) => valueAt(sheet, row + 1, 4);
  expect(ordinary.map((_, row) => total(row))).toEqual(ordinary.map(([one, two]) => Number(one) * 3 + Number(two)));
  enterAsTyped(sheet, { row: 0, column: 7, rows: 1, columns: 1 }, '5');
  workbook.settle();
  expect(ordinary.map((_, row) => total(row))).toEqual(ordinary.map(([one, two]) => Number(one) * 5 + Number(two)));
});
