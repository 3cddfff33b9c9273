import { beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { adoptCopiedTable, copiedTables } from './copiedTables.ts';
import { createTable } from './createTable.ts';
import { readTable } from './readTable.ts';
import type { TableSpec } from './table.ts';
import { tablesInWorkbook } from './tableMemory.ts';

type Product = { article: string };

const specIn = (article: string, price: string): TableSpec<Product> => ({
  source: { view: 'products', administration: { id: 'a1', label: 'Jansen' }, endpoint: 'updateproduct', query: {} },
  sheetName: 'Products',
  keys: ['article'],
  columns: [
    { key: 'article', heading: article, kind: 'text', width: 12, value: (row) => row.article },
    { key: 'price', heading: price, kind: 'price', width: 12, value: () => '' },
  ],
});
const dutch = specIn('Artikelnummer', 'Prijs');
const english = specIn('Article number', 'Price');

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

const createAndCopy = async () => {
  const writer = await createTable(dutch);
  await writer.write([{ article: '0100' }]);
  await writer.finish();
  await Excel.run(async (context) => {
    context.workbook.worksheets.getItem('Products').copy('End');
    await context.sync();
  });
};

describe('A copied product sheet', () => {
  it('is recognised by its headings in any language, since its stored data is lost', async () => {
    await createAndCopy();
    expect((await tablesInWorkbook()).map(({ sheetName }) => sheetName)).toEqual(['Products']);
    const found = await copiedTables([english, dutch]);
    expect(found).toMatchObject([{ sheetName: 'Products (2)', model: dutch }]);
    expect(await copiedTables([english])).toEqual([]);
  });

  it('becomes a product sheet of its own when it is adopted', async () => {
    await createAndCopy();
    const [copy] = await copiedTables([dutch]);
    await adoptCopiedTable(copy!);
    expect(await copiedTables([dutch])).toEqual([]);
    const handle = (await tablesInWorkbook())[1]!;
    expect(handle.sheetName).toBe('Products (2)');
    excel.type('Products (2)', 1, 1, '12.5');
    const [row] = await readTable(handle);
    expect([...row!.cells]).toEqual([
      ['article', '0100'],
      ['price', 12.5],
    ]);
  });
});
