import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/problem.ts';
import { productSheets } from '../../../testing/addin/productSheet.ts';
import type { Fault } from '../../../testing/addin/pushService.ts';
import { deeper } from '../../../testing/deep.ts';
import { countOf, isFinished } from './sheetPush.ts';

const sheet = productSheets();

/** Begins a push and closes the pane before its response. */
async function loseFirstResponse(): Promise<void> {
  const closed = new AbortController();
  sheet.service.onRequest = () => {
    closed.abort();
    return 'response lost';
  };
  await expect(sheet.pushAll({ signal: closed.signal })).rejects.toMatchObject({ name: 'AbortError' });
  sheet.service.onRequest = () => undefined;
}

describe('A pane that is closed and reopened', () => {
  it('finds the push whose first response was lost, and begins no second one', async () => {
    sheet.type(1, 'Stock quantity', '1');
    await loseFirstResponse();
    // The push sends the confirmed values; a value typed since then waits for the next push.
    sheet.type(1, 'New sale price', '99');
    await sheet.follow(await sheet.storedPush(), { isNew: false });
    expect(sheet.service.pushes).toHaveLength(1);
    expect(sheet.service.stock.A).toBe(11);
    expect(sheet.service.appliedWrites[0]).not.toHaveProperty('NewSalePrice');
    expect((await sheet.prepare()).rows.map(({ request }) => request)).toEqual([
      { ArticleNumber: 'A', NewSalePrice: '99' },
    ]);
  });

  it('sends a push that was not sent yet on the same day, and not later', async () => {
    sheet.type(1, 'Stock quantity', '1');
    const begunAt = new Date('2026-03-02T09:00:00Z');
    await sheet.prepare(sheet.isReady, begunAt);
    const afterADay = await sheet.follow(await sheet.storedPush(), {
      isNew: false,
      now: () => new Date('2026-03-03T09:00:01Z'),
    });
    expect(countOf(afterADay, 'unknown')).toBe(1);
    expect(sheet.service.pushes).toEqual([]);
    expect(sheet.column('Stock quantity')[0]).toBe(1);
    sheet.type(1, 'Status', '');
    await sheet.prepare(sheet.isReady, begunAt);
    await sheet.follow(await sheet.storedPush(), { isNew: false, now: () => new Date('2026-03-02T17:00:00Z') });
    expect(sheet.service.stock.A).toBe(11);
  });

  it('does not begin it again with another key of a remote administration, which sees no push of the first', async () => {
    sheet.type(1, 'Stock quantity', '1');
    await loseFirstResponse();
    sheet.service.pushes.length = 0;
    sheet.service.requests.length = 0;
    const followed = await sheet.follow(await sheet.storedPush(), { isNew: false, isOfOtherKey: true });
    expect(sheet.service.requests).toEqual([]);
    expect(countOf(followed, 'unknown')).toBe(1);
    expect(sheet.column('Status')[0]).toBe('Unknown');
    // It is sent again only when somebody says so.
    expect(await sheet.articlesToSend()).toEqual([]);
  });

  it('finds a push that had begun days before', async () => {
    sheet.type(1, 'Stock quantity', '1');
    await loseFirstResponse();
    const daysLater = new Date(Date.now() + 5 * 86_400_000);
    await sheet.follow(await sheet.storedPush(), { isNew: false, now: () => daysLater });
    expect(sheet.service.pushes).toHaveLength(1);
    expect(sheet.column('Status')[0]).toBe('Applied');
  });

  it('continues a push where it stopped', async () => {
    for (const row of [1, 2, 3, 4]) sheet.type(row, 'New sale price', '1');
    sheet.service.atOnce = 2;
    const away = new AbortController();
    await expect(sheet.pushAll({ signal: away.signal, sleep: async () => away.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const halfway = await sheet.storedPush();
    expect(halfway.states).toEqual(['applied', 'applied', 'waiting', 'waiting']);
    sheet.type(1, 'Status', 'my note');
    expect(isFinished(await sheet.follow(halfway, { isNew: false }))).toBe(true);
    expect(sheet.column('Status').slice(0, 4)).toEqual(['my note', 'Applied', 'Applied', 'Applied']);
  });
});

describe('A push with random faults and closed panes', () => {
  type FaultKind = 'none' | Fault | 'closed';
  const faultKind = fc.constantFrom<FaultKind>(
    'none',
    'lost',
    'response lost',
    'closed',
    new Problem('UNAVAILABLE', 'x'),
  );

  it('adds every quantity once and writes every result', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(faultKind, { maxLength: 10 }),
        fc.integer({ min: 1, max: 3 }),
        async (mishaps, atOnce) => {
          await sheet.open();
          Object.assign(sheet.service, { stock: { A: 10, B: 10, C: 10, D: 10 }, pushes: [], atOnce });
          for (const row of [1, 2, 3, 5]) sheet.type(row, 'Stock quantity', String(row));
          let away = new AbortController();
          const coming = [...mishaps];
          sheet.service.onRequest = () => {
            const next = coming.shift();
            if (next === 'closed') away.abort();
            return next === 'none' || next === 'closed' ? undefined : next;
          };
          let push = await sheet.prepare();
          for (let isNew = true; !isFinished(push); isNew = false) {
            away = new AbortController();
            const look = sheet.follow(push, { signal: away.signal, isNew });
            await look.catch((error) => expect(error).toBe(away.signal.reason));
            push = await sheet.storedPush();
          }
          expect(sheet.service.stock).toEqual({ A: 11, B: 12, C: 13, D: 10 });
          expect(sheet.column('Status').slice(0, 5)).toEqual(['Applied', 'Applied', 'Applied', '', 'Refused']);
          expect(sheet.column('Stock quantity').slice(0, 5)).toEqual(['', '', '', '', 5]);
        },
      ),
      { numRuns: deeper(8, 50) },
    ));
});
