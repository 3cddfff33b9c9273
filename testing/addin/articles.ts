import type { Retry } from '../../addin/excel/batch.ts';
import type { Cell } from '../../addin/excel/cell.ts';
import { createTable } from '../../addin/excel/tables/createTable.ts';
import { refreshTable } from '../../addin/excel/tables/refresh/refreshTable.ts';
import type { TableSpec } from '../../addin/excel/tables/table.ts';
import { type Source, tablesInWorkbook } from '../../addin/excel/tables/tableMemory.ts';
import { openTestWorkbook, type TestWorkbook } from './workbook.ts';

/*
 * A table of articles in a simulated workbook.
 */

export type Article = {
  number: string;
  name: string;
  price: string | null;
  since: string | null;
  stocked: boolean | null;
};

export const source: Source = {
  view: 'articles',
  administration: { id: 'a1', label: 'Bakkerij Jansen' },
  endpoint: 'listarticles',
  query: { Year: '2025' },
};

export const spec: TableSpec<Article> = {
  source,
  sheetName: 'Articles',
  keys: ['number'],
  columns: [
    { key: 'number', heading: 'Number', kind: 'text', width: 12, value: ({ number }) => number },
    { key: 'name', heading: 'Name', kind: 'text', width: 30, value: ({ name }) => name },
    { key: 'price', heading: 'Price', kind: 'amount', width: 12, value: ({ price }) => price },
    { key: 'since', heading: 'Since', kind: 'date', width: 12, value: ({ since }) => since },
    { key: 'stocked', heading: 'Stocked', kind: 'boolean', width: 10, value: ({ stocked }) => stocked },
  ],
};

export const article = (number: string, more: Partial<Article> = {}): Article => ({
  number,
  name: `Article ${number}`,
  price: '12.5',
  since: '2025-03-01',
  stocked: true,
  ...more,
});

/** A workbook for the tests of a file; `open` replaces it. */
export function articleWorkbook() {
  let excel: TestWorkbook;
  const handle = async () => (await tablesInWorkbook())[0]!;
  return {
    get excel() {
      return excel;
    },
    open(language: 'en' | 'nl' = 'en'): void {
      excel = openTestWorkbook(language);
    },

    async create(articles: Article[], retry?: Retry) {
      const writer = await createTable(spec, retry);
      await writer.write(articles);
      return writer.finish();
    },

    handle,

    async refresh(articles: Article[], retry?: Retry, marksChanges?: boolean) {
      const writer = await refreshTable(await handle(), spec, retry, marksChanges);
      await writer.write(articles);
      return writer.finish();
    },

    /** Adds a column to the table as the user does, with texts in some of its rows. */
    addUserColumn: (heading: string, texts: Record<number, string>, index?: number) =>
      Excel.run(async (context) => {
        const table = context.workbook.worksheets.getItem('Articles').tables.getItemAt(0);
        const column = table.columns.add(index, undefined, heading);
        for (const [row, text] of Object.entries(texts)) {
          column.getDataBodyRange().getCell(Number(row), 0).values = [[text]];
        }
        await context.sync();
      }),

    deleteColumn: (heading: string) =>
      Excel.run(async (context) => {
        context.workbook.worksheets.getItem('Articles').tables.getItemAt(0).columns.getItem(heading).delete();
        await context.sync();
      }),

    /** The cells of the table without its headings. */
    body: (): Cell[][] => excel.cells('Articles').slice(1),
  };
}
