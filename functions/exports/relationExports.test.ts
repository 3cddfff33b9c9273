import { createHash, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import { deeper } from '../../testing/deep.ts';
import { changingSource, type SourceChange } from '../../testing/exports/changingSource.ts';
import { DAY, NIGHT, openExports, startExports } from '../../testing/exports/openExports.ts';
import { testStorage } from '../../testing/storage.ts';
import { poisonOf } from '../storage/queue.ts';
import { QUEUE } from './dependencies.ts';

const { storage } = await testStorage();

const start = (count: number, given: Parameters<typeof startExports>[2] = {}) => startExports(storage, count, given);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const rename = (guid: number, name: string, on: number): SourceChange => ({
  kind: 'change',
  guid: BigInt(guid),
  name,
  on: () => on,
});

describe('an export', () => {
  it('has every relation with every digit, and a manifest that says so', async () => {
    const { id, source, exports } = await start(3);
    source.apply({ kind: 'add', guid: 9223372036854775807n, name: 'Ünïcode "quoted"\nline', on: () => NIGHT - DAY });
    await exports.fire();
    const { lines, changes, manifest } = await exports.latest(id);
    expect(lines).toEqual(source.lines());
    expect(lines.at(-1)).toContain('"RelationGUID":9223372036854775807,');
    expect(changes.map(({ change }) => change)).toEqual(['added', 'added', 'added', 'added']);
    expect(manifest).toMatchObject({
      date: '2026-11-03',
      full: true,
      base: null,
      scheduledOn: NIGHT,
      watermark: NIGHT,
      duration: 0,
      relations: 4,
      added: 4,
      changed: 0,
      vanished: 0,
      vanishedRelations: [],
    });
    const text = `${lines.join('\n')}\n`;
    const bytes = Buffer.byteLength(text);
    expect(manifest.files['relations.jsonl']).toEqual({ bytes, sha256: sha256(text), lines: 4 });
    expect(Object.keys(manifest.files)).toEqual(['relations.jsonl', 'changes.jsonl', 'relations.xlsx']);
    expect(await exports.blobs(`${id}/`)).toEqual([
      `${id}/2026-11-03/changes.jsonl`,
      `${id}/2026-11-03/manifest.json`,
      `${id}/2026-11-03/relations.jsonl`,
      `${id}/2026-11-03/relations.xlsx`,
    ]);
  });

  it('of an administration without relations is published too', async () => {
    const { id, exports } = await start(0);
    await exports.fire();
    const { lines, manifest } = await exports.latest(id);
    expect([lines, manifest.relations]).toEqual([[], 0]);
  });

  it('reads only what changed, the night after, and lists what did', async () => {
    const { id, source, exports } = await start(500);
    await exports.fire();
    exports.time = NIGHT + DAY;
    source.apply(rename(70, 'Renamed', NIGHT + 100));
    source.apply({ kind: 'add', guid: 75n, name: 'New', on: () => NIGHT + 200 });
    source.queries.length = 0;
    await exports.fire();
    const { lines, changes, manifest } = await exports.latest(id);
    expect(lines).toEqual(source.lines());
    expect(changes).toEqual([
      { RelationGUID: 70, change: 'changed' },
      { RelationGUID: 75, change: 'added' },
    ]);
    expect(manifest).toMatchObject({ full: false, base: '2026-11-03', relations: 501, added: 1, changed: 1 });
    // From before the watermark: clocks differ.
    expect(Number(source.queries[0]!.ChangedSince)).toBe(NIGHT - 3600);
    expect(source.queries.every(({ ChangedSince }) => ChangedSince !== undefined)).toBe(true);
    expect(source.queries.length).toBeLessThan(5);
  });

  it('loses a relation that is gone with the next full one, which lists it', async () => {
    const { id, source, exports } = await start(30);
    await exports.fire();
    source.apply({ kind: 'delete', guid: 110n });
    for (let night = 1; night <= 7; night++) {
      exports.time = NIGHT + night * DAY;
      await exports.fire();
      const { lines, manifest, changes } = await exports.latest(id);
      expect(manifest.full).toBe(night === 7);
      expect(lines.length).toBe(night === 7 ? 29 : 30);
      expect(manifest.vanishedRelations).toEqual(night === 7 ? [110] : []);
      if (night === 7) expect(changes).toEqual([{ RelationGUID: 110, change: 'vanished' }]);
    }
    expect((await exports.latest(id)).lines).toEqual(source.lines());
  });

  it('that is asked for in the second of another one has what is new since that one', async () => {
    const { id, source, exports } = await start(20);
    const now = () =>
      exports.runNow(
        id,
        () => {},
        () => {},
      );
    expect(await now()).toMatchObject({ date: '2026-11-03', full: true, added: 20 });
    source.apply(rename(70, 'Renamed', NIGHT));
    expect(await now()).toMatchObject({ date: '2026-11-03-2', full: false, added: 0, changed: 1 });
    source.apply(rename(70, 'Renamed again', NIGHT));
    expect(await now()).toMatchObject({ date: '2026-11-03-3', full: false, added: 0, changed: 1 });
    expect((await exports.list({ apiKey: id, username: '' })).map(({ date }) => date)).toEqual([
      '2026-11-03-3',
      '2026-11-03-2',
      '2026-11-03',
    ]);
    expect((await exports.file({ apiKey: id, username: '' }, id, '2026-11-03-3', 'relations.jsonl')).bytes).toBe(
      Buffer.byteLength(`${source.lines().join('\n')}\n`),
    );
  });

  it('is full again when the one before is not as it was written', async () => {
    const { id, source, exports } = await start(20);
    await exports.fire();
    const path = `${id}/2026-11-03/relations.jsonl`;
    const damaged = (await exports.blob(path)).replace('Relation 7', 'Relation 8');
    await (await storage.containerClient(QUEUE)).getBlockBlobClient(path).upload(damaged, Buffer.byteLength(damaged));
    exports.time += DAY;
    await exports.fire();
    const { lines, manifest } = await exports.latest(id);
    expect([manifest.full, manifest.base]).toEqual([true, null]);
    expect(lines).toEqual(source.lines());
  });

  it('has what changed while it was read', async () => {
    const { id, source, exports } = await start(100, { cap: 10 });
    source.apply(rename(20, 'Behind', NIGHT + 1), 5);
    source.apply({ kind: 'add', guid: 5n, name: 'Before all others', on: () => NIGHT + 1 }, 6);
    source.apply(rename(990, 'Ahead', NIGHT + 1), 3);
    source.apply({ kind: 'delete', guid: 30n }, 4);
    await exports.fire();
    const { lines } = await exports.latest(id);
    // What was read and then removed is still there, until the next full one.
    expect(lines.filter((line) => !line.includes('"RelationGUID":30,'))).toEqual(source.lines());
  });
});

const guid = fc.integer({ min: 1, max: 300 }).map(BigInt);
const happenings = fc.array(
  fc.record({
    kind: fc.constantFrom('add' as const, 'change' as const, 'delete' as const),
    guid,
    name: fc.string({ maxLength: 8 }),
    /** Seconds after the night began; before it is within the overlap. */
    on: fc.integer({ min: -3000, max: 3000 }),
    after: fc.integer({ min: 1, max: 12 }),
  }),
  { maxLength: 40, size: 'max' },
);

describe('exports night after night', () => {
  it('are the same set as a fresh read of everything, whatever happened while they were made', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(guid, { maxLength: 80, size: 'max' }),
        fc.array(happenings, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 2, max: 30 }),
        fc.boolean(),
        async (guids, nights, cap, findsFrom) => {
          const { id, source, exports } = await start(0, { cap });
          source.supportsFrom = findsFrom;
          for (const one of guids) source.apply({ kind: 'add', guid: one, name: 'First', on: () => NIGHT - 10 * DAY });
          const deleted = new Set<string>();
          for (const happening of nights) {
            for (const { after, on, ...one } of happening) {
              if (one.kind === 'delete') deleted.add(String(one.guid));
              source.apply({ ...one, on: () => exports.time + on }, after);
            }
            await exports.fire();
            const { lines, manifest } = await exports.latest(id);
            const order = lines.map((line) => BigInt(/\d+/.exec(line)![0]));
            expect(order).toEqual([...new Set(order)].sort((a, b) => (a < b ? -1 : 1)));
            expect(manifest.relations).toBe(lines.length);
            source.applyPending();
            exports.time += DAY;
          }
          // A quiet night: everything that came or changed is there; what was deleted waits for a full one.
          await exports.fire();
          const lasting = (line: string) => !deleted.has(/\d+/.exec(line)![0]);
          expect((await exports.latest(id)).lines.filter(lasting)).toEqual(source.lines().filter(lasting));
          exports.time += 7 * DAY;
          await exports.fire();
          const { lines, manifest } = await exports.latest(id);
          expect(manifest.full).toBe(true);
          expect(lines).toEqual(source.lines());
        },
      ),
      // Ends before the test's own limit, so that a run that stands still is reported with its seed.
      { numRuns: deeper(4, 10), interruptAfterTimeLimit: 230_000, markInterruptAsFailure: true },
    );
  }, 240_000);
});

