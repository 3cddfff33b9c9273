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

test.each(['en', 'nl'] as const)('a number as a text has fifteen digits and the separator of %s', (language) => {
  const { type, values } = calculating(language);
  const local = (text: string) =>
    language === 'nl' ? text.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : ';')) : text;
  type(0, ['1000.5', '0.1', '0.2', '12', "'0100"].map(local));
  const [yes, decimal] = language === 'nl' ? ['WAAR', ','] : ['TRUE', '.'];
  const cases: [formula: string, value: unknown][] = [
    ['="Sum: "&A1', `Sum: 1000${decimal}5`],
    ['=A2+A3&""', `0${decimal}3`],
    ['=A4&"-"&A5', '12-0100'],
    ['=A1*100&A4', '10005012'],
    ['=-A2&A9', `-0${decimal}1`],
    ['=1/3&""', `0${decimal}333333333333333`],
    ['=A2+A3&""=A3+A2&""', true],
    ['=123456789012345&"|"&10^11', '123456789012345|100000000000'],
    ['=10^20&""', '1E+20'],
    ['=1/3*10^20&""', `3${decimal}33333333333333E+19`],
    ['=(A4=12)&""', yes],
    ['=LEN(A2+A3)', 3],
    ['=LEFT(A1,5)', `1000${decimal}`],
    ['=SUM(LEN(A1:A4))', 14],
    ['=INDEX(A1:A3&"x",1)', `1000${decimal}5x`],
    ['=1/A9&"x"', '#DIV/0!'],
  ];
  type(
    2,
    cases.map(([formula]) => formula.replaceAll(',', language === 'nl' ? ';' : ',')),
  );
  expect(cases.map(([formula], row) => [formula, values(2, cases.length)[row]])).toEqual(cases);
});

test('a number from a text in the language is the same number again', () => {
  const { type, values } = calculating('nl');
  type(0, ['1000,5', '=WAARDE(A1&"")', '=(A1&"")*2', '=VERVANGEN(A1;1;1;"")+1']);
  expect(values(0, 4)).toEqual([1000.5, 1000.5, 2001, 1.5]);
});

test('many formulas that are alike take the same texts of numbers', () => {
  const { type, values } = calculating('nl');
  type(
    0,
    Array.from({ length: 120 }, (_, row) => `${row},5`),
  );
  type(
    1,
    Array.from({ length: 120 }, (_, row) => `=LINKS(A${row + 1};6)&"|"&A${row + 1}`),
  );
  expect(values(1, 120)).toEqual(Array.from({ length: 120 }, (_, row) => `${row},5|${row},5`));
});

test('many formulas that are alike leave out the texts in single cells that they add up', () => {
  const { type, values } = calculating('en');
  type(
    0,
    Array.from({ length: 120 }, (_, row) => (row % 3 === 0 ? 'Total' : row % 3 === 1 ? "'5" : '5')),
  );
  type(
    1,
    Array.from({ length: 120 }, (_, row) => `=SUM(A${row + 1},2)`),
  );
  expect(values(1, 120)).toEqual(Array.from({ length: 120 }, (_, row) => (row % 3 === 2 ? 7 : 2)));
});
