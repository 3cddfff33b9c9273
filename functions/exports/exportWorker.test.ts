import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import { DAY, NIGHT, openExports, startExports } from '../../testing/exports/openExports.ts';
import { testStorage } from '../../testing/storage.ts';
import { poisonOf } from '../storage/queue.ts';
import { QUEUE } from './dependencies.ts';

const { storage } = await testStorage();

const start = (count: number, options: Parameters<typeof startExports>[2] = {}) =>
  startExports(storage, count, options);

describe('a message', () => {
  it('that is repeated changes nothing', async () => {
    const { id, source, exports } = await start(10);
    await exports.fire();
    const before = await exports.latest(id);
    source.apply({ kind: 'change', guid: 10n, name: 'Later', on: () => NIGHT + 1 });
    await exports.work({ administration: id, scheduledOn: NIGHT }, () => {});
    await exports.work({ administration: id, scheduledOn: NIGHT - DAY }, () => {});
    expect(await exports.latest(id)).toEqual(before);
    expect(await exports.messages()).toEqual([]);
  });

  it('that finds another worker is delivered again later', async () => {
    const { id, exports } = await start(10);
    await (await storage.queueClient(QUEUE)).clearMessages();
    const lease = await storage.lease(`${QUEUE}/${id}`);
    await exports.work({ administration: id, scheduledOn: NIGHT }, () => {});
    expect(await exports.blobs(`${id}/`)).toEqual([]);
    const { approximateMessagesCount } = await (await storage.queueClient(QUEUE)).getProperties();
    expect(approximateMessagesCount).toBe(1);
    await (await storage.queueClient(QUEUE)).clearMessages();
    await lease!.release();
  });

  it('is sent again when the app stops, and the export continues from its checkpoint', async () => {
    const { id, source, exports } = await start(1000);
    let pages = 0;
    const { promise: reading, resolve: isReading } = Promise.withResolvers<void>();
    const { promise: isStopping, resolve: startStopping } = Promise.withResolvers<void>();
    source.hold = async () => {
      if (++pages < 3) return;
      isReading();
      await isStopping;
    };
    const steps: string[] = [];
    const working = exports.work({ administration: id, scheduledOn: NIGHT }, () => {}).then(() => steps.push('worked'));
    await reading;
    const stopping = exports.stop().then(() => steps.push('stopped'));
    startStopping();
    await stopping;
    await working;
    expect(steps).toEqual(['worked', 'stopped']);
    expect(await exports.messages()).toEqual([{ administration: id, scheduledOn: NIGHT }]);
    const lease = await storage.lease(`${QUEUE}/${id}`);
    expect(lease).toBeDefined();
    await lease!.release();

    const other = openExports(storage, source.administrations);
    other.time = NIGHT;
    await other.drain();
    expect((await other.latest(id)).lines).toEqual(source.lines());
    // The pages that were read before were not read again.
    expect(
      source.queries.filter(({ Offset, ChangedSince }) => Offset === 0 && ChangedSince === undefined),
    ).toHaveLength(1);
  });

  it('of an administration that is no longer exported is removed', async () => {
    const { exports } = await start(1);
    await exports.work({ administration: 'gone', scheduledOn: NIGHT }, () => {});
    expect(await exports.messages()).toEqual([]);
  });

  it('is followed by further messages, each continuing from the last checkpoint', async () => {
    const { id, source, exports } = await start(400, { cap: 20, options: { slice: 40 } });
    source.hold = () => new Promise((resolve) => setTimeout(resolve, 10));
    const slices = await exports.fire();
    expect(slices).toBeGreaterThan(3);
    expect((await exports.latest(id)).lines).toEqual(source.lines());
    // Few pages were read twice.
    const full = source.queries.filter(({ ChangedSince }) => ChangedSince === undefined).length;
    expect(full).toBeLessThan(22 + slices * 2);
  });
});

