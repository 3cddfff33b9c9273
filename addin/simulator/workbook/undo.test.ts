import { describe, expect, test } from 'vitest';
import { openExcel } from '../node.ts';
import { enterValues } from './enter.ts';
import { cellAt } from './sheet.ts';
import { sortRows } from './sort.ts';
import { addTable, growByTyping } from './tableShape.ts';
import { recordStep, redo, undo } from './undo.ts';
import { createWorkbook, type Workbook } from './workbook.ts';

const at = (row: number, column: number, rows = 1, columns = 1) => ({ row, column, rows, columns });

const opened = () => {
  const workbook = createWorkbook();
  const { Excel } = openExcel(workbook);
  const write = (address: string, values: unknown[][]) =>
    Excel.run(async (context) => {
      context.workbook.worksheets.getActiveWorksheet().getRange(address).values = values as never;
      await context.sync();
    });
  return { workbook, sheet: workbook.active, Excel, write };
};

const type = (workbook: Workbook, row: number, column: number, text: string) =>
  recordStep(workbook, () => enterValues(workbook.active, at(row, column), text));

const value = (workbook: Workbook, row: number, column: number) => cellAt(workbook.active, row, column)?.value;

describe('Undo', () => {
  test('takes back what an add-in wrote as well as what was typed, the latest first, and does it again', async () => {
    const { workbook, write } = opened();
    type(workbook, 0, 0, '5');
    await write('A1:B1', [['', 'Added']]);
    expect([value(workbook, 0, 0), value(workbook, 0, 1)]).toEqual([undefined, 'Added']);
    undo(workbook);
    expect([value(workbook, 0, 0), value(workbook, 0, 1)]).toEqual([5, undefined]);
    undo(workbook);
    expect(value(workbook, 0, 0)).toBeUndefined();
    undo(workbook);
    redo(workbook);
    redo(workbook);
    expect([value(workbook, 0, 0), value(workbook, 0, 1)]).toEqual([undefined, 'Added']);
  });

  test('goes back over a sort, and over a table that grew', () => {
    const { workbook, sheet } = opened();
    enterValues(sheet, at(0, 0, 4), [['Number'], [3], [1], [2]]);
    const table = addTable(sheet, at(0, 0, 4), true);
    recordStep(workbook, () => sortRows(sheet, at(1, 0, 3), [{ key: 0, ascending: true }]));
    recordStep(workbook, () => {
      growByTyping(sheet, at(4, 0));
      enterValues(sheet, at(4, 0), 9);
    });
    expect([table.area.rows, value(workbook, 1, 0)]).toEqual([5, 1]);
    undo(workbook);
    expect([table.area.rows, value(workbook, 4, 0)]).toEqual([4, undefined]);
    undo(workbook);
    expect([1, 2, 3].map((row) => value(workbook, row, 0))).toEqual([3, 1, 2]);
  });

  test('ends where cells were inserted or a sheet was added', async () => {
    const { workbook, write, Excel } = opened();
    await write('A1', [['kept']]);
    await Excel.run(async (context) => {
      context.workbook.worksheets.add('Another');
      await context.sync();
    });
    undo(workbook);
    expect(value(workbook, 0, 0)).toBe('kept');
  });
});
