import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import { deeper, isDeep } from '../../testing/deep.ts';
import type { SourceChange } from '../../testing/exports/changingSource.ts';
import { DAY, NIGHT, startExports } from '../../testing/exports/openExports.ts';
import { testStorage } from '../../testing/storage.ts';
import { QUEUE } from './dependencies.ts';

const { storage } = await testStorage();

const start = (count: number, options: Parameters<typeof startExports>[2] = {}) =>
  startExports(storage, count, options);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const rename = (guid: number, name: string, on: number): SourceChange => ({
  kind: 'change',
  guid: BigInt(guid),
  name,
  on: () => on,
});

describe.skipIf(isDeep)('an export', () => {
  it('has every relation with every digit, and a manifest with its counts and files', async () => {
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
      `${id}/2026-11-03/relations.fr.end`,
      `${id}/2026-11-03/relations.jsonl`,
      `${id}/2026-11-03/relations.nl.end`,
      `${id}/2026-11-03/relations.xlsx`,
    ]);
  });

  it('of an administration without relations is published', async () => {
    const { id, exports } = await start(0);
    await exports.fire();
    const { lines, manifest } = await exports.latest(id);
    expect([lines, manifest.relations]).toEqual([[], 0]);
  });

  it('of the next night reads only changed relations, and lists the changes', async () => {
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
    // It reads from before the watermark, since clocks differ.
    expect(Number(source.queries[0]!.ChangedSince)).toBe(NIGHT - 3600);
    expect(source.queries.every(({ ChangedSince }) => ChangedSince !== undefined)).toBe(true);
    expect(source.queries.length).toBeLessThan(5);
  });

  it('contains a deleted relation until the next full export, which lists it', async () => {
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

  it('in the same second as another one has the changes since that one', async () => {
    const { id, source, exports } = await start(20);
    const runNow = () =>
      exports.runNow(
        id,
        () => {},
        () => {},
      );
    expect(await runNow()).toMatchObject({ date: '2026-11-03', full: true, added: 20 });
    source.apply(rename(70, 'Renamed', NIGHT));
    expect(await runNow()).toMatchObject({ date: '2026-11-03-2', full: false, added: 0, changed: 1 });
    source.apply(rename(70, 'Renamed again', NIGHT));
    expect(await runNow()).toMatchObject({ date: '2026-11-03-3', full: false, added: 0, changed: 1 });
    expect((await exports.list({ apiKey: id, username: '' })).map(({ date }) => date)).toEqual([
      '2026-11-03-3',
      '2026-11-03-2',
      '2026-11-03',
    ]);
    expect((await exports.file({ apiKey: id, username: '' }, id, '2026-11-03-3', 'relations.jsonl')).bytes).toBe(
      Buffer.byteLength(`${source.lines().join('\n')}\n`),
    );
  });

  it('is full when the file of the previous export was damaged', async () => {
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

  it('has the changes that were made while it read', async () => {
    const { id, source, exports } = await start(100, { cap: 10 });
    source.apply(rename(20, 'Behind', NIGHT + 1), 5);
    source.apply({ kind: 'add', guid: 5n, name: 'Before all others', on: () => NIGHT + 1 }, 6);
    source.apply(rename(990, 'Ahead', NIGHT + 1), 3);
    source.apply({ kind: 'delete', guid: 30n }, 4);
    await exports.fire();
    const { lines } = await exports.latest(id);
    // A relation that was deleted after it was read stays until the next full export.
    expect(lines.filter((line) => !line.includes('"RelationGUID":30,'))).toEqual(source.lines());
  });
});

describe.skipIf(isDeep)('an export on demand', () => {
  it('gets a new folder on a day with another export, and replaces the scheduled export', async () => {
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

  it('reports why it failed, and is not retried', async () => {
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
const guid = fc.integer({ min: 1, max: 300 }).map(BigInt);
const changes = fc.array(
  fc.record({
    kind: fc.constantFrom('add' as const, 'change' as const, 'delete' as const),
    guid,
    name: fc.string({ maxLength: 8 }),
    /** Seconds after the export began; negative seconds are within the overlap. */
    on: fc.integer({ min: -3000, max: 3000 }),
    after: fc.integer({ min: 1, max: 12 }),
  }),
  { maxLength: 40, size: 'max' },
);

describe('exports of several nights', () => {
  it('equal a fresh read, for any changes that are made meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(guid, { maxLength: 80, size: 'max' }),
        fc.array(changes, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 2, max: 30 }),
        fc.boolean(),
        async (guids, nights, cap, supportsFrom) => {
          const { id, source, exports } = await start(0, { cap });
          source.supportsFrom = supportsFrom;
          for (const one of guids) source.apply({ kind: 'add', guid: one, name: 'First', on: () => NIGHT - 10 * DAY });
          const deleted = new Set<string>();
          for (const night of nights) {
            for (const { after, on, ...one } of night) {
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
          // Without further changes all additions and changes are there; deletions wait for a full export.
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
      { numRuns: deeper(4, 10) },
    );
  });
});
