import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, openRemote } from '../../testing/remote/askRemote.ts';
import { maxWithin, SECOND } from '../../testing/remote/maxWithin.ts';
import { testStorage } from '../../testing/storage.ts';
import { systemClock } from '../administrations/remote/rateLimit/clock.ts';
import type { HistoryStore } from '../administrations/remote/rateLimit/rateLimitHistory.ts';
import { createTransport, type Transport } from '../administrations/remote/transport.ts';
import { rateLimitTable } from './rateLimitTable.ts';
import { openStorage } from './storage.ts';

const { connectionString, storage } = await testStorage();

let made = 0;
/** A new table, opened by two processes. */
function tables(): [HistoryStore, HistoryStore] {
  const name = `turns${++made}`;
  /** Waited for as long as a busy machine takes. */
  const open = () => ({ ...rateLimitTable(openStorage(connectionString).table(name)), timeout: 60_000 });
  return [open(), open()];
}

const now = 1_800_000_000_000;

describe('the table of rate limits', () => {
  it('is empty for a new key', async () => {
    const [table] = tables();
    expect(await table.read('a')).toEqual({ history: { slots: [], heldUntil: 0 }, version: undefined });
  });

  it('returns the stored history of each key', async () => {
    const [one, other] = tables();
    let expected = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(60_000), { maxLength: 1000 }),
        fc.option(fc.nat(3_600_000), { nil: undefined }),
        async (distances, hold) => {
          let last = now;
          const slots = distances.map((distance) => {
            last += distance;
            return last;
          });
          const history = { slots, heldUntil: hold === undefined ? 0 : now + hold };
          const version = await one.write(`key ${++expected}`, history, undefined);
          expect(await other.read(`key ${expected}`)).toEqual({ history, version });
        },
      ),
      { numRuns: 30 },
    );
  });

  it('stores the largest history that there can be', async () => {
    const [table] = tables();
    const history = { slots: Array.from({ length: 3000 }, (_, index) => now + 60_000 * index), heldUntil: now };
    const version = await table.write('a', history, undefined);
    expect(await table.read('a')).toEqual({ history, version });
  });

  it('refuses a write with an outdated version', async () => {
    const [one, other] = tables();
    const first = await one.write('a', { slots: [now], heldUntil: 0 }, undefined);
    // The writer with the outdated version.
    expect(await other.write('a', { slots: [now + 1], heldUntil: 0 }, undefined)).toBeUndefined();
    const second = await other.write('a', { slots: [now, now + 2], heldUntil: 0 }, first);
    expect(second).not.toBe(first);
    expect(await one.write('a', { slots: [now, now + 3], heldUntil: 0 }, first)).toBeUndefined();
    expect(await one.read('a')).toEqual({ history: { slots: [now, now + 2], heldUntil: 0 }, version: second });
  });

  it('accepts one of several concurrent writes', async () => {
    const [one, other] = tables();
    let version = await one.write('a', { slots: [], heldUntil: 0 }, undefined);
    for (let time = 0; time < 20; time++) {
      const written = await Promise.all(
        [one, other, one, other].map((table, index) =>
          table.write('a', { slots: [now + index], heldUntil: 0 }, version),
        ),
      );
      const winners = written.filter((next) => next !== undefined);
      expect(winners).toHaveLength(1);
      const { history, version: last } = await one.read('a');
      expect([history.slots, last]).toEqual([[now + written.indexOf(winners[0])], winners[0]]);
      version = last;
    }
  });

  it('fails when it does not exist', async () => {
    const client = await storage.tableClient('removed');
    const removed = rateLimitTable(storage.table('removed'));
    await removed.read('a');
    await client.deleteTable();
    await expect(removed.read('a')).rejects.toThrow('TableNotFound');
    await expect(removed.write('a', { slots: [], heldUntil: 0 }, undefined)).rejects.toThrow('TableNotFound');
  });
});

describe('two instances of the app in front of one service', () => {
  it('together use the rate limit of one instance and never exceed it', async () => {
    const arrivals: number[] = [];
    const service = createServer((_, response) => {
      arrivals.push(systemClock.now());
      response.end('[]');
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const departures: number[] = [];
    const logged: string[] = [];
    const limits = { perSecond: 10, perMinute: 120, timeout: 60_000 };
    const remotes = tables().map((history) => {
      const transport = createTransport({ url, timeout: limits.timeout });
      const send: Transport['send'] = (message) => {
        departures.push(systemClock.now());
        return transport.send(message);
      };
      return openRemote(url, limits, { history, transport: { ...transport, send }, log: (line) => logged.push(line) });
    });
    const background = { priority: 'background', timeout: Number.POSITIVE_INFINITY } as const;
    try {
      // At first ten a second, then two a second.
      await Promise.all(remotes.flatMap((remote) => Array.from({ length: 15 }, () => ask(remote, 'listtaxcodes'))));
      await Promise.all(
        remotes.flatMap((remote) => Array.from({ length: 5 }, () => ask(remote, 'listrelations', {}, background))),
      );
    } finally {
      for (const remote of remotes) await remote.close();
      service.close();
    }
    expect(logged).toEqual([]);
    expect(arrivals).toHaveLength(40);
    expect(maxWithin(departures, SECOND)).toBeLessThanOrEqual(limits.perSecond);
    // Network delays may bring them closer together.
    const way = Math.max(...arrivals.map((arrival, index) => arrival - departures[index]!));
    expect(maxWithin(arrivals, SECOND - way)).toBeLessThanOrEqual(limits.perSecond);
    // Thirty requests are sent ten at a time; those after them are a little less than half a second apart.
    expect(departures[29]! - departures[0]!).toBeGreaterThan(2000);
    for (let index = 31; index < 40; index++) {
      expect(departures[index]! - departures[index - 1]!).toBeGreaterThan(400);
    }
  });
});
