import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/problem.ts';
import {
  articlesToSend,
  beginProductSheets,
  column,
  deleteColumn,
  follow,
  isHeld,
  isRepeated,
  openSheet,
  prepare,
  pushAll,
  service,
  storedPush,
  type,
} from '../../../testing/addin/productSheet.ts';
import { deeper } from '../../../testing/deep.ts';
import { countOf } from './sheetPush.ts';

beginProductSheets();

describe('A row whose outcome is unknown', () => {
  it('is held back when it adds to a stock, until the user clears its status', async () => {
    type(1, 'Stock quantity', '3');
    type(2, 'New sale price', '2');
    service.unknown = new Set(['A', 'B']);
    const push = await pushAll();
    expect(countOf(push, 'unknown')).toBe(2);
    expect(column('Status').slice(0, 2)).toEqual(['Unknown', 'Unknown']);
    expect(column('Stock quantity')[0]).toBe(3);
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['B']);
    expect(column('Status')[0]).toBe('Unknown');
    type(1, 'Status', '');
    expect((await prepare()).rows.map(({ key }) => key.trim())).toEqual(['A', 'B']);
  });

  it('is sent again when the user retries the held rows', async () => {
    type(1, 'Stock quantity', '3');
    service.unknown = new Set(['A']);
    await pushAll();
    service.unknown.clear();
    await follow(await prepare(isHeld));
    expect(column('Status')[0]).toBe('Applied');
    expect(service.stock.A).toBe(16);
  });
});

