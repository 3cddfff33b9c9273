import { describe, expect, it } from 'vitest';
import { productSheets } from '../../../testing/addin/productSheet.ts';
import { defaultRetry } from '../../excel/batch.ts';
import { messagesOf } from '../locales/messages.ts';
import { checkProducts, rowsAppliedElsewhere, selectProducts } from '../productSheet/checkProducts.ts';
import { isSendable, type ProductRow } from '../productSheet/readProductRow.ts';
import { preparePush } from './preparePush.ts';

const sheet = productSheets();

/** All rows that can be sent. */
const allOf = (rows: readonly ProductRow[]) => selectProducts(rows, rows.filter(isSendable), messagesOf.en);

describe('Preparing a push', () => {
  it('says beside a row with an unusual price why it is held back, when the user does not allow it', async () => {
    sheet.type(1, 'New sale price', '0');
    sheet.type(2, 'New sale price', '12.50');
    const push = await sheet.prepare(({ unusual }) => unusual.length === 0);
    expect(push.rows.map(({ request }) => request.ArticleNumber)).toEqual(['B']);
    expect(sheet.column('Status').slice(0, 3)).toEqual(['Not sent', 'Waiting', '']);
    expect(sheet.column('Message')[0]).toBe(
      'Not sent: New sale price 0.00: the price becomes 0. Correct it, or tick this row in the pane when you push.',
    );
  });

  it('marks the rows as waiting before anything is sent', async () => {
    sheet.type(1, 'New sale price', '1');
    await sheet.prepare();
    expect(sheet.column('Status')[0]).toBe('Waiting');
    expect(sheet.service.requests).toEqual([]);
  });

  it('fails on a protected sheet, with nothing sent or stored', async () => {
    sheet.type(1, 'New sale price', '1');
    sheet.excel.sheet(sheet.name).protection = { options: {} };
    await expect(sheet.prepare()).rejects.toMatchObject({ code: 'PROTECTED' });
    expect(await sheet.storedPush()).toBeUndefined();
  });

  it('leaves no row waiting when it is cancelled, and holds back a held row again', async () => {
    sheet.type(1, 'Stock quantity', '1');
    sheet.type(2, 'New sale price', '2');
    sheet.type(3, 'Stock quantity', '4');
    sheet.type(3, 'Status', 'Unknown');
    const context = await sheet.contextIn();
    const rows = await checkProducts(context, 'Relative', undefined, sheet.administration);
    const cancelled = new AbortController();
    // After the rows were marked the user edits a cell, presses Cancel, and then Escape.
    let refusals = 0;
    sheet.excel.watch(() => {
      if (sheet.column('Status')[0] !== 'Waiting' || ++refusals > 2) return undefined;
      cancelled.abort();
      return 'InvalidOperationInCellEditMode';
    });
    const retry = { ...defaultRetry, signal: cancelled.signal };
    await expect(
      preparePush({ ...context, retry }, allOf(rows), sheet.administration, undefined),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(sheet.column('Status').slice(0, 3)).toEqual(['Not sent', 'Not sent', 'Unknown']);
    expect(sheet.service.requests).toEqual([]);
  });

  it('leaves out a row whose key was changed after the confirmation', async () => {
    sheet.type(1, 'Stock quantity', '3');
    const context = await sheet.contextIn();
    const rows = await checkProducts(context, 'Relative', undefined, sheet.administration);
    sheet.type(1, 'EAN', '871');
    const push = await preparePush(context, allOf(rows), sheet.administration, undefined);
    expect([push.rows, push.missing]).toEqual([[], ['A']]);
  });

  it('fails when another window has begun a push since the sheet was checked', async () => {
    sheet.type(1, 'Stock quantity', '1');
    const context = await sheet.contextIn();
    const rows = await checkProducts(context, 'Relative', undefined, sheet.administration);
    const first = await sheet.prepare();
    await expect(preparePush(context, allOf(rows), sheet.administration, undefined)).rejects.toMatchObject({
      code: 'CHANGED_ELSEWHERE',
    });
    expect((await sheet.storedPush()).idempotencyKey).toBe(first.idempotencyKey);
  });
});

describe('A status that is no longer true', () => {
  const check = async () => {
    const context = await sheet.contextIn();
    return checkProducts(context, 'Relative', await sheet.storedPush(), sheet.administration);
  };

  it('is corrected after Undo: no row waits while nothing runs', async () => {
    sheet.type(1, 'Stock quantity', '3');
    sheet.type(2, 'New sale price', '4');
    sheet.type(3, 'New sale price', '5');
    sheet.type(5, 'New sale price', '6');
    await sheet.pushAll();
    expect(sheet.column('Status').slice(0, 5)).toEqual(['Applied', 'Applied', 'Applied', '', 'Refused']);
    // Undo brings back the cells before the results.
    sheet.type(1, 'Stock quantity', '3');
    for (const row of [1, 2, 4, 5]) {
      sheet.type(row, 'Status', row === 2 ? 'Wacht' : 'Waiting');
      sheet.type(row, 'Message', '');
    }
    await check();
    expect(sheet.column('Status').slice(0, 5)).toEqual(['Not sent', 'Applied', 'Applied', 'Not sent', 'Refused']);
    expect(sheet.column('Message').slice(0, 5)).toEqual([
      expect.stringContaining('was added before'),
      'Changed in the administration.',
      'Changed in the administration.',
      expect.stringContaining('Not sent'),
      expect.stringContaining('Refused by the latest push'),
    ]);
    expect(sheet.service.stock.A).toBe(13);
  });

  it.each(['New product', 'Stock change', 'New sale price'])(
    'names a text that fills its cell under %s, and does not repeat all of it',
    async (heading) => {
      sheet.type(1, 'New sale price', '1');
      sheet.type(1, 'Stock quantity', '1');
      sheet.type(1, heading, 'x'.repeat(32_767));
      sheet.type(2, 'New sale price', '2');
      expect((await sheet.prepare()).rows.map(({ key }) => key.trim())).toEqual(['B']);
      expect(sheet.column('Status').slice(0, 2)).toEqual(['Not sent', 'Waiting']);
      expect(String(sheet.column('Message')[0])).toMatch(/“x{40,}/);
      expect(String(sheet.column('Message')[0]).length).toBeLessThan(300);
    },
  );

  it('is left alone while a push runs, in this window or another', async () => {
    sheet.type(1, 'Stock quantity', '3');
    await sheet.prepare();
    await check();
    expect(sheet.column('Status')[0]).toBe('Waiting');
  });

  it('is removed with the message about a duplicate once there is none, in any language', async () => {
    await sheet.open(['A', 'A', 'B', 'B', 'B']);
    for (const row of [1, 2]) sheet.type(row, 'New sale price', '1');
    expect(sheet.column('Message').slice(0, 2)).toEqual(new Array(2).fill(expect.stringContaining('Rows 2 and 3')));
    await check();
    await sheet.prepare();
    expect(sheet.column('Status').slice(0, 5)).toEqual(['Not sent', 'Not sent', '', '', '']);
    sheet.type(2, 'Article number', '');
    sheet.type(2, 'New sale price', '');
    sheet.type(4, 'Article number', '');
    sheet.type(5, 'Article number', '');
    sheet.type(3, 'Message', 'Rijen 4, 5 en 6 gaan over hetzelfde artikel. Houd er een over.');
    sheet.type(4, 'Message', 'my own note');
    await check();
    expect(sheet.column('Status').slice(0, 5)).toEqual(['Not sent', '', '', '', '']);
    expect(sheet.column('Message').slice(0, 5)).toEqual(['', '', '', 'my own note', '']);
  });

  it('does not stop the check of a protected sheet', async () => {
    sheet.type(1, 'Status', 'Waiting');
    sheet.type(1, 'New sale price', '1');
    sheet.excel.sheet(sheet.name).protection = { options: {} };
    expect((await check())[0]).toMatchObject({ kind: 'ready' });
  });
});

describe('Applied rows', () => {
  it('are not sent again until one of their values changes', async () => {
    sheet.type(1, 'New sale price', '1');
    sheet.type(2, 'New sale price', '2');
    sheet.type(2, 'Stock quantity', '5');
    sheet.type(3, 'Stock quantity', '6');
    sheet.type(3, 'Stock change', 'Absolute');
    await sheet.pushAll();
    expect((await sheet.prepare()).rows).toEqual([]);
    sheet.type(1, 'New sale price', '1.5');
    expect((await sheet.prepare()).rows.map(({ request }) => request)).toEqual([
      { ArticleNumber: 'A', NewSalePrice: '1.5' },
    ]);
  });

  it('are compared with the value that was applied last, over several pushes', async () => {
    sheet.type(1, 'New sale price', '1');
    await sheet.pushAll();
    sheet.type(1, 'New sale price', '2');
    sheet.type(2, 'New sale price', '9');
    await sheet.pushAll();
    expect((await sheet.prepare()).rows).toEqual([]);
    sheet.type(1, 'New sale price', '1');
    expect((await sheet.prepare()).rows.map(({ key }) => key.trim())).toEqual(['A']);
  });

  it('are sent again when the user clears their status', async () => {
    sheet.type(1, 'New sale price', '1');
    await sheet.pushAll();
    sheet.type(1, 'Status', '');
    expect((await sheet.prepare()).rows).toHaveLength(1);
  });

  it('are sent to another administration', async () => {
    sheet.type(1, 'New sale price', '1');
    await sheet.pushAll();
    expect((await sheet.prepare(sheet.isReady, new Date(), { id: 'c2', label: 'Other' })).rows).toHaveLength(1);
  });

  it('are sent again when a later push of another value ended unknown', async () => {
    sheet.type(1, 'New sale price', '1');
    await sheet.pushAll();
    sheet.type(1, 'New sale price', '2');
    sheet.service.unknown.add('A');
    await sheet.pushAll();
    sheet.type(1, 'New sale price', '1');
    expect((await sheet.prepare()).rows).toHaveLength(1);
  });
});

describe('A workbook that was closed without saving', () => {
  it('lists the rows that a push unknown to it may have added already', async () => {
    sheet.type(1, 'Stock quantity', '1');
    sheet.type(2, 'Stock quantity', '1');
    sheet.type(5, 'Stock quantity', '1');
    const rows = (await sheet.prepare()).rows;
    await sheet.follow(await sheet.storedPush());
    // The workbook as it was saved before the push.
    await sheet.open(['A', 'C', 'NOPE']);
    for (const row of [1, 2, 3]) sheet.type(row, 'Stock quantity', '1');
    const now = (await checkProducts(await sheet.contextIn(), 'Relative', undefined, sheet.administration)).filter(
      isSendable,
    );
    const suspects = await rowsAppliedElsewhere(now, await sheet.service.client.list(), sheet.service.client);
    expect(rows).toHaveLength(3);
    expect(suspects.map(({ key }) => key.trim())).toEqual(['A']);
  });
});
