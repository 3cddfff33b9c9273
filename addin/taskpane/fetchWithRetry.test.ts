import { describe, expect, it, vi } from 'vitest';
import { Unreachable } from '../../shared/client/client.ts';
import { fetchWithRetry, type ServiceWait } from './fetchWithRetry.ts';

type Respond = Response | Error;
const response = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers });

/** Sends to a service that returns these responses in turn. @returns the waits in milliseconds, and the requests */
async function ask(responses: Respond[], init: RequestInit = { method: 'GET' }) {
  let asked = 0;
  const slept: number[] = [];
  const waits: (ServiceWait | undefined)[] = [];
  const send = fetchWithRetry(
    async () => {
      const next = responses[asked++] ?? response(200);
      if (next instanceof Error) throw next;
      return next;
    },
    {
      wait: async (milliseconds) => void slept.push(milliseconds),
      onWaiting: (reason) => waits.push(reason),
    },
  );
  const outcome = await send('http://service/rest/x', init).catch((error: unknown) => error);
  return { outcome, asked, slept, waits };
}

describe('A read', () => {
  it('is repeated after the Retry-After of the service', async () => {
    const before = Date.now();
    const { outcome, slept, waits } = await ask([response(429, { 'Retry-After': '7' }), response(429), response(200)]);
    expect(outcome).toMatchObject({ status: 200 });
    expect(slept).toEqual([7000, 5000]);
    const until = { rateLimitUntil: expect.any(Date) };
    expect(waits).toEqual([until, undefined, until, undefined]);
    const [first] = waits as [{ rateLimitUntil: Date }];
    expect(first.rateLimitUntil.getTime()).toBeGreaterThanOrEqual(before + 7000);
    expect(first.rateLimitUntil.getTime()).toBeLessThanOrEqual(Date.now() + 7000);
  });

  it('says that the service is slow while there is no response for ten seconds', async () => {
    vi.useFakeTimers();
    try {
      const waits: (ServiceWait | undefined)[] = [];
      const late = () => new Promise<Response>((respond) => setTimeout(() => respond(response(200)), 15_000));
      const asking = fetchWithRetry(late, { onWaiting: (reason) => waits.push(reason) })('x', { method: 'GET' });
      await vi.advanceTimersByTimeAsync(9_999);
      expect(waits).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(waits).toEqual(['SLOW_SERVICE']);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(await asking).toMatchObject({ status: 200 });
      expect(waits).toEqual(['SLOW_SERVICE', undefined]);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['nobody was there', new Unreachable('x')],
    ['the service behind failed', response(502)],
    ['the service behind was late', response(504)],
  ])('is repeated twice when %s', async (_, failure) => {
    expect(await ask([failure, response(200)])).toMatchObject({ outcome: { status: 200 }, asked: 2, slept: [1000] });
    expect(await ask([failure, failure, failure, response(200)])).toMatchObject({ asked: 3, slept: [1000, 3000] });
  });

  it.each([400, 401, 404, 500, 501])('is not repeated after status %d', async (status) => {
    expect(await ask([response(status)])).toMatchObject({ outcome: { status }, asked: 1, slept: [] });
  });
});

describe('A write', () => {
  it.each([
    ['429', response(429)],
    ['502', response(502)],
    ['silence', new Unreachable('x')],
  ])('is sent once when the response is %s', async (_, failure) => {
    expect(await ask([failure], { method: 'PUT' })).toMatchObject({ asked: 1, slept: [] });
  });
});
