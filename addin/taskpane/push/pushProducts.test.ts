import { describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/problem.ts';
import type { Product } from '../../../shared/resources/product.ts';
import type { StockMode } from '../tables/productTable.ts';
import { type PushOptions, pushProducts, type ReadyRow } from './pushProducts.ts';

const row = (ArticleNumber: string, mode: StockMode | null = null): ReadyRow => ({
  number: 2,
  key: ArticleNumber,
  kind: 'ready',
  update: { ArticleNumber },
  mode,
  quantity: 5,
});

type Answer = Product | Error;
const applied = { ArticleNumber: 'A' } as Product;
const lost = () => new TypeError('Failed to fetch');

/** Answers each request in turn, and keeps what was asked. */
const serviceOf = (...answers: Answer[]) => {
  const asked: unknown[] = [];
  return {
    asked,
    updateproduct: async (update: { ArticleNumber?: unknown }) => {
      asked.push(update.ArticleNumber);
      const answer = answers.shift() ?? applied;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
};

async function push(rows: ReadyRow[], service: ReturnType<typeof serviceOf>, options: PushOptions = {}) {
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => void slept.push(milliseconds);
  const outcomes = [];
  for await (const { outcome } of pushProducts(rows, service, { sleep, ...options })) outcomes.push(outcome);
  return { outcomes, slept, kinds: outcomes.map(({ kind }) => kind) };
}

describe('a push', () => {
  it('sends one row after the other and gives each its outcome', async () => {
    const service = serviceOf(applied, new Problem('INVALID_REQUEST', 'There is no product B.'), applied);
    const { outcomes } = await push([row('A'), row('B'), row('C')], service);
    expect(outcomes).toEqual([
      { kind: 'applied', product: applied },
      { kind: 'refused', message: 'There is no product B.' },
      { kind: 'applied', product: applied },
    ]);
    expect(service.asked).toEqual(['A', 'B', 'C']);
  });

  it.each([
    ['a lost answer', lost()],
    ['a failure behind the service', new Problem('REMOTE_FAILED', 'x')],
    ['a service that took too long', new Problem('REMOTE_TIMEOUT', 'x')],
    ['a failure of the service', new Problem('INTERNAL', 'x')],
  ])('never sends a row that adds to the stock twice: after %s it is unknown', async (_, failure) => {
    const service = serviceOf(failure);
    expect((await push([row('A', 'Relative')], service)).kinds).toEqual(['unknown']);
    expect(service.asked).toEqual(['A']);
  });

  it.each(['Absolute', null] as const)('sends a row that sets (%s) again when its answer was lost', async (mode) => {
    const service = serviceOf(lost(), lost(), applied);
    expect((await push([row('A', mode)], service)).kinds).toEqual(['applied']);
    expect(service.asked).toEqual(['A', 'A', 'A']);
    expect((await push([row('A', mode)], serviceOf(lost(), lost(), lost()))).kinds).toEqual(['unknown']);
  });

  it('waits as long as the service asks, and then sends the same row, even one that adds', async () => {
    const pauses: number[] = [];
    const limit = new Problem('RATE_LIMIT', 'x', { headers: { 'Retry-After': '7' } });
    const service = serviceOf(limit, applied);
    const { kinds, slept } = await push([row('A', 'Relative')], service, { onPause: (pause) => pauses.push(pause) });
    expect(kinds).toEqual(['applied']);
    expect(slept).toEqual([7000]);
    expect(pauses).toEqual([7, 0]);
  });

  it('stops before the next row when it is cancelled', async () => {
    const stop = new AbortController();
    const service = serviceOf();
    const original = service.updateproduct;
    service.updateproduct = async (update) => {
      if (update.ArticleNumber === 'B') stop.abort();
      return original(update);
    };
    const { outcomes } = await push([row('A'), row('B'), row('C')], service, { signal: stop.signal });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'applied', 'notSent']);
    expect(outcomes[2]).toEqual({ kind: 'notSent', reason: 'cancelled' });
    expect(service.asked).toEqual(['A', 'B']);
  });

  it('stops when the credential is refused, and sends nothing more', async () => {
    const service = serviceOf(applied, new Problem('UNAUTHORIZED', 'x'));
    const { outcomes } = await push([row('A'), row('B'), row('C')], service);
    expect(outcomes.slice(1)).toEqual([
      { kind: 'notSent', reason: 'unauthorized' },
      { kind: 'notSent', reason: 'unauthorized' },
    ]);
    expect(service.asked).toEqual(['A', 'B']);
  });

  it('stops after three lost answers in a row', async () => {
    const rows = ['A', 'B', 'C', 'D', 'E'].map((name) => row(name, 'Relative'));
    const service = serviceOf(lost(), lost(), lost());
    expect((await push(rows, service)).kinds).toEqual(['unknown', 'unknown', 'unknown', 'notSent', 'notSent']);
    expect(service.asked).toEqual(['A', 'B', 'C']);
  });

  it('sends nothing while there is no network', async () => {
    const service = serviceOf();
    expect((await push([row('A')], service, { isOnline: () => false })).outcomes).toEqual([
      { kind: 'notSent', reason: 'offline' },
    ]);
    expect(service.asked).toEqual([]);
  });

  it('does not take an empty answer for a change', async () => {
    const empty = { ArticleNumber: '', EAN: '', Name: '' } as Product;
    expect((await push([row('A')], serviceOf(empty))).kinds).toEqual(['refused']);
  });
});
