import { describe, expect, it } from 'vitest';
import { type Result, readResponse } from './readResponse.ts';

const now = Date.UTC(2026, 2, 4, 12, 0, 0);

/** What a reply says to an update, which quotes its request. */
const resultOf = (status: number, errorMessage: string, retryAfter?: string): Result => {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const text = JSON.stringify({ errorCode: 'E-1', errorMessage });
  const steps = readResponse('updateproduct', { status, headers, body: Buffer.alloc(0) }, text, now);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

describe('a refusal', () => {
  const words = [
    'Ratelimit exceeded',
    'Rate limit exceeded.',
    'RATE_LIMIT',
    'Rate-limiting: wait',
    'Too many requests',
  ];
  const quotes = [
    'There is no category "Corporate Limited".',
    'There is no category "Corporate-limit".',
    'There is no category "Rate limitless".',
    'No such key',
    '',
  ];

  it.each(words)('with the message %j means the rate limit for status 401, 403 and success', (message) => {
    for (const status of [200, 401, 403])
      expect([status, resultOf(status, message).kind]).toEqual([status, 'rate limited']);
  });

  it.each(quotes)('with the message %j does not mean the rate limit', (message) => {
    for (const status of [200, 401, 403]) expect([status, resultOf(status, message).kind]).toEqual([status, 'refused']);
  });

  it.each([...words, ...quotes])('with status 429 and the message %j means the rate limit', (message) => {
    expect(resultOf(429, message).kind).toBe('rate limited');
  });

  it('that contains those words with another status, or later in a message of success, does not mean the rate limit', () => {
    for (const status of [400, 402, 404, 409, 413, 422]) {
      for (const message of words) expect([status, resultOf(status, message).kind]).toEqual([status, 'refused']);
    }
    expect(resultOf(200, 'There is no category "Rate limit".').kind).toBe('refused');
    expect(resultOf(401, 'You reached your rate limit.').kind).toBe('rate limited');
  });
});

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7000],
    [' 120 ', 120_000],
    ['1000000', 1_000_000_000],
    ['Wed, 04 Mar 2026 12:01:30 GMT', 90_000],
    ['Wednesday, 04-Mar-26 12:01:30 GMT', 90_000],
    ['Wed Mar  4 12:01:30 2026 GMT', 90_000],
    ['Wed, 04 Mar 2026 11:00:00 GMT', 0],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['5 seconds', undefined],
    ['2030-01-01', undefined],
    ['Wed', undefined],
    ['soon', undefined],
  ])('of %j is %s milliseconds', (header, milliseconds) => {
    expect(resultOf(429, 'Later.', header)).toEqual({ kind: 'rate limited', retryAfter: milliseconds });
    expect(resultOf(503, 'Later.', header)).toMatchObject({ kind: 'unknown', retryAfter: milliseconds });
  });
});
