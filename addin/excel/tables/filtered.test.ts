import { beforeEach, describe, expect, it } from 'vitest';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { deeper } from '../../../testing/deep.ts';
import { MAX_COLUMNS } from '../../simulator/workbook/cells/address.ts';
import { filterTable } from '../../simulator/workbook/changes/filter.ts';
import { insertCells } from '../../simulator/workbook/changes/shift.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { noRetry } from '../batch.ts';
import type { Cell } from '../cell.ts';
import { createTable } from './createTable.ts';
import { readTable } from './readTable.ts';
import { refreshTable } from './refresh/refreshTable.ts';
import type { TableSpec } from './table.ts';
import { tablesInWorkbook } from './tableMemory.ts';
import { writeCells } from './writeCells.ts';

/*
 * Hidden rows. When a block is written across them, Excel writes its first row into every visible row
 * (OfficeDev/office-js#224), and it deletes no hidden row (#994); the simulator does the same.
 */

type Stock = { number: string; group: string; quantity: string };

const spec: TableSpec<Stock> = {
  source: { view: 'stock', administration: { id: 'a1', label: 'Jansen' }, endpoint: 'liststock', query: {} },
  sheetName: 'Stock',
  keys: ['number'],
  columns: [
    { key: 'number', heading: 'Number', kind: 'text', width: 12, value: ({ number }) => number },
    { key: 'group', heading: 'Group', kind: 'text', width: 12, value: ({ group }) => group },
    { key: 'quantity', heading: 'Quantity', kind: 'decimal', width: 12, value: ({ quantity }) => quantity },
  ],
};

const stock = (count: number, quantity = (number: number) => String(number)): Stock[] =>
  Array.from({ length: count }, (_, index) => ({
    number: String(index + 1),
    group: index % 3 === 0 ? 'paint' : 'brushes',
    quantity: quantity(index + 1),
  }));

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

const create = async (rows: Stock[]) => {
  const writer = await createTable(spec);
  await writer.write(rows);
  await writer.finish();
};
const handle = async () => (await tablesInWorkbook())[0]!;
const refresh = async (rows: Stock[]) => {
  const writer = await refreshTable(await handle(), spec, noRetry);
  await writer.write(rows);
  return writer.finish();
};

const table = () => excel.sheet('Stock').tables[0]!;
const body = (): Cell[][] => excel.cells('Stock').slice(1);
const asCells = (rows: Stock[]): Cell[][] =>
  rows.map(({ number, group, quantity }) => [number, group, Number(quantity)]);
const visible = () =>
  excel
    .sheet('Stock')
    .rows.slice(1, table().area.rows)
    .flatMap((row) => (row && !row.filtered && !row.hidden ? [row.cells[0]?.value] : []));

const onlyPaint = () => filterTable(table(), table().columns[1]!, { filterOn: 'Values', values: ['paint'] });
const hideByHand = () => {
  for (const row of [2, 3, 5]) excel.sheet('Stock').rows[row]!.hidden = true;
};

it.each([1, 2, 3, 4, 5, 6])(
  'Hidden rows are known as hidden when the user inserts a row above the table before request %s',
  async (inserting) => {
    await create(stock(6));
    onlyPaint();
    const found = await handle();
    excel.watch((request) => {
      const above = { row: 0, column: 0, rows: 1, columns: MAX_COLUMNS };
      if (request === inserting) insertCells(excel.sheet('Stock'), above, 'Down');
    });
    const rows = await readTable(found);
    expect(rows.map(({ cells, hidden }) => [cells.get('number'), hidden])).toEqual(
      stock(6).map(({ number, group }) => [number, group !== 'paint']),
    );
  },
);

it('A filtered table is read whose visible rows have more addresses than one response may have', async () => {
  await create(stock(120_000));
  const sheet = excel.sheet('Stock');
  sheet.name = 'Voorraad van alle filialen 2026';
  sheet.rows[3]!.hidden = true;
  const rows = await readTable(await handle());
  expect(rows).toHaveLength(120_000);
  expect(rows.flatMap(({ hidden, number }) => (hidden ? number : []))).toEqual([4]);
});

