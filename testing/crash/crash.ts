import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { startAzurite } from '../../functions/host/azurite.ts';
import { crashRun } from './crashRun.ts';
import { instancesRun } from './instancesRun.ts';
import { crashRuns } from './pushes/crashRuns.ts';
import { builtinPlace, remotePlace } from './pushes/places.ts';
import type { CrashRun } from './writes.ts';

/*
 * `npm run crash` kills the app while it writes, again and again, and reports what was lost or stored in part. With
 * `-- --instances`, three instances do everything on one PostgreSQL database and one storage account.
 * `npm run crash:pushes` kills two instances while they push.
 */

/** Pushes that run at the same time. */
const CONCURRENT_PUSHES = 10;

const whole = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number above zero.');
  return Number(text);
};

type Options = {
  runs: number;
  seed: number;
  database?: string;
  instances?: number | true;
  to?: 'remote' | 'builtin';
};
const { runs, seed, database, instances, to } = new Command('crash')
  .description('Kills the app while it writes, and reports what was lost or stored in part.')
  .option('--runs <count>', 'how often', whole, 10)
  .option('--seed <number>', 'the same seed sends the same requests', whole, randomInt(1, 2 ** 30))
  .option('--database <url>', 'a PostgreSQL server’s database; left out: a SQLite file for each run')
  .option('--instances [seconds]', 'three instances that share everything, for so many seconds a run (60)', whole)
  .addOption(new Option('--to <place>', 'pushes to it, through two instances').choices(['remote', 'builtin']))
  .parse()
  .opts<Options>();

const mode = to === undefined ? '' : `--to ${to} `;
console.log(`${runs} runs, ${mode}--seed ${seed}`);
const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-crash-'));
const totals: Record<string, number> = {};
try {
  const together = to === undefined ? 1 : CONCURRENT_PUSHES;
  for (let first = 0; first < runs; first += together) {
    const url = database ?? `sqlite:${path.join(folder, `${first}.sqlite`)}`;
    const seeds = Array.from({ length: Math.min(together, runs - first) }, (_, index) => seed + first + index);
    for (const run of await nextRuns(url, seeds)) {
      for (const finding of run.findings) console.log(`${mode}--seed ${run.seed} --runs 1: ${finding}`);
      if (run.findings.length > 0) process.exitCode = 1;
      for (const [kind, count] of Object.entries(run.counts)) totals[kind] = (totals[kind] ?? 0) + count;
    }
    console.log(`${first + seeds.length} runs: ${JSON.stringify(totals)}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(process.exitCode === 1 ? 'Errors were found.' : 'No errors were found.');

async function nextRuns(url: string, seeds: readonly number[]): Promise<CrashRun[]> {
  const [first] = seeds as [number];
  if (to === undefined && instances === undefined) return [await crashRun(url, first)];
  const storage = await startAzurite();
  try {
    if (to === undefined) {
      const seconds = typeof instances === 'number' ? instances : 60;
      return [await instancesRun(url, storage.connectionString, first, seconds)];
    }
    const place = to === 'remote' ? await remotePlace(first) : await builtinPlace(url);
    try {
      return await crashRuns(place, storage.connectionString, seeds);
    } finally {
      await place.close();
    }
  } finally {
    await storage.stop();
  }
}
