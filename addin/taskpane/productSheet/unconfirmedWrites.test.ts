import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/problem.ts';
import { productSheets } from '../../../testing/addin/productSheet.ts';
import { deeper } from '../../../testing/deep.ts';
import { countOf } from '../push/sheetPush.ts';

const sheet = productSheets();

describe('A row whose outcome is unknown', () => {
  it('is held back when it adds to a stock, until the user clears its status', async () => {
    sheet.type(1, 'Stock quantity', '3');
    sheet.type(2, 'New sale price', '2');
    sheet.service.unknown = new Set(['A', 'B']);
    const push = await sheet.pushAll();
    expect(countOf(push, 'unknown')).toBe(2);
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Unknown', 'Unknown']);
    expect(sheet.column('Stock quantity')[0]).toBe(3);
    expect((await sheet.prepare()).rows.map(({ key }) => key.trim())).toEqual(['B']);
    expect(sheet.column('Status')[0]).toBe('Unknown');
    sheet.type(1, 'Status', '');
    expect((await sheet.prepare()).rows.map(({ key }) => key.trim())).toEqual(['A', 'B']);
  });

  it('is sent again when the user retries the held rows', async () => {
    sheet.type(1, 'Stock quantity', '3');
    sheet.service.unknown = new Set(['A']);
    await sheet.pushAll();
    sheet.service.unknown.clear();
    await sheet.follow(await sheet.prepare(sheet.isHeld));
    expect(sheet.column('Status')[0]).toBe('Applied');
    expect(sheet.service.stock.A).toBe(16);
  });
});

