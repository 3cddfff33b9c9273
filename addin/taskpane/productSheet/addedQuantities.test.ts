import { beforeEach, describe, expect, it } from 'vitest';
import { productSheets } from '../../../testing/addin/productSheet.ts';

const sheet = productSheets();

describe('An added quantity', () => {
  it('is cleared, so it cannot be added again', async () => {
    sheet.type(1, 'Stock quantity', '3');
    await sheet.pushAll();
    expect(sheet.column('Stock quantity')[0]).toBe('');
    expect((await sheet.prepare()).rows).toEqual([]);
    expect(sheet.service.stock.A).toBe(13);
  });

  it('is not cleared when the user typed another quantity since', async () => {
    sheet.type(1, 'Stock quantity', '3');
    sheet.service.onRequest = () => void sheet.type(1, 'Stock quantity', '4');
    await sheet.pushAll();
    expect(sheet.column('Stock quantity')[0]).toBe(4);
    sheet.service.onRequest = () => undefined;
    await sheet.pushAll();
    expect(sheet.service.stock.A).toBe(17);
  });

  it('is cleared by a pane that is opened later', async () => {
    sheet.type(1, 'Stock quantity', '3');
    const away = new AbortController();
    sheet.service.onRequest = (method) => {
      if (method === 'GET') away.abort();
      return undefined;
    };
    await expect(sheet.pushAll({ signal: away.signal })).rejects.toMatchObject({ name: 'AbortError' });
    sheet.service.onRequest = () => undefined;
    expect(sheet.column('Stock quantity')[0]).toBe(3);
    await sheet.follow(await sheet.storedPush(), { isNew: false });
    expect(sheet.column('Stock quantity')[0]).toBe('');
    expect(sheet.service.appliedWrites).toHaveLength(1);
  });
});

describe('A quantity that returns after it was added', () => {
  /** Restores the quantity and a status, as Ctrl+Z does with cells that an add-in wrote. */
  const undo = (status: string) => {
    sheet.type(1, 'Stock quantity', '3');
    sheet.type(1, 'Status', status);
  };
  beforeEach(async () => {
    sheet.type(1, 'Stock quantity', '3');
    await sheet.pushAll();
    expect(sheet.service.stock.A).toBe(13);
  });

  it('had its added amount written in its row', () => {
    expect(sheet.column('Message')[0]).toContain('3 added');
  });

  it.each(['', 'Waiting', 'Applied', 'my note'])(
    'is not added again without a confirmation, with status %j',
    async (status) => {
      undo(status);
      expect((await sheet.prepare()).rows).toEqual([]);
      expect(sheet.column('Status')[0]).toBe('Not sent');
      expect(sheet.column('Message')[0]).toContain('was added before');
    },
  );

  it('is not added again after pushes of other rows', async () => {
    sheet.type(2, 'New sale price', '4');
    await sheet.pushAll();
    undo('');
    expect((await sheet.prepare()).rows).toEqual([]);
    sheet.type(1, 'Stock quantity', '3.0');
    expect((await sheet.prepare()).rows).toEqual([]);
  });

  it('is added again when the user confirms another delivery', async () => {
    undo('');
    await sheet.follow(await sheet.prepare(sheet.isRepeated));
    expect(sheet.service.stock.A).toBe(16);
    undo('');
    expect((await sheet.prepare()).rows).toEqual([]);
  });

  it('does not prevent another quantity, an absolute quantity, or a push to another administration', async () => {
    sheet.type(1, 'Stock quantity', '4');
    expect((await sheet.prepare()).rows).toHaveLength(1);
    sheet.type(1, 'Stock quantity', '3');
    expect((await sheet.prepare(sheet.isReady, new Date(), { id: 'c2', label: 'Other' })).rows).toHaveLength(1);
    sheet.type(1, 'Stock change', 'Absolute');
    expect((await sheet.prepare()).rows).toHaveLength(1);
  });
});
