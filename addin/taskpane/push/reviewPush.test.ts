import { beforeEach, describe, expect, it } from 'vitest';
import {
  beginProductSheets,
  column,
  isHeld,
  prepare,
  pushAll,
  service,
  type,
} from '../../../testing/addin/productSheet.ts';
import { countOf } from './sheetPush.ts';

beginProductSheets();

describe('A late result of an unknown row', () => {
  beforeEach(() => {
    type(1, 'Stock quantity', '3');
    service.unknown.add('A');
  });
  const outcome = () => [column('Status')[0], column('Stock quantity')[0], service.stock.A];

  it('is written while the push still runs, and its quantity cleared', async () => {
    type(2, 'New sale price', '1');
    service.atOnce = 1;
    await pushAll({ sleep: async () => service.resolveUnknown('A', 'applied') });
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it('is found before a retry, which then sends nothing', async () => {
    const push = await pushAll();
    expect(countOf(push, 'unknown')).toBe(1);
    service.resolveUnknown('A', 'applied');
    expect((await prepare(isHeld)).rows).toEqual([]);
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it('is found after other pushes', async () => {
    await pushAll();
    type(2, 'New sale price', '1');
    await pushAll();
    service.resolveUnknown('A', 'applied');
    expect((await prepare(isHeld)).rows).toEqual([]);
    expect(outcome()).toEqual(['Applied', '', 13]);
  });

  it.each([0, 1])('that is a refusal allows another push of the row, after %i other pushes', async (others) => {
    await pushAll();
    for (let other = 0; other < others; other++) {
      type(2, 'New sale price', String(other + 1));
      await pushAll();
    }
    service.resolveUnknown('A', 'refused');
    const again = await prepare(({ kind, key }) => kind === 'ready' && key.trim() === 'A');
    expect(again.rows).toHaveLength(1);
    expect(again.unconfirmed).toEqual([]);
  });

  it('is not waited for without a network', async () => {
    await pushAll();
    service.resolveUnknown('A', 'applied');
    service.onRequest = () => 'lost';
    expect((await prepare(isHeld)).rows).toHaveLength(1);
  });
});
