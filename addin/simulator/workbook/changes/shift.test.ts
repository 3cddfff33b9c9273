import { expect, test } from 'vitest';
import { Workbook } from '../workbook.ts';
import { enterValues } from './enter.ts';
import { deleteCells, insertCells } from './shift.ts';
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
