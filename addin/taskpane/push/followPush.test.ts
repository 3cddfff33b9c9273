import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { productSheets } from '../../../testing/addin/productSheet.ts';
import { defaultRetry } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import { deleteSheet } from '../../simulator/workbook/sheets.ts';
import { checkProducts } from '../productSheet/checkProducts.ts';
import { isSendable } from '../productSheet/readProductRow.ts';
import { type Followed, followPush } from './followPush.ts';
import { countOf } from './sheetPush.ts';

const sheet = productSheets();

const resultOf = (article: string, heading: string): Cell =>
  sheet.column(heading)[sheet.column('Article number').indexOf(article)] ?? '';

describe('A followed push', () => {
  it('sends the rows without errors and writes a status and a message beside each row', async () => {
    sheet.type(1, 'New sale price', '12.5');
    sheet.type(1, 'Stock quantity', '3');
    sheet.type(2, 'New sale price', 'abc');
    sheet.type(3, 'Stock quantity', '7');
    sheet.type(3, 'Stock change', 'Absolute');
    sheet.type(5, 'New sale price', '1');
    const push = await sheet.pushAll();
    expect(['applied', 'refused', 'unknown', 'cancelled'].map((state) => countOf(push, state as 'applied'))).toEqual([
      2, 1, 0, 0,
    ]);
    expect(sheet.service.stock).toEqual({ A: 13, B: 10, C: 7, D: 10 });
    expect(sheet.column('Status').slice(0, 5)).toEqual(['Applied', 'Not sent', 'Applied', '', 'Refused']);
    expect(sheet.column('Message')[1]).toBe('New sale price (E3): expected a number such as 12.50, found “abc”');
    expect(sheet.column('Message')[4]).toBe('Article number: no product has “NOPE”');
    expect(sheet.column('Stock now').slice(0, 3)).toEqual([13, '', 7]);
    expect(sheet.column('Sale price now').slice(0, 3)).toEqual([12.5, '', 1]);
  });

  it('writes its results into a sheet without the columns of present values, as earlier versions made it', async () => {
    for (const heading of ['Name now', 'Unit now', 'VAT % now', 'Purchase price now', 'Read on']) {
      await sheet.deleteColumn(heading);
    }
    sheet.type(1, 'New sale price', '12.5');
    sheet.type(2, 'New sale price', '0');
    await sheet.pushAll();
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Applied', 'Applied']);
    expect(sheet.column('Sale price now').slice(0, 2)).toEqual([12.5, 0]);
    sheet.type(1, 'New sale price', '125');
    const [row] = (await checkProducts(await sheet.contextIn(), 'Relative', undefined, sheet.administration)).filter(
      isSendable,
    );
    expect(row?.unusual).toMatchObject([{ present: '12.5', doubts: ['tenfold'] }]);
  });

  it('writes statuses and messages in Dutch for a Dutch user', async () => {
    sheet.type(5, 'New sale price', '1');
    await sheet.pushAll({ language: 'nl' });
    expect(sheet.column('Status')[4]).toBe('Geweigerd');
    expect(sheet.column('Message')[4]).toBe('Artikelnummer: geen artikel heeft “NOPE”');
  });

  it('writes results while other rows are still waiting', async () => {
    for (const row of [1, 2, 3]) sheet.type(row, 'New sale price', '1');
    sheet.service.atOnce = 1;
    const seen: Cell[][] = [];
    await sheet.pushAll({ sleep: async () => void seen.push(sheet.column('Status').slice(0, 3)) });
    expect(seen).toEqual([
      ['Applied', 'Waiting', 'Waiting'],
      ['Applied', 'Applied', 'Waiting'],
    ]);
  });

  it('writes results into the right rows while the user sorts the table', async () => {
    for (const [index, price] of ['1', '2', '3', '4'].entries()) sheet.type(index + 1, 'New sale price', price);
    sheet.service.atOnce = 1;
    const table = sheet.excel.sheet(sheet.name).tables[0]!;
    const price = table.columns.findIndex(({ name }) => name === 'New sale price');
    let ascending = false;
    sheet.service.onRequest = () => {
      sortTable(table, [{ key: price, ascending }], false);
      ascending = !ascending;
      return undefined;
    };
    await sheet.pushAll();
    for (const article of ['A', 'B', 'C', 'D']) expect(resultOf(article, 'Status')).toBe('Applied');
    expect(['A', 'B', 'C', 'D'].map((article) => resultOf(article, 'Sale price now'))).toEqual([1, 2, 3, 4]);
    expect(resultOf('NOPE', 'Status')).toBe('');
  });

  it('lists the rows that were missing when their result arrived', async () => {
    sheet.type(1, 'New sale price', '1');
    sheet.service.onRequest = () => void sheet.type(1, 'Article number', 'Z');
    expect((await sheet.pushAll()).missing).toEqual(['A']);
    expect(sheet.column('Status')[0]).toBe('Waiting');
  });

  it('leaves nothing said in a row that was emptied meanwhile, when it is checked', async () => {
    sheet.type(1, 'New sale price', '1');
    sheet.service.onRequest = () => {
      for (const heading of ['Article number', 'New sale price']) sheet.type(1, heading, '');
      return undefined;
    };
    const push = await sheet.pushAll();
    expect(push.missing).toEqual(['A']);
    await checkProducts(await sheet.contextIn(), 'Relative', push, sheet.administration);
    expect([sheet.column('Status')[0], sheet.column('Message')[0]]).toEqual(['', '']);
  });

  it('works without the EAN column when every row has an article number', async () => {
    await sheet.deleteColumn('EAN');
    sheet.type(1, 'Stock quantity', '3');
    await sheet.pushAll();
    expect(sheet.column('Status')[0]).toBe('Applied');
    expect(sheet.column('Stock quantity')[0]).toBe('');
  });
});

