import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import { changingSource } from '../../testing/exports/changingSource.ts';
import { DAY, NIGHT, openExports, startExports } from '../../testing/exports/openExports.ts';
import { testStorage } from '../../testing/storage.ts';
import { QUEUE } from './dependencies.ts';

const { storage } = await testStorage();

const start = (count: number, options: Parameters<typeof startExports>[2] = {}) =>
  startExports(storage, count, options);

describe('the schedule', () => {
  it('begins no export for a moment before an administration was first seen', async () => {
    const id = randomUUID();
    const exports = openExports(storage, changingSource(id).administrations);
    await exports.fire();
    expect(exports.events).toEqual([]);
    exports.time = NIGHT - 1;
    await exports.fire();
    expect(exports.events).toEqual([]);
    exports.time = NIGHT;
    await exports.fire();
    expect((await exports.latest(id)).manifest.date).toBe('2026-11-03');
  });

  it('exports an administration that was first seen while the clock was ahead', async () => {
    const id = randomUUID();
    const exports = openExports(storage, changingSource(id).administrations);
    exports.time = NIGHT + 400 * DAY + 3600;
    await exports.fire();
    expect(exports.events).toEqual([]);
    // The clock is right again: from now on it is known.
    exports.time = NIGHT - 3600;
    await exports.fire();
    expect(exports.events).toEqual([]);
    exports.time = NIGHT + 60;
    expect((await exports.health()).administrations).toEqual([{ name: id, state: 'none', late: 60 }]);
    await exports.fire();
    expect((await exports.latest(id)).manifest.date).toBe('2026-11-03');
  });

  it('leaves an export that was asked for to be asked for again after one while the clock was ahead', async () => {
    const { id, exports } = await start(5);
    await exports.fire();
    exports.time = NIGHT + 40 * DAY;
    await exports.request({ apiKey: id, username: 'a' }, () => {});
    await exports.drain();
    exports.time = NIGHT + 3600;
    expect(await exports.request({ apiKey: id, username: 'a' }, () => {})).toBe(NIGHT + 3600);
    expect(await exports.drain()).toBe(1);
    expect((await exports.health()).administrations).toEqual([{ name: id, state: 'published', late: 0 }]);
    const made = await exports.blobs(`${id}/2026-11-03`);
    expect(made.filter((path) => path.endsWith('manifest.json')).length).toBe(2);
  });

  it('catches up with one export after three days, for the latest missed moment', async () => {
    const { id, exports } = await start(5);
    await exports.fire();
    exports.time = NIGHT + 3 * DAY + 5000;
    expect((await exports.health()).administrations).toEqual([{ name: id, state: 'published', late: 2 * DAY + 5000 }]);
    expect(await exports.fire()).toBe(1);
    expect(await exports.fire()).toBe(0);
    const manifests = (await exports.blobs(`${id}/`)).filter((path) => path.endsWith('manifest.json'));
    expect(manifests).toEqual([`${id}/2026-11-03/manifest.json`, `${id}/2026-11-06/manifest.json`]);
    expect((await exports.latest(id)).manifest.scheduledOn).toBe(NIGHT + 3 * DAY);
    expect((await exports.health()).administrations).toEqual([{ name: id, state: 'published', late: 0 }]);
  });

  it('counts the lateness of an export from its first missed moment', async () => {
    const { id, exports } = await start(5);
    await exports.fire();
    for (const [days, late] of [
      [0, 0],
      [1, 60],
      [2, DAY + 60],
      [30, 29 * DAY + 60],
    ] as const) {
      exports.time = NIGHT + days * DAY + 60;
      expect((await exports.health()).administrations).toEqual([{ name: id, state: 'published', late }]);
    }
  });

  it('is kept after an export while the clock was ahead, with every change since the export before', async () => {
    const { id, source, exports } = await start(5);
    await exports.fire();
    exports.time = NIGHT + 40 * DAY;
    await exports.fire();
    source.apply({ kind: 'change', guid: 20n, name: 'Changed', on: () => NIGHT + 3600 });
    exports.time = NIGHT + DAY;
    await exports.work({ administration: id, scheduledOn: NIGHT + 40 * DAY, takeover: true }, () => {});
    expect(await exports.fire()).toBe(1);
    const lines = async (date: string) =>
      (await exports.blob(`${id}/${date}/relations.jsonl`)).split('\n').slice(0, -1);
    expect(await lines('2026-11-04')).toEqual(source.lines());
    expect(JSON.parse(await exports.blob(`${id}/2026-11-04/manifest.json`))).toMatchObject({ base: '2026-11-03' });
    exports.time = NIGHT + 2 * DAY + 60;
    expect((await exports.health()).administrations).toEqual([{ name: id, state: 'published', late: 60 }]);
    expect(await exports.fire()).toBe(1);
  });

  it.each([
    ['was not put on the queue, seconds later', false, 5],
    // The client of the storage had tried for a while.
    ['was not put on the queue, minutes later', false, 120],
    ['was put on the queue, whose response was lost, seconds later', true, 5],
    ['was put on the queue, whose response was lost, minutes later', true, 120],
  ])('makes one export for who asks again after a failure, when the message %s', async (_, isSent, later) => {
    const { id, source } = await start(1);
    let isDown = true;
    const queue: typeof storage.queue = (name) => {
      const real = storage.queue(name);
      return {
        ...real,
        send: async (...message) => {
          if (isSent || !isDown) await real.send(...message);
          if (isDown) throw new Error('The queue is down.');
        },
      };
    };
    const exports = openExports({ ...storage, queue }, source.administrations);
    exports.time = NIGHT - 3600;
    const credential = { apiKey: id, username: 'a' };
    await expect(exports.request(credential, () => {})).rejects.toThrow('The queue is down.');
    isDown = false;
    exports.time += later;
    const scheduledOn = await exports.request(credential, () => {});
    await exports.drain();
    expect(await exports.list(credential)).toMatchObject([{ state: 'published', scheduledOn: String(scheduledOn) }]);
    // What changes from now on is in the next one.
    exports.time += 5;
    expect(await exports.request(credential, () => {})).toBe(exports.time);
    await exports.drain();
    expect(await exports.list(credential)).toHaveLength(2);
  });

  it('builds on no export of a clock that was ahead, also once its moment has come', async () => {
    const { id, source, exports } = await start(5);
    await exports.fire();
    // At eight in the evening the clock is set to three in the morning, and back a little later.
    exports.time = NIGHT + DAY + 3600;
    await exports.fire();
    exports.time = NIGHT + 18 * 3600 + 900;
    await exports.fire();
    source.apply({ kind: 'change', guid: 20n, name: 'Changed', on: () => NIGHT + 19 * 3600 });
    for (const night of [1, 2]) {
      exports.time = NIGHT + night * DAY;
      expect(await exports.fire()).toBe(1);
    }
    const { lines, manifest } = await exports.latest(id);
    expect(manifest.scheduledOn).toBe(NIGHT + 2 * DAY);
    expect(lines).toEqual(source.lines());
  });

  it('gives up an export that began while the clock was ahead and did not end by then', async () => {
    const { id, source, exports } = await start(5);
    await exports.fire();
    exports.time = NIGHT + 2 * DAY;
    source.failure = new Problem('UNAVAILABLE', 'The service is down.');
    await expect(exports.fire()).rejects.toThrow('The service is down.');
    await (await storage.queueClient(QUEUE)).clearMessages();
    source.failure = undefined;
    // Without a message: it is found to make no progress.
    exports.time = NIGHT + 18 * 3600;
    await exports.fire();
    source.apply({ kind: 'change', guid: 20n, name: 'Changed', on: () => NIGHT + 19 * 3600 });
    exports.time = NIGHT + DAY;
    await exports.fire();
    const { lines, manifest } = await exports.latest(id);
    expect(manifest.scheduledOn).toBe(NIGHT + DAY);
    expect(lines).toEqual(source.lines());
    expect(await exports.list({ apiKey: id, username: 'a' })).toContainEqual(
      expect.objectContaining({ state: 'failed', message: 'It began while the clock was ahead.' }),
    );
  });

  it('sends a message again that was sent while the clock was ahead, and is lost', async () => {
    const { id, exports } = await start(1, { settings: { schedule: '0 0 2 1 * *' } });
    const december = Date.UTC(2026, 11, 1, 1) / 1000;
    exports.time = december + 20 * DAY;
    await exports.enqueueDue(() => {});
    await (await storage.queueClient(QUEUE)).clearMessages();
    exports.time = december + 60;
    await exports.enqueueDue(() => {});
    expect(await exports.messages()).toEqual([{ administration: id, scheduledOn: december }]);
    await exports.drain();
  });

  it('may name one moment a month', async () => {
    const { id, source, exports } = await start(5, { settings: { schedule: '0 0 2 1 * *' } });
    const [december, january] = [Date.UTC(2026, 11, 1, 1) / 1000, Date.UTC(2027, 0, 1, 1) / 1000];
    exports.time = december;
    expect(await exports.fire()).toBe(1);
    exports.time = december + 20 * DAY;
    expect(await exports.health()).toMatchObject({ status: 'ok', administrations: [{ state: 'published', late: 0 }] });
    expect(await exports.fire()).toBe(0);

    source.failure = new Problem('REMOTE_FAILED', 'It is closed.');
    exports.time = january;
    const message = { administration: id, scheduledOn: january };
    for (let attempt = 1; attempt <= 5; attempt++) await exports.work(message, () => {}).catch(() => {});
    exports.time = january + 20 * DAY;
    expect(await exports.health()).toMatchObject({
      status: 'degraded',
      administrations: [{ state: 'failed', late: 20 * DAY }],
    });
    expect(await exports.fire()).toBe(0);
  });

  it('reads the records of some administrations at a time, however many there are', async () => {
    let reads = 0;
    let most = 0;
    const table: typeof storage.table = (name) => {
      const records = storage.table(name);
      const list: typeof records.list = async function* (query) {
        most = Math.max(most, ++reads);
        yield* records.list(query);
        reads--;
      };
      return { ...records, list };
    };
    const id = randomUUID();
    const { administrations } = changingSource(id);
    const settings = {
      administrations: Array.from({ length: 40 }, (_, index) => ({
        name: `${id}-${index}`,
        apiKey: id,
        username: 'a',
      })),
    };
    const exports = openExports({ ...storage, table }, administrations, settings);
    expect((await exports.health()).administrations).toHaveLength(40);
    exports.time = NIGHT;
    await exports.enqueueDue(() => {});
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(20);
  });

  it('looks through no records while all are exported, until an export is requested, the next moment, or the next day', async () => {
    const ids = Array.from({ length: 3 }, () => randomUUID());
    const read: string[] = [];
    const table: typeof storage.table = (name) => {
      const records = storage.table(name);
      const list: typeof records.list = (range, size) => {
        read.push(range.partition ?? 'all');
        return records.list(range, size);
      };
      return { ...records, list };
    };
    const source = changingSource(ids[0]!);
    const own = { ...source.administrations.own!, ids: async () => ids, isOpen: async () => true };
    const exports = openExports({ ...storage, table }, { ...source.administrations, own });
    await exports.fire();
    exports.time = NIGHT;
    expect(await exports.fire()).toBe(3);
    const healthNow = async () => (await exports.health()).administrations;
    const published = ids.map((name) => ({ name, state: 'published', late: 0 }));
    /** The administrations whose records the timer and health look through. */
    const looked = async () => {
      await exports.fire();
      read.length = 0;
      await exports.fire();
      expect(await healthNow()).toEqual(ids.map((name) => ({ name, state: 'published', late: 0 })));
      return read.splice(0).sort();
    };
    expect(await looked()).toEqual([]);

    await exports.request({ apiKey: ids[0]!, username: 'a' }, () => {});
    read.length = 0;
    await exports.enqueueDue(() => {});
    expect(read.sort()).toEqual(ids.toSorted());
    await exports.drain();
    expect(await looked()).toEqual([]);

    const added = randomUUID();
    ids.push(added);
    expect(await healthNow()).toEqual([...published, { name: added, state: 'none', late: 0 }]);
    await exports.fire();
    read.length = 0;
    await exports.fire();
    expect(await healthNow()).toEqual([...published, { name: added, state: 'none', late: 0 }]);
    expect(read).toEqual([]);

    exports.time = NIGHT + DAY;
    expect(await exports.fire()).toBe(4);
    expect(await looked()).toEqual([]);
    await exports.retainDaily(() => {});
    read.length = 0;
    await exports.enqueueDue(() => {});
    expect(read.sort()).toEqual(ids.toSorted());
    expect(await looked()).toEqual([]);
  });

  it('sends one message for repeated calls of the timer, and another one when that is lost', async () => {
    const { id, exports } = await start(1);
    const log = () => {};
    await exports.enqueueDue(log);
    await exports.enqueueDue(log);
    expect(await exports.messages()).toEqual([{ administration: id, scheduledOn: NIGHT }]);
    await (await storage.queueClient(QUEUE)).clearMessages();
    exports.time += 601;
    await exports.enqueueDue(log);
    expect(await exports.messages()).toHaveLength(1);
    await exports.drain();
  });

  it('is read in the time zone of the settings, also when summer time begins and ends', async () => {
    const { exports } = await start(1);
    // The last Sunday of March has no two o'clock there; the last Sunday of October is an hour longer.
    for (const [time, moment] of [
      [Date.UTC(2027, 2, 28, 0, 59), Date.UTC(2027, 2, 27, 1)],
      [Date.UTC(2027, 2, 28, 1, 0), Date.UTC(2027, 2, 28, 1)],
      [Date.UTC(2027, 9, 31, 3, 0), Date.UTC(2027, 9, 31, 0)],
    ] as const) {
      exports.time = time / 1000;
      await exports.enqueueDue(() => {});
      expect((await exports.messages()).at(-1)).toMatchObject({ scheduledOn: moment / 1000 });
      await (await storage.queueClient(QUEUE)).clearMessages();
    }
  });
});