describe.each([
  ['by a filter', onlyPaint],
  ['by hand', hideByHand],
])('A table with rows hidden %s', (_, hide) => {
  it('gets every value into its own row at a refresh, with the same rows visible', async () => {
    await create(stock(9));
    hide();
    const shown = visible();
    const after = stock(9, (number) => String(number * 100));
    expect(await refresh(after)).toMatchObject({ changed: 9, added: 0, removed: 0 });
    expect(body()).toEqual(asCells(after));
    expect(visible()).toEqual(shown);
  });

  it('loses rows that are no longer received, and gets new ones', async () => {
    await create(stock(9));
    hide();
    const after = stock(12).filter(({ number }) => !['2', '4', '5', '9'].includes(number));
    expect(await refresh(after)).toMatchObject({ changed: 0, added: 3, removed: 4 });
    expect(body()).toEqual(asCells(after));
  });

  it('gets results into the right rows', async () => {
    await create(stock(9));
    hide();
    const changes = stock(9).map(({ number }) => ({
      key: number,
      cells: { quantity: `done ${number}` },
      colours: { quantity: '#107C10' },
    }));
    expect(await writeCells(await handle(), ['number'], changes, noRetry)).toEqual([]);
    expect(body().map(([, , quantity]) => quantity)).toEqual(stock(9).map(({ number }) => `done ${number}`));
  });

  it('is read with its hidden rows marked', async () => {
    await create(stock(9));
    hide();
    const shown = new Set(visible());
    const rows = await readTable(await handle());
    expect(rows.map(({ hidden }) => hidden)).toEqual(stock(9).map(({ number }) => !shown.has(number)));
  });

  it('evaluates no text of the service in a hidden row', async () => {
    await create(stock(9));
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Stock').getRange('B2:B10').numberFormat = 'General' as never;
      await context.sync();
    });
    hide();
    await refresh(stock(9).map((row) => ({ ...row, group: '=1+1' })));
    expect(excel.sheet('Stock').formulas).toBe(0);
    expect(body().map(([, group]) => group)).toEqual(new Array(9).fill('=1+1'));
  });
});

describe('A filter', () => {
  it('is unchanged after a refresh, and applies to changed and new rows', async () => {
    await create(stock(9));
    onlyPaint();
    const after = stock(12).filter(({ number }) => number !== '4');
    await refresh(after.map((row) => (row.number === '2' ? { ...row, group: 'paint' } : row)));
    expect([...table().filters.values()]).toEqual([expect.objectContaining({ filterOn: 'Values', values: ['paint'] })]);
    expect(visible()).toEqual(['1', '2', '7', '10']);
  });

  it.each(['refresh', 'results'] as const)(
    'set before any request of a %s moves no value into another row',
    async (work) => {
      const after = stock(12, (number) => String(number * 100)).filter(({ number }) => number !== '5');
      const changes = stock(9).map(({ number, quantity }) => ({
        key: number,
        cells: { quantity: `done ${number}` },
        clear: { group: 'brushes' },
        number: Number(quantity) + 1,
      }));
      let requests = Number.POSITIVE_INFINITY;
      for (let at = 0; at <= requests; at++) {
        excel = openTestWorkbook();
        await create(stock(9));
        const opened = await handle();
        let seen = 0;
        excel.watch((request) => {
          seen = request;
          if (request === at) onlyPaint();
        });
        if (work === 'refresh') {
          await refresh(after);
          expect(body(), `before request ${at}`).toEqual(asCells(after));
        } else {
          await writeCells(opened, ['number'], changes, noRetry);
          expect(body(), `before request ${at}`).toEqual(
            stock(9).map(({ number, group }) => [number, group === 'brushes' ? '' : group, `done ${number}`]),
          );
        }
        if (at === 0) requests = seen;
      }
    },
  );
});

