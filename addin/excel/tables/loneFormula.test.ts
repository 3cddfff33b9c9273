import { beforeEach, describe, expect, it } from 'vitest';
import { article, articleWorkbook } from '../../../testing/addin/articles.ts';

const workbook = articleWorkbook();

beforeEach(() => workbook.open());

const articles = (count: number) => Array.from({ length: count }, (_, index) => article(`A${index + 1}`));

describe('A formula in one cell of a column of the user', () => {
  it.each([
    [1, [1], 0],
    [3, [3], 0],
    [3, [2, 3], 0],
    [5, [5], 1],
    [5, [], 1],
    [1, [], 1],
    [3, [1, 2, 3, 4, 5], 1],
  ])('in row %i fills no other cells when a refresh changes rows %j and adds %i', async (row, changed, added) => {
    await workbook.create(articles(5));
    await workbook.addUserColumn('Mine', {});
    workbook.excel.type('Articles', row, 5, '=C2*2');
    expect(workbook.body().filter((cells) => cells[5] !== '')).toHaveLength(1);
    const now = articles(5 + added).map((one, index) => (changed.includes(index + 1) ? { ...one, name: 'New' } : one));
    await workbook.refresh(now);
    const filled = workbook.excel
      .sheet('Articles')
      .rows.flatMap(({ cells } = { cells: [] } as never, at) =>
        cells[5]?.formula === undefined ? [] : [[at, cells[5].formula]],
      );
    expect(filled).toEqual([[row, '=C2*2']]);
  });
});
