import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { calculateWhenNeeded } from '../calculateWhenNeeded.ts';
import { FunctionCalls } from '../functionCalls.ts';
import { openExcel } from '../node.ts';
import { contentsOf, workbookOf } from '../savedFile/contents.ts';
import { readFile } from '../savedFile/readFile.ts';
import { writeFile } from '../savedFile/writeFile.ts';
import { enterValues } from '../workbook/changes/enter.ts';
import { undo } from '../workbook/changes/undo.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

type Sheet = Excel.Worksheet;

/** Prices in A1:A3 with a total in B1 and twice the total in B2, in a workbook that is calculated by hand. */
async function inManualWorkbook(
  work: (sheet: Sheet, context: Excel.RequestContext, workbook: Workbook) => Promise<void>,
): Promise<void> {
  const workbook = new Workbook();
  attachCalculator(workbook);
  await openExcel(workbook).Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('A1:A3').values = [[1], [2], [3]];
    sheet.getRange('B1:B2').formulas = [['=SUM(A1:A3)'], ['=B1*2']];
    await context.sync();
    context.application.calculationMode = 'Manual';
    await context.sync();
    await work(sheet, context, workbook);
  });
}

async function valuesOf(sheet: Sheet, address: string): Promise<unknown[][]> {
  const range = sheet.getRange(address).load('values');
  await sheet.context.sync();
  return range.values;
}

// Microsoft, "Excel Recalculation": manual calculation, dirty cells; "Change formula recalculation".
describe('In manual calculation', () => {
  test('results stay as they were when cells change, until they are asked for', async () => {
    await inManualWorkbook(async (sheet, context, workbook) => {
      sheet.getRange('A1').values = [[10]];
      expect(await valuesOf(sheet, 'B1:B2')).toEqual([[6], [12]]);
      expect(workbook.isCalculationDue).toBe(true);
      context.application.calculate('Recalculate');
      expect(await valuesOf(sheet, 'B1:B2')).toEqual([[15], [30]]);
      expect(workbook.isCalculationDue).toBe(false);
    });
  });

  test('a cell that no formula refers to makes nothing due', async () => {
    await inManualWorkbook(async (sheet, context, workbook) => {
      sheet.getRange('H9').values = [[10]];
      await context.sync();
      expect(workbook.isCalculationDue).toBe(false);
    });
  });

  test('an entered formula has its result at once, from the last results of others', async () => {
    await inManualWorkbook(async (sheet, context) => {
      sheet.getRange('A1').values = [[10]];
      sheet.getRange('C1:C2').formulas = [['=B1+A1'], ['=SEQUENCE(1,2)']];
      expect(await valuesOf(sheet, 'B1:D2')).toEqual([
        [6, 16, ''],
        [12, 1, 2],
      ]);
      context.application.calculate('Recalculate');
      expect(await valuesOf(sheet, 'C1:D1')).toEqual([[25, '']]);
    });
  });

  test.each(['Full', 'FullRebuild'] as const)('%s calculates every formula', async (type) => {
    await inManualWorkbook(async (sheet, context, workbook) => {
      sheet.getRange('A1').values = [[10]];
      context.application.calculate(type);
      expect(await valuesOf(sheet, 'B1:B2')).toEqual([[15], [30]]);
      expect(workbook.isCalculationDue).toBe(false);
    });
  });

  test('a sheet and a range are calculated by themselves', async () => {
    await inManualWorkbook(async (sheet, context, workbook) => {
      const other = context.workbook.worksheets.add('Other');
      other.getRange('A1').formulas = [['=Sheet1!B1']];
      sheet.getRange('A1').values = [[10]];
      sheet.getRange('B1').calculate();
      expect(await valuesOf(sheet, 'B1:B2')).toEqual([[15], [12]]);
      sheet.calculate(false);
      expect(await valuesOf(sheet, 'B1:B2')).toEqual([[15], [30]]);
      expect(await valuesOf(other, 'A1')).toEqual([[6]]);
      expect(workbook.isCalculationDue).toBe(true);
      other.calculate(false);
      expect(await valuesOf(other, 'A1')).toEqual([[15]]);
      expect(workbook.isCalculationDue).toBe(false);
    });
  });

  test('inserted rows, sorted rows and undone changes keep results until they are asked for', async () => {
    await inManualWorkbook(async (sheet, context, workbook) => {
      sheet.getRange('A2').values = [[20]];
      await context.sync();
      sheet.getRange('1:1').insert('Down');
      expect(await valuesOf(sheet, 'B2:B3')).toEqual([[6], [12]]);
      context.application.calculate('Recalculate');
      expect(await valuesOf(sheet, 'B2:B3')).toEqual([[24], [48]]);
      sheet.getRange('A2:A4').sort.apply([{ key: 0, ascending: false }]);
      expect(await valuesOf(sheet, 'A2:B4')).toEqual([
        [20, 24],
        [3, 48],
        [1, ''],
      ]);
      sheet.getRange('A3').values = [[5]];
      await context.sync();
      undo(workbook);
      expect(await valuesOf(sheet, 'B2:B3')).toEqual([[24], [48]]);
      context.application.calculate('Recalculate');
      expect(await valuesOf(sheet, 'B2:B3')).toEqual([[24], [48]]);
    });
  });

  test('a changed name, a hidden row and a longer spill wait as well', async () => {
    await inManualWorkbook(async (sheet, context) => {
      const name = context.workbook.names.add('Rate', '=2');
      sheet.getRange('C1:D1').formulas = [['=Rate*10', '=SUBTOTAL(109,A1:A3)']];
      sheet.getRange('F1').formulas = [['=SEQUENCE(A2)']];
      sheet.getRange('G1').formulas = [['=SUM(F1#)']];
      expect(await valuesOf(sheet, 'C1:G1')).toEqual([[20, 6, '', 1, 3]]);
      name.formula = '=3';
      sheet.getRange('3:3').rowHidden = true;
      sheet.getRange('A2').values = [[4]];
      expect(await valuesOf(sheet, 'C1:G1')).toEqual([[20, 6, '', 1, 3]]);
      expect(await valuesOf(sheet, 'F2:F4')).toEqual([[2], [''], ['']]);
      context.application.calculate('Recalculate');
      expect(await valuesOf(sheet, 'C1:G1')).toEqual([[30, 5, '', 1, 10]]);
      expect(await valuesOf(sheet, 'F2:F4')).toEqual([[2], [3], [4]]);
    });
  });

  test('what is due is calculated when the mode becomes automatic', async () => {
    await inManualWorkbook(async (sheet, context) => {
      sheet.getRange('A1').values = [[10]];
      await context.sync();
      context.application.calculationMode = 'Automatic';
      expect(await valuesOf(sheet, 'B1:B2')).toEqual([[15], [30]]);
      sheet.getRange('A1').values = [[1]];
      expect(await valuesOf(sheet, 'B1:B2')).toEqual([[6], [12]]);
    });
  });

  test('functions of an add-in give their results, and what depends on them waits', async () => {
    const workbook = new Workbook();
    workbook.calculationMode = 'Manual';
    const results: ((value: { value: number }) => void)[] = [];
    const call = () => new Promise<{ value: number }>((resolve) => results.push(resolve));
    const functions = [{ name: 'OWN.RATE', id: 'RATE', parameters: [] }];
    attachCalculator(workbook, { functions, calls: { call } as never });
    await openExcel(workbook).Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:B1').formulas = [['=OWN.RATE()', '=A1*2']];
      expect(await valuesOf(sheet, 'A1:B1')).toEqual([['#BUSY!', '#BUSY!']]);
      results[0]!({ value: 7 });
      await expect.poll(() => valuesOf(sheet, 'A1:B1')).toEqual([[7, '#BUSY!']]);
      context.application.calculate('Recalculate');
      expect(await valuesOf(sheet, 'B1')).toEqual([[14]]);
    });
  });
});

