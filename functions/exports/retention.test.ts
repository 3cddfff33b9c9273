import { RestError } from '@azure/storage-blob';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import { DAY, NIGHT, openExports, startExports, type TestExports } from '../../testing/exports/openExports.ts';
import { type TestStorage, testStorage } from '../../testing/storage.ts';
import { QUEUE } from './dependencies.ts';

const { storage } = await testStorage();

/** Called before a blob is deleted; throws the error of the storage account. */
type Fault = (name: string) => Promise<unknown>;

/** The storage account with a fault in deleting blobs. */
const faulty = (fault: Fault): TestStorage => ({
  ...storage,
  blobs(container) {
    const blobs = storage.blobs(container);
    return {
      ...blobs,
      async blob(path) {
        const blob = await blobs.blob(path);
        const remove: typeof blob.remove = async (signal) => {
          await fault(path);
          return blob.remove(signal);
        };
        return { ...blob, remove };
      },
    };
  },
});

const restError = (statusCode: number) => new RestError(`The response was ${statusCode}.`, { statusCode });
const listed = async (exports: TestExports, id: string) =>
  (await exports.list({ apiKey: id, username: 'x' })).map(({ date, state }) => `${date} ${state}`);
const folders = async (exports: TestExports, id: string) =>
  [...new Set((await exports.blobs(`${id}/`)).map((path) => path.split('/')[1]!))].sort();

/** Calls the timer, and handles its messages. @returns the number of slices */
const fire = async (exports: TestExports): Promise<number> => {
  await exports.timer();
  return exports.drain();
};

