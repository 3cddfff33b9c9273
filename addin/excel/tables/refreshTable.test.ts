import { beforeEach, describe, expect, it } from 'vitest';
import { dragColumn } from '../../../testing/addin/dragColumn.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { deeper, isDeep } from '../../../testing/deep.ts';
import { MAX_COLUMNS, MAX_ROWS } from '../../simulator/workbook/cells/address.ts';
import { filterTable } from '../../simulator/workbook/changes/filter.ts';
import { insertCells } from '../../simulator/workbook/changes/shift.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { noRetry } from '../batch.ts';
import type { Cell } from '../cell.ts';
import { createTable } from './createTable.ts';
import { refreshTable } from './refresh/refreshTable.ts';
import type { TableSpec } from './table.ts';
import { tablesInWorkbook } from './tableMemory.ts';
import { unfinishedInWorkbook } from './unfinished.ts';

type Relation = { number: number; name: string; balance: string };

/** Enough text columns for a table of some thousands of rows to be read and written in several requests. */
const TEXTS = 18;

const specWith = (texts: number): TableSpec<Relation> => ({
  source: {
    view: 'relations',
    administration: { id: 'a1', label: 'Bakkerij Jansen' },
    endpoint: 'listrelations',
    query: {},
  },
  sheetName: 'Relations',
  keys: ['number'],
  columns: [
    { key: 'number', heading: 'Number', kind: 'text', width: 12, value: ({ number }) => String(number) },
    { key: 'balance', heading: 'Balance', kind: 'amount', width: 12, value: ({ balance }) => balance },
    ...Array.from({ length: texts }, (_, index) => ({
      key: `text${index}`,
      heading: `Text ${index}`,
      kind: 'text' as const,
      width: 20,
      value: ({ name }: Relation) => name,
    })),
  ],
});

const relation = (number: number, name = `Relation ${number}`): Relation => ({ number, name, balance: `${number}.25` });

