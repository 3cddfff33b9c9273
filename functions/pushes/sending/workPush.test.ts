import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Problem } from '../../../shared/problem.ts';
import type { PushedWrite } from '../../../shared/resources/push.ts';
import { isRepeatable, retryOptions } from '../../../shared/retry.ts';
import { type Kind, rowsOf, storedPushes } from '../../../testing/pushes/storedPushes.ts';
import {
  type Administration,
  MAX_PAUSE_MS,
  type PushWriter,
  type WriteOutcome,
} from '../../administrations/administration.ts';
import type { PushHead, PushStore } from '../pushStore.ts';
import { workPush } from './workPush.ts';

const { store, secrets, begun, statesOf, cancel } = await storedPushes();

/** Of an administration whose lists are not asked for. */
const nothingListed = () => Promise.reject(new Error('No list was expected.'));

const applied: WriteOutcome = { kind: 'applied', shown: '{"ArticleNumber":"A"}' };

/** A service that responds when a test says so, one write at a time. */
function slowService(isRateLimited: boolean) {
  const requests: { key: string; respond: () => void }[] = [];
  const writer: PushWriter = {
    batchSize: 1,
    concurrency: 1,
    isRateLimited,
    isInOrder: false,
    isRepeatable: ({ name, request }) => isRepeatable(name, request),
    async write([write], onSending) {
      await onSending();
      return new Promise((resolve) => requests.push({ key: write!.key, respond: () => resolve([applied]) }));
    },
  };
  /** The rows that it received so far. */
  const rows = () => requests.map(({ key }) => Number(key.split('.')[1]));
  const respondToNext = async () => {
    const before = requests.length;
    requests.at(-1)!.respond();
    await expect.poll(() => requests.length).toBeGreaterThan(before);
  };
  return { writer, rows, requests, respondToNext };
}

async function working(kinds: readonly Kind[], { isRateLimited = false } = {}) {
  const head = await begun(rowsOf(kinds));
  const service = slowService(isRateLimited);
  const slice = new AbortController();
  const work = workPush(
    { store, administrations: { open: nothingListed, writer: async () => service.writer }, secrets, report: () => {} },
    head,
    slice.signal,
  );
  await expect.poll(service.rows).toEqual([0]);
  return { head, service, slice, work, states: () => statesOf(head) };
}

/** Begins another push, and waits until its second row is recorded while the first one is being sent. */
async function otherIsRecorded(): Promise<void> {
  const { states } = await working(['sets', 'sets']);
  await expect.poll(states).toEqual(['sending', 'sending']);
}

describe('a row that may be sent twice', () => {
  it('is recorded while the row before it is being sent, and sent as soon as that one is done', async () => {
    const { service, states, work } = await working(['sets', 'prices', 'sets']);
    await expect.poll(states).toEqual(['sending', 'sending', 'waiting']);
    expect(service.rows()).toEqual([0]);
    await service.respondToNext();
    expect(service.rows()).toEqual([0, 1]);
    await expect.poll(states).toEqual(['applied', 'sending', 'sending']);
    await service.respondToNext();
    service.requests.at(-1)!.respond();
    expect(await work).toBe('ended');
    expect([await states(), service.rows()]).toEqual([
      ['applied', 'applied', 'applied'],
      [0, 1, 2],
    ]);
  });

  it('is not sent when the push is cancelled meanwhile', async () => {
    const { head, service, states, work } = await working(['sets', 'sets', 'sets']);
    await expect.poll(states).toEqual(['sending', 'sending', 'waiting']);
    await cancel(head);
    // Longer than the worker relies on a record without reading it again.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2500 });
    onTestFinished(() => void vi.useRealTimers());
    service.requests[0]!.respond();
    expect(await work).toBe('ended');
    expect([await states(), service.rows()]).toEqual([['applied', 'cancelled', 'cancelled'], [0]]);
  });

  it('waits for the next slice of time, and is sent once', async () => {
    const { head, service, slice, states, work } = await working(['sets', 'sets']);
    await expect.poll(states).toEqual(['sending', 'sending']);
    slice.abort();
    service.requests[0]!.respond();
    expect(await work).toEqual({ after: 0 });
    expect([await states(), service.rows()]).toEqual([['applied', 'waiting'], [0]]);
    const later = slowService(false);
    const rest = workPush(
      { store, administrations: { open: nothingListed, writer: async () => later.writer }, secrets, report: () => {} },
      head,
      new AbortController().signal,
    );
    await expect.poll(later.rows).toEqual([1]);
    later.requests[0]!.respond();
    expect([await rest, await states()]).toEqual(['ended', ['applied', 'applied']]);
  });

  it('is recorded only when it is sent, with a rate limit', async () => {
    const { service, states } = await working(['sets', 'sets'], { isRateLimited: true });
    await otherIsRecorded();
    expect([await states(), service.rows()]).toEqual([['sending', 'waiting'], [0]]);
  });
});