/** Adds a column of the user with a note in each row. */
const addNotes = async (noteOf: (number: string) => string) => {
  await Excel.run(async (context) => {
    const { columns } = context.workbook.worksheets.getItem('Stock').tables.getItemAt(0);
    columns.add(undefined, [['Note'], ...body().map(([number]) => [noteOf(String(number))])] as string[][]);
    await context.sync();
  });
};
const sortDescending = () => sortTable(table(), [{ key: 0, ascending: false }]);
const showAll = () => filterTable(table(), table().columns[1]!, undefined);

describe('A filter before any request, and a sort before a later one', () => {
  it.each(['refresh', 'results'] as const)('leave every value of a %s in its own row', async (work) => {
    const after = stock(8, (number) => String(number * 100)).filter(({ number }) => number !== '5');
    const changes = stock(6).map(({ number }) => ({ key: number, cells: { quantity: `done ${number}` } }));
    const run = async (filterAt: number, sortAt: number) => {
      excel = openTestWorkbook();
      await create(stock(6));
      await addNotes((number) => (number === '5' ? '' : `note ${number}`));
      const opened = await handle();
      let seen = 0;
      excel.watch((request) => {
        seen = request;
        if (request === filterAt) onlyPaint();
        if (request !== sortAt) return undefined;
        showAll();
        sortDescending();
        return undefined;
      });
      if (work === 'refresh') await refresh(after);
      else await writeCells(opened, ['number'], changes, noRetry);
      const expected = asCells(work === 'refresh' ? after : stock(6));
      const isKnown = (number: Cell) => Number(number) <= 6 && number !== '5';
      expect(
        body().sort(([one], [other]) => Number(one) - Number(other)),
        `filtered before request ${filterAt}, sorted before ${sortAt}`,
      ).toEqual(
        expected.map(([number, group, quantity]) => [
          number,
          group,
          work === 'refresh' ? quantity : `done ${number}`,
          isKnown(number!) ? `note ${number}` : '',
        ]),
      );
      return seen;
    };
    const requests = await run(0, 0);
    for (let filterAt = 1; filterAt <= requests; filterAt++) {
      for (let sortAt = filterAt + 1; sortAt <= filterAt + 3; sortAt += deeper(2, 1)) await run(filterAt, sortAt);
    }
  });
});

it('A table without filter buttons is refreshed when the user hid rows', async () => {
  await create(stock(9));
  hideByHand();
  await Excel.run(async (context) => {
    context.workbook.worksheets.getItem('Stock').tables.getItemAt(0).autoFilter.remove();
    await context.sync();
  });
  const after = stock(9, (number) => String(number * 100));
  await refresh(after);
  expect(body()).toEqual(asCells(after));
});

it('Results are written beside texts that are too long to be read at once', async () => {
  await create(stock(400));
  await addNotes(() => '');
  for (let start = 1; start <= 400; start += 100) {
    await Excel.run(async (context) => {
      const notes = context.workbook.worksheets.getItem('Stock').getRangeByIndexes(start, 3, 100, 1);
      notes.values = Array.from({ length: 100 }, () => ['x'.repeat(10_000)]);
      await context.sync();
    });
  }
  const changes = stock(400).map(({ number }) => ({ key: number, cells: { quantity: `done ${number}` } }));
  expect(await writeCells(await handle(), ['number'], changes, noRetry)).toEqual([]);
  expect(body().map(([, , quantity]) => quantity)).toEqual(changes.map(({ cells }) => cells.quantity));
});

describe('A row that is read', () => {
  it('has the types of its cells by their formats, and their addresses', async () => {
    await create(stock(3));
    await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getItem('Stock');
      sheet.getRange('A1').getEntireColumn().insert('Right');
      sheet.getRange('D2:D4').numberFormat = [['dd-mm-yyyy'], ['0%'], ['General']];
      await context.sync();
    });
    const rows = await readTable(await handle());
    expect(rows.map(({ natures }) => natures.get('quantity'))).toEqual(['date', 'percentage', 'number']);
    expect(rows.map(({ addressOf }) => addressOf('quantity'))).toEqual(['D2', 'D3', 'D4']);
    expect(rows.map(({ natures }) => natures.get('number'))).toEqual(['text', 'text', 'text']);
  });
});
