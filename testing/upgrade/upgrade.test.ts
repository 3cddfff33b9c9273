import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { checkAdministration } from '../../functions/administrations/builtin/check/check.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { functionsOf, servicesOf } from '../../functions/app.ts';
import { newContext } from '../../functions/host/context.ts';
import { readSettings } from '../../functions/settings.ts';
import { relationsOf } from '../crash/exportFindings.ts';
import { databaseKind, dumpedDatabase } from '../database.ts';
import { testStorage } from '../storage.ts';
import { type Release, releaseFolder, releaseNames } from './release.ts';
import { writeStorage } from './storageContent.ts';

const kind = databaseKind() === 'sqlite' ? 'sqlite' : 'postgres';

afterEach(() => {
  vi.useRealTimers();
});

describe.each(releaseNames())('the data of release %s', (name) => {
  const file = (one: string) => readFile(path.join(releaseFolder(name, kind), one));
  const unpacked = async (one: string) => gunzipSync(await file(one));

  it('is migrated without errors, and its push and its export are completed', async ({ onTestFinished }) => {
    const release: Release = JSON.parse(await readFile(path.join(releaseFolder(name, kind), 'release.json'), 'utf8'));
    // Minutes later, since old runs are abandoned.
    vi.useFakeTimers({ toFake: ['Date'], now: (release.madeOn + 300) * 1000 });
    const { db, close } = await restored(unpacked);
    onTestFinished(close);
    const administrations = await db.selectFrom('administration').select('id').execute();
    const findings = async () =>
      (await Promise.all(administrations.map(({ id }) => Array.fromAsync(checkAdministration(db, id))))).flat();
    expect(administrations).toHaveLength(1);
    expect(await findings()).toEqual([]);

    const { connectionString, storage } = await testStorage();
    await writeStorage(connectionString, JSON.parse(String(await unpacked('storage.json.gz'))));
    const settings = readSettings({
      AzureWebJobsStorage: connectionString,
      SECRET_KEY: release.secretKey,
      // No further run is due.
      RELATION_EXPORT_SCHEDULE: '0 0 3 1 1 *',
    });
    const own = builtinAdministrations(db);
    const services = servicesOf(own, settings);
    const complaints: string[] = [];
    const { queues } = functionsOf(async () => services, { pages: 'none', healthKey: undefined });
    let messages = 0;
    for (const { queue, handler, name: one } of queues) {
      for (;;) {
        const [message] = await storage.queue(queue).receive(1, 300);
        if (message === undefined) break;
        messages++;
        const context = newContext(one, (line) => complaints.push(line));
        await handler(JSON.parse(Buffer.from(message.text, 'base64').toString()), context);
        await message.remove();
      }
    }
    expect(messages).toBeGreaterThanOrEqual(2);

    const pushes = await services.pushes!();
    const { push, rows } = JSON.parse(await pushes.changes(release.credential, release.push, ''));
    expect([push.state, push.counts.applied, rows.length]).toEqual(['ended', release.articles, release.articles]);
    const products = await db
      .selectFrom('product')
      .where('article_number', 'like', 'P-%')
      .select(['article_number', 'stock'])
      .execute();
    expect(products).toHaveLength(release.articles);
    expect(products.filter(({ stock }) => stock !== BigInt(release.added) * 100_000_000n)).toEqual([]);

    const exports = await services.exports!();
    const [last] = await exports.list(release.credential);
    expect(last).toMatchObject({ state: 'published', relations: release.relations });
    const id = String(administrations[0]!.id);
    const exported = await exports.file(release.credential, id, last!.date, 'relations.jsonl');
    expect(await text(await exported.read(0, exported.bytes))).toBe(await relationsOf(own.own!, id));
    expect(await findings()).toEqual([]);
  });
});

/** The database of a release, migrated. */
async function restored(
  unpacked: (file: string) => Promise<Buffer>,
): Promise<{ db: Database; close: () => Promise<void> }> {
  if (kind === 'sqlite') {
    const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-upgrade-'));
    await writeFile(path.join(folder, 'ledgerline.sqlite'), await unpacked('ledgerline.sqlite.gz'));
    const db = await openDatabase(`sqlite:${path.join(folder, 'ledgerline.sqlite')}`);
    const close = async () => {
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    };
    return { db, close };
  }
  const db = await dumpedDatabase(String(await unpacked('ledgerline.sql.gz')));
  return { db, close: () => db.destroy() };
}