describe('a worker whose push was continued by another one meanwhile', () => {
  const finish = async (head: PushHead) => {
    const writer: PushWriter = {
      batchSize: 1,
      concurrency: 1,
      isRateLimited: false,
      isInOrder: false,
      isRepeatable: () => false,
      async write(_, onSending) {
        await onSending();
        return [applied];
      },
    };
    const administrations = { open: nothingListed, writer: async () => writer };
    const end = workPush({ store, administrations, secrets, report: () => {} }, head, new AbortController().signal);
    expect(await end).toBe('ended');
  };

  it('ends when its row has its outcome, also with rows that wait for one that the other sent', async () => {
    const { head, service, states, work } = await working(['buys', 'buys', 'buys']);
    await finish(head);
    expect(await states()).toEqual(['unknown', 'applied', 'applied']);
    service.requests[0]!.respond();
    expect(await work).toEqual({ after: MAX_PAUSE_MS });
    expect([await states(), service.rows()]).toEqual([['applied', 'applied', 'applied'], [0]]);
  });
});

describe('a row that adds to a stock', () => {
  it('is recorded only when it is sent', async () => {
    const { service, states, work } = await working(['adds', 'adds']);
    await otherIsRecorded();
    expect(await states()).toEqual(['sending', 'waiting']);
    await service.respondToNext();
    expect(await states()).toEqual(['applied', 'sending']);
    service.requests.at(-1)!.respond();
    expect(await work).toBe('ended');
  });
});

/** A push to a service with these outcomes; the last one repeats. */
async function pushWith(
  kinds: readonly Kind[],
  outcomes: readonly (WriteOutcome | 'thrown')[],
  options: { isRateLimited?: boolean; concurrency?: number; store?: PushStore } = {},
) {
  const head = await begun(rowsOf(kinds));
  const sent: number[] = [];
  const writer: PushWriter = {
    batchSize: 1,
    concurrency: options.concurrency ?? 1,
    isRateLimited: options.isRateLimited ?? false,
    isInOrder: false,
    isRepeatable: ({ name, request }) => isRepeatable(name, request),
    async write([write], onSending) {
      const outcome = outcomes[Math.min(sent.length, outcomes.length - 1)]!;
      // A deferred row is not sent.
      if (outcome !== 'thrown' && outcome.kind === 'deferred') return [outcome];
      await onSending();
      sent.push(Number(write!.key.split('.')[1]));
      if (outcome === 'thrown') throw new RangeError('The response is nested too deeply.');
      return [outcome];
    },
  };
  const dependencies = {
    store: options.store ?? store,
    administrations: { open: nothingListed, writer: async () => writer },
    secrets,
    report: () => {},
    rowRetry: retryOptions({ initialBackoffMs: 1 }),
    storageRetry: retryOptions({ maxAttempts: 5, initialBackoffMs: 1 }),
  };
  const work = () => workPush(dependencies, head, AbortSignal.timeout(10_000));
  return { head, sent, work, states: () => statesOf(head) };
}

const refused = (code: 'UNAUTHORIZED' | 'INVALID_REQUEST'): WriteOutcome => ({
  kind: 'refused',
  problem: new Problem(code, 'No.'),
});
const deferred = (after: number): WriteOutcome => ({
  kind: 'deferred',
  problem: new Problem('RATE_LIMIT', 'Later.'),
  after,
});
const unknown: WriteOutcome = { kind: 'unknown', problem: new Problem('OUTCOME_UNKNOWN', 'Lost.') };

