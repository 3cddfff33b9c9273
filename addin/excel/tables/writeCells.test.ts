import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { article, articleWorkbook } from '../../../testing/addin/articles.ts';
import { dragColumn } from '../../../testing/addin/dragColumn.ts';
import { MAX_ROWS } from '../../simulator/workbook/cells/address.ts';
import { insertCells } from '../../simulator/workbook/changes/shift.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { noRetry } from '../batch.ts';
import { readTable } from './readTable.ts';
import { writeCells } from './writeCells.ts';

const workbook = articleWorkbook();

beforeEach(() => workbook.open());

describe('Cells that are written by key', () => {
  it('are written into the row that has the key now', async () => {
    await workbook.create([article('1', { price: '1' }), article('2', { price: '2' }), article('3', { price: '3' })]);
    const table = await workbook.handle();
    const rows = await readTable(table);
    expect(rows.map(({ number, cells }) => [number, cells.get('number')])).toEqual([
      [2, '1'],
      [3, '2'],
      [4, '3'],
    ]);
    sortTable(workbook.excel.sheet('Articles').tables[0]!, [{ key: 2, ascending: false }], false);
    const missing = await writeCells(
      table,
      ['number'],
      rows.map(({ number, cells }) => ({
        key: String(cells.get('number')),
        number,
        cells: { name: `now ${String(cells.get('number'))}` },
      })),
    );
    expect(missing).toEqual([]);
    expect(workbook.body().map(([number, name]) => [number, name])).toEqual([
      ['3', 'now 3'],
      ['2', 'now 2'],
      ['1', 'now 1'],
    ]);
  });

  it('are written into their own row if it has the key, else into the first that has it', async () => {
    const numbers = fc.array(fc.constantFrom<string>('1', '2', '3'), { minLength: 1, maxLength: 8 });
    const changes = fc.uniqueArray(fc.tuple(fc.nat(9), fc.constantFrom('1', '2', '3', '4')), {
      selector: ([, key]) => key,
    });
    await fc.assert(
      fc.asyncProperty(numbers, changes, async (keys, wanted) => {
        await workbook.open();
        await workbook.create(keys.map((key) => article(key, { name: '' })));
        const expected = keys.map(() => '');
        const written = wanted.map(([row, key], at) => {
          const own = keys[row] === key ? row : keys.indexOf(key);
          if (own >= 0) expected[own] = `change ${at}`;
          return { key, number: row + 2, cells: { name: `change ${at}` } };
        });
        const missing = await writeCells(await workbook.handle(), ['number'], written);
        expect(missing).toEqual(wanted.flatMap(([, key]) => (keys.includes(key) ? [] : [key])));
        expect(workbook.body().map(([, name]) => name)).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    { moved: 'down by a row', read: [2, 3, 4], keys: ['0', '1', '1', '1'], expected: ['', 'first', 'second', 'third'] },
    { moved: 'up by a row', read: [3, 4, 5], keys: ['1', '1', '1', '0'], expected: ['first', 'second', 'third', ''] },
    {
      moved: 'among others of the key',
      read: [2, 3, 4],
      keys: ['0', '0', '1', '1', '1', '1'],
      expected: ['', '', 'third', 'first', 'second', ''],
    },
    { moved: 'or lack one by now', read: [2, 3, 4], keys: ['0', '1', '1'], expected: ['', 'second', 'third'] },
  ])('are written into different rows where several of one key have moved $moved', async ({ read, keys, expected }) => {
    await workbook.create(keys.map((key) => article(key, { name: '' })));
    const changes = ['first', 'second', 'third'].map((name, at) => ({ key: '1', number: read[at]!, cells: { name } }));
    const missing = await writeCells(await workbook.handle(), ['number'], changes);
    expect(missing).toEqual(expected.includes('first') ? [] : ['1']);
    expect(workbook.body().map(([, name]) => name)).toEqual(expected);
  });

  it('are written without reading the keys of other rows, as long as none moved', async () => {
    await workbook.create(Array.from({ length: 300 }, (_, index) => article(`n${index}`)));
    const table = await workbook.handle();
    const change = (index: number) => ({ key: `n${index}`, number: index + 2, cells: { name: 'new' } });
    const requests: string[] = [];
    workbook.excel.watch((_, body) => void requests.push(body));
    await writeCells(table, ['number'], [change(100), change(101)]);
    // By their first row, column, number of rows and of columns.
    const ranges = [...requests.join().matchAll(/"GetRangeByIndexes"[^[]*\[(\d+),\d+,(\d+),\d+\]/gi)];
    expect(ranges.length).toBeGreaterThan(1);
    expect(new Set(ranges.map(([, row, rows]) => `${row} ${rows}`))).toEqual(new Set(['101 2']));
  });

  it('are written to a row that is found among keys that exceed what one response may have', async () => {
    const key = (index: number) => String(index).padStart(300, '0');
    await workbook.create(Array.from({ length: 20_000 }, (_, index) => article(key(index))));
    const changes = [{ key: key(19_999), number: 2, cells: { name: 'new' } }];
    expect(await writeCells(await workbook.handle(), ['number'], changes)).toEqual([]);
    expect(workbook.body().flatMap(([number, name]) => (name === 'new' ? number : []))).toEqual([key(19_999)]);
  });

  it('are written into the right rows when the user sorts between finding and writing', async () => {
    await workbook.create([article('1', { price: '1' }), article('2', { price: '2' }), article('3', { price: '3' })]);
    const table = await workbook.handle();
    const [excelTable] = workbook.excel.sheet('Articles').tables;
    // Requests 1 to 3 find the table and read its keys; the user sorts before the request that writes.
    let sorted = false;
    workbook.excel.watch((request) => {
      if (request !== 4) return;
      sorted = true;
      sortTable(excelTable!, [{ key: 2, ascending: false }], false);
    });
    await writeCells(table, ['number'], [{ key: '1', cells: { name: 'one' }, clear: { price: 1 } }]);
    expect(sorted).toBe(true);
    expect(
      workbook
        .body()
        .map(([number, name, price]) => [number, name, price])
        .toSorted(),
    ).toEqual([
      ['1', 'one', ''],
      ['2', 'Article 2', 2],
      ['3', 'Article 3', 3],
    ]);
  });

  it.each([1, 2, 3, 4])(
    'are written into their own column when the user inserts one before it, before request %s',
    async (inserting) => {
      await workbook.create([article('1'), article('2')]);
      const table = await workbook.handle();
      workbook.excel.watch((request) => {
        if (request !== inserting) return;
        const columnB = { row: 0, column: 1, rows: MAX_ROWS, columns: 1 };
        insertCells(workbook.excel.sheet('Articles'), columnB, 'Right');
        for (const row of [1, 2]) workbook.excel.type('Articles', row, 1, 'note');
      });
      await writeCells(table, ['number'], [{ key: '2', cells: { name: 'two' }, clear: { price: 12.5 } }]);
      expect(workbook.body().map((cells) => cells.slice(0, 4))).toEqual([
        ['1', 'note', 'Article 1', 12.5],
        ['2', 'note', 'two', ''],
      ]);
    },
  );

  it.each([1, 2, 3, 4])(
    'are written into their own column when the user drags another before it, before request %s',
    async (dragging) => {
      await workbook.create([article('1'), article('2')]);
      await workbook.addUserColumn('Note', { 0: 'note 1', 1: 'note 2' });
      const table = await workbook.handle();
      workbook.excel.watch((request) => {
        if (request === dragging) dragColumn(workbook.excel.sheet('Articles'), 5, 1);
      });
      await writeCells(table, ['number'], [{ key: '2', cells: { name: 'two' }, clear: { price: 12.5 } }]);
      expect(workbook.body().map((cells) => cells.slice(0, 4))).toEqual([
        ['1', 'note 1', 'Article 1', 12.5],
        ['2', 'note 2', 'two', ''],
      ]);
    },
  );

  it('are cleared only if they still have the value that was read', async () => {
    await workbook.create([article('1', { price: '5' }), article('2', { price: '5' })]);
    const table = await workbook.handle();
    workbook.excel.type('Articles', 2, 2, '8');
    await writeCells(
      table,
      ['number'],
      ['1', '2'].map((key) => ({ key, cells: {}, clear: { price: 5 } })),
    );
    expect(workbook.body().map(([, , price]) => price)).toEqual(['', 8]);
  });

  it('are not cleared when the user types into them between reading and writing', async () => {
    await workbook.create([article('1', { price: '5' }), article('2', { price: '5' })]);
    const table = await workbook.handle();
    let isTyped = false;
    workbook.excel.watch((request) => {
      if (request !== 4) return;
      isTyped = true;
      workbook.excel.type('Articles', 1, 2, '77');
    });
    await writeCells(
      table,
      ['number'],
      ['1', '2'].map((key) => ({ key, cells: { name: `now ${key}` }, clear: { price: 5 } })),
    );
    expect(isTyped).toBe(true);
    expect(workbook.body().map(([, name, price]) => [name, price])).toEqual([
      ['now 1', 77],
      ['now 2', ''],
    ]);
  });

  it('are written when a key column was deleted, as long as one is left', async () => {
    await workbook.create([article('1'), article('2')]);
    await workbook.deleteColumn('Stocked');
    expect(
      await writeCells(await workbook.handle(), ['number', 'stocked'], [{ key: '2 ', cells: { price: 3 } }]),
    ).toEqual([]);
    expect(workbook.body().map(([, , price]) => price)).toEqual([12.5, 3]);
    await expect(writeCells(await workbook.handle(), ['stocked'], [{ key: '', cells: {} }])).rejects.toMatchObject({
      code: 'COLUMN_GONE',
    });
  });

  it.each([
    '=1+1',
    '+1+1',
    '-1+1',
    '@SUM(1;1)',
    '1-2',
    '0100',
    '12345678901234567890',
    ' =HYPERLINK("https://a.example")',
    '($5)',
    '12:30 PM',
    '1 March 2026',
    'May 5',
    'TRUE',
    '1e5',
    '=HYPERLINK("https://a.example")',
  ])('are the text %s also where the user gave the cell another format', async (name) => {
    await workbook.create([article('1'), article('2'), article('3')]);
    await Excel.run(async (context) => {
      const { tables } = context.workbook.worksheets.getItem('Articles');
      tables.getItemAt(0).columns.getItem('Name').getDataBodyRange().numberFormat = [['General'], ['General'], ['@']];
      await context.sync();
    });
    const changes = ['1', '2', '3'].map((key) => ({ key, cells: { name: key === '2' ? 'Chair' : name } }));
    await writeCells(await workbook.handle(), ['number'], changes);
    const rows = await readTable(await workbook.handle());
    expect(rows.map(({ cells }) => cells.get('name'))).toEqual([name, 'Chair', name]);
  });

  it('get the text format before them whatever sign begins a text that has words', async () => {
    const signs = [...' \t=+-@\'"(€\uff1d'];
    await workbook.create(signs.map((_, index) => article(String(index))));
    await Excel.run(async (context) => {
      const { tables } = context.workbook.worksheets.getItem('Articles');
      const cells = tables.getItemAt(0).columns.getItem('Name').getDataBodyRange();
      cells.numberFormat = signs.map(() => ['General']);
      await context.sync();
    });
    const changes = signs.map((sign, index) => ({ key: String(index), cells: { name: `${sign}SUM of words` } }));
    await writeCells(await workbook.handle(), ['number'], changes);
    expect(signs.map((_, index) => workbook.excel.formats('Articles', index + 1)[1])).toEqual(signs.map(() => '@'));
  });

  it('are reported when their row is missing', async () => {
    await workbook.create([article('1')]);
    expect(await writeCells(await workbook.handle(), ['number'], [{ key: '9', cells: { name: 'x' } }])).toEqual(['9']);
    expect(workbook.body()).toEqual([['1', 'Article 1', 12.5, 45_717, true]]);
  });
});

describe('A restored formula', () => {
  it('does not fill its column', async () => {
    await workbook.create([1, 2, 3, 4].map((number) => article(String(number), { price: null })));
    await Excel.run(async (context) => {
      const column = context.workbook.worksheets.getItem('Articles').tables.getItemAt(0).columns.getItem('Price');
      column.getDataBodyRange().values = [[''], [''], [''], ['']];
      await context.sync();
    });
    workbook.excel.type('Articles', 4, 2, '=LEN(B5)');
    const opened = await workbook.handle();
    const table = workbook.excel.sheet('Articles').tables[0]!;
    // Requests 1 to 3 find the row of article 1; the user sorts before the request that writes.
    workbook.excel.watch((request) => {
      if (request === 4) sortTable(table, [{ key: 0, ascending: false }]);
    });
    expect(await writeCells(opened, ['number'], [{ key: '1', cells: { price: 12 } }], noRetry)).toEqual([]);
    expect(workbook.body().map(([number, , price]) => [number, price])).toEqual([
      ['4', '=LEN(B2)'],
      ['3', ''],
      ['2', ''],
      ['1', 12],
    ]);
  });
});