const relations = (count: number, make = relation): Relation[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

const create = async (spec: TableSpec<Relation>, rows: Relation[]) => {
  const writer = await createTable(spec);
  await writer.write(rows);
  await writer.finish();
};

const opened = async (spec: TableSpec<Relation>, rows: Relation[]) => {
  const [handle] = await tablesInWorkbook();
  const writer = await refreshTable(handle!, spec, noRetry);
  await writer.write(rows);
  return writer;
};

const table = () => excel.sheet('Relations').tables[0]!;
const body = (): Cell[][] => excel.cells('Relations').slice(1);

describe.skipIf(isDeep)('A refresh of many rows', () => {
  it('removes 20,000 of 60,000 rows', async () => {
    const spec = specWith(1);
    const all = relations(60_000);
    await create(spec, all);
    const rest = all.filter(({ number }) => number <= 15_000 || number > 35_000);
    expect(await (await opened(spec, rest)).finish()).toMatchObject({ added: 0, changed: 0, removed: 20_000 });
    expect(body().map(([number]) => number)).toEqual(rest.map(({ number }) => String(number)));
    expect(table().area.rows).toBe(40_001);
  });

  it('removes 59,999 of 60,000 rows', async () => {
    const spec = specWith(1);
    await create(spec, relations(60_000));
    expect(await (await opened(spec, [relation(30_000)])).finish()).toMatchObject({ removed: 59_999 });
    expect(body()).toEqual([['30000', 30_000.25, 'Relation 30000']]);
  });

  it('removes more scattered rows than fit into a request', async () => {
    const spec = specWith(1);
    await create(spec, relations(5_000));
    const rest = relations(5_000).filter(({ number }) => number % 2 === 0);
    expect(await (await opened(spec, rest)).finish()).toMatchObject({ removed: 2_500 });
    expect(body().map(([number]) => number)).toEqual(rest.map(({ number }) => String(number)));
  });

  it('removes rows in smaller requests when Excel refuses large ones', async () => {
    const spec = specWith(1);
    await create(spec, relations(1_000));
    const rest = relations(1_000).filter(({ number }) => number % 2 === 0);
    const writer = await opened(spec, rest);
    let refused = 0;
    excel.watch((_, body) => {
      if (body.length < 50_000) return undefined;
      refused++;
      return 'RequestPayloadSizeLimitExceeded';
    });
    expect(await writer.finish()).toMatchObject({ changed: 0, removed: 500 });
    expect(refused).toBeGreaterThan(0);
    expect(body().map(([number]) => number)).toEqual(rest.map(({ number }) => String(number)));
  });

  it('adds and changes rows in several requests', async () => {
    const spec = specWith(1);
    await create(spec, relations(3_000));
    const after = relations(40_000, (number) => relation(number, `now ${number}`));
    const writer = await opened(spec, after);
    expect(await writer.finish()).toMatchObject({ changed: 3_000, added: 37_000, removed: 0 });
    expect(body()).toEqual(after.map(({ number, name, balance }) => [String(number), Number(balance), name]));
  });
});

describe.skipIf(isDeep)('The requests of a refresh', () => {
  it.each([
    ['visible', () => {}],
    ['hidden by a filter', () => filterTable(table(), table().columns[0]!, { filterOn: 'Custom', criterion1: '=*7' })],
  ])('are at most 40 for 2,000 scattered changes in 20,000 rows, some of them %s', async (_, hide) => {
    const spec = specWith(1);
    await create(spec, relations(20_000));
    hide();
    const isChanged = (number: number) => number % 10 === 3;
    const after = relations(20_000, (number) => relation(number, isChanged(number) ? `now ${number}` : undefined));
    const writer = await opened(spec, after);
    const bodies: string[] = [];
    excel.watch((_, body) => void bodies.push(body));
    expect(await writer.finish()).toMatchObject({ changed: 2_000, added: 0, removed: 0 });
    expect(bodies.length).toBeLessThanOrEqual(40);
    const writing = bodies.filter((body) => body.includes('"Values"'));
    expect(writing.filter((body) => !body.includes('SuspendApiCalculationUntilNextSync'))).toEqual([]);
    expect(Math.max(...bodies.map(({ length }) => length))).toBeLessThan(2_500_000);
    expect(body().map(([, , name]) => name)).toEqual(after.map(({ name }) => name));
  });
});

/** A table with two columns of the user: a note in some rows, and a formula in each. */
const createWithUserColumns = async (spec: TableSpec<Relation>, rows: Relation[], notes: Record<number, string>) => {
  await create(spec, rows);
  await Excel.run(async (context) => {
    const { columns } = context.workbook.worksheets.getItem('Relations').tables.getItemAt(0);
    columns.add(undefined, undefined, 'Note').getDataBodyRange().values = rows.map(({ number }) => [
      notes[number] ?? '',
    ]);
    columns.add(undefined, undefined, 'Twice').getDataBodyRange().formulas = rows.map((_, index) => [
      `=B${index + 2}*2`,
    ]);
    await context.sync();
  });
};

/** The rows in the order of their numbers, and whether the formula of each refers to its own row. */
const byNumber = () => {
  const { rows } = excel.sheet('Relations');
  return body()
    .map((cells, index) => {
      const formula = rows[index + 1]?.cells[cells.length - 1]?.formula;
      const target = formula === undefined ? 'none' : formula === `=B${index + 2}*2` ? 'of this row' : formula;
      return [...cells.slice(0, -1), target];
    })
    .toSorted(([a], [b]) => Number(a) - Number(b));
};

const sortDescending = () => sortTable(table(), [{ key: 1, ascending: false }], false);

/**
 * Refreshes once undisturbed, and then once for each request with something done before it.
 * @param step 3 for each third request only
 * @param disturb what is done: the rows are sorted, if nothing else is
 */
const disturbedBeforeEachRequest = async (
  prepare: () => Promise<void>,
  refresh: () => Promise<{ changed: number; added: number; removed: number; retained: string[] }>,
  check: (written: Awaited<ReturnType<typeof refresh>>, request: number) => void,
  step = 1,
  disturb = sortDescending,
): Promise<number> => {
  let requests = Number.POSITIVE_INFINITY;
  for (let at = 0; at <= requests; at += at === 0 ? 1 : step) {
    excel = openTestWorkbook();
    await prepare();
    let seen = 0;
    excel.watch((request) => {
      seen = request;
      if (request === at) disturb();
    });
    const written = await refresh();
    check(written, at);
    if (at === 0) requests = seen;
  }
  return requests;
};

describe('A refresh while the user sorts', () => {
  it('writes every value into its own row, whichever request the sort comes before', async () => {
    const spec = specWith(1);
    const notes = { 2: 'ask Piet', 5: 'removed, but noted', 8: 'new address' };
    const after = [
      relation(1, 'changed 1'),
      relation(2),
      { ...relation(3, 'changed 3'), balance: '0' },
      relation(8, 'changed 8'),
      relation(9, '=1+1'),
      relation(10),
      relation(11, 'new'),
      relation(12, "'s-Hertogenbosch"),
    ];
    const requests = await disturbedBeforeEachRequest(
      () => createWithUserColumns(spec, relations(10), notes),
      async () => (await opened(spec, after)).finish(),
      (written, request) => {
        expect(written, `before request ${request}`).toMatchObject({
          changed: 4,
          added: 2,
          removed: 3,
          retained: ['5'],
        });
        expect(byNumber(), `before request ${request}`).toEqual([
          ['1', 1.25, 'changed 1', '', 'of this row'],
          ['2', 2.25, 'Relation 2', 'ask Piet', 'of this row'],
          ['3', 0, 'changed 3', '', 'of this row'],
          ['5', 5.25, 'Relation 5', 'removed, but noted', 'of this row'],
          ['8', 8.25, 'changed 8', 'new address', 'of this row'],
          ['9', 9.25, '=1+1', '', 'of this row'],
          ['10', 10.25, 'Relation 10', '', 'of this row'],
          ['11', 11.25, 'new', '', 'of this row'],
          ['12', 12.25, "'s-Hertogenbosch", '', 'of this row'],
        ]);
        expect(table().area.rows).toBe(10);
        for (let row = 1; row <= 9; row++)
          expect(excel.formats('Relations', row).slice(0, 3)).toEqual(['@', '#,##0.00', '@']);
      },
    );
    expect(requests).toBeGreaterThan(6);
  });

  it('does so for a table that takes several requests to read, to write and to remove rows from', async () => {
    const spec = specWith(TEXTS);
    const long = (number: number) => relation(number, `${number} `.padEnd(60, 'x'));
    const before = relations(1_900, long);
    const after = [
      ...before.slice(0, 1_200).map((row) => ({ ...row, name: `now ${row.name}` })),
      ...relations(950, (number) => long(number + 3_000)),
    ];
    const notes = Object.fromEntries(before.slice(0, 1_200).map(({ number }) => [number, `note ${number}`]));
    const row = ({ number, name, balance }: Relation, note: string, formula: string): Cell[] => [
      String(number),
      Number(balance),
      ...new Array<Cell>(TEXTS).fill(name),
      note,
      formula,
    ];
    const expected = after.map((relation) =>
      relation.number <= 1_200
        ? row(relation, `note ${relation.number}`, 'of this row')
        : row(relation, '', 'of this row'),
    );
    await disturbedBeforeEachRequest(
      () => createWithUserColumns(spec, before, notes),
      async () => (await opened(spec, after)).finish(),
      (written, request) => {
        expect(written, `before request ${request}`).toMatchObject({ changed: 1_200, added: 950, removed: 700 });
        expect(byNumber(), `before request ${request}`).toEqual(expected);
      },
      deeper(9, 5),
    );
  });

  it('neither adds nor changes rows of a long table without changes', async () => {
    const spec = specWith(TEXTS);
    await disturbedBeforeEachRequest(
      () => create(spec, relations(2_200)),
      async () => (await opened(spec, relations(2_200))).finish(),
      (written, request) =>
        expect(written, `before request ${request}`).toMatchObject({ changed: 0, added: 0, removed: 0 }),
      deeper(4, 2),
    );
  });

  it('fails without losing rows when they move all the time', async () => {
    const notes = Object.fromEntries(relations(10).map(({ number }) => [number, String((number * 7) % 11)]));
    await createWithUserColumns(specWith(1), relations(10), notes);
    const writer = await opened(
      specWith(1),
      relations(9, (number) => relation(number, `changed ${number}`)),
    );
    const orders = [
      { key: 1, ascending: true },
      { key: 1, ascending: false },
      { key: 3, ascending: true },
    ];
    excel.watch((request) => {
      sortTable(table(), [orders[request % 3]!], false);
    });
    await expect(writer.finish()).rejects.toMatchObject({ code: 'ROWS_MOVED' });
    expect(byNumber().map((cells) => [cells[0], Number(cells[3]), cells[4]])).toEqual(
      relations(10).map(({ number }) => [String(number), (number * 7) % 11, 'of this row']),
    );
  });
});

/** Inserts whole rows or columns of the sheet, as a user does. */
const insertWhole = (at: { row: number; rows: number } | { column: number; columns: number }) => {
  const whole = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };
  insertCells(excel.sheet('Relations'), { ...whole, ...at }, 'row' in at ? 'Down' : 'Right');
};

