import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, isRepeatable, readRetryAfter, retries, retryOptions } from './retry.ts';

describe('a backoff', () => {
  it('doubles until its maximum', () => {
    const options = retryOptions({ initialBackoffMs: 500, maxBackoffMs: 8000 });
    expect([1, 2, 3, 4, 5, 6, 7].map((attempt) => backoffMs(attempt, options))).toEqual([
      500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
  });

  it('grows by its factor', () => {
    expect([1, 2].map((attempt) => backoffMs(attempt, retries.paneRead))).toEqual([1000, 3000]);
  });

  it('is at least the Retry-After of the service, up to its maximum', () => {
    const options = retryOptions({ maxRetryAfterMs: 60_000 });
    expect(backoffMs(1, options, { retryAfterMs: 7000, jitter: 0 })).toBe(7000);
    expect(backoffMs(1, options, { retryAfterMs: 90_000 })).toBe(60_000);
    expect(backoffMs(1, options, { retryAfterMs: 1 })).toBe(500);
  });

  it('is finite and within its bounds after any number of attempts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(retries)),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.nat(), { nil: undefined }),
        (options, attempt, jitter, retryAfterMs) => {
          const backoff = backoffMs(attempt, options, { jitter, retryAfterMs });
          expect(backoff).toBeGreaterThanOrEqual(0);
          expect(backoff).toBeLessThanOrEqual(Math.max(options.maxBackoffMs, options.maxRetryAfterMs));
        },
      ),
    );
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);

  it.each([
    ['7', 7000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['2026-01-01', undefined],
    ['', undefined],
    [null, undefined],
  ])('of %j is %j milliseconds', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });
});

describe('an update', () => {
  it.each([
    [{ NewSalePrice: '1' }, true],
    [{ NewStockQty: '1', StockUpdateMode: 'Absolute' }, true],
    [{ NewStockQty: '1', StockUpdateMode: 'Relative' }, false],
    [{ NewStockQty: '0', StockUpdateMode: 'Relative' }, false],
    [{ Product_Batch: [{ Description: 'x' }], BatchStockUpdateMode: 'Relative' }, true],
    [{ Product_Batch: [{ Description: 'x', BatchStockQty: '1' }], BatchStockUpdateMode: 'Relative' }, false],
    [{ Product_Batch: [{ Description: 'x', BatchStockQty: '1' }], BatchStockUpdateMode: 'Absolute' }, true],
    [
      {
        NewStockQty: '1',
        StockUpdateMode: 'Relative',
        Product_Batch: [{ Description: 'x', BatchStockQty: '1' }],
        BatchStockUpdateMode: 'Absolute',
      },
      false,
    ],
    [
      // The batch's gain is added to the stock that was set: the second time it gains nothing.
      {
        NewStockQty: '1',
        StockUpdateMode: 'Absolute',
        Product_Batch: [{ Description: 'x', BatchStockQty: '1' }],
        BatchStockUpdateMode: 'Absolute',
      },
      false,
    ],
  ])('with %j may be repeated: %s', (update, expected) => {
    expect(isRepeatable('updateproduct', { ArticleNumber: 'A', ...update })).toBe(expected);
  });
});