describe('A cancelled push', () => {
  it('leaves the rows that were not sent unchanged', async () => {
    for (const row of [1, 2, 3]) sheet.type(row, 'Stock quantity', '1');
    sheet.service.atOnce = 1;
    const cancel = new AbortController();
    const push = await sheet.pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
    expect(sheet.column('Status').slice(0, 3)).toEqual(['Applied', 'Not sent', 'Not sent']);
    expect(sheet.column('Stock quantity').slice(0, 3)).toEqual(['', 1, 1]);
    expect((await sheet.prepare()).rows.map(({ key }) => key.trim())).toEqual(['B', 'C']);
  });

  it('sends nothing when that is asked for before its first request, also after another push like it', async () => {
    sheet.type(1, 'Stock quantity', '1');
    await sheet.pushAll();
    sheet.type(2, 'Stock quantity', '2');
    const push = await sheet.pushAll({ cancel: AbortSignal.abort() });
    expect([push.states, push.id]).toEqual([['cancelled'], '']);
    expect(sheet.service.pushes).toHaveLength(1);
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Applied', 'Not sent']);
  });

  it('is cancelled when that is asked for while its results are being read', async () => {
    for (const row of [1, 2, 3]) sheet.type(row, 'Stock quantity', '1');
    sheet.service.atOnce = 1;
    const cancel = new AbortController();
    sheet.service.onRequest = (method) => {
      if (method === 'GET') cancel.abort();
      return undefined;
    };
    // With the real pauses: this one is over before it begins.
    const push = await sheet.pushAll({ cancel: cancel.signal, sleep: undefined });
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
  });

  it('is cancelled when that is asked for while a request for its results gets no answer', async () => {
    for (const row of [1, 2, 3]) sheet.type(row, 'Stock quantity', '1');
    sheet.service.atOnce = 1;
    const cancel = new AbortController();
    let reads = 0;
    sheet.service.onRequest = (method) => {
      if (method !== 'GET' || ++reads !== 2) return undefined;
      cancel.abort();
      return 'unanswered';
    };
    const push = await sheet.pushAll({ cancel: cancel.signal });
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
  });

  it('is cancelled at the service also when its sheet was deleted meanwhile', async () => {
    for (const row of [1, 2, 3]) sheet.type(row, 'Stock quantity', '1');
    sheet.service.atOnce = 1;
    const cancel = new AbortController();
    const sleep = async () => {
      deleteSheet(sheet.excel.workbook, sheet.excel.sheet(sheet.name));
      cancel.abort();
    };
    await expect(sheet.pushAll({ cancel: cancel.signal, sleep })).rejects.toMatchObject({ code: 'TABLE_GONE' });
    expect(sheet.service.pushes.map(({ stopped }) => stopped)).toEqual(['CANCELLED']);
    expect(sheet.service.stock).toEqual({ A: 11, B: 10, C: 10, D: 10 });
  });

  it('is cancelled at the service at once, also while a cell is being edited', async () => {
    for (const row of [1, 2, 3]) sheet.type(row, 'Stock quantity', '1');
    sheet.service.atOnce = 1;
    const prepared = await sheet.prepare();
    const { workbook } = sheet.excel;
    const cancel = new AbortController();
    const { signal } = new AbortController();
    let editedWhenTold: boolean | undefined;
    sheet.service.onRequest = (method, path) => {
      if (path.endsWith('/cancel')) {
        editedWhenTold ??= workbook.editing;
        workbook.editing = false;
      } else if (method === 'GET' && editedWhenTold === undefined) workbook.editing = true;
      return undefined;
    };
    let refused = 0;
    sheet.excel.watch(() => {
      // Somebody who waits for it in vain finishes the cell at last.
      if (workbook.editing && ++refused > 5) workbook.editing = false;
      return undefined;
    });
    const retry = { ...defaultRetry, signal, onWaiting: () => cancel.abort() };
    const context = { ...(await sheet.contextIn()), retry };
    const options = { signal, cancel: cancel.signal, isNew: true, sleep: async () => {} };
    const push = await followPush(context, prepared, sheet.service.client, options);
    expect(editedWhenTold).toBe(true);
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
    expect(sheet.column('Status').slice(0, 3)).toEqual(['Applied', 'Not sent', 'Not sent']);
  });

  it('is never begun when the service was not reached yet', async () => {
    sheet.type(1, 'Stock quantity', '1');
    const cancel = new AbortController();
    sheet.service.onRequest = (method) => (method === 'POST' ? 'lost' : undefined);
    const push = await sheet.pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(countOf(push, 'cancelled')).toBe(1);
    expect(sheet.service.pushes).toEqual([]);
  });

  it('is cancelled at the service when only the response to its first request was lost', async () => {
    for (const row of [1, 2]) sheet.type(row, 'Stock quantity', '1');
    const cancel = new AbortController();
    let isFirst = true;
    sheet.service.onRequest = (method) => {
      const fault = isFirst && method === 'POST' ? 'response lost' : undefined;
      isFirst = false;
      return fault;
    };
    const push = await sheet.pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(countOf(push, 'cancelled')).toBe(2);
    expect(sheet.service.pushes.map(({ stopped }) => stopped)).toEqual(['CANCELLED']);
  });

  it('is cancelled at the service by a reopened pane when the network failed before', async () => {
    for (const row of [1, 2, 3]) sheet.type(row, 'Stock quantity', '1');
    sheet.service.atOnce = 1;
    const cancel = new AbortController();
    const away = new AbortController();
    let pauses = 0;
    const sleep = async () => {
      pauses++;
      if (pauses === 1) {
        sheet.service.onRequest = () => 'lost';
        cancel.abort();
      } else away.abort();
    };
    await expect(sheet.pushAll({ cancel: cancel.signal, signal: away.signal, sleep })).rejects.toMatchObject({
      name: 'AbortError',
    });
    sheet.service.onRequest = () => undefined;
    const push = await sheet.follow(await sheet.storedPush(), { isNew: false });
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
  });
});

