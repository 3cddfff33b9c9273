import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readRequest, readWrite } from '../../../shared/readRequest.ts';
import { retryOptions } from '../../../shared/retry.ts';
import { productOf } from '../../../testing/builtin/productWrites.ts';
import { ask, credential, openRemote, problemOf } from '../../../testing/remote/askRemote.ts';
import { handClock } from '../../../testing/remote/clocks.ts';
import { type FaultyService, startFaultyService } from '../../../testing/remote/faultyService.ts';
import { type Script, type ScriptedService, startScriptedService } from '../../../testing/remote/scriptedService.ts';
import type { Administrations, KeyedWrite, WriteOutcome } from '../administration.ts';
import { systemClock } from './rateLimit/clock.ts';
import type { Transport } from './transport.ts';

let service: ScriptedService;
let faulty: FaultyService;
let remote: Administrations;
beforeAll(async () => {
  service = await startScriptedService();
  faulty = await startFaultyService();
});
afterAll(async () => {
  await service.close();
  await faulty.close();
});
beforeEach(() => open(service.url));
afterEach(() => remote.close());

function open(...given: Parameters<typeof openRemote>): void {
  remote = openRemote(...given);
}

const update = (more: object = {}): KeyedWrite => ({
  key: 'push 1, row 1',
  name: 'updateproduct',
  request: readRequest('updateproduct', { ArticleNumber: 'A-1', NewSalePrice: '12.50', ...more }).request,
});
const addition: KeyedWrite = {
  key: 'push 1, row 2',
  name: 'addproduct',
  request: readRequest('addproduct', { ArticleNumber: 'A-2', NewName: 'Hamer', CategoryName: 'Gereedschap' }).request,
};
const relative = update({ NewStockQty: '1', StockUpdateMode: 'Relative' });
const never = new AbortController().signal;

async function written(write: KeyedWrite, onSending = async () => {}, signal = never): Promise<WriteOutcome> {
  const writer = await remote.writer(credential);
  const outcomes = await writer.write([write], onSending, signal);
  expect(outcomes).toHaveLength(1);
  return outcomes[0]!;
}
const outcomeOf = (script: Script, write: KeyedWrite = update()): Promise<WriteOutcome> => {
  service.play(script);
  return written(write);
};
const json = (value: unknown, more: object = {}) => ({ body: JSON.stringify(value), ...more });

