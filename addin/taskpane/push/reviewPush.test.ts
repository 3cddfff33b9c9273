import { beforeEach, describe, expect, it } from 'vitest';
import { productSheets } from '../../../testing/addin/productSheet.ts';
import { reviewPush } from './reviewPush.ts';
import { countOf, type SheetPush } from './sheetPush.ts';

const sheet = productSheets();

describe('A late result of an unknown row', () => {
  beforeEach(() => {
    sheet.type(1, 'Stock quantity', '3');
    sheet.service.unknown.add('A');
  });
  const outcome = () => [sheet.column('Status')[0], sheet.column('Stock quantity')[0], sheet.service.stock.A];

  it('is written while the push still runs, and its quantity cleared', async () => {
    sheet.type(2, 'New sale price', '1');
    sheet.service.atOnce = 1;
    await sheet.pushAll({ sleep: async () => sheet.service.resolveUnknown('A', 'applied') });
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it('is found before a retry, which then sends nothing', async () => {
    const push = await sheet.pushAll();
    expect(countOf(push, 'unknown')).toBe(1);
    sheet.service.resolveUnknown('A', 'applied');
    expect((await sheet.prepare(sheet.isHeld)).rows).toEqual([]);
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it('is found after other pushes', async () => {
    await sheet.pushAll();
    sheet.type(2, 'New sale price', '1');
    await sheet.pushAll();
    sheet.service.resolveUnknown('A', 'applied');
    expect((await sheet.prepare(sheet.isHeld)).rows).toEqual([]);
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it.each([0, 1])('that is a refusal allows another push of the row, after %i other pushes', async (others) => {
    await sheet.pushAll();
    for (let other = 0; other < others; other++) {
      sheet.type(2, 'New sale price', String(other + 1));
      await sheet.pushAll();
    }
    sheet.service.resolveUnknown('A', 'refused');
    const again = await sheet.prepare(({ kind, key }) => kind === 'ready' && key.trim() === 'A');
    expect(again.rows).toHaveLength(1);
    expect(again.unconfirmed).toEqual([]);
  });

  it('is in the push that goes on when the user cancels while results of earlier pushes are read', async () => {
    const first = await sheet.pushAll();
    sheet.type(2, 'Stock quantity', '4');
    sheet.service.unknown.add('B');
    let push = await sheet.pushAll();
    sheet.service.resolveUnknown('B', 'applied');
    const user = new AbortController();
    sheet.service.onRequest = (_, path) => {
      if (path.includes(first.id)) user.abort('cancelled');
      return undefined;
    };
    const onWritten = (written: SheetPush) => {
      push = written;
    };
    const context = await sheet.contextIn();
    const review = reviewPush(context, push, sheet.service.client, { signal: user.signal, onWritten });
    await expect(review).rejects.toBe('cancelled');
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Unknown', 'Applied']);
    sheet.service.onRequest = () => undefined;
    sheet.service.resolveUnknown('A', 'applied');
    await reviewPush(context, push, sheet.service.client);
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Applied', 'Applied']);
  });

  it('is not waited for without a network', async () => {
    await sheet.pushAll();
    sheet.service.resolveUnknown('A', 'applied');
    sheet.service.onRequest = () => 'lost';
    expect((await sheet.prepare(sheet.isHeld)).rows).toHaveLength(1);
  });
});