it('others get their turn while the pages of an export are read', async () => {
  const { source, exports } = await start(200, { cap: 5 });
  let turn = 0;
  let isOver = false;
  const next = () => {
    turn++;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  const turns: number[] = [];
  source.hold = async () => {
    turns.push(turn);
    const began = performance.now();
    while (performance.now() - began < 6);
  };
  await exports.fire();
  isOver = true;
  const pages = Map.groupBy(turns, (one) => one);
  expect(turns.length).toBeGreaterThan(40);
  // The next page is asked for while one is worked on.
  expect(Math.max(...[...pages.values()].map((together) => together.length))).toBeLessThanOrEqual(2);
});

describe('an export that fails', () => {
  const problem = new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
  const message = (id: string, scheduledOn = NIGHT) => ({ administration: id, scheduledOn });

  it('is retried up to five times, reports why, and does not change the previous export', async () => {
    const { id, source, exports } = await start(10);
    await exports.fire();
    const before = await exports.latest(id);
    exports.time += DAY;
    source.failure = problem;
    for (let attempt = 1; attempt <= 5; attempt++) {
      await expect(exports.work(message(id, NIGHT + DAY), () => {})).rejects.toBe(problem);
      const [latest] = await exports.list({ apiKey: id, username: 'x' });
      expect(latest).toMatchObject({
        date: '2026-11-04',
        state: attempt < 5 ? 'running' : 'failed',
        message: 'Invalid authentication credentials',
        files: [],
      });
    }
    // Each attempt told others to take over if it was killed, which it was not.
    await exports.work({ ...message(id, NIGHT + DAY), takeover: true }, () => {});
    expect(await exports.list({ apiKey: id, username: 'x' })).toMatchObject([{ state: 'failed' }, {}]);
    expect(await exports.latest(id)).toEqual(before);
    exports.time += 7200;
    expect(await exports.health()).toMatchObject({
      status: 'degraded',
      administrations: [{ name: id, state: 'failed', late: 7200 }],
    });
    // It is not retried before the next night.
    expect(await exports.fire()).toBe(0);
    source.failure = undefined;
    const leftover = `${id}/2026-11-04.unfinished/pass-1.jsonl`;
    await (await storage.containerClient(QUEUE)).getBlockBlobClient(leftover).upload('', 0);
    exports.time = NIGHT + 2 * DAY;
    await exports.fire();
    expect((await exports.latest(id)).manifest).toMatchObject({ date: '2026-11-05', base: '2026-11-03' });
    expect((await exports.health()).status).toBe('ok');
    const unfinished = (await exports.blobs(`${id}/`)).filter((path) => path.includes('unfinished'));
    expect(unfinished).toEqual([]);
  });

  it('takes no relations at all, where there were some, for a failure until its last try', async () => {
    const { id, source, exports } = await start(10);
    await exports.fire();
    const lines = source.lines();
    exports.time = NIGHT + 7 * DAY;
    const week = message(id, exports.time);
    for (let guid = 10n; guid <= 100n; guid += 10n) source.apply({ kind: 'delete', guid });
    await expect(exports.work(week, () => {})).rejects.toThrow('no relations; in the export before it had 10');
    expect((await exports.latest(id)).lines).toEqual(lines);
    for (let attempt = 2; attempt <= 4; attempt++) await expect(exports.work(week, () => {})).rejects.toThrow('10');
    await exports.work(week, () => {});
    const { manifest } = await exports.latest(id);
    expect(manifest).toMatchObject({ date: '2026-11-10', full: true, relations: 0, vanished: 10 });
    // There are none to be missed from now on.
    exports.time += 7 * DAY;
    await exports.fire();
    expect((await exports.latest(id)).manifest).toMatchObject({ date: '2026-11-17', relations: 0, vanished: 0 });
  });

  it('continues when its message is sent again by hand', async () => {
    const { id, source, exports } = await start(10);
    source.failure = problem;
    for (let attempt = 1; attempt <= 5; attempt++)
      await expect(exports.work(message(id), () => {})).rejects.toBe(problem);
    source.failure = undefined;
    await exports.work(message(id), () => {});
    expect((await exports.latest(id)).lines).toEqual(source.lines());
  });

  it('does not stop the exports of other administrations', async () => {
    const { id, exports, source } = await start(3);
    const other = await start(4);
    source.failure = problem;
    await exports.enqueueDue(() => {});
    await expect(exports.work(message(id), () => {})).rejects.toBe(problem);
    await (await storage.queueClient(QUEUE)).clearMessages();
    await other.exports.fire();
    expect((await other.exports.latest(other.id)).lines).toEqual(other.source.lines());
  });

  it('makes health degraded while its message is in the poison queue', async () => {
    const { exports } = await start(1);
    await exports.fire();
    const poison = await storage.queueClient(poisonOf(QUEUE));
    await poison.sendMessage('e30=');
    expect(await exports.health()).toMatchObject({ status: 'degraded', poisoned: 1 });
    await poison.clearMessages();
    expect(await exports.health()).toMatchObject({ status: 'ok', poisoned: 0 });
  });

  it('begins again when the blocks that it had read are removed', async () => {
    const { id, source, exports } = await start(300, { cap: 20, options: { slice: 40 } });
    source.hold = () => new Promise((resolve) => setTimeout(resolve, 10));
    await exports.enqueueDue(() => {});
    await exports.work(message(id), () => {});
    await (await storage.queueClient(QUEUE)).clearMessages();
    // A storage account removes old uncommitted blocks; so does an upload of the blob.
    const blob = (await storage.containerClient(QUEUE)).getBlockBlobClient(`${id}/2026-11-03.unfinished/pass-1.jsonl`);
    await blob.upload('', 0);
    await blob.delete();
    for (let done = false; !done; ) {
      await exports
        .work(message(id), () => {})
        .catch((failure) => expect(failure.message).toContain('not there any more'));
      done = (await exports.list({ apiKey: id, username: 'x' }))[0]!.state === 'published';
    }
    expect((await exports.latest(id)).lines).toEqual(source.lines());
    await (await storage.queueClient(QUEUE)).clearMessages();
  });
});
