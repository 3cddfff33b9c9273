import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { startAzurite } from '../../functions/host/azurite.ts';
import { crashRun } from './crashRun.ts';
import { type InstancesRun, instancesRun } from './instancesRun.ts';

/*
 * `npm run crash`: kills the app while it writes, over and over, and looks whether anything was lost or left half; with
 * `-- --instances` three of them, which do everything at once on one PostgreSQL database and one storage account.
 */

const whole = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number above zero.');
  return Number(text);
};

const { runs, seed, database, instances } = new Command('crash')
  .description('Kills the app while it writes, and looks whether anything was lost or left half.')
  .option('--runs <count>', 'how often', whole, 10)
  .option('--seed <number>', 'the same seed sends the same requests', whole, randomInt(1, 2 ** 30))
  .option('--database <url>', 'a PostgreSQL server’s database; left out: a SQLite file for each run')
  .option('--instances [seconds]', 'three instances that share everything, for so many seconds a run (60)', whole)
  .parse()
  .opts<{ runs: number; seed: number; database?: string; instances?: number | true }>();

console.log(`${runs} runs, --seed ${seed}`);
const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-crash-'));
const totals: Record<string, number> = {};
try {
  for (let run = 0; run < runs; run++) {
    const url = database ?? `sqlite:${path.join(folder, `${run}.sqlite`)}`;
    const { findings, counts } = await (instances === undefined ? crashRun(url, seed + run) : together(url, run));
    for (const [kind, count] of Object.entries(counts)) totals[kind] = (totals[kind] ?? 0) + count;
    for (const finding of findings) console.log(`--seed ${seed + run} --runs 1: ${finding}`);
    if (findings.length > 0) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(
  `${JSON.stringify(totals)}; ${
    process.exitCode === 1 ? 'not everything is as it should be.' : 'everything is as it should be.'
  }`,
);

async function together(url: string, run: number): Promise<InstancesRun> {
  const storage = await startAzurite();
  try {
    const seconds = typeof instances === 'number' ? instances : 60;
    return await instancesRun(url, storage.connectionString, seed + run, seconds);
  } finally {
    await storage.stop();
  }
}
