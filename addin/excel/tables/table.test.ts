import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import type { Cell } from '../cell.ts';
import { noRetry, openTestWorkbook, type TestWorkbook } from '../testWorkbook.ts';
import { createTable } from './createTable.ts';
import { readTable } from './readTable.ts';
import { refreshTable } from './refreshTable.ts';
import type { TableSpec, WriteOptions } from './table.ts';
import { isSameSource, type Source, tablesInWorkbook } from './tableMemory.ts';
import { writeCells } from './writeCells.ts';

type Article = { number: string; name: string; price: string | null; since: string | null; stocked: boolean | null };

const source: Source = {
  view: 'articles',
  administration: { id: 'a1', label: 'Bakkerij Jansen' },
  endpoint: 'listarticles',
  query: { Year: '2025' },
};

const spec: TableSpec<Article> = {
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

const article = (number: string, more: Partial<Article> = {}): Article => ({
  number,
  name: `Article ${number}`,
  price: '12.5',
  since: '2025-03-01',
  stocked: true,
  ...more,
});

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

const create = async (articles: Article[], options: WriteOptions = {}) => {
  const writer = await createTable(spec, options);
  await writer.write(articles);
  return writer.finish();
};

const handle = async () => (await tablesInWorkbook())[0]!;

const refresh = async (articles: Article[], options: WriteOptions = {}) => {
  const writer = await refreshTable(await handle(), spec, options);
  await writer.write(articles);
  return writer.finish();
};

/** What a person does: puts a column into the table, with a text in one of its rows. */
const addOwnColumn = (heading: string, notes: Record<number, string>, index?: number) =>
  Excel.run(async (context) => {
    const table = context.workbook.worksheets.getItem('Articles').tables.getItemAt(0);
    const column = table.columns.add(index, undefined, heading);
    for (const [row, note] of Object.entries(notes)) {
      column.getDataBodyRange().getCell(Number(row), 0).values = [[note]];
    }
    await context.sync();
  });

const body = (): Cell[][] => excel.cells('Articles').slice(1);

describe('a new table', () => {
  it('shows text as text, dates as dates and amounts as numbers', async () => {
    await create([article('0100'), article('0200', { price: null, since: null, stocked: null })]);
    expect(excel.cells('Articles')).toEqual([
      ['Number', 'Name', 'Price', 'Since', 'Stocked'],
      ['0100', 'Article 0100', 12.5, 45_717, true],
      ['0200', 'Article 0200', '', '', ''],
    ]);
    expect(excel.formats('Articles', 1)).toEqual(['@', '@', '#,##0.00', 'dd-mm-yyyy', 'General']);
  });

  it('keeps every text exactly as the service sent it, whatever it looks like', async () => {
    const texts = ['=1+1', '+31', '-5', '@SUM(A1)', "'s-Hertogenbosch", "''x", '1-2', '0,50', 'TRUE', '1e5', '  x '];
    await create(texts.map((name, index) => article(`${index}`, { name })));
    expect(body().map(([, name]) => name)).toEqual(texts);
    const cells = excel.sheet('Articles').rows.flatMap((row) => row?.cells ?? []);
    expect(cells.filter((cell) => cell?.formula !== undefined)).toEqual([]);
  });

  it.each([undefined, 'InvalidArgument', 'GeneralException', 'RequestPayloadSizeLimitExceeded'] as const)(
    'keeps the zeros of what is typed below it, where Excel says %s to the format of a whole column',
    async (refusal) => {
      excel.watch((_, body) => (body.includes('GetEntireColumn') ? refusal : undefined));
      await create([article('0100')]);
      excel.type('Articles', 2, 0, '0200');
      expect(body().map(([number]) => number)).toEqual(['0100', '0200']);
    },
  );

  it('keeps any text, in Dutch Excel as well', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 20 }), async (texts) => {
        excel = openTestWorkbook('nl');
        await create(texts.map((name, index) => article(`${index}`, { name })));
        expect(body().map(([, name]) => name)).toEqual(texts);
      }),
      { numRuns: 30 },
    );
  });

  it('is the same whether its rows come at once or page by page', async () => {
    const articles = Array.from({ length: 500 }, (_, index) => article(String(index), { name: 'x'.repeat(9000) }));
    const writer = await createTable(spec);
    for (let start = 0; start < 500; start += 50) await writer.write(articles.slice(start, start + 50));
    const written = await writer.finish();
    expect(written.rows).toBe(500);
    expect(body().map(([number]) => number)).toEqual(articles.map(({ number }) => number));
  });

  it('takes blocks that Excel finds too large in smaller ones', async () => {
    // Written as six bytes a character, which the estimate of a block does not foresee.
    const name = '\u0001'.repeat(32_000);
    await create(Array.from({ length: 60 }, (_, index) => article(String(index), { name })));
    expect(body()).toHaveLength(60);
    expect(body().every((cells) => cells[1] === name)).toBe(true);
  });

  it('tells of a text too long for a cell, which it ends in an ellipsis', async () => {
    const written = await create([article('1', { name: 'x'.repeat(40_000) })]);
    expect(written.cut).toBe(1);
    expect(body()[0]![1]).toBe(`${'x'.repeat(32_766)}…`);
  });

  it('is there without rows when nothing was found, and takes its first row at a refresh', async () => {
    await create([]);
    expect(excel.sheet('Articles').tables[0]!.area).toMatchObject({ rows: 2, columns: 5 });
    await refresh([article('0100'), article('0200')]);
    expect(body().map(([number]) => number)).toEqual(['0100', '0200']);
  });

  it('is made and refreshed as well while another workbook is in front', async () => {
    excel.workbook.inFront = false;
    await create([article('1')], { retry: noRetry });
    expect(await refresh([article('1'), article('2')], { retry: noRetry })).toMatchObject({ added: 1 });
    expect(body()).toHaveLength(2);
    expect(excel.workbook.active.name).toBe('Sheet1');
  });

  it('avoids a name that something in the workbook was given', async () => {
    await Excel.run(async (context) => {
      context.workbook.names.add('articles', context.workbook.worksheets.getActiveWorksheet().getRange('A1'));
      await context.sync();
    });
    await create([article('1')]);
    expect(excel.sheet('Articles').tables[0]!.name).toBe('Articles_2');
  });

  it('takes another name when its sheet or table name is taken', async () => {
    await create([article('1')]);
    const written = await create([article('2')]);
    expect(written.sheetName).toBe('Articles (2)');
    expect(excel.sheet('Articles (2)').tables[0]!.name).not.toBe(excel.sheet('Articles').tables[0]!.name);
  });

  it('leaves nothing behind when it is discarded', async () => {
    const writer = await createTable(spec);
    await writer.write([article('1')]);
    await writer.discard();
    expect(excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
  });

  it('remembers where it came from, in its own sheet', async () => {
    await create([article('1')]);
    const { memory, sheetName } = await handle();
    expect(sheetName).toBe('Articles');
    expect(isSameSource(memory, source)).toBe(true);
    expect(isSameSource(memory, { ...source, query: { Year: '2024' } })).toBe(false);
    expect(isSameSource(memory, { ...source, administration: { id: 'b', label: 'Other' } })).toBe(false);
  });
});

