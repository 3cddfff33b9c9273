import { gunzipSync, gzipSync, strFromU8, strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { productSheets } from '../../../testing/addin/productSheet.ts';
import { readNotes, storeNotes } from '../../excel/notes.ts';
import { productKind } from '../productSheet/productKind.ts';
import { intendedPush } from './sheetPush.ts';
import { readSheetPush, storeProgress, storeSheetPush } from './storedPush.ts';

const sheet = productSheets();

describe('A push stored in a sheet', () => {
  it('contains no credential', async () => {
    sheet.type(1, 'Stock quantity', '1');
    const connection = { ...sheet.administration, username: 'jo@example.com', apiKey: 'SECRET-KEY' };
    await sheet.follow(await sheet.prepare(sheet.isReady, new Date(), connection));
    const stored = sheet.excel.workbook.sheets
      .flatMap((sheet) => JSON.stringify([...sheet.customProperties.values()]))
      .join();
    expect(stored).toContain('push-1');
    expect(stored).not.toMatch(/SECRET-KEY|jo@example\.com/);
    expect(JSON.stringify(await sheet.storedPush())).not.toMatch(/SECRET-KEY|jo@example\.com/);
  });

  it('fits ten thousand rows into properties no longer than a cell', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      row: index + 2,
      key: `ART-${10_000 + index} `,
      endpoint: 'updateproduct' as const,
      request: { ArticleNumber: `ART-${10_000 + index}`, NewSalePrice: `${(index * 7919) % 1000}.${index % 100}` },
    }));
    const intent = { administration: sheet.administration, confirmedAt: new Date() };
    const context = await sheet.contextIn();
    const push = await storeSheetPush(
      context.handle,
      intendedPush({ ...intent, rows, idempotencyKey: 'key' }, undefined, productKind),
    );
    expect(await readSheetPush(context.handle, productKind)).toEqual(push);
    const lengths = [...sheet.excel.sheet(sheet.name).customProperties.values()].map(
      ({ value }) => String(value).length,
    );
    expect(Math.max(...lengths)).toBeLessThanOrEqual(32_767);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(300_000);
    // A smaller push removes the properties of the larger one.
    await storeSheetPush(
      context.handle,
      intendedPush({ ...intent, rows: rows.slice(0, 2), idempotencyKey: 'other' }, push, productKind),
    );
    expect([...sheet.excel.sheet(sheet.name).customProperties.keys()]).toHaveLength(5);
  });

  it('contains the ids of the earlier pushes of the sheet', async () => {
    for (const price of ['1', '2', '3']) {
      sheet.type(1, 'New sale price', price);
      await sheet.pushAll();
    }
    const { id, earlier } = await sheet.storedPush();
    expect([...earlier, id]).toEqual(['push-1', 'push-2', 'push-3']);
  });

  it('of an earlier version, without unconfirmed writes, is read with those that follow from its results', async () => {
    sheet.type(1, 'Stock quantity', '3');
    sheet.type(2, 'Stock quantity', '4');
    sheet.service.unknown.add('A');
    sheet.service.onRequest = (method) => void (method === 'GET' && sheet.type(2, 'Article number', 'Z'));
    await sheet.pushAll();
    sheet.service.onRequest = () => undefined;
    const { handle } = await sheet.contextIn();
    const [text] = await readNotes(handle.sheetId, ['Ledgerline push']);
    const { unconfirmed: _, ...earlier } = JSON.parse(text!) as Record<string, unknown>;
    await storeNotes(handle.sheetId, { 'Ledgerline push': JSON.stringify(earlier) });
    sheet.type(1, 'Status', 'my note');
    sheet.type(2, 'Article number', 'B');
    expect(await sheet.articlesToSend()).toEqual([]);
    expect(sheet.column('Stock quantity').slice(0, 2)).toEqual([3, '']);
  });
});

