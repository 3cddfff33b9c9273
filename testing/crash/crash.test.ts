import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startAzurite } from '../../functions/host/azurite.ts';
import { databaseKind, emptyDatabase } from '../database.ts';
import { deeper } from '../deep.ts';
import { crashRun } from './crashRun.ts';
import { instancesRun } from './instancesRun.ts';

const RUNS = deeper(2, 4);

it.skipIf(databaseKind() === 'embedded')(
  'an app that is killed while it writes loses no acknowledged write, and stores none in part',
  async ({ onTestFinished }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-crash-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const seed = 1 + Math.floor(Math.random() * 2 ** 30);
    for (let run = 0; run < RUNS; run++) {
      const { url, close } = await newDatabase(path.join(folder, `${run}.sqlite`));
      const { findings, counts } = await crashRun(url, seed + run);
      await close();
      expect({ seed: seed + run, findings }).toEqual({ seed: seed + run, findings: [] });
      expect(counts.acknowledged).toBeGreaterThan(0);
    }
  },
);

/** A new database on the server, or the path of a SQLite file that does not exist yet. */
async function newDatabase(file: string): Promise<{ url: string; close: () => Promise<void> }> {
  if (databaseKind() === 'sqlite') return { url: `sqlite:${file}`, close: async () => {} };
  const { db, url } = await emptyDatabase();
  return { url, close: () => db.destroy() };
}

it.skipIf(databaseKind() !== 'server')(
  'three instances that are killed have the results of one, on a shared database and storage account',
  async ({ onTestFinished }) => {
    const storage = await startAzurite();
    onTestFinished(storage.stop);
    const { db, url } = await emptyDatabase();
    onTestFinished(() => db.destroy());
    const seed = 1 + Math.floor(Math.random() * 2 ** 30);
    const { findings, counts } = await instancesRun(url, storage.connectionString, seed, deeper(10, 30));
    expect({ seed, findings }).toEqual({ seed, findings: [] });
    for (const [kind, count] of Object.entries(counts)) expect([kind, count > 0]).toEqual([kind, true]);
  },
);