/** The filled rows of the table, by the headings of its columns. */
const rowsByHeading = () => {
  const { area } = table();
  const grid = excel.cells('Relations').slice(area.row, area.row + area.rows);
  const [headings, ...rows] = grid.map((cells) => cells.slice(area.column, area.column + area.columns));
  return rows
    .filter((cells) => cells.some((cell) => cell !== ''))
    .map(
      (cells): Record<string, Cell> =>
        Object.fromEntries(cells.flatMap((cell, at) => (cell === '' ? [] : [[headings![at], cell]]))),
    )
    .toSorted((one, other) => Number(one.Number) - Number(other.Number));
};

describe('A refresh while the user', () => {
  it.each([
    ['inserts a row above the table', () => insertWhole({ row: 0, rows: 1 })],
    ['inserts rows within the table', () => insertWhole({ row: 2, rows: 3 })],
    ['inserts a column left of the table', () => insertWhole({ column: 0, columns: 1 })],
    ['inserts columns within the table', () => insertWhole({ column: 1, columns: 2 })],
    ['drags a column to the left', () => dragColumn(excel.sheet('Relations'), 2, 0)],
    ['drags a column to the right', () => dragColumn(excel.sheet('Relations'), 1, 3)],
  ])('%s writes every value into its own cell, whichever request that comes before', async (_, insert) => {
    const spec = specWith(1);
    const after = [
      relation(1, 'changed 1'),
      { ...relation(2), balance: '99' },
      relation(8, 'changed 8'),
      relation(9, "'s-Hertogenbosch"),
      relation(11, 'new'),
    ];
    const requests = await disturbedBeforeEachRequest(
      async () => {
        await create(spec, relations(10));
        await Excel.run(async (context) => {
          const { columns } = context.workbook.worksheets.getItem('Relations').tables.getItemAt(0);
          const notes = columns.add(undefined, undefined, 'Note').getDataBodyRange();
          notes.values = relations(10).map(({ number }) => [number === 5 ? 'removed, but noted' : '']);
          await context.sync();
        });
      },
      async () => (await opened(spec, after)).finish(),
      (written, request) => {
        expect(written, `before request ${request}`).toMatchObject({
          changed: 4,
          added: 1,
          removed: 5,
          retained: ['5'],
        });
        expect(rowsByHeading(), `before request ${request}`).toEqual([
          { Number: '1', Balance: 1.25, 'Text 0': 'changed 1' },
          { Number: '2', Balance: 99, 'Text 0': 'Relation 2' },
          { Number: '5', Balance: 5.25, 'Text 0': 'Relation 5', Note: 'removed, but noted' },
          { Number: '8', Balance: 8.25, 'Text 0': 'changed 8' },
          { Number: '9', Balance: 9.25, 'Text 0': "'s-Hertogenbosch" },
          { Number: '11', Balance: 11.25, 'Text 0': 'new' },
        ]);
      },
      1,
      insert,
    );
    expect(requests).toBeGreaterThan(6);
  });
});

