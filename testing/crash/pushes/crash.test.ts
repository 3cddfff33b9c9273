import path from 'node:path';
import { expect, it } from 'vitest';
import { startAzurite } from '../../../functions/host/azurite.ts';
import { emptyDatabase } from '../../database.ts';
import { deeper } from '../../deep.ts';
import { folderOfTest } from '../../temporaryFolder.ts';
import { crashRuns } from './crashRuns.ts';
import { builtinPlace, type Place, remotePlace } from './places.ts';

/** A database for two processes. */
const kind = process.env.TEST_POSTGRES_URL ? 'server' : 'sqlite';
const RUNS = deeper(2, 10);

it.concurrent('pushes to an unreliable service, by instances that are killed, apply each row once or report it unknown', async ({
  onTestFinished,
}) => {
  const seed = newSeed();
  const place = await remotePlace(seed);
  onTestFinished(place.close);
  await expectNothingFound(place, seed);
});

it.concurrent('pushes to the built-in administration, by instances that are killed, apply each row exactly once', async ({
  onTestFinished,
}) => {
  const folder = folderOfTest(onTestFinished);
  const { db, url } = await emptyDatabase(path.join(folder, 'ledgerline.sqlite'), kind);
  onTestFinished(() => db.destroy());
  const place = await builtinPlace(url);
  onTestFinished(place.close);
  await expectNothingFound(place, newSeed());
});

const newSeed = () => 1 + Math.floor(Math.random() * 2 ** 30);

async function expectNothingFound(place: Place, seed: number): Promise<void> {
  const { connectionString, stop } = await startAzurite();
  try {
    const seeds = Array.from({ length: RUNS }, (_, run) => seed + run);
    const runs = await crashRuns(place, connectionString, seeds);
    const found = runs.flatMap(({ seed, findings }) => findings.map((finding) => `--seed ${seed}: ${finding}`));
    expect(found).toEqual([]);
    expect(runs.reduce((sum, { counts }) => sum + Number(counts.applied), 0)).toBeGreaterThan(0);
  } finally {
    await stop();
  }
}
