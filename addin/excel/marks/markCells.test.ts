import { beforeEach, expect, it } from 'vitest';
import { article, articleWorkbook } from '../../../testing/addin/articles.ts';
import { dragColumn } from '../../../testing/addin/dragColumn.ts';
import { MARK_FILL, type MarkedCell, markCells } from './markCells.ts';

const workbook = articleWorkbook();
beforeEach(() => workbook.open());

const USERS_FILL = '#00FF00';
const columns = ['name', 'price'];
const mark = async (...cells: MarkedCell[]) => markCells(await workbook.handle(), columns, cells);

const fillOf = (address: string): Promise<string> =>
  Excel.run(async (context) => {
    const { fill } = context.workbook.worksheets.getItem('Articles').getRange(address).format;
    fill.load({ color: true });
    await context.sync();
    return fill.color;
  });
const fill = (address: string, color: string): Promise<void> =>
  Excel.run(async (context) => {
    context.workbook.worksheets.getItem('Articles').getRange(address).format.fill.color = color;
    await context.sync();
  });

it('Marks are on the cells that were named, and the next call removes them wherever they are by now', async () => {
  await workbook.create(Array.from({ length: 40 }, (_, index) => article(`${index + 100}`)));
  await fill('C5', USERS_FILL);
  const before = await fillOf('B3');
  await mark({ number: 3, column: 'name' }, { number: 41, column: 'price' }, { number: 999, column: 'price' });
  expect([await fillOf('B3'), await fillOf('C41'), await fillOf('B4')]).toEqual([MARK_FILL, MARK_FILL, before]);
  // A user copies a marked cell, format and all.
  await fill('B30', MARK_FILL);
  await mark({ number: 4, column: 'name' });
  expect([await fillOf('B3'), await fillOf('C41'), await fillOf('B30')]).toEqual([before, before, before]);
  expect([await fillOf('B4'), await fillOf('C5')]).toEqual([MARK_FILL, USERS_FILL]);
  await mark();
  expect([await fillOf('B4'), await fillOf('C5')]).toEqual([before, USERS_FILL]);
});

it.each([1, 2, 3, 4])('Marks are on the column that was named when the user drags it before request %s', async (at) => {
  await workbook.create([article('1'), article('2')]);
  await workbook.addUserColumn('Note', { 0: 'mine' });
  const before = await fillOf('B3');
  await mark({ number: 2, column: 'name' });
  const handle = await workbook.handle();
  workbook.excel.watch((request) => {
    if (request === at) dragColumn(workbook.excel.sheet('Articles'), 1, 5);
  });
  await markCells(handle, columns, [{ number: 3, column: 'name' }]);
  expect([await fillOf('F2'), await fillOf('F3')]).toEqual([before, MARK_FILL]);
  for (const column of 'ABCDE')
    expect([await fillOf(`${column}2`), await fillOf(`${column}3`)]).toEqual([before, before]);
});
