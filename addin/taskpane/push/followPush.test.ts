import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import {
  administration,
  beginProductSheets,
  column,
  contextIn,
  deleteColumn,
  excel,
  follow,
  prepare,
  pushAll,
  SHEET,
  service,
  storedPush,
  type,
} from '../../../testing/addin/productSheet.ts';
import type { Cell } from '../../excel/cell.ts';
import { sortTable } from '../../simulator/workbook/changes/sort.ts';
import type { Followed } from './followPush.ts';
import { checkSheet } from './preparePush.ts';
import { isSendable } from './readProductRow.ts';
import { countOf } from './sheetPush.ts';

beginProductSheets();

const resultOf = (article: string, heading: string): Cell =>
  column(heading)[column('Article number').indexOf(article)] ?? '';

describe('A followed push', () => {
  it('sends the rows without errors and writes a status and a message beside each row', async () => {
    type(1, 'New sale price', '12.5');
    type(1, 'Stock quantity', '3');
    type(2, 'New sale price', 'abc');
    type(3, 'Stock quantity', '7');
    type(3, 'Stock change', 'Absolute');
    type(5, 'New sale price', '1');
    const push = await pushAll();
    expect(['applied', 'refused', 'unknown', 'cancelled'].map((state) => countOf(push, state as 'applied'))).toEqual([
      2, 1, 0, 0,
    ]);
    expect(service.stock).toEqual({ A: 13, B: 10, C: 7, D: 10 });
    expect(column('Status').slice(0, 5)).toEqual(['Applied', 'Not sent', 'Applied', '', 'Refused']);
    expect(column('Message')[1]).toBe('New sale price: expected a number such as 12.50, found “abc”');
    expect(column('Message')[4]).toBe('Article number: no product has “NOPE”');
    expect(column('Stock now').slice(0, 3)).toEqual([13, '', 7]);
    expect(column('Sale price now').slice(0, 3)).toEqual([12.5, '', 1]);
  });

  it('writes its results into a sheet without the columns of present values, as earlier versions made it', async () => {
    for (const heading of ['Name now', 'Unit now', 'VAT % now', 'Purchase price now', 'Read on']) {
      await deleteColumn(heading);
    }
    type(1, 'New sale price', '12.5');
    type(2, 'New sale price', '0');
    await pushAll();
    expect(column('Status').slice(0, 2)).toEqual(['Applied', 'Applied']);
    expect(column('Sale price now').slice(0, 2)).toEqual([12.5, 0]);
    type(1, 'New sale price', '125');
    const [row] = (await checkSheet(await contextIn(), 'Relative', undefined, administration)).filter(isSendable);
    expect(row?.unusual).toMatchObject([{ present: '12.5', doubts: ['tenfold'] }]);
  });

  it('writes statuses and messages in Dutch for a Dutch user', async () => {
    type(5, 'New sale price', '1');
    await pushAll({ language: 'nl' });
    expect(column('Status')[4]).toBe('Geweigerd');
    expect(column('Message')[4]).toBe('Artikelnummer: geen artikel heeft “NOPE”');
  });

  it('writes results while other rows are still waiting', async () => {
    for (const row of [1, 2, 3]) type(row, 'New sale price', '1');
    service.atOnce = 1;
    const seen: Cell[][] = [];
    await pushAll({ sleep: async () => void seen.push(column('Status').slice(0, 3)) });
    expect(seen).toEqual([
      ['Applied', 'Waiting', 'Waiting'],
      ['Applied', 'Applied', 'Waiting'],
    ]);
  });

  it('writes results into the right rows while the user sorts the table', async () => {
    for (const [index, price] of ['1', '2', '3', '4'].entries()) type(index + 1, 'New sale price', price);
    service.atOnce = 1;
    const table = excel.sheet(SHEET).tables[0]!;
    const price = table.columns.findIndex(({ name }) => name === 'New sale price');
    let ascending = false;
    service.onRequest = () => {
      sortTable(table, [{ key: price, ascending }], false);
      ascending = !ascending;
      return undefined;
    };
    await pushAll();
    for (const article of ['A', 'B', 'C', 'D']) expect(resultOf(article, 'Status')).toBe('Applied');
    expect(['A', 'B', 'C', 'D'].map((article) => resultOf(article, 'Sale price now'))).toEqual([1, 2, 3, 4]);
    expect(resultOf('NOPE', 'Status')).toBe('');
  });

  it('lists the rows that were missing when their result arrived', async () => {
    type(1, 'New sale price', '1');
    service.onRequest = () => void type(1, 'Article number', 'Z');
    expect((await pushAll()).missing).toEqual(['A']);
    expect(column('Status')[0]).toBe('Waiting');
  });

  it('works without the EAN column when every row has an article number', async () => {
    await deleteColumn('EAN');
    type(1, 'Stock quantity', '3');
    await pushAll();
    expect(column('Status')[0]).toBe('Applied');
    expect(column('Stock quantity')[0]).toBe('');
  });
});