describe('A quantity that may have been added', () => {
  /** Pushes while the row cannot be found: its article number is another one when its result arrives. */
  const pushWhileMissing = async () => {
    sheet.service.onRequest = (method) => void (method === 'GET' && sheet.type(1, 'Article number', 'Z'));
    await sheet.pushAll();
    sheet.service.onRequest = () => undefined;
    sheet.type(1, 'Article number', 'A');
  };
  beforeEach(() => sheet.type(1, 'Stock quantity', '3'));

  it('is cleared when an EAN was typed into its row while the push ran', async () => {
    sheet.service.onRequest = (method) => void (method === 'GET' && sheet.type(1, 'EAN', '871'));
    const push = await sheet.pushAll();
    expect(push.missing).toEqual([]);
    expect([sheet.column('Status')[0], sheet.column('Stock quantity')[0]]).toEqual(['Applied', '']);
    expect(await sheet.articlesToSend()).toEqual([]);
  });

  it('is cleared when its row, which was missing when the result arrived, is found again', async () => {
    await pushWhileMissing();
    expect(await sheet.articlesToSend()).toEqual([]);
    expect([sheet.column('Status')[0], sheet.column('Stock quantity')[0]]).toEqual(['Applied', '']);
    // The same quantity is sent again only as a confirmed new delivery.
    sheet.type(1, 'Stock quantity', '3');
    expect(await sheet.articlesToSend()).toEqual([]);
    await sheet.follow(await sheet.prepare(sheet.isRepeated));
    expect(sheet.service.stock.A).toBe(16);
  });

  it('is held back when its row was missing when it became unknown', async () => {
    sheet.service.unknown.add('A');
    await pushWhileMissing();
    expect(sheet.column('Status')[0]).toBe('Waiting');
    expect(await sheet.articlesToSend()).toEqual([]);
    expect(sheet.column('Status')[0]).toBe('Unknown');
  });

  it('is held back after an error in its row was made and corrected', async () => {
    sheet.service.unknown.add('A');
    await sheet.pushAll();
    sheet.type(1, 'New sale price', 'abc');
    sheet.type(2, 'New sale price', '5');
    expect(countOf(await sheet.pushAll(), 'applied')).toBe(1);
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Unknown', 'Applied']);
    expect(sheet.column('Message')[0]).toContain('abc');
    sheet.type(1, 'New sale price', '12.50');
    expect(await sheet.articlesToSend()).toEqual([]);
  });

  it('is held back when its retry was cancelled before it was sent', async () => {
    sheet.type(2, 'Stock quantity', '3');
    sheet.service.unknown = new Set(['A', 'B']);
    await sheet.pushAll();
    sheet.service.unknown.clear();
    sheet.service.atOnce = 1;
    const cancel = new AbortController();
    const again = await sheet.prepare(sheet.isHeld);
    await sheet.follow(again, { cancel: cancel.signal, sleep: async () => cancel.abort() });
    expect(sheet.column('Status').slice(0, 2)).toEqual(['Applied', 'Unknown']);
    expect(await sheet.articlesToSend()).toEqual([]);
    expect(sheet.service.stock).toMatchObject({ A: 16, B: 13 });
  });

  it('is held back when its retry, or its row, was refused', async () => {
    sheet.service.unknown.add('A');
    await sheet.pushAll();
    sheet.service.onRequest = (method) => (method === 'POST' ? new Problem('UNAUTHORIZED', 'x') : undefined);
    await expect(sheet.follow(await sheet.prepare(sheet.isHeld))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    sheet.service.onRequest = () => undefined;
    expect(sheet.column('Status')[0]).toBe('Unknown');
    delete sheet.service.stock.A;
    await sheet.follow(await sheet.prepare(sheet.isHeld));
    expect(sheet.column('Status')[0]).toBe('Refused');
    expect(await sheet.articlesToSend()).toEqual([]);
  });

  it('is held back when the status column was deleted', async () => {
    sheet.service.unknown.add('A');
    await sheet.pushAll();
    await sheet.deleteColumn('Status');
    expect(await sheet.articlesToSend()).toEqual([]);
  });

  it.each([
    ['its status', 'Status', '', ['A']],
    ['its quantity', 'Stock quantity', '', []],
  ])('is forgotten when the user clears %s', async (_, heading, text, sent) => {
    sheet.service.unknown.add('A');
    await pushWhileMissing();
    sheet.type(1, heading, text);
    expect(await sheet.articlesToSend()).toEqual(sent);
    expect((await sheet.storedPush()).unconfirmed).toEqual([]);
  });

  it('is forgotten when the user types another quantity', async () => {
    sheet.service.unknown.add('A');
    await pushWhileMissing();
    sheet.type(1, 'Stock quantity', '4');
    expect((await sheet.prepare()).rows.map(({ request }) => request)).toEqual([
      { ArticleNumber: 'A', NewStockQty: '4', StockUpdateMode: 'Relative' },
    ]);
  });

  it('is remembered over later pushes', async () => {
    sheet.service.unknown.add('A');
    await pushWhileMissing();
    for (const price of ['5', '6']) {
      sheet.type(2, 'New sale price', price);
      await sheet.pushAll();
    }
    sheet.type(1, 'Status', 'my note');
    expect(await sheet.articlesToSend()).toEqual([]);
  });
});

describe('A quantity whose row is edited at random during pushes', () => {
  const edits = {
    'an EAN': () => sheet.type(1, 'EAN', '871'),
    'no EAN': () => sheet.type(1, 'EAN', ''),
    'another number': () => sheet.type(1, 'Article number', 'Z'),
    'its own number': () => sheet.type(1, 'Article number', 'A'),
    'an error': () => sheet.type(1, 'New sale price', 'abc'),
    'a price': () => sheet.type(1, 'New sale price', '5'),
    'a note': () => sheet.type(1, 'Status', 'my note'),
    'another product': () => sheet.type(2, 'New sale price', '7'),
  };
  type Edit = keyof typeof edits;
  const edit = fc.constantFrom(...(Object.keys(edits) as Edit[]));
  const round = fc.record({
    before: fc.array(edit, { maxLength: 2 }),
    during: fc.array(edit, { maxLength: 2 }),
    unknown: fc.boolean(),
    cancelled: fc.boolean(),
  });

  it('is never added twice without a confirmation', () =>
    fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
        await sheet.open();
        Object.assign(sheet.service, { stock: { A: 10, B: 10, C: 10, D: 10 }, pushes: [], atOnce: 1 });
        sheet.type(1, 'Stock quantity', '3');
        for (const { before, during, unknown, cancelled } of [...rounds, ...rounds]) {
          for (const name of before) edits[name]();
          sheet.service.unknown = new Set(unknown ? ['A'] : []);
          const cancel = new AbortController();
          if (cancelled) cancel.abort();
          const push = await sheet.prepare();
          sheet.service.onRequest = (method) => {
            if (method === 'GET') for (const name of during) edits[name]();
            return undefined;
          };
          await sheet.follow(push, { cancel: cancel.signal });
          sheet.service.onRequest = () => undefined;
        }
        expect([10, 13]).toContain(sheet.service.stock.A);
      }),
      { numRuns: deeper(10, 80) },
    ));
});