describe('a refreshed table', () => {
  it('changes what changed, adds what is new and removes what is gone', async () => {
    await create([article('1'), article('2'), article('3')]);
    const written = await refresh([article('2', { price: '99' }), article('3'), article('4')]);
    expect(written).toMatchObject({ rows: 3, added: 1, changed: 1, removed: 1, kept: [] });
    expect(body().map(([number, , price]) => [number, price])).toEqual([
      ['2', 99],
      ['3', 12.5],
      ['4', 12.5],
    ]);
    expect(excel.sheet('Articles').tables[0]!.area.rows).toBe(4);
  });

  it('touches no cell when nothing changed', async () => {
    await create([article('0100', { name: '=x' }), article('2')]);
    const changes: unknown[] = [];
    excel.workbook.subscribe((change) => change.kind === 'content' && changes.push(change));
    await refresh([article('0100', { name: '=x' }), article('2')]);
    expect(changes).toEqual([]);
  });

  it('keeps the person’s own columns and formulas on the right rows, after sorting too', async () => {
    await create([article('1', { price: '1' }), article('2', { price: '2' }), article('3', { price: '3' })]);
    await addOwnColumn('Note', { 0: 'note of 1', 2: 'note of 3' });
    const [table] = excel.sheet('Articles').tables;
    sortTable(table!, [{ key: 2, ascending: false }], false);
    await refresh([article('1', { price: '10' }), article('2', { price: '20' }), article('3', { price: '30' })]);
    expect(body().map((cells) => [cells[0], cells[2], cells[5]])).toEqual([
      ['3', 30, 'note of 3'],
      ['2', 20, ''],
      ['1', 10, 'note of 1'],
    ]);
  });

  it('finds its columns when they were renamed, moved aside or had another put between', async () => {
    await create([article('1')]);
    await addOwnColumn('Mine', { 0: 'my own' }, 1);
    excel.type('Articles', 0, 3, 'Renamed price');
    await refresh([article('1', { name: 'New name', price: '7' })]);
    expect(body()).toEqual([['1', 'my own', 'New name', 7, 45_717, true]]);
  });

  it('keeps a row that is gone from the administration when something was noted beside it', async () => {
    await create([article('1'), article('2')]);
    await addOwnColumn('Note', { 0: 'ask Piet' });
    const written = await refresh([article('2')]);
    expect(written).toMatchObject({ removed: 0, kept: ['1'] });
    expect(body().map(([number]) => number)).toEqual(['1', '2']);
  });

  it('evaluates nothing in a text column that someone formatted otherwise', async () => {
    await create([article('1')]);
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').getRange('B1:B9').numberFormat =
        'General' as unknown as string[][];
      await context.sync();
    });
    await refresh([article('1', { name: '=1+1' }), article('2', { name: '=2+2' })]);
    expect(body().map(([, name]) => name)).toEqual(['=1+1', '=2+2']);
    const cells = excel.sheet('Articles').rows.flatMap((row) => row?.cells ?? []);
    expect(cells.filter((cell) => cell?.formula !== undefined)).toEqual([]);
  });

  it('comes to what a new table would be, whatever came before', async () => {
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
        excel = openTestWorkbook();
        await create(before);
        await refresh(after);
        const refreshed = body();
        excel = openTestWorkbook();
        await create(after);
        const byNumber = (a: Cell[], b: Cell[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
        expect(refreshed.toSorted(byNumber)).toEqual(body().toSorted(byNumber));
      }),
      { numRuns: 40 },
    );
  });

  it('says which column is needed when the key column is gone', async () => {
    await create([article('1')]);
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').tables.getItemAt(0).columns.getItem('Number').delete();
      await context.sync();
    });
    await expect(refresh([article('1')])).rejects.toMatchObject({ code: 'COLUMN_GONE', detail: 'Number' });
  });
});

