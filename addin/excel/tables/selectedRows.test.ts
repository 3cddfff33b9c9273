import { beforeEach, describe, expect, it } from 'vitest';
import { article, articleWorkbook } from '../../../testing/addin/articles.ts';
import { dragColumn } from '../../../testing/addin/dragColumn.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../../simulator/workbook/cells/address.ts';
import { insertCells } from '../../simulator/workbook/changes/shift.ts';
import { filterRows } from './filterRows.ts';
import { readSelectedRows } from './selectedRows.ts';

const workbook = articleWorkbook();
beforeEach(async () => {
  workbook.open();
  await workbook.create(['1', '2', '3', '4'].map((number) => article(number)));
});

const sheet = () => workbook.excel.sheet('Articles');
const select = (address: string) =>
  Excel.run(async (context) => {
    context.workbook.worksheets.getItem('Articles').getRange(address).select();
    await context.sync();
  });
const insertWhole = (at: { row: number; rows: number } | { column: number; columns: number }) =>
  insertCells(sheet(), { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS, ...at }, 'Down');

const disturbances: [string, () => void][] = [
  ['inserts a row above the table', () => insertWhole({ row: 0, rows: 1 })],
  ['inserts rows within the table', () => insertWhole({ row: 2, rows: 2 })],
  ['inserts a column left of the table', () => insertWhole({ column: 0, columns: 1 })],
  [
    'has a colleague who inserts a row above it, which moves the selection',
    () => {
      insertWhole({ row: 0, rows: 1 });
      for (const at of [sheet().selection, sheet().activeCell]) at.row++;
    },
  ],
  ['drags a column', () => dragColumn(sheet(), 0, 2)],
];

/**
 * Does some work once undisturbed, and then once for each of its requests with a disturbance before it.
 * @param before called before each request, after the disturbance
 */
async function disturbed(
  disturb: () => void,
  work: () => Promise<unknown>,
  check: (request: number) => void,
  before = (_body: string) => {},
) {
  let requests = Number.POSITIVE_INFINITY;
  for (let at = 0; at <= requests; at++) {
    workbook.open();
    await workbook.create(['1', '2', '3', '4'].map((number) => article(number)));
    await select('B3:B4');
    let seen = 0;
    workbook.excel.watch((request, body) => {
      seen = request;
      if (request === at) disturb();
      before(body);
    });
    await work();
    check(at);
    if (at === 0) requests = seen;
  }
  expect(requests).toBeGreaterThan(2);
}

/** The numbers and names in the selected rows now. */
const selectedNow = () => {
  const { selection, tables } = sheet();
  const { area, columns } = tables[0]!;
  const places = ['Number', 'Name'].map((heading) => area.column + columns.findIndex(({ name }) => name === heading));
  const selected = workbook.excel.cells('Articles').slice(selection.row, selection.row + selection.rows);
  return selected.map((cells) => places.map((place) => cells[place]));
};

describe('The selected rows of a table', () => {
  it('are those of the active cell first', async () => {
    await select('B3:D4');
    const rows = await readSelectedRows(() => true, ['number', 'name']);
    expect(rows.map(({ cells }) => [...cells.values()])).toEqual([
      ['2', 'Article 2'],
      ['3', 'Article 3'],
    ]);
  });

  it.each(disturbances)('are rows that are selected when they are read, also when the user %s', async (_, disturb) => {
    let rows: unknown[] = [];
    let expected: unknown[] = [];
    await disturbed(
      disturb,
      async () => {
        const found = await readSelectedRows(() => true, ['number', 'name']);
        rows = found.map(({ cells }) => [...cells.values()]);
      },
      (request) => expect(rows, `before request ${request}`).toEqual(expected),
      (body) => {
        if (/\bvalues\b/i.test(body)) expected = selectedNow();
      },
    );
    expect(expected.length).toBeGreaterThan(0);
  });
});

describe('A filter that the pane sets', () => {
  it('is refused where the header row was turned off', async () => {
    sheet().tables[0]!.showHeaders = false;
    await expect(filterRows(await workbook.handle(), 'number', ['2'])).rejects.toMatchObject({ code: 'NO_HEADERS' });
  });

  it.each(disturbances)('is on the column that was meant, also when the user %s', async (_, disturb) => {
    await disturbed(
      disturb,
      async () => filterRows(await workbook.handle(), 'number', ['2']),
      (request) => {
        const { filters, columns } = sheet().tables[0]!;
        const filtered = columns.flatMap(({ id, name }) => (filters.has(id) ? name : []));
        expect(filtered, `before request ${request}`).toEqual(['Number']);
      },
    );
  });
});
