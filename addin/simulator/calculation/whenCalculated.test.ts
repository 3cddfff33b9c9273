import { describe, expect, test } from 'vitest';
import { calculateWhenNeeded } from '../calculateWhenNeeded.ts';
import { FunctionCalls } from '../functionCalls.ts';
import { openExcel } from '../node.ts';
import { enterValues } from '../workbook/changes/enter.ts';
import { redo, undo } from '../workbook/changes/undo.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

/** What an add-in does on the first sheet of a workbook that calculates. */
async function inWorkbook(
  work: (sheet: Excel.Worksheet, context: Excel.RequestContext, workbook: Workbook) => Promise<void>,
): Promise<void> {
  const workbook = new Workbook();
  attachCalculator(workbook);
  await openExcel(workbook).Excel.run((context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    return work(sheet, context, workbook);
  });
}

describe('In the batch that wrote a formula', () => {
  test('its result is copied as a value', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:A2').formulas = [['=1+2'], ['=A1*2']];
      sheet.getRange('C1').copyFrom('A1:A2', 'Values');
      const copy = sheet.getRange('C1:C2').load('values,formulas');
      await context.sync();
      expect([copy.values, copy.formulas]).toEqual([
        [[3], [6]],
        [[3], [6]],
      ]);
    });
  });

  test('results without characters are skipped as blanks', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:C2').formulas = [
        ['=IF(TRUE,"","x")', '', 'old'],
        ['="new"', '', 'old'],
      ];
      sheet.getRange('C1').copyFrom('A1:A2', 'Values', true);
      const copy = sheet.getRange('C1:C2').load('values');
      await context.sync();
      expect(copy.values).toEqual([['old'], ['new']]);
    });
  });

  test('rows are sorted by its results', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:B3').formulas = [
        ['two', '=1+1'],
        ['ten', '=5*2'],
        ['one', '=3-2'],
      ];
      sheet.getRange('A1:B3').sort.apply([{ key: 1, ascending: true }]);
      const sorted = sheet.getRange('A1:B3').load('values');
      await context.sync();
      expect(sorted.values).toEqual([
        ['one', 1],
        ['two', 2],
        ['ten', 10],
      ]);
    });
  });

  test('rows of a table are filtered by its results', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:A4').formulas = [['n'], ['=1+1'], ['=2+2'], ['=4/2']];
      sheet.tables.add('A1:A4', true).columns.getItem('n').filter.applyValuesFilter(['2']);
      const shown = sheet.getRange('A1:A4').getVisibleView().load('values');
      await context.sync();
      expect(shown.values).toEqual([['n'], [2], [2]]);
    });
  });

  test('rows of a filtered range are those of its results', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:A4').formulas = [['n'], ['=1+1'], ['=2+2'], ['=4/2']];
      sheet.autoFilter.apply('A1:A4', 0, { filterOn: 'Custom', criterion1: '>3' });
      const shown = sheet.getRange('A1:A4').getVisibleView().load('values');
      await context.sync();
      expect(shown.values).toEqual([['n'], [4]]);
    });
  });

  test('columns get the width of its results, and texts are found in them', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:B1').formulas = [['=REPT("x",40)', 'x'.repeat(40)]];
      sheet.getRange('A:B').format.autofitColumns();
      const found = sheet.getRange('A1').find('xxx', {}).load('address');
      const widths = ['A1', 'B1'].map((cell) => sheet.getRange(cell).load('format/columnWidth'));
      await context.sync();
      expect(widths[0]!.format.columnWidth).toBe(widths[1]!.format.columnWidth);
      expect(found.address).toBe('Sheet1!A1');
    });
  });

  test('cells that its result fills belong to the used range, and to the region around them', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('B2').formulas = [['=SEQUENCE(3,2)']];
      const used = sheet.getUsedRange(true).load('address');
      const region = sheet.getRange('B2').getSurroundingRegion().load('address');
      const edge = sheet.getRange('B2').getRangeEdge('Down').load('address');
      await context.sync();
      expect([used.address, region.address, edge.address]).toEqual(['Sheet1!B2:C4', 'Sheet1!B2:C4', 'Sheet1!B4']);
    });
  });

  test('a table has its result as a heading', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:A2').formulas = [['="Am"&"ount"'], [1]];
      const table = sheet.tables.add('A1:A2', true);
      const column = table.columns.getItemAt(0).load('name');
      await context.sync();
      expect(column.name).toBe('Amount');
    });
  });

  test('thousands of formulas are calculated together, when something reads them', async () => {
    await inWorkbook(async (sheet, context, workbook) => {
      let calculations = 0;
      workbook.subscribe(({ kind }) => {
        if (kind === 'calculated') calculations += 1;
      });
      for (let row = 1; row <= 5000; row += 1) {
        sheet.getCell(row, 0).formulas = [[row === 1 ? '=1' : `=A${row}+1`]];
      }
      sheet.getRange('C1').copyFrom('A5001', 'Values');
      const last = sheet.getRange('C1').load('values');
      await context.sync();
      expect(last.values).toEqual([[5000]]);
      expect(calculations).toBe(1);
    });
  });
});

