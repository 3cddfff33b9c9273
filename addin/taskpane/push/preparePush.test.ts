import { describe, expect, it } from 'vitest';
import {
  administration,
  beginProductSheets,
  column,
  contextIn,
  excel,
  follow,
  isReady,
  openSheet,
  prepare,
  pushAll,
  SHEET,
  service,
  storedPush,
  type,
} from '../../../testing/addin/productSheet.ts';
import { defaultRetry } from '../../excel/batch.ts';
import { checkSheet, preparePush, rowsAppliedElsewhere } from './preparePush.ts';
import { isSendable } from './readProductRow.ts';

beginProductSheets();

describe('Preparing a push', () => {
  it('says beside a row with an unusual price why it is held back, when the user does not allow it', async () => {
    type(1, 'New sale price', '0');
    type(2, 'New sale price', '12.50');
    const push = await prepare(({ unusual }) => unusual.length === 0);
    expect(push.rows.map(({ update }) => update.ArticleNumber)).toEqual(['B']);
    expect(column('Status').slice(0, 3)).toEqual(['Not sent', 'Waiting', '']);
    expect(column('Message')[0]).toBe(
      'Not sent: New sale price 0.00: the price becomes 0. Correct it, or tick this row in the pane when you push.',
    );
  });

  it('marks the rows as waiting before anything is sent', async () => {
    type(1, 'New sale price', '1');
    await prepare();
    expect(column('Status')[0]).toBe('Waiting');
    expect(service.requests).toEqual([]);
  });

  it('fails on a protected sheet, with nothing sent or stored', async () => {
    type(1, 'New sale price', '1');
    excel.sheet(SHEET).protection = { options: {} };
    await expect(prepare()).rejects.toMatchObject({ code: 'PROTECTED' });
    expect(await storedPush()).toBeUndefined();
  });

  it('leaves no row waiting when it is cancelled, and holds back a held row again', async () => {
    type(1, 'Stock quantity', '1');
    type(2, 'New sale price', '2');
    type(3, 'Stock quantity', '4');
    type(3, 'Status', 'Unknown');
    const context = await contextIn();
    const rows = await checkSheet(context, 'Relative', undefined, administration);
    const cancelled = new AbortController();
    // After the rows were marked the user edits a cell, presses Cancel, and then Escape.
    let refusals = 0;
    excel.watch(() => {
      if (column('Status')[0] !== 'Waiting' || ++refusals > 2) return undefined;
      cancelled.abort();
      return 'InvalidOperationInCellEditMode';
    });
    const retry = { ...defaultRetry, signal: cancelled.signal };
    const sendable = rows.filter(isSendable);
    await expect(preparePush({ ...context, retry }, rows, sendable, administration, undefined)).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(column('Status').slice(0, 3)).toEqual(['Not sent', 'Not sent', 'Unknown']);
    expect(service.requests).toEqual([]);
  });

  it('leaves out a row whose key was changed after the confirmation', async () => {
    type(1, 'Stock quantity', '3');
    const context = await contextIn();
    const rows = await checkSheet(context, 'Relative', undefined, administration);
    type(1, 'EAN', '871');
    const push = await preparePush(context, rows, rows.filter(isSendable), administration, undefined);
    expect([push.rows, push.missing]).toEqual([[], ['A']]);
  });

  it('fails when another window has begun a push since the sheet was checked', async () => {
    type(1, 'Stock quantity', '1');
    const context = await contextIn();
    const rows = await checkSheet(context, 'Relative', undefined, administration);
    const chosen = rows.filter(isSendable);
    const first = await prepare();
    await expect(preparePush(context, rows, chosen, administration, undefined)).rejects.toMatchObject({
      code: 'CHANGED_ELSEWHERE',
    });
    expect((await storedPush()).idempotencyKey).toBe(first.idempotencyKey);
  });
});

