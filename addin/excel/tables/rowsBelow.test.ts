import { beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { enterValues } from '../../simulator/workbook/changes/enter.ts';
import { growByTyping } from '../../simulator/workbook/changes/tableShape.ts';
import { createTable } from './createTable.ts';
import { readTable } from './readTable.ts';
import { findRowsBelow, includeRowsBelow } from './rowsBelow.ts';
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

  it('become rows of the table when Excel extends it for a pasted range', async () => {
    const sheet = excel.sheet('Products');
    const area = { row: 2, column: 0, rows: 3, columns: 1 };
    growByTyping(sheet, area);
    enterValues(sheet, area, [['0201'], ['0300'], ['0400']]);
    expect(await articles()).toEqual(['0100', '0201', '0300', '0400']);
    expect(await findRowsBelow(await handle())).toBeUndefined();
  });
});