describe('a refused credential', () => {
  it.each([true, false])('stops the push before its next row (with a rate limit: %s)', async (isRateLimited) => {
    const { sent, work, states } = await pushWith(['sets', 'sets', 'adds'], [refused('UNAUTHORIZED')], {
      isRateLimited,
    });
    expect(await work()).toBe('ended');
    expect([await states(), sent]).toEqual([['refused', 'cancelled', 'cancelled'], [0]]);
  });

  it('tells of a document whose response was lost that it could not be looked up, and what to look for', async () => {
    const head = await begun(rowsOf(['sells']));
    const service = slowService(false);
    const open = async () => ({ listsalesinvoices: async () => [] }) as unknown as Administration;
    const signal = new AbortController().signal;
    const lost = { open, writer: async () => service.writer };
    void workPush({ store, administrations: lost, secrets, report: () => {} }, head, signal);
    await expect.poll(service.rows).toEqual([0]);

    const refusal = () => Promise.reject(new Problem('UNAUTHORIZED', 'No.'));
    const later = { open: refusal, writer: refusal };
    const end = workPush({ store, administrations: later, secrets, report: () => {} }, head, signal);
    expect([await end, await statesOf(head)]).toEqual(['ended', ['unknown']]);
    const messages: (string | undefined)[] = [];
    for await (const { changes } of store.entries(head.owner, head.id, 0))
      for (const { index, message } of changes) if (index === 0) messages.push(message);
    expect(messages.at(-1)).toMatch(/^It could not be looked up\. .*sales invoice of customer 7\b/);
  });
});

describe('a long pause that the service asks for', () => {
  it.each([true, false])(
    'ends the slice of time, with no row in the state sending (with a rate limit: %s)',
    async (isRateLimited) => {
      const { sent, work, states, head } = await pushWith(['sets', 'sets', 'adds'], [deferred(600_000)], {
        isRateLimited,
      });
      const end = (await work()) as { after: number };
      expect(end.after).toBeGreaterThan(590_000);
      expect([await states(), sent]).toEqual([['waiting', 'waiting', 'waiting'], []]);
      const { notBefore } = (await store.head(head.owner, head.id))!.head;
      expect(notBefore).toBeGreaterThan(Date.now() + 590_000);
    },
  );
});

describe('an unconfirmed row', () => {
  it.each([true, false])(
    'is retried up to the limit, not counting attempts that were not sent (with a rate limit: %s)',
    async (isRateLimited) => {
      const notSent = deferred(1);
      const outcomes = [unknown, notSent, notSent, notSent, notSent, unknown, applied];
      let calls = 0;
      const { work, states, head } = await pushWith(['sets'], [applied]);
      const writer: PushWriter = {
        batchSize: 1,
        concurrency: 1,
        isRateLimited,
        isInOrder: false,
        isRepeatable: () => true,
        async write(_, onSending) {
          const outcome = outcomes[calls++]!;
          if (outcome !== notSent) await onSending();
          return [outcome];
        },
      };
      const dependencies = {
        store,
        administrations: { open: nothingListed, writer: async () => writer },
        secrets,
        report: () => {},
        rowRetry: retryOptions({ initialBackoffMs: 1 }),
      };
      expect(await workPush(dependencies, head, AbortSignal.timeout(20_000))).toBe('ended');
      expect([await states(), calls]).toEqual([['applied'], 7]);
      expect(await work()).toBe('ended');
    },
  );

  it('is reported unknown after an error of this app, and no further row is sent', async () => {
    const { sent, work, states } = await pushWith(['adds', 'adds'], ['thrown']);
    await expect(work()).rejects.toThrow('nested too deeply');
    expect([await states(), sent]).toEqual([['unknown', 'waiting'], [0]]);
  });
});