describe('what stands in the way', () => {
  const retry = noRetry;

  it('is told: a protected sheet', async () => {
    await create([article('1')]);
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').protection.protect();
      await context.sync();
    });
    await expect(refresh([article('1', { price: '2' })], { retry })).rejects.toMatchObject({ code: 'PROTECTED' });
  });

  it('is told: a cell being edited, when nobody waits for it', async () => {
    excel.workbook.editing = true;
    await expect(createTable(spec, { retry })).rejects.toMatchObject({ code: 'CELL_BEING_EDITED' });
  });

  it('is waited for: a cell being edited for a moment', async () => {
    excel.workbook.editing = true;
    const waiting: unknown[] = [];
    const onWaiting = (reason: unknown) => {
      waiting.push(reason);
      setTimeout(() => {
        excel.workbook.editing = false;
      }, 50);
    };
    await create([article('1')], { retry: { delays: [1, 2], onWaiting } });
    expect(waiting).toEqual(['CELL_BEING_EDITED', undefined]);
    expect(body()).toHaveLength(1);
  });

  it('is waited for no longer than the person wants: a cell being edited', async () => {
    excel.workbook.editing = true;
    const stop = new AbortController();
    const onWaiting = () => stop.abort('enough');
    const retry = { delays: [1, 60_000], onWaiting, signal: stop.signal };
    await expect(createTable(spec, { retry })).rejects.toBe('enough');
  });

  it.each(['InactiveWorkbook', 'InvalidSelection', 'ActivityLimitReached', 'ServiceNotAvailable'] as const)(
    'is waited for: %s',
    async (code) => {
      excel.watch((request) => (request < 4 ? code : undefined));
      const reasons: unknown[] = [];
      await create([article('1')], { retry: { delays: [1], onWaiting: (reason) => reasons.push(reason) } });
      expect(reasons).toEqual([code.startsWith('In') ? 'OTHER_WORKBOOK' : 'EXCEL_BUSY', undefined]);
      expect(body()).toHaveLength(1);
    },
  );

  it.each([
    ['ServiceNotAvailable', 'EXCEL_BUSY'],
    ['RequestAborted', 'INTERRUPTED'],
    ['GeneralException', 'EXCEL_FAILED'],
  ] as const)('is told: %s, for good', async (code, told) => {
    excel.watch(() => code);
    await expect(createTable(spec, { retry: { delays: [1] } })).rejects.toMatchObject({ code: told });
  });

  it('is told: a table that is gone', async () => {
    await create([article('1')]);
    const gone = await handle();
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').delete();
      await context.sync();
    });
    await expect(readTable(gone)).rejects.toMatchObject({ code: 'TABLE_GONE' });
  });
});