describe('a write', () => {
  it('that is applied returns the product', async () => {
    expect(productOf(await outcomeOf(json({ Name: 'Zaag' })))).toMatchObject({ Name: 'Zaag' });
    expect(productOf(await outcomeOf(json([{ Name: 'Hamer' }]), addition))).toMatchObject({ Name: 'Hamer' });
    expect(service.received).toMatchObject([{ method: 'POST', path: '/rest/addproduct/' }]);
  });

  it.each([
    ['a refusal', json({ errorMessage: 'Nee.' }, { status: 400 }), 'INVALID_REQUEST'],
    ['nothing', { body: '{}' }, 'NOT_APPLIED'],
    ['an error that says it is none', json({ errorCode: 'E', errorMessage: 'Nee.' }), 'INVALID_REQUEST'],
    ['no such key', json({ errorMessage: 'No such key' }, { status: 401 }), 'UNAUTHORIZED'],
  ])('with the response %s is refused', async (_, reply, code) => {
    for (const write of [update(), relative, addition]) {
      expect(await outcomeOf(reply, write)).toMatchObject({ kind: 'refused', problem: { code } });
      expect(service.received).toHaveLength(1);
    }
  });

  it.each([
    ['an error', { status: 500 }],
    ['a web page', { body: '<html>Oops</html>' }],
    ['lists too deep to follow', { body: `{"Name":"Zaag","Extra":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }],
    ['a redirect', { status: 307, headers: { Location: '/elsewhere' } }],
  ])('with the response %s is unknown, and is sent once', async (_, reply) => {
    for (const write of [update(), relative, addition]) {
      expect(await outcomeOf(reply, write)).toMatchObject({ kind: 'unknown', problem: { code: 'OUTCOME_UNKNOWN' } });
      expect(service.received).toHaveLength(1);
    }
  });

  it.each(['resets after the request', 'hangs up after the request', 'answers half a body'] as const)(
    'to a service that %s is unknown, and sent once',
    async (fault) => {
      await remote.close();
      open(faulty.url);
      faulty.fault = fault;
      for (const write of [update(), relative, addition]) {
        faulty.arrived.length = 0;
        expect(await written(write)).toMatchObject({ kind: 'unknown' });
        expect(faulty.arrived).toHaveLength(1);
      }
    },
  );

  it('without a connection is deferred, since it was certainly not applied', async () => {
    await remote.close();
    open('http://127.0.0.1:1', {}, { random: () => 0.5 });
    const onSending = vi.fn(async () => {});
    expect(await written(relative, onSending)).toMatchObject({
      kind: 'deferred',
      problem: { code: 'REMOTE_FAILED', message: expect.stringContaining('Nothing was sent') },
      after: 250,
    });
    expect(onSending).toHaveBeenCalledTimes(1);
  });

  it('with a credential that does not fit in a header is refused', async () => {
    const problem = await problemOf(remote.writer({ apiKey: 'a\nb', username: 'anna' }));
    expect(problem.code).toBe('UNAUTHORIZED');
  });

  it('of the ledger is refused after it was recorded as sent, and nothing reaches the service', async () => {
    const request = {
      JournalEntry_Line: [
        { LedgerAccountNumber: '4000', Debit: '1' },
        { LedgerAccountNumber: '1000', Credit: '1' },
      ],
    };
    const entry: KeyedWrite = {
      key: 'push 1, row 3',
      name: 'addjournalentry',
      request: readWrite('addjournalentry', request).request,
    };
    const onSending = vi.fn(async () => {});
    const before = service.received.length;
    expect(await written(entry, onSending)).toMatchObject({ kind: 'refused', problem: { code: 'NOT_IMPLEMENTED' } });
    expect(onSending).toHaveBeenCalledOnce();
    expect(service.received.length).toBe(before);
  });

  it('has an outcome without the key', async () => {
    const refusal = json({ errorMessage: `Key ${credential.apiKey} is old` }, { status: 403 });
    const outcome = await outcomeOf(refusal);
    expect(outcome).toMatchObject({ kind: 'refused', problem: { message: 'Key *** is old' } });
  });

  it('is repeatable when it sets the stock, and not when it adds to it', async () => {
    const writer = await remote.writer(credential);
    expect([update(), relative, addition].map((write) => writer.isRepeatable(write))).toEqual([true, false, false]);
    expect(writer).toMatchObject({ batchSize: 1, concurrency: 4, isRateLimited: false });
  });
});

describe('a rate limit for writes', () => {
  it('defers a write for as long as the service says, and delays every request of the credential', async () => {
    const limited = { status: 429, headers: { 'Retry-After': '3600' }, body: '{}' };
    expect(await outcomeOf([limited, json({ Name: 'Zaag' })])).toMatchObject({
      kind: 'deferred',
      problem: { code: 'RATE_LIMIT' },
      after: 3_600_000,
    });
    expect((await problemOf(ask(remote, 'listtaxcodes'))).code).toBe('RATE_LIMIT');
    expect(service.received).toHaveLength(1);
  });

  it('with a long pause is waited for by no write, neither a waiting nor a later one', async () => {
    await remote.close();
    open(service.url, { perMinute: 1 });
    service.play({ status: 429, headers: { 'Retry-After': '600' }, body: '{}' });
    const writer = await remote.writer(credential);
    const onSending = vi.fn(async () => {});
    const write = async () => (await writer.write([update()], onSending, never))[0];
    const outcomes = [...(await Promise.all([write(), write(), write()])), await write()];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'deferred', problem: { code: 'RATE_LIMIT' } });
      expect(Object(outcome).after).toBeGreaterThan(590_000);
      // A pause ends at a whole millisecond.
      expect(Object(outcome).after).toBeLessThanOrEqual(600_001);
    }
    expect([service.received.length, onSending.mock.calls.length]).toEqual([1, 1]);
  });

  it.each([
    ['0', 5000],
    ['-5', 5000],
    ['1.5', 5000],
    ['1000000', 3_600_000],
  ])('with a Retry-After of %s defers a write for %i ms, within bounds', async (retryAfter, after) => {
    const limited = { status: 429, headers: { 'Retry-After': retryAfter }, body: '{}' };
    expect(await outcomeOf(limited)).toMatchObject({ kind: 'deferred', after });
  });

  it('without Retry-After defers longer each time, until a write succeeds', async () => {
    const clock = handClock();
    const bodies = ['limit', 'limit', 'limit', 'limit', '', 'limit'].map((text) =>
      Buffer.from(JSON.stringify(text === '' ? { Name: 'Zaag' } : { errorMessage: 'Ratelimit exceeded' })),
    );
    const transport: Transport = {
      send: async () => ({ kind: 'response', response: { status: 200, headers: {}, body: bodies.shift()! } }),
      close: async () => {},
    };
    await remote.close();
    open(service.url, {}, { clock, transport });
    const writer = await remote.writer(credential);
    const results: unknown[] = [];
    for (let time = 0; time < 6; time++) {
      const pending = writer.write([update()], async () => {}, never);
      await clock.pass(60_000);
      const [outcome] = await pending;
      results.push(outcome?.kind === 'deferred' ? outcome.after : outcome?.kind);
    }
    expect(results).toEqual([5000, 10_000, 20_000, 40_000, 'applied', 5000]);
  });
});

describe('an open circuit breaker', () => {
  it('defers a write for its pause, without an announcement', async () => {
    await remote.close();
    open(
      service.url,
      {},
      { breaker: { maxFailures: 1, retry: retryOptions({ initialBackoffMs: 50_000, maxBackoffMs: 50_000 }) } },
    );
    expect(await outcomeOf({ status: 503 })).toMatchObject({ kind: 'unknown' });
    const onSending = vi.fn(async () => {});
    const outcome = await written(update(), onSending);
    expect(outcome).toMatchObject({ kind: 'deferred', problem: { code: 'REMOTE_FAILED' }, after: expect.any(Number) });
    expect(Object(outcome).after).toBeGreaterThan(40_000);
    expect(onSending).not.toHaveBeenCalled();
    expect(service.received).toHaveLength(1);
  });
});

describe('the announcement of a write', () => {
  it('does not stop other requests while the breaker is half-open', async () => {
    await remote.close();
    let ahead = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + ahead };
    const retry = retryOptions({ initialBackoffMs: 50_000, maxBackoffMs: 50_000 });
    open(service.url, {}, { clock, breaker: { maxFailures: 1, retry } });
    expect(await outcomeOf({ status: 503 })).toMatchObject({ kind: 'unknown' });
    ahead = 51_000;
    service.play(json({ Name: 'Zaag' }));
    let listed: unknown;
    const outcome = await written(update(), async () => {
      listed = await ask(remote, 'listtaxcodes').catch((reason) => reason);
    });
    expect([listed, outcome.kind]).toMatchObject([[{ Name: 'Zaag' }], 'applied']);
  });

  it('is awaited before the write is sent', async () => {
    service.play(json({ Name: 'Zaag' }));
    const paths = () => service.received.map(({ path }) => path.split('?')[0]);
    let heardBefore: unknown;
    await written(update(), async () => {
      // Another request that begins now has its response.
      await ask(remote, 'listtaxcodes');
      heardBefore = paths();
    });
    expect(heardBefore).toEqual(['/rest/listtaxcodes/']);
    expect(paths()).toEqual(['/rest/listtaxcodes/', '/rest/updateproduct/']);
  });

  it('prevents the write when it fails', async () => {
    service.play(json({ Name: 'Zaag' }));
    const failing = async () => {
      throw new Error('no storage');
    };
    await expect(written(update(), failing)).rejects.toThrow('no storage');
    expect(service.received).toEqual([]);
  });
});

describe('a cancelled write', () => {
  it('that waits is not announced, and ends with the reason', async () => {
    await remote.close();
    open(service.url, { perMinute: 1 });
    service.play(json({ Name: 'Zaag' }));
    await written(update());
    const stop = new AbortController();
    const onSending = vi.fn(async () => {});
    const waiting = written(update(), onSending, stop.signal);
    await expect.poll(async () => (await remote.health()).waiting).toBe(1);
    stop.abort(new Error('the push was cancelled'));
    await expect(waiting).rejects.toThrow('the push was cancelled');
    expect(onSending).not.toHaveBeenCalled();
    expect(service.received).toHaveLength(1);
  });

  it('that was announced is sent and waited for', async () => {
    service.play(json({ Name: 'Zaag' }, { wait: 50 }));
    const stop = new AbortController();
    const outcome = await written(update(), async () => stop.abort(), stop.signal);
    expect(outcome).toMatchObject({ kind: 'applied' });
  });

  it('because of the end of the app is deferred', async () => {
    await remote.close();
    open(service.url, { perMinute: 1 });
    service.play(json({ Name: 'Zaag' }));
    await written(update());
    const waiting = written(update());
    await expect.poll(async () => (await remote.health()).waiting).toBe(1);
    await remote.close();
    expect(await waiting).toMatchObject({ kind: 'deferred', problem: { message: 'The app is stopping.' } });
  });
});
