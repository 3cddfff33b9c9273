import { expect, test } from 'vitest';
import { enterAsTyped } from '../workbook/changes/tableShape.ts';
import { valueAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

/** A workbook that calculates. 1 February 2026 is day 46054. */
function calculating(language: 'en' | 'nl') {
  const workbook = new Workbook(language);
  attachCalculator(workbook);
  return {
    workbook,
    /** Types texts into the rows of a column. @returns their values, once they are calculated */
    type: (column: number, texts: readonly string[]) => {
      for (const [row, text] of texts.entries())
        enterAsTyped(workbook.active, { row, column, rows: 1, columns: 1 }, text);
      workbook.settle();
    },
    values: (column: number, rows: number) =>
      Array.from({ length: rows }, (_, row) => valueAt(workbook.active, row, column)),
  };
}

/** Cells that are texts, as a quote before them says. */
const typed = { en: ["'2026-02-01", "'1,234.50", "'abc", "'10%"], nl: ["'1-2-2026", "'1.234,50", "'abc", "'10%"] };

test.each(['en', 'nl'] as const)('operators of numbers take texts as if they were typed, in %s', (language) => {
  const { type, values } = calculating(language);
  const separator = language === 'nl' ? ';' : ',';
  type(0, typed[language]);
  const [day, amount] = typed[language].map((text) => `"${text.slice(1)}"`);
  const cases: [formula: string, value: unknown][] = [
    ['=A1+30', 46084],
    ['=30+A1', 46084],
    ['=-A1', -46054],
    ['=A2*2', 2469],
    ['=A4*200', 20],
    ['=A4%', 0.001],
    ['=(A1)+(A2-A2)', 46054],
    [`=${day}+1`, 46055],
    [`=${amount}/2`, 617.25],
    ['=--"12"', 12],
    ['=A1-A1&"x"', '0x'],
    ['=IFERROR(A1+30,0)', 46084],
    ['=IF(A1+1>46054,1,2)', 1],
    ['=SUMPRODUCT(A1:A2*1)', 47288.5],
    ['=LET(x,A1,x+1)', 46055],
    ['=SUM(A1:A2)+1', 1],
    ['=A3+1', '#VALUE!'],
    ['=""+1', '#VALUE!'],
    ['=A9+1', 1],
    // Neither joining nor comparing reads a text.
    ['=A1&1', `${typed[language][0]!.slice(1)}1`],
    ['=A1=46054', false],
  ];
  type(
    2,
    cases.map(([formula]) => formula.replaceAll(/"[^"]*"|,/g, (part) => (part === ',' ? separator : part))),
  );
  expect(cases.map(([formula], row) => [formula, values(2, cases.length)[row]])).toEqual(cases);
});

test('a text that a formula makes, a name means, or that comes later is read as well', () => {
  const { workbook, type, values } = calculating('en');
  workbook.names.push({ name: 'Next', formula: '=Sheet1!$B$1+1', type: 'Double', visible: true } as never);
  type(1, ['=TEXT(46054,"yyyy-mm-dd")', '=A1+1', '=B1+1', '=Next']);
  expect(values(1, 4)).toEqual(['2026-02-01', 1, 46055, 46055]);
  type(0, ["'2026-02-01"]);
  expect(values(1, 2)).toEqual(['2026-02-01', 46055]);
  type(0, ['7']);
  expect(values(1, 2)).toEqual(['2026-02-01', 8]);
});

test('many formulas that are alike read the texts among their cells', () => {
  const { type, values } = calculating('en');
  type(
    0,
    Array.from({ length: 200 }, (_, row) => (row % 50 === 7 ? "'2026-02-01" : String(row))),
  );
  type(
    1,
    Array.from({ length: 200 }, (_, row) => `=A${row + 1}*2+1`),
  );
  expect(values(1, 200)).toEqual(Array.from({ length: 200 }, (_, row) => (row % 50 === 7 ? 2 * 46_054 : 2 * row) + 1));
});
