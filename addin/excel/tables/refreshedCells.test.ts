import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { article, articleWorkbook } from '../../../testing/addin/articles.ts';
import { deeper } from '../../../testing/deep.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { resizeTable } from '../../simulator/workbook/changes/tableShape.ts';
import type { Cell } from '../cell.ts';

const workbook = articleWorkbook();

beforeEach(() => workbook.open());

describe('A refreshed table', () => {
  it('gets changed and new rows, and loses rows that are no longer received', async () => {
    await workbook.create([article('1'), article('2'), article('3')]);
    const written = await workbook.refresh([article('2', { price: '99' }), article('3'), article('4')]);
    expect(written).toMatchObject({ rows: 3, added: 1, changed: 1, removed: 1, retained: [] });
    expect(workbook.body().map(([number, , price]) => [number, price])).toEqual([
      ['2', 99],
      ['3', 12.5],
      ['4', 12.5],
    ]);
    expect(workbook.excel.sheet('Articles').tables[0]!.area.rows).toBe(4);
  });

  it.each([4, 5, 6, 7, 8, 9, 10])('gets a new row once that another window adds before request %i', async (moment) => {
    await workbook.create([article('1'), article('2')]);
    let isAdded = false;
    workbook.excel.watch((request) => {
      if (request !== moment) return undefined;
      const [table] = workbook.excel.sheet('Articles').tables;
      const { rows } = table!.area;
      resizeTable(table!, { ...table!.area, rows: rows + 1 });
      workbook.excel.type('Articles', rows, 0, '3');
      isAdded = true;
      return undefined;
    });
    await workbook.refresh([article('1'), article('2'), article('3'), article('4')]);
    expect(isAdded).toBe(true);
    expect(workbook.body().map(([number, , price]) => [number, price])).toEqual([
      ['1', 12.5],
      ['2', 12.5],
      ['3', 12.5],
      ['4', 12.5],
    ]);
    expect(workbook.excel.sheet('Articles').tables[0]!.area.rows).toBe(5);
  });

  it('counts and formats rows as new after all rows were removed', async () => {
    await workbook.create([article('1'), article('2')]);
    const formats = workbook.excel.formats('Articles', 1);
    expect(await workbook.refresh([])).toMatchObject({ rows: 0, removed: 2 });
    expect(await workbook.refresh([article('3'), article('4')])).toMatchObject({
      rows: 2,
      added: 2,
      changed: 0,
      removed: 0,
    });
    expect([workbook.excel.formats('Articles', 1), workbook.excel.formats('Articles', 2)]).toEqual([formats, formats]);
  });

  it('has no cell written when nothing changed', async () => {
    await workbook.create([article('0100', { name: '=x' }), article('2')]);
    const changes: unknown[] = [];
    workbook.excel.workbook.subscribe((change) => change.kind === 'content' && changes.push(change));
    await workbook.refresh([article('0100', { name: '=x' }), article('2')]);
    expect(changes).toEqual([]);
  });

  it('keeps the columns of the user on the right rows after sorting', async () => {
    await workbook.create([article('1', { price: '1' }), article('2', { price: '2' }), article('3', { price: '3' })]);
    await workbook.addUserColumn('Note', { 0: 'note of 1', 2: 'note of 3' });
    const [table] = workbook.excel.sheet('Articles').tables;
    sortTable(table!, [{ key: 2, ascending: false }], false);
    await workbook.refresh([
      article('1', { price: '10' }),
      article('2', { price: '20' }),
      article('3', { price: '30' }),
    ]);
    expect(workbook.body().map((cells) => [cells[0], cells[2], cells[5]])).toEqual([
      ['3', 30, 'note of 3'],
      ['2', 20, ''],
      ['1', 10, 'note of 1'],
    ]);
  });

  it('has its columns found after they were renamed or moved', async () => {
    await workbook.create([article('1')]);
    await workbook.addUserColumn('Mine', { 0: 'my own' }, 1);
    workbook.excel.type('Articles', 0, 3, 'Renamed price');
    await workbook.refresh([article('1', { name: 'New name', price: '7' })]);
    expect(workbook.body()).toEqual([['1', 'my own', 'New name', 7, 45_717, true]]);
  });

  it('retains a row that is no longer received if the user wrote something beside it', async () => {
    await workbook.create([article('1'), article('2')]);
    await workbook.addUserColumn('Note', { 0: 'ask Piet' });
    const written = await workbook.refresh([article('2')]);
    expect(written).toMatchObject({ removed: 0, retained: ['1'] });
    expect(workbook.body().map(([number]) => number)).toEqual(['1', '2']);
  });

  it('retains a subtotal that the user inserted between its rows, wherever its name stands', async () => {
    await workbook.create([article('1'), article('2', { name: '=x' }), article('3', { price: '20' })]);
    await Excel.run(async (context) => {
      context.workbook.tables.getItemAt(0).rows.add(1, [['Subtotal', '', '=SUBTOTAL(9,C2:C2)', '', '']]);
      await context.sync();
    });
    const written = await workbook.refresh([article('1', { price: '10' }), article('3', { price: '20' })]);
    expect(written).toMatchObject({ changed: 1, removed: 1, retained: ['Subtotal'] });
    expect(workbook.body().map(([number, , price]) => [number, price])).toEqual([
      ['1', 10],
      ['Subtotal', '=SUBTOTAL(9,C2:C2)'],
      ['3', 20],
    ]);
  });

  it('evaluates no text in a text column with another format', async () => {
    await workbook.create([article('1')]);
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').getRange('B1:B9').numberFormat =
        'General' as unknown as string[][];
      await context.sync();
    });
    await workbook.refresh([article('1', { name: '=1+1' }), article('2', { name: '=2+2' })]);
    expect(workbook.body().map(([, name]) => name)).toEqual(['=1+1', '=2+2']);
    const cells = workbook.excel.sheet('Articles').rows.flatMap((row) => row?.cells ?? []);
    expect(cells.filter((cell) => cell?.formula !== undefined)).toEqual([]);
  });

  it('equals a new table of the same rows', async () => {
    const articles = fc.uniqueArray(
      fc.record({
        number: fc.integer({ min: 0, max: 30 }).map((number) => String(number).padStart(4, '0')),
        name: fc.constantFrom('=A1', 'Pen', "'t", ''),
        price: fc.constantFrom('1', '2.25', null),
        since: fc.constantFrom('2024-02-29', null),
        stocked: fc.constantFrom(true, false, null),
      }),
      { selector: ({ number }) => number, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(articles, articles, async (before, after) => {
        workbook.open();
        await workbook.create(before);
        await workbook.refresh(after);
        const refreshed = workbook.body();
        workbook.open();
        await workbook.create(after);
        const byNumber = (a: Cell[], b: Cell[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
        expect(refreshed.toSorted(byNumber)).toEqual(workbook.body().toSorted(byNumber));
      }),
      { numRuns: deeper(12, 80) },
    );
  });

  it('fails with the heading of a deleted key column', async () => {
    await workbook.create([article('1')]);
    await workbook.deleteColumn('Number');
    await expect(workbook.refresh([article('1')])).rejects.toMatchObject({ code: 'COLUMN_GONE', detail: 'Number' });
  });
});
