import { beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { enterValues } from '../../simulator/workbook/changes/enter.ts';
import { growByTyping } from '../../simulator/workbook/changes/tableShape.ts';
import { createTable } from './createTable.ts';
import { readTable } from './readTable.ts';
import { appendRows, findRowsBelow, includeRowsBelow } from './rowsBelow.ts';
import type { TableSpec } from './table.ts';
import { tablesInWorkbook } from './tableMemory.ts';

type Product = { article: string };

const spec: TableSpec<Product> = {
  source: { view: 'products', administration: { id: 'a1', label: 'Jansen' }, endpoint: 'updateproduct', query: {} },
  sheetName: 'Products',
  keys: ['article'],
  columns: [
    { key: 'article', heading: 'Article number', kind: 'text', width: 12, value: ({ article }) => article },
    { key: 'price', heading: 'Price', kind: 'price', width: 12, value: () => '' },
  ],
};

let excel: TestWorkbook;
beforeEach(async () => {
  excel = openTestWorkbook();
  const writer = await createTable(spec);
  await writer.write([{ article: '0100' }, { article: '0200' }]);
  await writer.finish();
});

const handle = async () => (await tablesInWorkbook())[0]!;
const articles = async () => (await readTable(await handle())).map(({ cells }) => cells.get('article'));
const typeBelow = (...rows: string[][]) =>
  rows.forEach((cells, row) => {
    cells.forEach((text, column) => {
      excel.type('Products', 3 + row, column, text);
    });
  });

describe('Rows directly below a table', () => {
  it('are not found behind an empty row', async () => {
    expect(await findRowsBelow(await handle())).toBeUndefined();
    typeBelow(['', ''], ['0400', '']);
    expect(await findRowsBelow(await handle())).toBeUndefined();
  });

  it('are found up to the first empty row, and included in the table', async () => {
    typeBelow(['0300', '1'], ['', '2'], ['', ''], ['0600', '']);
    const found = await findRowsBelow(await handle());
    expect(found).toEqual({ first: 4, last: 5 });
    await includeRowsBelow(await handle(), found!);
    expect(await articles()).toEqual(['0100', '0200', '0300', '']);
    expect(await findRowsBelow(await handle())).toBeUndefined();
  });

  it('are not included when they have changed', async () => {
    typeBelow(['0300', '1']);
    const found = await findRowsBelow(await handle());
    typeBelow(['0300', '1'], ['0400', '2']);
    await expect(includeRowsBelow(await handle(), found!)).rejects.toMatchObject({ code: 'ROWS_MOVED' });
    expect(await articles()).toEqual(['0100', '0200']);
  });

  it('are not included in a table whose header row was turned off', async () => {
    typeBelow(['0300', '1']);
    excel.sheet('Products').tables[0]!.showHeaders = false;
    const found = await findRowsBelow(await handle());
    await expect(includeRowsBelow(await handle(), found!)).rejects.toMatchObject({ code: 'NO_HEADERS' });
  });

  it('are found where they exceed what one response may have', async () => {
    const texts = Array.from({ length: 10_000 }, (_, row) => [`${row}`.padStart(600, '0')]);
    enterValues(excel.sheet('Products'), { row: 3, column: 0, rows: texts.length, columns: 1 }, texts);
    expect(await findRowsBelow(await handle())).toEqual({ first: 4, last: 10_003 });
  });

  it('become rows of the table when Excel extends it for a pasted range', async () => {
    const sheet = excel.sheet('Products');
    const area = { row: 2, column: 0, rows: 3, columns: 1 };
    growByTyping(sheet, area);
    enterValues(sheet, area, [['0201'], ['0300'], ['0400']]);
    expect(await articles()).toEqual(['0100', '0201', '0300', '0400']);
    expect(await findRowsBelow(await handle())).toBeUndefined();
  });
});

describe('A row that is added to a table', () => {
  const add = async (article: string) =>
    appendRows(await handle(), {
      rows: [{ article, price: 2, gone: 'x' }],
      prefilled: [],
      isThere: ({ cells }) => cells.get('article') === article,
    });
  const cellsIn = async (row: number) =>
    new Map((await readTable(await handle())).find(({ number }) => number === row)?.cells);

  it('makes the table longer when no row of it is empty, and moves down what is below it', async () => {
    typeBelow(['below', '']);
    expect(await add('007')).toEqual({ number: 4, wasThere: false });
    expect(await articles()).toEqual(['0100', '0200', '007']);
    expect(await cellsIn(4)).toEqual(
      new Map<string, unknown>([
        ['article', '007'],
        ['price', 2],
      ]),
    );
    expect(excel.cells('Products')[4]![0]).toBe('below');
  });

  it('is refused when it would make a table longer whose header row was turned off', async () => {
    excel.sheet('Products').tables[0]!.showHeaders = false;
    await expect(add('007')).rejects.toMatchObject({ code: 'NO_HEADERS' });
    expect(await articles()).toEqual(['0100', '0200']);
  });

  it('is not added when the table has it', async () => {
    expect(await add('0200')).toEqual({ number: 3, wasThere: true });
    expect(await articles()).toEqual(['0100', '0200']);
    expect((await cellsIn(3)).get('price')).toBe('');
  });

  it('takes the first of the empty rows at the end, and none between others', async () => {
    await add('1');
    await add('2');
    await add('3');
    excel.type('Products', 2, 0, '');
    excel.type('Products', 2, 1, '');
    for (const row of [4, 5]) for (const column of [0, 1]) excel.type('Products', row, column, '');
    expect(await add('4')).toEqual({ number: 5, wasThere: false });
    expect(await articles()).toEqual(['0100', '', '1', '4', '']);
  });

  it('takes no row that has only a note of the user, nor a row above it', async () => {
    await add('1');
    await add('2');
    await add('3');
    for (const row of [3, 4, 5]) for (const column of [0, 1]) excel.type('Products', row, column, '');
    await Excel.run(async (context) => {
      const { columns } = context.workbook.worksheets.getItem('Products').tables.getItemAt(0);
      columns.add(undefined, undefined, 'Twice').getDataBodyRange().formulas = Array(5).fill(['=2*[@Price]']);
      columns.add(undefined, undefined, 'Note').getDataBodyRange().getCell(3, 0).values = [['new, ask its price']];
      await context.sync();
    });
    expect(await add('4')).toEqual({ number: 6, wasThere: false });
    expect(excel.cells('Products').map((cells) => [cells[0], cells[3]])).toEqual([
      ['Article number', 'Note'],
      ['0100', ''],
      ['0200', ''],
      ['', ''],
      ['', 'new, ask its price'],
      ['4', ''],
    ]);
  });

  it('may be several, in the empty rows first', async () => {
    await add('1');
    excel.type('Products', 3, 0, '');
    excel.type('Products', 3, 1, '');
    const rows = ['2', '3', '4'].map((article) => ({ article }));
    expect(await appendRows(await handle(), { rows, prefilled: [], isThere: () => false })).toEqual({
      number: 4,
      wasThere: false,
    });
    expect(await articles()).toEqual(['0100', '0200', '2', '3', '4']);
  });

  it('is refused when the table lacks a column that it must have, and nothing is written', async () => {
    const wanted = { prefilled: [], isThere: () => false, required: ['price', 'gone'] };
    await expect(
      appendRows(await handle(), { ...wanted, rows: [{ article: '1', price: 2, gone: 'x' }] }),
    ).rejects.toMatchObject({ code: 'COLUMN_GONE', detail: 'gone' });
    expect(await articles()).toEqual(['0100', '0200']);
  });

  it('is refused, and none lost in silence, when the user types into its empty row meanwhile', async () => {
    for (const article of ['1', '2', '3']) await add(article);
    for (const row of [3, 4, 5]) for (const column of [0, 1]) excel.type('Products', row, column, '');
    const table = await handle();
    // Requests 1 to 3 read the table, 4 to 6 read notes in its empty rows, and those after them write.
    excel.watch((request) => {
      if (request === 7) excel.type('Products', 3, 0, '9');
    });
    const rows = ['5', '6', '7'].map((article) => ({ article }));
    const outcome = await appendRows(table, { rows, prefilled: [], isThere: () => false }).catch(({ code }) => code);
    expect(outcome).toBe('ROWS_MOVED');
  });
});