describe('A push of the version that knew products only', () => {
  it('is continued, and clears what it added and the word for a new product', async () => {
    sheet.type(1, 'Stock quantity', '3');
    sheet.type(2, 'New sale price', '2');
    await sheet.prepare();
    const { handle } = await sheet.contextIn();
    const [text] = await readNotes(handle.sheetId, ['Ledgerline pushed rows']);
    const stored = JSON.parse(strFromU8(gunzipSync(strToU8(atob(text!), true)))) as Record<string, unknown>;
    const rows = [
      { row: 2, key: 'A ', update: { ArticleNumber: 'A', NewStockQty: '3', StockUpdateMode: 'Relative' }, clear: 3 },
      { row: 3, key: 'B ', update: { ArticleNumber: 'B', NewSalePrice: '2' }, newProduct: 'Yes', makesCategory: true },
    ];
    const { choices: _, ...earlier }: Record<string, unknown> = { ...stored, rows };
    const packed = btoa(strFromU8(gzipSync(strToU8(JSON.stringify(earlier))), true));
    await storeNotes(handle.sheetId, { 'Ledgerline pushed rows': packed });
    expect((await sheet.storedPush()).rows).toEqual([
      {
        row: 2,
        key: 'A ',
        endpoint: 'updateproduct',
        request: { ArticleNumber: 'A', NewStockQty: '3', StockUpdateMode: 'Relative' },
        clear: { NewStockQty: 3 },
      },
      {
        row: 3,
        key: 'B ',
        endpoint: 'addproduct',
        request: { ArticleNumber: 'B', NewSalePrice: '2', CategoryCreateIfMissing: true },
        clear: { NewProduct: 'Yes' },
      },
    ]);
    await storeNotes(handle.sheetId, {
      'Ledgerline pushed rows': btoa(
        strFromU8(
          gzipSync(strToU8(JSON.stringify({ ...earlier, rows: [rows[0], { ...rows[1], newProduct: undefined }] }))),
          true,
        ),
      ),
    });
    await sheet.follow(await sheet.storedPush(), { isNew: false });
    expect([sheet.column('Status')[0], sheet.column('Stock quantity')[0]]).toEqual(['Applied', '']);
    expect(sheet.service.stock.A).toBe(13);
    expect(await sheet.articlesToSend()).toEqual([]);
  });
});

describe('A second window of the same workbook', () => {
  it('cannot write results of a push that another window has continued', async () => {
    for (const row of [1, 2]) sheet.type(row, 'Stock quantity', '1');
    sheet.service.atOnce = 1;
    const away = new AbortController();
    const stale = await sheet.prepare();
    // The other window continues the push to its end and begins the next one.
    await sheet.follow(await sheet.storedPush());
    sheet.type(3, 'New sale price', '2');
    const next = await sheet.prepare();
    await expect(sheet.follow(stale, { isNew: false, signal: away.signal })).rejects.toMatchObject({
      code: 'CHANGED_ELSEWHERE',
    });
    expect((await sheet.storedPush()).idempotencyKey).toBe(next.idempotencyKey);
    expect(sheet.column('Status').slice(0, 3)).toEqual(['Applied', 'Applied', 'Waiting']);
    await sheet.follow(await sheet.storedPush(), { isNew: false });
    expect(sheet.column('Status')[2]).toBe('Applied');
    expect(sheet.service.stock).toMatchObject({ A: 11, B: 11 });
  });

  it('is not overwritten when it writes between reading and writing', async () => {
    sheet.type(1, 'Stock quantity', '1');
    const push = await sheet.prepare();
    const { handle } = await sheet.contextIn();
    const properties = sheet.excel.sheet(sheet.name).customProperties;
    const theirs = (await readSheetPush(handle, productKind))!;
    let isDone = false;
    sheet.excel.watch((_, body) => {
      if (!isDone && body.includes('"Add"')) {
        isDone = true;
        const [name, { key, value }] = [...properties].find(([, { value: text }]) => text.includes('"version"'))!;
        properties.set(name, { key, value: value.replace(/"version":\d+/, '"version":77') });
      }
      return undefined;
    });
    await expect(storeProgress(handle, { ...push, cursor: 'mine' })).rejects.toMatchObject({
      code: 'CHANGED_ELSEWHERE',
    });
    expect(await sheet.storedPush()).toEqual({ ...theirs, stored: { ...theirs.stored, version: 77 } });
  });
});
