import { beforeEach, describe, expect, it } from 'vitest';
import { article, articleWorkbook } from '../../../testing/addin/articles.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { CHANGE_FILL } from './markChanges.ts';

const workbook = articleWorkbook();
beforeEach(() => workbook.open());

/** The addresses of marked cells in the first twenty rows. */
const marked = (): Promise<string[]> =>
  Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getItem('Articles');
    const cells = [...'ABCDEF'].flatMap((column) => Array.from({ length: 20 }, (_, row) => `${column}${row + 1}`));
    const fills = cells.map((address) => {
      const { fill } = sheet.getRange(address).format;
      fill.load({ color: true });
      return { address, fill };
    });
    await context.sync();
    return fills.flatMap(({ address, fill }) => (fill.color.toUpperCase() === CHANGE_FILL ? [address] : []));
  });

/** The number of marked cells in all rows. */
const markedInSheet = (): number =>
  workbook.excel
    .sheet('Articles')
    .rows.reduce(
      (sum, row) => sum + (row?.cells ?? []).filter((cell) => cell?.style?.fillColor === CHANGE_FILL).length,
      0,
    );

const refresh = (...articles: Parameters<typeof workbook.refresh>[0]) => workbook.refresh(articles, undefined, true);

describe('A refresh that marks what changed', () => {
  it('fills the changed cells and new rows, and removes the marks of the refresh before', async () => {
    await workbook.create([article('1'), article('2'), article('3')]);
    expect(
      await refresh(article('1'), article('2', { price: '99', stocked: false }), article('3'), article('4')),
    ).toMatchObject({
      changed: 1,
      added: 1,
      marked: 2,
    });
    expect(await marked()).toEqual(['A5', 'B5', 'C3', 'C5', 'D5', 'E3', 'E5']);

    // Sorted by hand meanwhile: marks move with their cells, and are found there.
    sortTable(workbook.excel.sheet('Articles').tables[0]!, [{ key: 0, ascending: false }], false);
    await refresh(
      article('1', { name: 'One' }),
      article('2', { price: '99', stocked: false }),
      article('3'),
      article('4'),
    );
    expect(await marked()).toEqual(['B5']);
  });

  it('leaves the fill that the user gave a cell, and columns of the user', async () => {
    await workbook.create([article('1'), article('2')]);
    await workbook.addUserColumn('Note', { 0: 'mine' });
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').getRange('C2').format.fill.color = '#00FF00';
      await context.sync();
    });
    await refresh(article('1', { name: 'One', price: '7' }), article('2', { name: 'Two' }), article('3'));
    expect(await marked()).toEqual(['A4', 'B2', 'B3', 'B4', 'C4', 'D4', 'E4']);
  });

  it('removes the marks when changes are not marked any more, and then looks for none', async () => {
    await workbook.create([article('1')]);
    await refresh(article('1', { price: '7' }));
    expect(await marked()).toEqual(['C2']);
    expect(await workbook.refresh([article('1', { price: '8' })])).not.toHaveProperty('marked');
    expect(await marked()).toEqual([]);
    expect((await workbook.handle()).memory.hasMarks).toBe(false);
  });

  it('removes more scattered marks than fit into a request', async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => article(String(index + 1)));
    await workbook.create(rows);
    const changes = { name: 'New', price: '7', since: '2026-01-01', stocked: false };
    const changed = rows.map((row, index) => (index % 2 === 0 ? { ...row, ...changes } : row));
    expect(await refresh(...changed)).toMatchObject({ changed: 1_000, marked: 1_000 });
    expect(markedInSheet()).toBe(4_000);
    expect(await refresh(...changed)).toMatchObject({ changed: 0, marked: 0 });
    expect(markedInSheet()).toBe(0);
  });

  it('finds rows by keys that together exceed what one response may have', async () => {
    const numbered = (index: number) => article(String(index).padStart(300, '0'));
    const rows = Array.from({ length: 20_000 }, (_, index) => numbered(index));
    await workbook.create(rows);
    expect(await refresh(...rows.with(8, { ...rows[8]!, price: '7' }))).toMatchObject({ changed: 1, marked: 1 });
    expect(await marked()).toEqual(['C10']);
  });

  it('marks rows wherever they are when the user sorts between finding and marking them', async () => {
    await workbook.create([article('1'), article('2'), article('3')]);
    let isSorted = false;
    workbook.excel.watch((_, body) => {
      if (!isSorted && body.includes(CHANGE_FILL)) {
        isSorted = true;
        sortTable(workbook.excel.sheet('Articles').tables[0]!, [{ key: 0, ascending: false }], false);
      }
      return undefined;
    });
    await refresh(article('1', { price: '7' }), article('2'), article('3'));
    expect(workbook.body()[2]![0]).toBe('1');
    expect([isSorted, await marked()]).toEqual([true, ['C4']]);
  });
});
