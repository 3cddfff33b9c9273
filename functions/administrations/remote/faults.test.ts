import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpointNames, endpointOf } from '../../../shared/api.ts';
import { retryOptions } from '../../../shared/retry.ts';
import { deeper, isDeep } from '../../../testing/deep.ts';
import { ask, isRead, openRemote, problemOf, requests } from '../../../testing/remote/askRemote.ts';
import { type Fault, type FaultyService, faults, startFaultyService } from '../../../testing/remote/faultyService.ts';
import { heldMemory } from '../../../testing/remote/memory.ts';
import type { Administrations } from '../administration.ts';

let service: FaultyService;
beforeAll(async () => {
  service = await startFaultyService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.arrived.length = 0;
});

/** Milliseconds an attempt may take at a service that waits, and at one that responds: a busy machine may be slow. */
const [TIMEOUT, LONG_TIMEOUT] = [100, 60_000];
const isSlow = (fault: Fault) => /waits|drip|without end/.test(fault);
const alwaysProbing = {
  maxFailures: Number.POSITIVE_INFINITY,
  retry: retryOptions({ initialBackoffMs: 1, maxBackoffMs: 1 }),
};
const open = (timeout = TIMEOUT): Administrations => openRemote(service.url, { timeout }, { breaker: alwaysProbing });

const mayBeRepeated = endpointNames.filter((name) => endpointOf(name).repeat !== 'never');
const neverRepeated = endpointNames.filter((name) => endpointOf(name).repeat === 'never');
const cases = faults.flatMap((fault) => endpointNames.map((name) => [fault, name] as const));

describe.skipIf(isDeep)('a service that', () => {
  it.each(cases)('%s: %s ends in a clear error', async (fault, name) => {
    service.fault = fault;
    const remote = open(isSlow(fault) ? TIMEOUT : LONG_TIMEOUT);
    const start = performance.now();
    const problem = await problemOf(ask(remote, name, requests[name]));
    // The permit, then the attempt, with a reserve for a busy machine: less than a request takes without a time limit.
    expect(performance.now() - start).toBeLessThan(2 * TIMEOUT + 60_000);
    await remote.close();
    if (fault === 'resets before the request') {
      // The connection was there when the request went out: whether it arrived is known to the service alone.
      expect(['REMOTE_FAILED', 'OUTCOME_UNKNOWN']).toContain(problem.code);
    } else if (isRead(name)) {
      expect(isSlow(fault) ? ['REMOTE_FAILED', 'REMOTE_TIMEOUT'] : ['REMOTE_FAILED']).toContain(problem.code);
    } else if (isSlow(fault) && service.arrived.length === 0) {
      // On a busy machine the time may be over before anything is sent.
      expect(['REMOTE_TIMEOUT', 'OUTCOME_UNKNOWN']).toContain(problem.code);
    } else {
      expect(problem.code).toBe('OUTCOME_UNKNOWN');
    }
    if (neverRepeated.includes(name)) expect(service.arrived.length).toBeLessThanOrEqual(1);
  });

  it.each(endpointNames)('refuses the connection: the error of %s says that nothing was sent', async (name) => {
    // Nothing listens there.
    const remote = openRemote('http://127.0.0.1:1', { timeout: TIMEOUT });
    const problem = await problemOf(ask(remote, name, requests[name]));
    expect([problem.code, problem.message]).toEqual(['REMOTE_FAILED', expect.stringContaining('Nothing was sent')]);
    await remote.close();
  });

  it.each(['resets after the request', 'hangs up after the request', 'answers half a body'] as const)(
    '%s: what only looks, or sets, is tried again, what adds is not',
    async (fault) => {
      service.fault = fault;
      const remote = openRemote(service.url, {}, { breaker: alwaysProbing });
      for (const name of mayBeRepeated) {
        service.arrived.length = 0;
        await problemOf(ask(remote, name, requests[name]));
        expect([name, service.arrived.length]).toEqual([name, 4]);
      }
      service.arrived.length = 0;
      const relative = { ArticleNumber: 'A', NewStockQty: '1' };
      expect((await problemOf(ask(remote, 'updateproduct', relative))).code).toBe('OUTCOME_UNKNOWN');
      expect(service.arrived).toHaveLength(1);
      await remote.close();
    },
  );
});

/** All of them, on a machine that has the time. */
const CALLS = deeper(500, 10_000);
const CONCURRENCY = 50;

describe(`${CALLS} calls that go wrong`, () => {
  it('leave no connections and no memory, and repeat no request that creates', async () => {
    const quick: Fault[] = faults.filter((fault) => !isSlow(fault));
    const remote = open();
    let calls = 0;
    const call = async () => {
      const number = calls++;
      const name = endpointNames[number % endpointNames.length]!;
      const marked =
        name === 'addproduct' || name === 'updateproduct'
          ? { ...requests[name], ArticleNumber: `call-${number}-` }
          : /add(order|sales|purchase)/.test(name)
            ? { ...requests[name], [name === 'addorder' ? 'OrderNotes' : 'InvoiceNotes']: `call-${number}-` }
            : requests[name];
      await problemOf(ask(remote, name, marked));
    };
    const some = async (count: number) => {
      const end = calls + count;
      while (calls < end) {
        // Changed while others are under way: requests meet each fault at every moment.
        service.fault = calls % 500 < CONCURRENCY ? 'answers a slow drip' : quick[calls % quick.length]!;
        await Promise.all(Array.from({ length: Math.min(CONCURRENCY, end - calls) }, call));
      }
    };

    await some(CALLS / 5);
    const counted = countMarks(service.arrived.splice(0));
    const before = heldMemory();
    await some((CALLS * 4) / 5);
    for (const [mark, count] of countMarks(service.arrived.splice(0), counted)) {
      const name = endpointNames[Number(/\d+/.exec(mark)![0]) % endpointNames.length]!;
      if (neverRepeated.includes(name)) expect([mark, count]).toEqual([mark, 1]);
    }
    // On a busy machine many a call is out of time before it arrives.
    expect(counted.size).toBeGreaterThan(CALLS / 50);
    counted.clear();
    const grown = heldMemory() - before;
    expect(grown).toBeLessThan(2 * 1024 * 1024);

    await remote.close();
    await expect.poll(() => service.open).toBe(0);
  });
});

/** How often each marked request arrived. */
function countMarks(arrived: readonly string[], counts = new Map<string, number>()): Map<string, number> {
  for (const text of arrived) {
    const mark = /call-\d+-/.exec(text)?.[0];
    if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return counts;
}