describe('the retention of exports', () => {
  it('removes them after the days of the settings, but never the last published one', async () => {
    const { id, source, exports } = await startExports(storage, 5, { settings: { days: 3 } });
    for (let night = 0; night < 6; night++) {
      exports.time = NIGHT + night * DAY;
      await fire(exports);
    }
    const listed = await exports.list({ apiKey: id, username: 'x' });
    expect(listed.map(({ date }) => date)).toEqual(['2026-11-08', '2026-11-07', '2026-11-06', '2026-11-05']);
    const folders = new Set((await exports.blobs(`${id}/`)).map((path) => path.split('/')[1]));
    expect([...folders]).toEqual(['2026-11-05', '2026-11-06', '2026-11-07', '2026-11-08']);

    exports.time = NIGHT + 100 * DAY;
    source.failure = new Problem('REMOTE_FAILED', 'It is closed.');
    const moment = { administration: id, scheduledOn: exports.time };
    for (let attempt = 1; attempt <= 5; attempt++) await exports.work(moment, () => {}).catch(() => {});
    expect((await exports.latest(id)).manifest.date).toBe('2026-11-08');
    // The failed export continued from it.
    source.failure = undefined;
    exports.time += DAY;
    await fire(exports);
    expect((await exports.latest(id)).manifest.base).toBe('2026-11-08');
    expect((await exports.list({ apiKey: id, username: 'x' })).map(({ state }) => state)).toEqual([
      'published',
      'failed',
    ]);
  });

  it('hides an export before it removes its files', async () => {
    const deleted: string[] = [];
    const { id, exports } = await startExports(
      faulty(async (name) => {
        if (name.includes('.unfinished')) return;
        deleted.push(name.split('/')[2]!);
        if (deleted.length > 1) throw restError(503);
      }),
      5,
      { settings: { days: 1 } },
    );
    await fire(exports);
    exports.time = NIGHT + DAY;
    await fire(exports);
    exports.time = NIGHT + 2 * DAY;
    await fire(exports);
    expect(deleted[0]).toBe('manifest.json');
    expect(await exports.blobs(`${id}/2026-11-03/`)).toEqual(
      ['changes.jsonl', 'relations.fr.end', 'relations.jsonl', 'relations.nl.end', 'relations.xlsx'].map(
        (file) => `${id}/2026-11-03/${file}`,
      ),
    );
    expect(await listed(exports, id)).toEqual(['2026-11-05 published', '2026-11-04 published']);
  });

  it.each<[string, Fault]>([
    [
      'the storage account responds 503',
      async () => {
        throw restError(503);
      },
    ],
    [
      'a blob is under a legal hold',
      async () => {
        throw restError(409);
      },
    ],
  ])('is retried the next day when %s, and does not fail the export of the night', async (_why, fault) => {
    let isOn = false;
    const { id, exports } = await startExports(
      faulty(async (name) => (isOn ? fault(name) : undefined)),
      5,
      { settings: { days: 1 } },
    );
    await fire(exports);
    isOn = true;
    exports.time = NIGHT + 2 * DAY;
    expect(await fire(exports)).toBe(1);
    expect(await listed(exports, id)).toEqual(['2026-11-05 published']);
    expect(exports.events).toContainEqual(expect.objectContaining({ administration: id, event: 'not tidied up' }));
    expect(await fire(exports)).toBe(0);
    expect((await exports.health()).status).toBe('ok');
    expect(await folders(exports, id)).toEqual(['2026-11-03', '2026-11-05', '2026-11-05.unfinished']);
    isOn = false;
    exports.time += DAY;
    await fire(exports);
    expect(await folders(exports, id)).toEqual(['2026-11-05', '2026-11-06']);
  });

  it('continues when a blob was removed already', async () => {
    const { id, exports } = await startExports(
      faulty(async (name) => (await storage.containerClient(QUEUE)).deleteBlob(name)),
      5,
    );
    await fire(exports);
    expect(await listed(exports, id)).toEqual(['2026-11-03 published']);
    expect(await folders(exports, id)).toEqual(['2026-11-03']);
    expect(exports.events.map(({ event }) => event)).not.toContain('not tidied up');
  });

  it('runs once a day, also when exports fail', async () => {
    const { id, source, exports } = await startExports(storage, 5, { settings: { days: 3 } });
    for (let night = 0; night < 3; night++) {
      exports.time = NIGHT + night * DAY;
      await fire(exports);
    }
    source.failure = new Problem('REMOTE_FAILED', 'It is closed.');
    exports.time = NIGHT + 3 * DAY + 60;
    await fire(exports).catch(() => {});
    await (await storage.queueClient(QUEUE)).clearMessages();
    expect(await folders(exports, id)).toEqual(['2026-11-04', '2026-11-05']);
    exports.time = NIGHT + 20 * DAY;
    await fire(exports).catch(() => {});
    await (await storage.queueClient(QUEUE)).clearMessages();
    expect(await folders(exports, id)).toEqual(['2026-11-05']);
    // It runs only once a day.
    const leftover = (await storage.containerClient(QUEUE)).getBlockBlobClient(`${id}/2026-11-01/manifest.json`);
    await leftover.upload('', 0);
    await fire(exports).catch(() => {});
    await (await storage.queueClient(QUEUE)).clearMessages();
    expect(await leftover.exists()).toBe(true);
    exports.time += DAY;
    await fire(exports).catch(() => {});
    await (await storage.queueClient(QUEUE)).clearMessages();
    expect(await leftover.exists()).toBe(false);
  });

  it('removes all exports of an administration that is no longer exported, after the same days', async () => {
    const { id, source, exports } = await startExports(storage, 5, { settings: { days: 3 } });
    await fire(exports);
    exports.time = NIGHT + DAY;
    await fire(exports);
    const { own } = source.administrations;
    const none = { ...source.administrations, own: { ...own!, ids: async () => [] } };
    const without = openExports(storage, none, { days: 3 });
    without.time = NIGHT + 3 * DAY + 60;
    await fire(without);
    expect(await listed(without, id)).toEqual(['2026-11-04 published']);
    expect(await folders(without, id)).toEqual(['2026-11-04']);
    without.time += DAY;
    await fire(without);
    expect(await folders(without, id)).toEqual([]);
    // An administration that is exported again gets a full export, like a new one.
    exports.time = without.time;
    expect(await fire(exports)).toBe(0);
    exports.time += DAY;
    await fire(exports);
    expect((await exports.latest(id)).manifest).toMatchObject({ full: true, base: null });
  });
});

describe('a published export', () => {
  it('stays published when reporting its progress fails', async () => {
    const { id, exports } = await startExports(storage, 5);
    const message = { administration: id, scheduledOn: NIGHT };
    const full = exports.work(message, ({ event }) => {
      if (event === 'published') throw new Error('The disk of the log is full.');
    });
    await expect(full).rejects.toThrow('The disk of the log is full.');
    expect(await listed(exports, id)).toEqual(['2026-11-03 published']);
    await exports.work(message, () => {});
    expect(await exports.messages()).toEqual([]);
  });

  it('whose file was removed gets a response with status 404', async () => {
    const { id, exports } = await startExports(storage, 5);
    await fire(exports);
    const { bytes, read } = await exports.file({ apiKey: id, username: 'x' }, id, '2026-11-03', 'relations.jsonl');
    await (await storage.containerClient(QUEUE)).deleteBlob(`${id}/2026-11-03/relations.jsonl`);
    await expect(read(0, bytes)).rejects.toMatchObject({ name: 'Problem', code: 'NOT_FOUND' });
  });
});
