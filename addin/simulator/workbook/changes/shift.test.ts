import { expect, test } from 'vitest';
import { MAX_ROWS } from '../cells/address.ts';
import { styleAt, valueAt } from '../sheet.ts';
import { Workbook } from '../workbook.ts';
import { enterValues } from './enter.ts';
import { setStyle } from './restyle.ts';
import { deleteCells, insertCells, insertStyled } from './shift.ts';
import { addTable } from './tableShape.ts';

test('A table keeps its columns when cells above it are inserted or deleted', () => {
  const { active: sheet } = new Workbook();
  enterValues(sheet, { row: 1, column: 0, rows: 2, columns: 3 }, [
    ['Code', 'Price', 'Stock'],
    ['a', 1, 2],
  ]);
  const table = addTable(sheet, { row: 1, column: 0, rows: 2, columns: 3 }, true);
  const names = () => table.columns.map(({ name }) => name);
  deleteCells(sheet, { row: 0, column: 0, rows: 1, columns: 2 }, 'Left');
  insertCells(sheet, { row: 0, column: 1, rows: 1, columns: 2 }, 'Right');
  expect(names()).toEqual(['Code', 'Price', 'Stock']);
  insertCells(sheet, { row: 0, column: 1, rows: 3, columns: 1 }, 'Right');
  expect(names()).toEqual(['Code', expect.any(String), 'Price', 'Stock']);
});

test('A column that is inserted in a table beside a formatted heading shows its own heading', () => {
  const { active: sheet } = new Workbook();
  const area = { row: 0, column: 0, rows: 2, columns: 2 };
  enterValues(sheet, area, [
    ['Code', 'Price'],
    ['a', 1],
  ]);
  setStyle(sheet, area, 'bold', true);
  const table = addTable(sheet, area, true);
  insertStyled(sheet, { row: 0, column: 1, rows: MAX_ROWS, columns: 1 }, 'Right');
  const [, { name }] = table.columns as [unknown, { name: string }];
  expect([0, 1, 2].map((column) => valueAt(sheet, 0, column))).toEqual(['Code', name, 'Price']);
  expect([0, 1].map((row) => styleAt(sheet, row, 1).bold)).toEqual([true, true]);
});
