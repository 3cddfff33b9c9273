import { describe, expect, it } from 'vitest';
import { type EndpointName, endpointNames, endpointOf } from '../../../shared/api.ts';
import { Problem } from '../../../shared/problem.ts';
import { retries } from '../../../shared/retry.ts';
import { afterFailure, type Failure } from './failure.ts';

const failures = {
  'not sent': { kind: 'not sent', reason: 'it refused the connection', timedOut: false },
  'not connected in time': { kind: 'not sent', reason: 'there was no connection in time', timedOut: true },
  'rate limited': { kind: 'rate limited' },
  'rate limited for 7 s': { kind: 'rate limited', retryAfter: 7000 },
  'rate limited for 0 s': { kind: 'rate limited', retryAfter: 0 },
  'rate limited for 11 days': { kind: 'rate limited', retryAfter: 1_000_000_000 },
  refused: { kind: 'refused', problem: new Problem('INVALID_REQUEST', 'Quantity: no') },
  reset: { kind: 'unknown', reason: 'it broke the connection', timedOut: false },
  'timed out': { kind: 'unknown', reason: 'it did not answer in time', timedOut: true },
  'unreadable answer': { kind: 'unknown', reason: 'its answer cannot be read', timedOut: false, isLasting: true },
  'unavailable for 3 s': { kind: 'unknown', reason: 'it answered 503', timedOut: false, retryAfter: 3000 },
  'unavailable for 11 days': { kind: 'unknown', reason: 'it answered 503', timedOut: false, retryAfter: 1_000_000_000 },
} as const satisfies Record<string, Failure>;

const read: [EndpointName, object] = ['listrelations', {}];
const creation: [EndpointName, object] = ['addsalesinvoice', {}];
const price: [EndpointName, object] = ['updateproduct', { ArticleNumber: 'A', NewSalePrice: '1' }];
const relative: [EndpointName, object] = ['updateproduct', { NewStockQty: '1', StockUpdateMode: 'Relative' }];

const next = (
  [name, request]: [EndpointName, object],
  failure: keyof typeof failures,
  attempt: { number?: number; unknownBefore?: boolean; random?: number } = {},
) => {
  const then = afterFailure(name, request, failures[failure], {
    number: 1,
    unknownBefore: false,
    random: 0.5,
    ...attempt,
  });
  return [then.after, then.problem.code, then.problem.headers['Retry-After']] as const;
};

describe('after a failed attempt', () => {
  it.each([
    // Not sent: a retry with any method, after half of 500 ms by the jitter.
    [read, 'not sent', 250, 'REMOTE_FAILED'],
    [creation, 'not sent', 250, 'REMOTE_FAILED'],
    [relative, 'not sent', 250, 'REMOTE_FAILED'],
    [creation, 'not connected in time', 250, 'REMOTE_TIMEOUT'],
    // The service had enough: wait, any method.
    [read, 'rate limited', 5000, 'RATE_LIMIT', '5'],
    [creation, 'rate limited', 5000, 'RATE_LIMIT', '5'],
    [creation, 'rate limited for 7 s', 7000, 'RATE_LIMIT', '7'],
    // Retry-After within bounds: at least the backoff, at most an hour.
    [creation, 'rate limited for 0 s', 5000, 'RATE_LIMIT', '5'],
    [creation, 'rate limited for 11 days', 3_600_000, 'RATE_LIMIT', '3600'],
    // A refusal is final.
    [read, 'refused', undefined, 'INVALID_REQUEST'],
    [price, 'refused', undefined, 'INVALID_REQUEST'],
    [creation, 'refused', undefined, 'INVALID_REQUEST'],
    // Unknown: retries for reads and for absolute updates, never for others.
    [read, 'reset', 250, 'REMOTE_FAILED'],
    [read, 'timed out', 250, 'REMOTE_TIMEOUT'],
    [read, 'unavailable for 3 s', 3000, 'REMOTE_FAILED'],
    [read, 'unavailable for 11 days', 3_600_000, 'REMOTE_FAILED'],
    [price, 'reset', 250, 'OUTCOME_UNKNOWN'],
    [price, 'timed out', 250, 'OUTCOME_UNKNOWN'],
    [relative, 'reset', undefined, 'OUTCOME_UNKNOWN'],
    [relative, 'timed out', undefined, 'OUTCOME_UNKNOWN'],
    [creation, 'reset', undefined, 'OUTCOME_UNKNOWN'],
    [creation, 'timed out', undefined, 'OUTCOME_UNKNOWN'],
    [creation, 'unavailable for 3 s', undefined, 'OUTCOME_UNKNOWN'],
    // Asking again would end in the same way.
    [read, 'unreadable answer', undefined, 'REMOTE_FAILED'],
    [price, 'unreadable answer', undefined, 'OUTCOME_UNKNOWN'],
  ] as const)(
    'of %j with the failure %s there is a retry after %s ms, or the error %s',
    (asked, failure, pause, code, retryAfter?: string) => {
      expect(next(asked as [EndpointName, object], failure)).toEqual([pause, code, retryAfter]);
    },
  );

  it.each(['not sent', 'reset', 'timed out', 'rate limited'] as const)(
    'with the failure %s the number of retries is limited',
    (failure) => {
      expect(next(read, failure, { number: retries.remoteRequest.maxAttempts - 1 })[0]).toBeGreaterThan(0);
      expect(next(read, failure, { number: retries.remoteRequest.maxAttempts })[0]).toBeUndefined();
    },
  );

  it('the backoff is random up to a maximum that doubles', () => {
    const pauses = (random: number) => [1, 2, 3].map((number) => next(read, 'reset', { number, random })[0]);
    expect(pauses(0)).toEqual([0, 0, 0]);
    expect(pauses(0.999_999)).toEqual([expect.closeTo(500, 0), expect.closeTo(1000, 0), expect.closeTo(2000, 0)]);
    expect([1, 2, 3].map((number) => next(read, 'rate limited', { number })[0])).toEqual([5000, 10_000, 20_000]);
    expect([1, 2, 3].map((number) => next(read, 'rate limited for 7 s', { number })[0])).toEqual([
      7000, 10_000, 20_000,
    ]);
  });

  it.each(['not sent', 'rate limited', 'refused', 'reset'] as const)(
    'an update with an unknown outcome stays unknown when the next attempt is %s',
    (failure) => {
      expect(next(price, failure, { unknownBefore: true })[1]).toBe('OUTCOME_UNKNOWN');
      // Of a read nothing is left to know.
      expect(next(read, failure, { unknownBefore: true })[1]).not.toBe('OUTCOME_UNKNOWN');
    },
  );

  it('an unknown write is never reported as failed, and requests that create are never repeated', () => {
    for (const name of endpointNames.filter((one) => endpointOf(one).repeat === 'never')) {
      for (const failure of ['reset', 'timed out', 'unreadable answer', 'unavailable for 3 s'] as const) {
        expect(next([name, {}], failure)).toEqual([undefined, 'OUTCOME_UNKNOWN', undefined]);
      }
    }
  });
});