describe('A quantity that may have been added', () => {
  /** Pushes while the row cannot be found: its article number is another one when its result arrives. */
  const pushWhileMissing = async () => {
    service.onRequest = (method) => void (method === 'GET' && type(1, 'Article number', 'Z'));
    await pushAll();
    service.onRequest = () => undefined;
    type(1, 'Article number', 'A');
  };
  beforeEach(() => type(1, 'Stock quantity', '3'));

  it('is cleared when an EAN was typed into its row while the push ran', async () => {
    service.onRequest = (method) => void (method === 'GET' && type(1, 'EAN', '871'));
    const push = await pushAll();
    expect(push.missing).toEqual([]);
    expect([column('Status')[0], column('Stock quantity')[0]]).toEqual(['Applied', '']);
    expect(await articlesToSend()).toEqual([]);
  });

  it('is cleared when its row, which was missing when the result arrived, is found again', async () => {
    await pushWhileMissing();
    expect(await articlesToSend()).toEqual([]);
    expect([column('Status')[0], column('Stock quantity')[0]]).toEqual(['Applied', '']);
    // The same quantity is sent again only as a confirmed new delivery.
    type(1, 'Stock quantity', '3');
    expect(await articlesToSend()).toEqual([]);
    await follow(await prepare(isRepeated));
    expect(service.stock.A).toBe(16);
  });

  it('is held back when its row was missing when it became unknown', async () => {
    service.unknown.add('A');
    await pushWhileMissing();
    expect(column('Status')[0]).toBe('Waiting');
    expect(await articlesToSend()).toEqual([]);
    expect(column('Status')[0]).toBe('Unknown');
  });

  it('is held back after an error in its row was made and corrected', async () => {
    service.unknown.add('A');
    await pushAll();
    type(1, 'New sale price', 'abc');
    type(2, 'New sale price', '5');
    expect(countOf(await pushAll(), 'applied')).toBe(1);
    expect(column('Status').slice(0, 2)).toEqual(['Unknown', 'Applied']);
    expect(column('Message')[0]).toContain('abc');
    type(1, 'New sale price', '12.50');
    expect(await articlesToSend()).toEqual([]);
  });

  it('is held back when its retry was cancelled before it was sent', async () => {
    type(2, 'Stock quantity', '3');
    service.unknown = new Set(['A', 'B']);
    await pushAll();
    service.unknown.clear();
    service.atOnce = 1;
    const cancel = new AbortController();
    const again = await prepare(isHeld);
    await follow(again, { cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(column('Status').slice(0, 2)).toEqual(['Applied', 'Unknown']);
    expect(await articlesToSend()).toEqual([]);
    expect(service.stock).toMatchObject({ A: 16, B: 13 });
  });

  it('is held back when its retry, or its row, was refused', async () => {
    service.unknown.add('A');
    await pushAll();
    service.onRequest = (method) => (method === 'POST' ? new Problem('UNAUTHORIZED', 'x') : undefined);
    await expect(follow(await prepare(isHeld))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    service.onRequest = () => undefined;
    expect(column('Status')[0]).toBe('Unknown');
    delete service.stock.A;
    await follow(await prepare(isHeld));
    expect(column('Status')[0]).toBe('Refused');
    expect(await articlesToSend()).toEqual([]);
  });

  it('is held back when the status column was deleted', async () => {
    service.unknown.add('A');
    await pushAll();
    await deleteColumn('Status');
    expect(await articlesToSend()).toEqual([]);
  });

  it.each([
    ['its status', 'Status', '', ['A']],
    ['its quantity', 'Stock quantity', '', []],
  ])('is forgotten when the user clears %s', async (_, heading, text, sent) => {
    service.unknown.add('A');
    await pushWhileMissing();
    type(1, heading, text);
    expect(await articlesToSend()).toEqual(sent);
    expect((await storedPush()).unconfirmed).toEqual([]);
  });

  it('is forgotten when the user types another quantity', async () => {
    service.unknown.add('A');
    await pushWhileMissing();
    type(1, 'Stock quantity', '4');
    expect((await prepare()).rows.map(({ update }) => update)).toEqual([
      { ArticleNumber: 'A', NewStockQty: '4', StockUpdateMode: 'Relative' },
    ]);
  });

  it('is remembered over later pushes', async () => {
    service.unknown.add('A');
    await pushWhileMissing();
    for (const price of ['5', '6']) {
      type(2, 'New sale price', price);
      await pushAll();
    }
    type(1, 'Status', 'my note');
    expect(await articlesToSend()).toEqual([]);
  });
});

describe('A quantity whose row is edited at random during pushes', () => {
  const edits = {
    'an EAN': () => type(1, 'EAN', '871'),
    'no EAN': () => type(1, 'EAN', ''),
    'another number': () => type(1, 'Article number', 'Z'),
    'its own number': () => type(1, 'Article number', 'A'),
    'an error': () => type(1, 'New sale price', 'abc'),
    'a price': () => type(1, 'New sale price', '5'),
    'a note': () => type(1, 'Status', 'my note'),
    'another product': () => type(2, 'New sale price', '7'),
  };
  type Edit = keyof typeof edits;
  const edit = fc.constantFrom(...(Object.keys(edits) as Edit[]));
  const round = fc.record({
    before: fc.array(edit, { maxLength: 2 }),
    during: fc.array(edit, { maxLength: 2 }),
    unknown: fc.boolean(),
    cancelled: fc.boolean(),
  });

  it('is never added twice without a confirmation', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
        await openSheet();
        Object.assign(service, { stock: { A: 10, B: 10, C: 10, D: 10 }, pushes: [], atOnce: 1 });
        type(1, 'Stock quantity', '3');
        for (const { before, during, unknown, cancelled } of [...rounds, ...rounds]) {
          for (const name of before) edits[name]();
          service.unknown = new Set(unknown ? ['A'] : []);
          const cancel = new AbortController();
          if (cancelled) cancel.abort();
          const push = await prepare();
          service.onRequest = (method) => {
            if (method === 'GET') for (const name of during) edits[name]();
            return undefined;
          };
          await follow(push, { cancel: cancel.signal });
          service.onRequest = () => undefined;
        }
        expect([10, 13]).toContain(service.stock.A);
      }),
      { numRuns: deeper(10, 80) },
    ),
  );
});