describe('a document that has to wait', () => {
  it('is sent before the next one, also when the pause is over before its delay is recorded', async () => {
    const head = await begun(rowsOf(['buys', 'books', 'buys']));
    const calls: number[] = [];
    const writer: PushWriter = {
      batchSize: 1,
      concurrency: 1,
      isRateLimited: false,
      isInOrder: true,
      isRepeatable: () => false,
      async write([write], onSending) {
        await onSending();
        calls.push(Number(write!.key.split('.')[1]));
        return [calls.length === 1 ? deferred(0) : applied];
      },
    };
    const slow: PushStore = {
      ...store,
      async append(...args) {
        if (args[2].changes.some(({ state }) => state === 'waiting')) await sleep(100);
        return store.append(...args);
      },
    };
    const appliedWrites = { applied: async () => new Map<string, string>(), forget: async () => {} };
    const administrations = { open: nothingListed, writer: async () => writer, appliedWrites };
    const dependencies = { store: slow, administrations, secrets, report: () => {} };
    expect(await workPush(dependencies, head, AbortSignal.timeout(20_000))).toBe('ended');
    expect([calls, await statesOf(head)]).toEqual([
      [0, 0, 1, 2],
      ['applied', 'applied', 'applied'],
    ]);
  });
});

describe('a document after one that is never sent', () => {
  /** An administration that stores which writes it applied, and refuses one row. */
  async function pushRefusing(
    writes: readonly PushedWrite[],
    refusedRow: number,
    { store, batchSize, before }: { store: PushStore; batchSize: number; before: (index: number) => Promise<void> },
  ) {
    const head = await begun(writes);
    const sent: number[] = [];
    const writer: PushWriter = {
      batchSize,
      concurrency: 1,
      isRateLimited: false,
      isInOrder: true,
      isRepeatable: () => false,
      async write(batch, onSending) {
        await onSending();
        const indexes = batch.map(({ key }) => Number(key.split('.')[1]));
        sent.push(...indexes);
        for (const index of indexes) await before(index);
        return indexes.map((index) => (index === refusedRow ? refused('INVALID_REQUEST') : applied));
      },
    };
    const appliedWrites = { applied: async () => new Map<string, string>(), forget: async () => {} };
    const administrations = { open: nothingListed, writer: async () => writer, appliedWrites };
    const dependencies = { store, administrations, secrets, report: () => {} };
    const end = await workPush(dependencies, head, AbortSignal.timeout(20_000));
    return { end, sent, states: await statesOf(head) };
  }

  it.each([1, 2])('is sent when the one before both is done by then, %s at a time', async (batchSize) => {
    const writes = rowsOf(['buys', 'makes', 'orders', 'books']);
    // The order sells the product.
    expect(await pushRefusing(writes, 1, { store, batchSize, before: async () => {} })).toEqual({
      end: 'ended',
      sent: [0, 1, 3],
      states: ['applied', 'refused', 'cancelled', 'applied'],
    });
  });

  it('is sent when the one before both is done while it is recorded', async () => {
    const [makes, orders, buys, books] = rowsOf(['makes', 'orders', 'buys', 'books']);
    const cancelling = Promise.withResolvers<void>();
    const slow: PushStore = {
      ...store,
      async append(...args) {
        if (args[2].changes.some(({ state }) => state === 'cancelled')) {
          cancelling.resolve();
          await sleep(100);
        }
        return store.append(...args);
      },
    };
    const before = async (index: number) => void (index === 1 && (await cancelling.promise));
    const writes = [makes!, buys!, orders!, books!];
    expect(await pushRefusing(writes, 0, { store: slow, batchSize: 1, before })).toEqual({
      end: 'ended',
      sent: [0, 1, 3],
      states: ['refused', 'applied', 'cancelled', 'applied'],
    });
  });
});

describe('a write to the storage that was carried out without a response', () => {
  it.each<[Kind]>([['adds'], ['sets']])('does not change that a row that %s is sent once', async (kind) => {
    let failures = 0;
    const failing: PushStore = {
      ...store,
      async append(...args) {
        const version = await store.append(...args);
        if (args[2].changes.some(({ state }) => state === 'sending') && failures++ === 0)
          throw new Error('No response.');
        return version;
      },
    };
    const { sent, work, states } = await pushWith([kind, kind], [applied], { store: failing });
    expect(await work()).toBe('ended');
    expect([await states(), sent]).toEqual([
      ['applied', 'applied'],
      [0, 1],
    ]);
  });
});

describe('a response that cannot be shown', () => {
  it('is an applied row without a result', async () => {
    const { sent, work, states } = await pushWith(['adds'], [{ kind: 'applied', shown: '' }]);
    expect(await work()).toBe('ended');
    expect([await states(), sent]).toEqual([['applied'], [0]]);
  });
});