describe('Formulas with a name are calculated again', () => {
  test('when it is added, changed and deleted', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:A2').values = [[5], [7]];
      sheet.getRange('B1:B2').formulas = [['=Rate*2'], ['=B1+1']];
      const results = sheet.getRange('B1:B2').load('values');
      await context.sync();
      expect(results.values).toEqual([['#NAME?'], ['#NAME?']]);
      const name = context.workbook.names.add('Rate', '=Sheet1!$A$1');
      results.load('values');
      await context.sync();
      expect(results.values).toEqual([[10], [11]]);
      name.formula = '=Sheet1!$A$2';
      results.load('values');
      await context.sync();
      expect(results.values).toEqual([[14], [15]]);
      sheet.getRange('A2').values = [[8]];
      results.load('values');
      await context.sync();
      expect(results.values).toEqual([[16], [17]]);
      name.delete();
      results.load('values');
      await context.sync();
      expect(results.values).toEqual([['#NAME?'], ['#NAME?']]);
    });
  });

  test('when a sheet gets its own, and by way of another name', async () => {
    await inWorkbook(async (sheet, context) => {
      context.workbook.names.add('Rate', '=2');
      context.workbook.names.add('Double', '=Rate*2');
      sheet.getRange('B1:B2').formulas = [['=Rate'], ['=Double']];
      const results = sheet.getRange('B1:B2').load('values');
      await context.sync();
      expect(results.values).toEqual([[2], [4]]);
      context.workbook.names.getItem('Rate').formula = '=3';
      results.load('values');
      await context.sync();
      expect(results.values).toEqual([[3], [6]]);
      sheet.names.add('Rate', '=10');
      results.load('values');
      await context.sync();
      expect(results.values[0]).toEqual([10]);
    });
  });

  test('after undo and redo of a step in which a name moved', async () => {
    await inWorkbook(async (sheet, context, workbook) => {
      sheet.getRange('A1').values = [[5]];
      context.workbook.names.add('Rate', '=Sheet1!$A$1');
      sheet.getRange('C3').formulas = [['=Rate']];
      await context.sync();
      sheet.getRange('1:1').insert('Down');
      sheet.getRange('A2').values = [[6]];
      await context.sync();
      const shown = () => workbook.active.rows.flatMap((row) => row?.cells[2]?.value ?? []);
      workbook.settle();
      expect(shown()).toEqual([6]);
      undo(workbook);
      workbook.settle();
      expect(shown()).toEqual([5]);
      redo(workbook);
      workbook.settle();
      expect(shown()).toEqual([6]);
    });
  });

  test('after undo and redo of a step in which other cells were moved over those of a name', async () => {
    await inWorkbook(async (sheet, context, workbook) => {
      sheet.getRange('A1:B1').values = [[5, 6]];
      context.workbook.names.add('Rate', '=Sheet1!$A$1');
      sheet.getRange('C3').formulas = [['=Rate']];
      await context.sync();
      const result = () => {
        workbook.settle();
        return workbook.active.rows[2]?.cells[2]?.value;
      };
      sheet.getRange('B1').moveTo('A1');
      await context.sync();
      expect(result()).toBe('#REF!');
      undo(workbook);
      expect(result()).toBe(5);
      redo(workbook);
      expect(result()).toBe('#REF!');
    });
  });
});

describe('A formula whose result has no characters', () => {
  test('stays when the formats of its cell are cleared', async () => {
    await inWorkbook(async (sheet, context) => {
      const cell = sheet.getRange('A1');
      cell.formulas = [['=IF(B1="","",B1)']];
      await context.sync();
      cell.clear('Formats');
      cell.load('formulas');
      await context.sync();
      expect(cell.formulas).toEqual([['=IF(B1="","",B1)']]);
    });
  });

  test('moves out of the way of the rows and columns of a table', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:A2').values = [['Number'], [1]];
      const table = sheet.tables.add('A1:A2', true);
      sheet.getRange('A3').formulas = [['=IF(D9="","",1)']];
      sheet.getRange('B2').formulas = [['=IF(D9="","",2)']];
      await context.sync();
      table.rows.add(undefined, [[2]]);
      table.columns.add(undefined, [['Price'], [3], [4]]);
      const cells = sheet.getRange('A1:C4').load('formulas');
      await context.sync();
      expect(cells.formulas).toEqual([
        ['Number', 'Price', ''],
        [1, 3, '=IF(D9="","",2)'],
        [2, 4, ''],
        ['=IF(D9="","",1)', '', ''],
      ]);
    });
  });

  test('is sorted as the first of the texts, and not as a blank', async () => {
    await inWorkbook(async (sheet, context) => {
      sheet.getRange('A1:B5').formulas = [
        ['text', 'b'],
        ['formula', '=IF(D9="","",1)'],
        ['number', 5],
        ['blank', ''],
        ['other text', 'a'],
      ];
      const cells = sheet.getRange('A1:B5');
      cells.sort.apply([{ key: 1, ascending: false }]);
      const names = sheet.getRange('A1:A5').load('values');
      await context.sync();
      expect(names.values.flat()).toEqual(['text', 'other text', 'formula', 'number', 'blank']);
    });
  });
});

test('A request after the first formula of a workbook waits until its engine is loaded', async () => {
  const workbook = new Workbook();
  calculateWhenNeeded(workbook, { functions: [], calls: new FunctionCalls() });
  await openExcel(workbook).Excel.run(async (context) => {
    enterValues(workbook.active, { row: 0, column: 0, rows: 1, columns: 1 }, '=4*100');
    const cell = context.workbook.worksheets.getActiveWorksheet().getRange('A1').load('values');
    await context.sync();
    expect(cell.values).toEqual([[400]]);
  });
});