describe('A status that is no longer true', () => {
  const check = async () => {
    const context = await contextIn();
    return checkSheet(context, 'Relative', await storedPush(), administration);
  };

  it('is corrected after Undo: no row waits while nothing runs', async () => {
    type(1, 'Stock quantity', '3');
    type(2, 'New sale price', '4');
    type(3, 'New sale price', '5');
    type(5, 'New sale price', '6');
    await pushAll();
    expect(column('Status').slice(0, 5)).toEqual(['Applied', 'Applied', 'Applied', '', 'Refused']);
    // Undo brings back the cells before the results.
    type(1, 'Stock quantity', '3');
    for (const row of [1, 2, 4, 5]) {
      type(row, 'Status', row === 2 ? 'Wacht' : 'Waiting');
      type(row, 'Message', '');
    }
    await check();
    expect(column('Status').slice(0, 5)).toEqual(['Not sent', 'Applied', 'Applied', 'Not sent', 'Refused']);
    expect(column('Message').slice(0, 5)).toEqual([
      expect.stringContaining('was added before'),
      'Changed in the administration.',
      'Changed in the administration.',
      expect.stringContaining('Not sent'),
      expect.stringContaining('Refused by the latest push'),
    ]);
    expect(service.stock.A).toBe(13);
  });

  it('is left alone while a push runs, in this window or another', async () => {
    type(1, 'Stock quantity', '3');
    await prepare();
    await check();
    expect(column('Status')[0]).toBe('Waiting');
  });

  it('is removed with the message about a duplicate once there is none, in any language', async () => {
    await openSheet(['A', 'A', 'B', 'B', 'B']);
    for (const row of [1, 2]) type(row, 'New sale price', '1');
    expect(column('Message').slice(0, 2)).toEqual(new Array(2).fill(expect.stringContaining('Rows 2 and 3')));
    await check();
    await prepare();
    expect(column('Status').slice(0, 5)).toEqual(['Not sent', 'Not sent', '', '', '']);
    type(2, 'Article number', '');
    type(2, 'New sale price', '');
    type(4, 'Article number', '');
    type(5, 'Article number', '');
    type(3, 'Message', 'Rijen 4, 5 en 6 gaan over hetzelfde artikel. Houd er een over.');
    type(4, 'Message', 'my own note');
    await check();
    expect(column('Status').slice(0, 5)).toEqual(['Not sent', '', '', '', '']);
    expect(column('Message').slice(0, 5)).toEqual(['', '', '', 'my own note', '']);
  });

  it('does not stop the check of a protected sheet', async () => {
    type(1, 'Status', 'Waiting');
    type(1, 'New sale price', '1');
    excel.sheet(SHEET).protection = { options: {} };
    expect((await check())[0]).toMatchObject({ kind: 'ready' });
  });
});

describe('Applied rows', () => {
  it('are not sent again until one of their values changes', async () => {
    type(1, 'New sale price', '1');
    type(2, 'New sale price', '2');
    type(2, 'Stock quantity', '5');
    type(3, 'Stock quantity', '6');
    type(3, 'Stock change', 'Absolute');
    await pushAll();
    expect((await prepare()).rows).toEqual([]);
    type(1, 'New sale price', '1.5');
    expect((await prepare()).rows.map(({ update }) => update)).toEqual([{ ArticleNumber: 'A', NewSalePrice: '1.5' }]);
  });

  it('are compared with the value that was applied last, over several pushes', async () => {
    type(1, 'New sale price', '1');
    await pushAll();
    type(1, 'New sale price', '2');
    type(2, 'New sale price', '9');
    await pushAll();
    expect((await prepare()).rows).toEqual([]);
    type(1, 'New sale price', '1');
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['A']);
  });

  it('are sent again when the user clears their status', async () => {
    type(1, 'New sale price', '1');
    await pushAll();
    type(1, 'Status', '');
    expect((await prepare()).rows).toHaveLength(1);
  });

  it('are sent to another administration', async () => {
    type(1, 'New sale price', '1');
    await pushAll();
    expect((await prepare(isReady, new Date(), { id: 'c2', label: 'Other' })).rows).toHaveLength(1);
  });

  it('are sent again when a later push of another value ended unknown', async () => {
    type(1, 'New sale price', '1');
    await pushAll();
    type(1, 'New sale price', '2');
    service.unknown.add('A');
    await pushAll();
    type(1, 'New sale price', '1');
    expect((await prepare()).rows).toHaveLength(1);
  });
});

describe('A workbook that was closed without saving', () => {
  it('lists the rows that a push unknown to it may have added already', async () => {
    type(1, 'Stock quantity', '1');
    type(2, 'Stock quantity', '1');
    type(5, 'Stock quantity', '1');
    const rows = (await prepare()).rows;
    await follow(await storedPush());
    // The workbook as it was saved before the push.
    await openSheet(['A', 'C', 'NOPE']);
    for (const row of [1, 2, 3]) type(row, 'Stock quantity', '1');
    const now = (await checkSheet(await contextIn(), 'Relative', undefined, administration)).filter(isSendable);
    const suspects = await rowsAppliedElsewhere(now, await service.client.list(), service.client);
    expect(rows).toHaveLength(3);
    expect(suspects.map(({ key }) => key.trim())).toEqual(['A']);
  });
});