describe('the schedule', () => {
  it('begins nothing for a moment before an administration was known', async () => {
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

  it('is caught up once after three days, with the moment that was missed last', async () => {
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

  it('makes an export the later the more of its moments have passed, however many', async () => {
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

  it('may name a moment a month', async () => {
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

  it('puts one message on the queue, however often the timer fires, and another when that was lost', async () => {
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

  it('is read in the time zone of the settings, over the changes of the clock', async () => {
    const { exports } = await start(1);
    // The last Sunday of March has no two o'clock there; that of October is an hour longer.
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

describe('a message', () => {
  it('that comes again changes nothing', async () => {
    const { id, source, exports } = await start(10);
    await exports.fire();
    const before = await exports.latest(id);
    source.apply(rename(10, 'Later', NIGHT + 1));
    await exports.work({ administration: id, scheduledOn: NIGHT }, () => {});
    await exports.work({ administration: id, scheduledOn: NIGHT - DAY }, () => {});
    expect(await exports.latest(id)).toEqual(before);
    expect(await exports.messages()).toEqual([]);
  });

  it('that finds somebody at work comes back later', async () => {
    const { id, exports } = await start(10);
    const lease = await storage.lease(`${QUEUE}/${id}`);
    await exports.work({ administration: id, scheduledOn: NIGHT }, () => {});
    expect(await exports.blobs(`${id}/`)).toEqual([]);
    const { approximateMessagesCount } = await (await storage.queueClient(QUEUE)).getProperties();
    expect(approximateMessagesCount).toBe(1);
    await (await storage.queueClient(QUEUE)).clearMessages();
    await lease!.release();
  });

  it('that is worked on when the app stops is put back once the slice has ended, and goes on from there', async () => {
    const { id, source, exports } = await start(1000);
    let pages = 0;
    let isReading = () => {};
    const reading = new Promise<void>((resolve) => {
      isReading = resolve;
    });
    source.hold = async () => {
      if (++pages === 3) isReading();
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const steps: string[] = [];
    const working = exports.work({ administration: id, scheduledOn: NIGHT }, () => {}).then(() => steps.push('worked'));
    await reading;
    await exports.stop();
    steps.push('stopped');
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
    // What was read before was not read again.
    expect(
      source.queries.filter(({ Offset, ChangedSince }) => Offset === 0 && ChangedSince === undefined),
    ).toHaveLength(1);
  });

  it('of an administration that is not exported any more is done with', async () => {
    const { exports } = await start(1);
    await exports.work({ administration: 'gone', scheduledOn: NIGHT }, () => {});
    expect(await exports.messages()).toEqual([]);
  });

  it('goes on by further ones, slice after slice, from where the last one came', async () => {
    const { id, source, exports } = await start(400, { cap: 20, options: { slice: 40 } });
    source.hold = () => new Promise((resolve) => setTimeout(resolve, 10));
    const slices = await exports.fire();
    expect(slices).toBeGreaterThan(3);
    expect((await exports.latest(id)).lines).toEqual(source.lines());
    // Hardly a page was read twice.
    const full = source.queries.filter(({ ChangedSince }) => ChangedSince === undefined).length;
    expect(full).toBeLessThan(22 + slices * 2);
  });
});

describe('an export that fails', () => {
  const wrong = new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
  const message = (id: string, scheduledOn = NIGHT) => ({ administration: id, scheduledOn });

  it('is tried again five times, says why, and leaves the one before as it was', async () => {
    const { id, source, exports } = await start(10);
    await exports.fire();
    const before = await exports.latest(id);
    exports.time += DAY;
    source.failure = wrong;
    for (let attempt = 1; attempt <= 5; attempt++) {
      await expect(exports.work(message(id, NIGHT + DAY), () => {})).rejects.toBe(wrong);
      const [latest] = await exports.list({ apiKey: id, username: 'x' });
      expect(latest).toMatchObject({
        date: '2026-11-04',
        state: attempt < 5 ? 'running' : 'failed',
        message: 'Invalid authentication credentials',
        files: [],
      });
    }
    expect(await exports.latest(id)).toEqual(before);
    exports.time += 7200;
    expect(await exports.health()).toMatchObject({
      status: 'degraded',
      administrations: [{ name: id, state: 'failed', late: 7200 }],
    });
    // Nobody tries any more, until the next night.
    expect(await exports.fire()).toBe(0);
    source.failure = undefined;
    const leftover = `${id}/2026-11-04.unfinished/pass-1.jsonl`;
    await (await storage.containerClient(QUEUE)).getBlockBlobClient(leftover).upload('', 0);
    exports.time = NIGHT + 2 * DAY;
    await exports.fire();
    expect((await exports.latest(id)).manifest).toMatchObject({ date: '2026-11-05', base: '2026-11-03' });
    expect((await exports.health()).status).toBe('ok');
    const left = (await exports.blobs(`${id}/`)).filter((path) => path.includes('unfinished'));
    expect(left).toEqual([]);
  });

  it('goes on when its message is put back by hand', async () => {
    const { id, source, exports } = await start(10);
    source.failure = wrong;
    for (let attempt = 1; attempt <= 5; attempt++)
      await expect(exports.work(message(id), () => {})).rejects.toBe(wrong);
    source.failure = undefined;
    await exports.work(message(id), () => {});
    expect((await exports.latest(id)).lines).toEqual(source.lines());
  });

  it('does not stop the others', async () => {
    const { id, exports, source } = await start(3);
    const other = await start(4);
    source.failure = wrong;
    await exports.enqueueDue(() => {});
    await expect(exports.work(message(id), () => {})).rejects.toBe(wrong);
    await (await storage.queueClient(QUEUE)).clearMessages();
    await other.exports.fire();
    expect((await other.exports.latest(other.id)).lines).toEqual(other.source.lines());
  });

  it('makes health degraded as long as its message is among the poisoned', async () => {
    const { exports } = await start(1);
    await exports.fire();
    const poison = await storage.queueClient(poisonOf(QUEUE));
    await poison.sendMessage('e30=');
    expect(await exports.health()).toMatchObject({ status: 'degraded', poisoned: 1 });
    await poison.clearMessages();
    expect(await exports.health()).toMatchObject({ status: 'ok', poisoned: 0 });
  });

  it('is read anew when what had been read is gone', async () => {
    const { id, source, exports } = await start(300, { cap: 20, options: { slice: 40 } });
    source.hold = () => new Promise((resolve) => setTimeout(resolve, 10));
    await exports.enqueueDue(() => {});
    await exports.work(message(id), () => {});
    await (await storage.queueClient(QUEUE)).clearMessages();
    // As a storage account does with blocks that wait for too long: putting a blob there drops them.
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

describe('an export now', () => {
  it('has a folder of its own when there is one of that day already, and counts as that night’s when it is later', async () => {
    const { id, source, exports } = await start(12);
    await exports.fire();
    exports.time += 3600;
    source.apply(rename(10, 'Later', exports.time - 60));
    const stages: string[] = [];
    const made = await exports.runNow(
      id,
      () => {},
      ({ stage }) => stages.push(stage),
    );
    expect(made).toMatchObject({ administration: id, date: '2026-11-03-2', state: 'published', changed: 1, added: 0 });
    expect(stages).toContain('reading');
    expect((await exports.latest(id)).lines).toEqual(source.lines());
    expect(await exports.fire()).toBe(0);
  });

  it('tells why it failed, and leaves nothing to be tried again', async () => {
    const { id, source, exports } = await start(1);
    await exports.fire();
    exports.time += 3600;
    source.failure = new Problem('REMOTE_FAILED', 'It is closed.');
    await expect(
      exports.runNow(
        id,
        () => {},
        () => {},
      ),
    ).rejects.toBe(source.failure);
    expect((await exports.list({ apiKey: id, username: 'x' }))[0]).toMatchObject({
      state: 'failed',
      message: 'It is closed.',
    });
    exports.time += 3600;
    expect(await exports.fire()).toBe(0);
  });
});
