import { expect, test } from 'vitest';
import { openExcel } from '../../node.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { isAllowed } from './validation.ts';

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