describe('A refresh of a table whose header row was turned off', () => {
  it.each([
    ['of all columns', {}],
    ['of chosen columns', { hasChosenColumns: true }],
  ])('%s is refused before anything is written', async (_, chosen) => {
    const spec = { ...specWith(1), ...chosen };
    await create(spec, relations(2));
    const before = body();
    table().showHeaders = false;
    const writer = await opened({ ...spec, columns: specWith(2).columns }, [relation(1, 'changed'), relation(3)]);
    await expect(writer.finish()).rejects.toMatchObject({ code: 'NO_HEADERS' });
    expect([body(), await unfinishedInWorkbook()]).toEqual([before, []]);
  });
});

describe('A refresh that adds rows', () => {
  /** Merges cells of the sheet, and writes a text into them. */
  const merge = (address: string, text: string) =>
    Excel.run(async (context) => {
      const range = context.workbook.worksheets.getItem('Relations').getRange(address);
      range.merge();
      range.getCell(0, 0).values = [[text]];
      await context.sync();
    });
  const addTwo = async () => (await opened(specWith(1), relations(4))).finish();
  const numbers = () => rowsByHeading().map(({ Number: number, Balance: balance }) => [number, balance]);
  const expected = relations(4).map(({ number, balance }) => [String(number), Number(balance)]);

  it('has no merged cells among them where some were below the table, which would hide values', async () => {
    await create(specWith(1), relations(2));
    await merge('A4:B4', '');
    await merge('C5:E6', '');
    expect(await addTwo()).toMatchObject({ added: 2 });
    expect(numbers()).toEqual(expected);
    expect(excel.sheet('Relations').merges).toEqual([]);
  });

  it('moves merged cells with a text down, and leaves those beside the table', async () => {
    await create(specWith(1), relations(2));
    await merge('A4:C4', 'Seen by Ann');
    await merge('E2:F5', 'Mine');
    expect(await addTwo()).toMatchObject({ added: 2 });
    expect(numbers()).toEqual(expected);
    const { merges } = excel.sheet('Relations');
    expect(merges.map(({ row, rows, column, columns }) => [row, rows, column, columns])).toEqual([
      [5, 1, 0, 3],
      [1, 4, 4, 2],
    ]);
    expect([excel.cells('Relations')[5]![0], excel.cells('Relations')[1]![4]]).toEqual(['Seen by Ann', 'Mine']);
  });
});
