import { describe, expect, it } from 'vitest';
import type { Product } from '../../shared/resources/product.ts';
import type { ProductWriter, WriteOutcome } from '../administrations/administration.ts';
import { type Kind, rowsOf, storedPushes } from './testing/storedPushes.ts';
import { workPush } from './workPush.ts';

const { store, secretKey, begun, statesOf, cancel } = await storedPushes();

/** A service whose answers are given by hand, one write at a time. */
function slowService(hasPace: boolean) {
  const given: { key: string; answer: () => void }[] = [];
  const applied: WriteOutcome = { kind: 'applied', product: { ArticleNumber: 'A' } as Product };
  const writer: ProductWriter = {
    together: 1,
    atATime: 1,
    hasPace,
    remembers: false,
    isRepeatable: ({ request }) => request.NewStockQty === undefined || request.StockUpdateMode === 'Absolute',
    async write([write], onSending) {
      await onSending();
      return new Promise((resolve) => given.push({ key: write!.key, answer: () => resolve([applied]) }));
    },
  };
  /** The rows it was given so far. */
  const rows = () => given.map(({ key }) => Number(key.split('.')[1]));
  const answerNext = async () => {
    const before = given.length;
    given.at(-1)!.answer();
    await expect.poll(() => given.length).toBeGreaterThan(before);
  };
  return { writer, rows, given, answerNext };
}

async function working(kinds: readonly Kind[], { hasPace = false } = {}) {
  const head = await begun(rowsOf(kinds));
  const service = slowService(hasPace);
  const slice = new AbortController();
  const work = workPush(
    { store, administrations: { writer: async () => service.writer }, secretKey, tell: () => {} },
    head,
    slice.signal,
  );
  await expect.poll(service.rows).toEqual([0]);
  return { head, service, slice, work, states: () => statesOf(head) };
}

describe('a row that may be sent twice', () => {
  it('is written down while the one before it is under way, and leaves the moment that is back', async () => {
    const { service, states, work } = await working(['sets', 'prices', 'sets']);
    await expect.poll(states).toEqual(['sending', 'sending', 'waiting']);
    expect(service.rows()).toEqual([0]);
    await service.answerNext();
    expect(service.rows()).toEqual([0, 1]);
    await expect.poll(states).toEqual(['applied', 'sending', 'sending']);
    await service.answerNext();
    service.given.at(-1)!.answer();
    expect(await work).toBe('ended');
    expect([await states(), service.rows()]).toEqual([
      ['applied', 'applied', 'applied'],
      [0, 1, 2],
    ]);
  });

  it('stays when the push is cancelled meanwhile', async () => {
    const { head, service, states, work } = await working(['sets', 'sets', 'sets']);
    await expect.poll(states).toEqual(['sending', 'sending', 'waiting']);
    await cancel(head);
    // Longer than what was written down is trusted, in which nothing else tells the worker.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    service.given[0]!.answer();
    expect(await work).toBe('ended');
    expect([await states(), service.rows()]).toEqual([['applied', 'cancelled', 'cancelled'], [0]]);
  });

  it('waits for the next slice of time when this one is over, and is sent once', async () => {
    const { head, service, slice, states, work } = await working(['sets', 'sets']);
    await expect.poll(states).toEqual(['sending', 'sending']);
    slice.abort();
    service.given[0]!.answer();
    expect(await work).toEqual({ after: 0 });
    expect([await states(), service.rows()]).toEqual([['applied', 'waiting'], [0]]);
    const later = slowService(false);
    const rest = workPush(
      { store, administrations: { writer: async () => later.writer }, secretKey, tell: () => {} },
      head,
      new AbortController().signal,
    );
    await expect.poll(later.rows).toEqual([1]);
    later.given[0]!.answer();
    expect([await rest, await states()]).toEqual(['ended', ['applied', 'applied']]);
  });

  it('is not written down before its turn where the service has a pace', async () => {
    const { service, states } = await working(['sets', 'sets'], { hasPace: true });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([await states(), service.rows()]).toEqual([['sending', 'waiting'], [0]]);
  });
});

describe('a row that adds to a stock', () => {
  it('is written down when it leaves, and not before', async () => {
    const { service, states, work } = await working(['adds', 'adds']);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await states()).toEqual(['sending', 'waiting']);
    await service.answerNext();
    expect(await states()).toEqual(['applied', 'sending']);
    service.given.at(-1)!.answer();
    expect(await work).toBe('ended');
  });
});
