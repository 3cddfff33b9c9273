import { beforeEach, describe, expect, it } from 'vitest';
import {
  beginProductSheets,
  column,
  follow,
  isReady,
  isRepeated,
  prepare,
  pushAll,
  service,
  storedPush,
  type,
} from '../../../testing/addin/productSheet.ts';

beginProductSheets();

describe('An added quantity', () => {
  it('is cleared, so it cannot be added again', async () => {
    type(1, 'Stock quantity', '3');
    await pushAll();
    expect(column('Stock quantity')[0]).toBe('');
    expect((await prepare()).rows).toEqual([]);
    expect(service.stock.A).toBe(13);
  });

  it('is not cleared when the user typed another quantity since', async () => {
    type(1, 'Stock quantity', '3');
    service.onRequest = () => void type(1, 'Stock quantity', '4');
    await pushAll();
    expect(column('Stock quantity')[0]).toBe(4);
    service.onRequest = () => undefined;
    await pushAll();
    expect(service.stock.A).toBe(17);
  });

  it('is cleared by a pane that is opened later', async () => {
    type(1, 'Stock quantity', '3');
    const away = new AbortController();
    service.onRequest = (method) => {
      if (method === 'GET') away.abort();
      return undefined;
    };
    await expect(pushAll({ signal: away.signal })).rejects.toMatchObject({ name: 'AbortError' });
    service.onRequest = () => undefined;
    expect(column('Stock quantity')[0]).toBe(3);
    await follow(await storedPush(), { isNew: false });
    expect(column('Stock quantity')[0]).toBe('');
    expect(service.appliedWrites).toHaveLength(1);
  });
});

describe('A quantity that returns after it was added', () => {
  /** Restores the quantity and a status, as Ctrl+Z does with cells that an add-in wrote. */
  const undo = (status: string) => {
    type(1, 'Stock quantity', '3');
    type(1, 'Status', status);
  };
  beforeEach(async () => {
    type(1, 'Stock quantity', '3');
    await pushAll();
    expect(service.stock.A).toBe(13);
  });

  it('had its added amount written in its row', () => {
    expect(column('Message')[0]).toContain('3 added');
  });

  it.each(['', 'Waiting', 'Applied', 'my note'])(
    'is not added again without a confirmation, with status %j',
    async (status) => {
      undo(status);
      expect((await prepare()).rows).toEqual([]);
      expect(column('Status')[0]).toBe('Not sent');
      expect(column('Message')[0]).toContain('was added before');
    },
  );

  it('is not added again after pushes of other rows', async () => {
    type(2, 'New sale price', '4');
    await pushAll();
    undo('');
    expect((await prepare()).rows).toEqual([]);
    type(1, 'Stock quantity', '3.0');
    expect((await prepare()).rows).toEqual([]);
  });

  it('is added again when the user confirms another delivery', async () => {
    undo('');
    await follow(await prepare(isRepeated));
    expect(service.stock.A).toBe(16);
    undo('');
    expect((await prepare()).rows).toEqual([]);
  });

  it('does not prevent another quantity, an absolute quantity, or a push to another administration', async () => {
    type(1, 'Stock quantity', '4');
    expect((await prepare()).rows).toHaveLength(1);
    type(1, 'Stock quantity', '3');
    expect((await prepare(isReady, new Date(), { id: 'c2', label: 'Other' })).rows).toHaveLength(1);
    type(1, 'Stock change', 'Absolute');
    expect((await prepare()).rows).toHaveLength(1);
  });
});
