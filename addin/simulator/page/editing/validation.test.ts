import { expect, test } from 'vitest';
import { attachCalculator } from '../../calculation/calculator.ts';
import { openExcel } from '../../node.ts';
import { enterAsTyped } from '../../workbook/changes/tableShape.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { choicesOf, isAllowed } from './validation.ts';

/** Which of some inputs the first cell allows by a rule. */
async function allowed(rule: Excel.DataValidationRule, inputs: readonly string[]): Promise<string[]> {
  const workbook = new Workbook();
  await openExcel(workbook).Excel.run(async (context) => {
    context.workbook.worksheets.getActiveWorksheet().getRange('A1').dataValidation.rule = rule;
    await context.sync();
  });
  return inputs.filter((input) => isAllowed(workbook.active, { row: 0, column: 0 }, input));
}

test('A bound that is a formula allows any number, the second as the first', async () => {
  const inputs = ['-1', '0', '7', 'text'];
  const between = { formula1: 0, formula2: '=B1', operator: 'Between' } as const;
  expect(await allowed({ decimal: between }, inputs)).toEqual(['-1', '0', '7']);
  expect(await allowed({ decimal: { ...between, operator: 'NotBetween' } }, inputs)).toEqual(['-1', '0', '7']);
  expect(await allowed({ decimal: { ...between, formula1: '=B1', formula2: 1 } }, inputs)).toEqual(['-1', '0', '7']);
  expect(await allowed({ decimal: { ...between, formula2: 7 } }, inputs)).toEqual(['0', '7']);
});

test('A bound that is written as a date or a time is that day or time', async () => {
  const date = { formula1: '2026-01-01', formula2: '2026-12-31', operator: 'Between' } as const;
  expect(await allowed({ date }, ['12/31/2025', '1/1/2026', '12/31/2026', '1/1/2027'])).toEqual([
    '1/1/2026',
    '12/31/2026',
  ]);
  const time = { formula1: '08:30', operator: 'GreaterThan' } as const;
  expect(await allowed({ time }, ['8:00', '9:00'])).toEqual(['9:00']);
});

test.each([
  ['en', '19%', '19'],
  ['nl', '21%', '0,2'],
  ['nl', '1-2-2026', '2-1-2026'],
  ['nl', '0,5', '5'],
  ['fr', '12:30', '12:31'],
  ['en', "'0100", '0101'],
  ['nl', 'WAAR', 'ONWAAR'],
  ['nl', 'Euro', 'Dollar'],
] as const)('A list of cells takes its own choice in %s: %s, and not %s', async (language, choice, other) => {
  const workbook = new Workbook(language);
  enterAsTyped(workbook.active, { row: 0, column: 2, rows: 1, columns: 1 }, choice);
  await openExcel(workbook).Excel.run(async (context) => {
    const list = { inCellDropDown: true, source: '=$C$1:$C$3' };
    context.workbook.worksheets.getActiveWorksheet().getRange('A1').dataValidation.rule = { list };
    await context.sync();
  });
  const cell = { row: 0, column: 0 };
  const [offered] = choicesOf(workbook.active, cell)!;
  expect(isAllowed(workbook.active, cell, offered!)).toBe(true);
  expect(isAllowed(workbook.active, cell, choice)).toBe(true);
  expect(isAllowed(workbook.active, cell, other)).toBe(false);
});

test('A list that is written out takes its percentages', async () => {
  const list = { inCellDropDown: true, source: '9%, 21%,zero' };
  expect(await allowed({ list }, ['9%', '21%', '0.21', '10%', 'Zero', '9'])).toEqual(['9%', '21%', '0.21', 'Zero']);
});

test('A list of cells has the results of their formulas, and codes of digits as texts', async () => {
  const workbook = new Workbook();
  const { Excel } = openExcel(workbook);
  await attachCalculator(workbook);
  const choices = await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('B2').numberFormat = [['@']];
    sheet.getRange('C1:C3').values = [['="VAT "&1'], ["'0100"], ['=0.1+0.2']];
    sheet.getRange('B1:B2').dataValidation.rule = { list: { inCellDropDown: true, source: '=$C$1:$C$3' } };
    await context.sync();
    workbook.settle();
    return [0, 1].map((row) => choicesOf(workbook.active, { row, column: 1 })!);
  });
  expect(choices).toEqual([
    ['VAT 1', "'0100", '0.3'],
    ['VAT 1', '0100', '0.3'],
  ]);
  for (const [row, texts] of choices.entries()) {
    for (const text of texts) expect(isAllowed(workbook.active, { row, column: 1 }, text)).toBe(true);
    expect(isAllowed(workbook.active, { row, column: 1 }, '100')).toBe(false);
  }
});
