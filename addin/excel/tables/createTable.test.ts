import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { article, articleWorkbook, source, spec } from '../../../testing/addin/articles.ts';
import { noRetry } from '../batch.ts';
import { createTable } from './createTable.ts';
import { readTable } from './readTable.ts';
import { isSameSource } from './tableMemory.ts';

const workbook = articleWorkbook();

beforeEach(() => workbook.open());

describe('A new table', () => {
  it('shows text as text, dates as dates and amounts as numbers', async () => {
    await workbook.create([article('0100'), article('0200', { price: null, since: null, stocked: null })]);
    expect(workbook.excel.cells('Articles')).toEqual([
      ['Number', 'Name', 'Price', 'Since', 'Stocked'],
      ['0100', 'Article 0100', 12.5, 45_717, true],
      ['0200', 'Article 0200', '', '', ''],
    ]);
    expect(workbook.excel.formats('Articles', 1)).toEqual(['@', '@', '#,##0.00', 'dd-mm-yyyy', 'General']);
  });

  it('contains every text exactly as the service sent it, formulas and numbers included', async () => {
    const texts = ['=1+1', '+31', '-5', '@SUM(A1)', "'s-Hertogenbosch", "''x", '1-2', '0,50', 'TRUE', '1e5', '  x '];
    await workbook.create(texts.map((name, index) => article(`${index}`, { name })));
    expect(workbook.body().map(([, name]) => name)).toEqual(texts);
    const cells = workbook.excel.sheet('Articles').rows.flatMap((row) => row?.cells ?? []);
    expect(cells.filter((cell) => cell?.formula !== undefined)).toEqual([]);
  });

  it.each([undefined, 'InvalidArgument', 'GeneralException', 'RequestPayloadSizeLimitExceeded'] as const)(
    'keeps the zeros of numbers typed below it, when Excel answers %s to the format of a whole column',
    async (refusal) => {
      workbook.excel.watch((_, body) => (body.includes('GetEntireColumn') ? refusal : undefined));
      await workbook.create([article('0100')]);
      workbook.excel.type('Articles', 2, 0, '0200');
      expect(workbook.body().map(([number]) => number)).toEqual(['0100', '0200']);
    },
  );

  it('contains any text unchanged in Dutch Excel', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 20 }), async (texts) => {
        workbook.open('nl');
        await workbook.create(texts.map((name, index) => article(`${index}`, { name })));
        expect(workbook.body().map(([, name]) => name)).toEqual(texts);
      }),
      { numRuns: 30 },
    );
  });

  it('is not made in a workbook that counts its days from 1904, where its dates would be others', async () => {
    workbook.excel.workbook.countsFrom1904 = true;
    await expect(workbook.create([article('0100')])).rejects.toMatchObject({ code: 'COUNTS_FROM_1904' });
    expect(workbook.excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
  });

  it('is neither read nor refreshed once its workbook counts from 1904', async () => {
    await workbook.create([article('0100')]);
    workbook.excel.workbook.countsFrom1904 = true;
    await expect(readTable(await workbook.handle())).rejects.toMatchObject({ code: 'COUNTS_FROM_1904' });
    const changed = [article('0100', { since: '2026-03-01' })];
    await expect(workbook.refresh(changed)).rejects.toMatchObject({ code: 'COUNTS_FROM_1904' });
    expect(workbook.body()).toEqual([['0100', 'Article 0100', 12.5, 45_717, true]]);
  });

  it('contains all rows that arrive page by page', async () => {
    const articles = Array.from({ length: 500 }, (_, index) => article(String(index), { name: 'x'.repeat(9000) }));
    const writer = await createTable(spec);
    for (let start = 0; start < 500; start += 50) await writer.write(articles.slice(start, start + 50));
    const written = await writer.finish();
    expect(written.rows).toBe(500);
    expect(workbook.body().map(([number]) => number)).toEqual(articles.map(({ number }) => number));
  });

  it.each(['1:1', '50:50', 'A:A'])(
    'is refused when the user inserts %s while its rows arrive, since the others would come at the wrong place',
    async (inserted) => {
      const articles = Array.from({ length: 300 }, (_, index) => article(String(index), { name: 'x'.repeat(9000) }));
      const writer = await createTable(spec);
      await writer.write(articles.slice(0, 200));
      await Excel.run(async (context) => {
        context.workbook.worksheets
          .getItem('Articles')
          .getRange(inserted)
          .insert(inserted === 'A:A' ? 'Right' : 'Down');
        await context.sync();
      });
      const outcome = writer.write(articles.slice(200)).then(() => writer.finish());
      await expect(outcome).rejects.toMatchObject({ code: 'ROWS_MOVED' });
      await writer.discard();
      expect(workbook.excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
    },
  );

  it('is written in smaller blocks when Excel refuses a large one', async () => {
    // Each character takes six bytes in JSON, more than the size estimate expects.
    const name = '\u0001'.repeat(32_000);
    await workbook.create(Array.from({ length: 60 }, (_, index) => article(String(index), { name })));
    expect(workbook.body()).toHaveLength(60);
    expect(workbook.body().every((cells) => cells[1] === name)).toBe(true);
  });

  it('cuts a text that is too long for a cell, and counts it', async () => {
    const written = await workbook.create([article('1', { name: 'x'.repeat(40_000) })]);
    expect(written.cut).toBe(1);
    expect(workbook.body()[0]![1]).toBe(`${'x'.repeat(32_766)}…`);
  });

  it('is refused with more rows than a sheet has, at once, and without a change to a sheet that is refreshed', async () => {
    // With its headings they have one row more than a sheet.
    const rows = new Array(1_048_576).fill(article('1'));
    const problem = { code: 'TOO_LARGE' };
    await expect(workbook.create(rows)).rejects.toMatchObject(problem);
    workbook.open();
    await workbook.create([article('1')]);
    await expect(workbook.refresh(rows)).rejects.toMatchObject(problem);
    expect(workbook.body()).toHaveLength(1);
  });

  it('has no rows for an empty list, and gets its first row by a refresh', async () => {
    await workbook.create([]);
    expect(workbook.excel.sheet('Articles').tables[0]!.area).toMatchObject({ rows: 2, columns: 5 });
    await workbook.refresh([article('0100'), article('0200')]);
    expect(workbook.body().map(([number]) => number)).toEqual(['0100', '0200']);
  });

  it('is created and refreshed while another workbook is in front', async () => {
    workbook.excel.workbook.inFront = false;
    await workbook.create([article('1')], noRetry);
    expect(await workbook.refresh([article('1'), article('2')], noRetry)).toMatchObject({ added: 1 });
    expect(workbook.body()).toHaveLength(2);
    expect(workbook.excel.workbook.active.name).toBe('Sheet1');
  });

  it('avoids the defined names of the workbook', async () => {
    await Excel.run(async (context) => {
      context.workbook.names.add('articles', context.workbook.worksheets.getActiveWorksheet().getRange('A1'));
      await context.sync();
    });
    await workbook.create([article('1')]);
    expect(workbook.excel.sheet('Articles').tables[0]!.name).toBe('Articles_2');
  });

  it('gets another name when the name of its sheet or table is taken', async () => {
    await workbook.create([article('1')]);
    const written = await workbook.create([article('2')]);
    expect(written.sheetName).toBe('Articles (2)');
    expect(workbook.excel.sheet('Articles (2)').tables[0]!.name).not.toBe(
      workbook.excel.sheet('Articles').tables[0]!.name,
    );
  });

  it('is removed with its sheet when it is discarded', async () => {
    const writer = await createTable(spec);
    await writer.write([article('1')]);
    await writer.discard();
    expect(workbook.excel.workbook.sheets.map(({ name }) => name)).toEqual(['Sheet1']);
  });

  it('stores its query and administration in its sheet', async () => {
    await workbook.create([article('1')]);
    const { memory, sheetName } = await workbook.handle();
    expect(sheetName).toBe('Articles');
    expect(isSameSource(memory, source)).toBe(true);
    expect(isSameSource(memory, { ...source, query: { Year: '2024' } })).toBe(false);
    expect(isSameSource(memory, { ...source, administration: { id: 'b', label: 'Other' } })).toBe(false);
  });
});