describe('A cancelled push', () => {
  it('leaves the rows that were not sent unchanged', async () => {
    for (const row of [1, 2, 3]) type(row, 'Stock quantity', '1');
    service.atOnce = 1;
    const cancel = new AbortController();
    const push = await pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
    expect(column('Status').slice(0, 3)).toEqual(['Applied', 'Not sent', 'Not sent']);
    expect(column('Stock quantity').slice(0, 3)).toEqual(['', 1, 1]);
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['B', 'C']);
  });

  it('is never begun when the service was not reached yet', async () => {
    type(1, 'Stock quantity', '1');
    const cancel = new AbortController();
    service.onRequest = (method) => (method === 'POST' ? 'lost' : undefined);
    const push = await pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(countOf(push, 'cancelled')).toBe(1);
    expect(service.pushes).toEqual([]);
  });

  it('is cancelled at the service when only the response to its first request was lost', async () => {
    for (const row of [1, 2]) type(row, 'Stock quantity', '1');
    const cancel = new AbortController();
    let isFirst = true;
    service.onRequest = (method) => {
      const fault = isFirst && method === 'POST' ? 'response lost' : undefined;
      isFirst = false;
      return fault;
    };
    const push = await pushAll({ cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(countOf(push, 'cancelled')).toBe(2);
    expect(service.pushes.map(({ stopped }) => stopped)).toEqual(['CANCELLED']);
  });

  it('is cancelled at the service by a reopened pane when the network failed before', async () => {
    for (const row of [1, 2, 3]) type(row, 'Stock quantity', '1');
    service.atOnce = 1;
    const cancel = new AbortController();
    const away = new AbortController();
    let pauses = 0;
    const sleep = async () => {
      pauses++;
      if (pauses === 1) {
        service.onRequest = () => 'lost';
        cancel.abort();
      } else away.abort();
    };
    await expect(pushAll({ cancel: cancel.signal, signal: away.signal, sleep })).rejects.toMatchObject({
      name: 'AbortError',
    });
    service.onRequest = () => undefined;
    const push = await follow(await storedPush(), { isNew: false });
    expect([countOf(push, 'applied'), countOf(push, 'cancelled')]).toEqual([1, 2]);
  });
});

describe('A push over a failing network', () => {
  it('repeats its requests with a growing backoff and reports each error', async () => {
    type(1, 'Stock quantity', '1');
    let failures = 0;
    service.onRequest = (method) => (method === 'GET' && ++failures <= 7 ? 'lost' : undefined);
    const pauses: number[] = [];
    const errors: unknown[] = [];
    await pushAll({
      sleep: async (milliseconds) => void pauses.push(milliseconds),
      onChange: ({ error }: Followed) => void errors.push(error),
    });
    expect(pauses).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(errors.filter((error) => error instanceof Unreachable)).toHaveLength(7);
    expect(errors.at(-1)).toBeUndefined();
    expect(column('Status')[0]).toBe('Applied');
  });

  it('begins only once', async () => {
    type(1, 'Stock quantity', '1');
    let questions = 0;
    service.onRequest = () => [undefined, 'response lost', 'lost', 'response lost'][++questions] as 'lost' | undefined;
    await pushAll();
    expect(service.pushes).toHaveLength(1);
    expect(service.stock.A).toBe(11);
  });

  it('continues after the service asked it to wait', async () => {
    type(1, 'Stock quantity', '1');
    const refusals = [
      new Problem('RATE_LIMIT', 'x', { headers: { 'Retry-After': '30' } }),
      new Problem('UNAVAILABLE', 'x'),
    ];
    service.onRequest = () => refusals.shift();
    const pauses: number[] = [];
    await pushAll({ sleep: async (milliseconds) => void pauses.push(milliseconds) });
    expect(pauses.slice(0, 2)).toEqual([2000, 4000]);
    expect(service.stock.A).toBe(11);
  });
});

describe('A push while a cell is being edited', () => {
  it('waits for the end of the edit and reports the reason', async () => {
    type(1, 'New sale price', '1');
    service.onRequest = (method) => {
      excel.workbook.editing = method === 'GET';
      return undefined;
    };
    const failures: unknown[] = [];
    await pushAll({
      sleep: async () => {
        excel.workbook.editing = false;
        service.onRequest = () => undefined;
      },
      onChange: ({ error }) => void failures.push(error),
    });
    expect(failures).toContainEqual(expect.objectContaining({ code: 'CELL_BEING_EDITED' }));
    expect(column('Status')[0]).toBe('Applied');
  });
});