describe('Formulas whose results are other ones each time', () => {
  test('are calculated again when that is asked for', async () => {
    const workbook = new Workbook();
    attachCalculator(workbook);
    await openExcel(workbook).Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1').formulas = [['=RAND()']];
      const first = await valuesOf(sheet, 'A1');
      expect(await valuesOf(sheet, 'A1')).toEqual(first);
      context.application.calculate('Recalculate');
      expect(await valuesOf(sheet, 'A1')).not.toEqual(first);
    });
  });
});

describe('A file', () => {
  const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';

  test('keeps that its workbook is calculated by hand', async () => {
    await inManualWorkbook(async (sheet, context, workbook) => {
      sheet.getRange('A1').values = [[10]];
      context.application.calculate('Recalculate');
      await context.sync();
      const bytes = await writeFile(workbook, ADD_IN);
      const parts = unzipSync(bytes);
      expect(strFromU8(parts['xl/workbook.xml']!)).toMatch(/<calcPr [^>]*calcMode="manual"/);
      const { workbook: read } = await readFile(bytes, ADD_IN, 'en');
      const opened = workbookOf(contentsOf(read));
      expect(opened.calculationMode).toBe('Manual');
      attachCalculator(opened);
      await openExcel(opened).Excel.run(async (inOpened) => {
        const same = inOpened.workbook.worksheets.getActiveWorksheet();
        same.getRange('A2').values = [[100]];
        expect(await valuesOf(same, 'B1:B2')).toEqual([[15], [30]]);
        inOpened.application.calculate('Recalculate');
        expect(await valuesOf(same, 'B1:B2')).toEqual([[113], [226]]);
      });
    });
  });

  test('that is changed while the engine is loaded is calculated all the same', async () => {
    await inManualWorkbook(async (_, __, workbook) => {
      const bytes = await writeFile(workbook, ADD_IN);
      for (const mode of ['Manual', 'Automatic'] as const) {
        const opened = workbookOf(contentsOf((await readFile(bytes, ADD_IN, 'en')).workbook));
        opened.calculationMode = mode;
        calculateWhenNeeded(opened, { functions: [], calls: new FunctionCalls() });
        const [sheet] = opened.sheets;
        enterValues(sheet!, { row: 1, column: 0, rows: 1, columns: 1 }, '100', opened.locale);
        const result = () => sheet!.rows[0]!.cells[1]!.value;
        if (mode === 'Manual') {
          await expect.poll(() => opened.isCalculationDue).toBe(true);
          expect(result()).toBe(6);
        } else await expect.poll(result).toBe(104);
      }
    });
  });

  test('of automatic calculation says nothing of it, and one except for tables says so', async () => {
    for (const [mode, pattern] of [
      ['Automatic', /<calcPr (?!.*calcMode)/],
      ['AutomaticExceptTables', /<calcPr [^>]*calcMode="autoNoTable"/],
    ] as const) {
      const workbook = new Workbook();
      workbook.calculationMode = mode;
      const bytes = await writeFile(workbook, ADD_IN);
      expect(strFromU8(unzipSync(bytes)['xl/workbook.xml']!)).toMatch(pattern);
      expect((await readFile(bytes, ADD_IN, 'en')).workbook.calculationMode).toBe(mode);
    }
  });
});