describe('A push over a failing network', () => {
  it('repeats its requests with a growing backoff and reports each error', async () => {
    sheet.type(1, 'Stock quantity', '1');
    let failures = 0;
    sheet.service.onRequest = (method) => (method === 'GET' && ++failures <= 7 ? 'lost' : undefined);
    const pauses: number[] = [];
    const errors: unknown[] = [];
    await sheet.pushAll({
      sleep: async (milliseconds) => void pauses.push(milliseconds),
      onChange: ({ error }: Followed) => void errors.push(error),
    });
    expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(errors.filter((error) => error instanceof Unreachable)).toHaveLength(7);
    expect(errors.at(-1)).toBeUndefined();
    expect(sheet.column('Status')[0]).toBe('Applied');
  });

  it('begins only once', async () => {
    sheet.type(1, 'Stock quantity', '1');
    let questions = 0;
    sheet.service.onRequest = () =>
      [undefined, 'response lost', 'lost', 'response lost'][++questions] as 'lost' | undefined;
    await sheet.pushAll();
    expect(sheet.service.pushes).toHaveLength(1);
    expect(sheet.service.stock.A).toBe(11);
  });

  it('continues after the service asked it to wait', async () => {
    sheet.type(1, 'Stock quantity', '1');
    const refusals = [
      new Problem('RATE_LIMIT', 'x', { headers: { 'Retry-After': '30' } }),
      new Problem('UNAVAILABLE', 'x'),
    ];
    sheet.service.onRequest = () => refusals.shift();
    const pauses: number[] = [];
    await sheet.pushAll({ sleep: async (milliseconds) => void pauses.push(milliseconds) });
    expect(pauses.slice(0, 2)).toEqual([2000, 4000]);
    expect(sheet.service.stock.A).toBe(11);
  });
});

describe('A push while a cell is being edited', () => {
  it('waits for the end of the edit and reports the reason', async () => {
    sheet.type(1, 'New sale price', '1');
    sheet.service.onRequest = (method) => {
      sheet.excel.workbook.editing = method === 'GET';
      return undefined;
    };
    const failures: unknown[] = [];
    await sheet.pushAll({
      sleep: async () => {
        sheet.excel.workbook.editing = false;
        sheet.service.onRequest = () => undefined;
      },
      onChange: ({ error }) => void failures.push(error),
    });
    expect(failures).toContainEqual(expect.objectContaining({ code: 'CELL_BEING_EDITED' }));
    expect(sheet.column('Status')[0]).toBe('Applied');
  });
});
