import { describe, expect, it } from 'vitest';
import { Unreachable } from '../../shared/client/client.ts';
import { fetchWithRetry } from './fetchWithRetry.ts';

type Answer = Response | Error;
const answer = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers });

/** Sends to a service that returns these responses in turn. @returns the waits in milliseconds, and the requests */
async function ask(answers: Answer[], init: RequestInit = { method: 'GET' }) {
  let asked = 0;
  const slept: number[] = [];
  const send = fetchWithRetry(
    async () => {
      const next = answers[asked++] ?? answer(200);
      if (next instanceof Error) throw next;
      return next;
    },
    async (milliseconds) => void slept.push(milliseconds),
  );
  const outcome = await send('http://service/rest/x', init).catch((error: unknown) => error);
  return { outcome, asked, slept };
}

describe('A read', () => {
  it('is repeated after the Retry-After of the service', async () => {
    const { outcome, slept } = await ask([answer(429, { 'Retry-After': '7' }), answer(429), answer(200)]);
    expect(outcome).toMatchObject({ status: 200 });
    expect(slept).toEqual([7000, 5000]);
  });

  it.each([
    ['nobody was there', new Unreachable('x')],
    ['the service behind failed', answer(502)],
    ['the service behind was late', answer(504)],
  ])('is repeated twice when %s', async (_, failure) => {
    expect(await ask([failure, answer(200)])).toMatchObject({ outcome: { status: 200 }, asked: 2, slept: [1000] });
    expect(await ask([failure, failure, failure, answer(200)])).toMatchObject({ asked: 3, slept: [1000, 3000] });
  });

  it.each([400, 401, 404, 500, 501])('is not repeated after status %d', async (status) => {
    expect(await ask([answer(status)])).toMatchObject({ outcome: { status }, asked: 1, slept: [] });
  });
});

describe('A write', () => {
  it.each([
    ['429', answer(429)],
    ['502', answer(502)],
    ['silence', new Unreachable('x')],
  ])('is sent once when the response is %s', async (_, failure) => {
    expect(await ask([failure], { method: 'PUT' })).toMatchObject({ asked: 1, slept: [] });
  });
});