describe('cells written by key', () => {
  it('come into the row that has the key now', async () => {
    await create([article('1', { price: '1' }), article('2', { price: '2' }), article('3', { price: '3' })]);
    const table = await handle();
    const rows = await readTable(table);
    expect(rows.map(({ number, cells }) => [number, cells.get('number')])).toEqual([
      [2, '1'],
      [3, '2'],
      [4, '3'],
    ]);
    sortTable(excel.sheet('Articles').tables[0]!, [{ key: 2, ascending: false }], false);
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
    expect(body().map(([number, name]) => [number, name])).toEqual([
      ['3', 'now 3'],
      ['2', 'now 2'],
      ['1', 'now 1'],
    ]);
  });

  it('come right even when the rows are sorted between finding and writing', async () => {
    await create([article('1', { price: '1' }), article('2', { price: '2' }), article('3', { price: '3' })]);
    const table = await handle();
    const [excelTable] = excel.sheet('Articles').tables;
    // The table is found, its keys are read, and then, before the request that writes, the person sorts.
    let sorted = false;
    excel.watch((request) => {
      if (request !== 4) return;
      sorted = true;
      sortTable(excelTable!, [{ key: 2, ascending: false }], false);
    });
    await writeCells(table, ['number'], [{ key: '1', cells: { name: 'one' }, clear: { price: 1 } }]);
    expect(sorted).toBe(true);
    expect(
      body()
        .map(([number, name, price]) => [number, name, price])
        .toSorted(),
    ).toEqual([
      ['1', 'one', ''],
      ['2', 'Article 2', 2],
      ['3', 'Article 3', 3],
    ]);
  });

  it('are emptied only while they still hold what was read', async () => {
    await create([article('1', { price: '5' }), article('2', { price: '5' })]);
    const table = await handle();
    excel.type('Articles', 2, 2, '8');
    await writeCells(
      table,
      ['number'],
      ['1', '2'].map((key) => ({ key, cells: {}, clear: { price: 5 } })),
    );
    expect(body().map(([, , price]) => price)).toEqual(['', 8]);
  });

  it('are not emptied when something is typed into them between reading and writing', async () => {
    await create([article('1', { price: '5' }), article('2', { price: '5' })]);
    const table = await handle();
    let isTyped = false;
    excel.watch((request) => {
      if (request !== 4) return;
      isTyped = true;
      excel.type('Articles', 1, 2, '77');
    });
    await writeCells(
      table,
      ['number'],
      ['1', '2'].map((key) => ({ key, cells: { name: `now ${key}` }, clear: { price: 5 } })),
    );
    expect(isTyped).toBe(true);
    expect(body().map(([, name, price]) => [name, price])).toEqual([
      ['now 1', 77],
      ['now 2', ''],
    ]);
  });

  it('find their row when a column of its key was deleted, as long as one is left', async () => {
    await create([article('1'), article('2')]);
    await Excel.run(async (context) => {
      context.workbook.worksheets.getItem('Articles').tables.getItemAt(0).columns.getItem('Stocked').delete();
      await context.sync();
    });
    expect(await writeCells(await handle(), ['number', 'stocked'], [{ key: '2 ', cells: { price: 3 } }])).toEqual([]);
    expect(body().map(([, , price]) => price)).toEqual([12.5, 3]);
    await expect(writeCells(await handle(), ['stocked'], [{ key: '', cells: {} }])).rejects.toMatchObject({
      code: 'COLUMN_GONE',
    });
  });

  it('are reported when their row is gone', async () => {
    await create([article('1')]);
    expect(await writeCells(await handle(), ['number'], [{ key: '9', cells: { name: 'x' } }])).toEqual(['9']);
    expect(body()).toEqual([['1', 'Article 1', 12.5, 45_717, true]]);
  });
});

describe('a formula that is put back', () => {
  it('stays the only one of its column, which Excel would fill with it', async () => {
    await create([1, 2, 3, 4].map((number) => article(String(number), { price: null })));
    await Excel.run(async (context) => {
      const column = context.workbook.worksheets.getItem('Articles').tables.getItemAt(0).columns.getItem('Price');
      column.getDataBodyRange().values = [[''], [''], [''], ['']];
      await context.sync();
    });
    excel.type('Articles', 4, 2, '=LEN(B5)');
    const opened = await handle();
    const table = excel.sheet('Articles').tables[0]!;
    // The third request finds the row of article 1; before the one that writes, the person sorts it away.
    excel.watch((request) => {
      if (request === 4) sortTable(table, [{ key: 0, ascending: false }]);
    });
    expect(await writeCells(opened, ['number'], [{ key: '1', cells: { price: 12 } }], noRetry)).toEqual([]);
    expect(body().map(([number, , price]) => [number, price])).toEqual([
      ['4', '=LEN(B2)'],
      ['3', ''],
      ['2', ''],
      ['1', 12],
    ]);
  });
});
