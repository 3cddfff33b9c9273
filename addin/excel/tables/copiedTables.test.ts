import { beforeEach, describe, expect, it } from 'vitest';
import { article, articleWorkbook } from '../../../testing/addin/articles.ts';
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
    // Any push may have sent rows of it.
    expect(Date.parse(handle.memory.pulledAt)).toBeLessThan(Date.parse('2000-01-01'));
    excel.type('Products (2)', 1, 1, '12.5');
    const [row] = await readTable(handle);
    expect([...row!.cells]).toEqual([
      ['article', '0100'],
      ['price', 12.5],
    ]);
  });
});

describe('A table that the user made again over its cells', () => {
  const workbook = articleWorkbook();
  /** Its columns are counted from 1 again, as in a file of a program that does not keep their ids. */
  const makeAgain = () =>
    Excel.run(async (context) => {
      const { tables } = context.workbook.worksheets.getItem('Articles');
      tables.add(tables.getItemAt(0).convertToRange(), true);
      await context.sync();
    });

  beforeEach(() => workbook.open());

  it('has no other column in place of a deleted one', async () => {
    await workbook.create([article('1')]);
    await workbook.deleteColumn('Name');
    await makeAgain();
    const [row] = await readTable(await workbook.handle());
    expect([...row!.cells]).toEqual([
      ['number', '1'],
      ['price', 12.5],
      ['since', 45_717],
      ['stocked', true],
    ]);
    expect(await workbook.refresh([article('1')])).toMatchObject({ changed: 0 });
  });

  it('keeps the columns of the user', async () => {
    await workbook.create([article('1')]);
    await workbook.deleteColumn('Name');
    await workbook.deleteColumn('Stocked');
    await workbook.addUserColumn('Note', { 0: 'mine' });
    await workbook.addUserColumn('Shelf', { 0: 'B7' });
    await makeAgain();
    await workbook.refresh([article('1', { price: '13' })]);
    expect(workbook.body()).toEqual([['1', 13, 45_717, 'mine', 'B7']]);
  });

  it('keeps a column that the user made where the last one was, when a refresh came between', async () => {
    await workbook.create([article('1')]);
    await workbook.deleteColumn('Stocked');
    await workbook.refresh([article('1')]);
    await workbook.addUserColumn('Note', { 0: 'mine' });
    await makeAgain();
    await workbook.refresh([article('1', { price: '13' })]);
    expect(workbook.body()).toEqual([['1', 'Article 1', 13, 45_717, 'mine']]);
  });

  it('has a column again that the user brings back by its heading after a refresh, also when it is renamed', async () => {
    await workbook.create([article('1')]);
    await workbook.deleteColumn('Stocked');
    await workbook.refresh([article('1')]);
    await workbook.addUserColumn('Stocked', {});
    await workbook.refresh([article('1')]);
    workbook.excel.type('Articles', 0, 4, 'In stock');
    await workbook.refresh([article('1', { stocked: false })]);
    expect(workbook.body()).toEqual([['1', 'Article 1', 12.5, 45_717, false]]);
  });
});
