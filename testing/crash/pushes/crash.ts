import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { startAzurite } from '../../../functions/host/azurite.ts';
import { crashRuns } from './crashRuns.ts';
import { builtinPlace, remotePlace } from './places.ts';

/* `npm run crash:pushes`: kills the app while it pushes, over and over, and looks whether anything was lost or done twice. */

/** Pushes that run at the same time. */
const CONCURRENCY = 10;

const whole = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number above zero.');
  return Number(text);
};

const { runs, seed, to, database } = new Command('crash')
  .description('Kills two instances of the app while they push, and looks whether anything was lost or done twice.')
  .option('--runs <count>', 'how many pushes', whole, 100)
  .option('--seed <number>', 'the same seed pushes the same rows', whole, randomInt(1, 2 ** 30))
  .addOption(new Option('--to <place>', 'where they go').choices(['remote', 'builtin']).default('remote'))
  .option('--database <url>', 'a PostgreSQL server’s database, for builtin; left out: a SQLite file')
  .parse()
  .opts<{ runs: number; seed: number; to: 'remote' | 'builtin'; database?: string }>();

console.log(`${runs} runs, --to ${to} --seed ${seed}`);
const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-crash-'));
const totals: Record<string, number> = {};
try {
  for (let first = 0; first < runs; first += CONCURRENCY) {
    const storage = await startAzurite();
    const url = database ?? `sqlite:${path.join(folder, `${first}.sqlite`)}`;
    const place = to === 'remote' ? await remotePlace(seed + first) : await builtinPlace(url);
    const seeds = Array.from({ length: Math.min(CONCURRENCY, runs - first) }, (_, index) => seed + first + index);
    try {
      for (const { seed: failing, findings, counts } of await crashRuns(place, storage.connectionString, seeds)) {
        for (const finding of findings) console.log(`--to ${to} --seed ${failing} --runs 1: ${finding}`);
        if (findings.length > 0) process.exitCode = 1;
        for (const [state, count] of Object.entries(counts)) totals[state] = (totals[state] ?? 0) + Number(count);
      }
    } finally {
      await place.close();
      await storage.stop();
    }
    console.log(`${first + seeds.length} runs so far; rows: ${JSON.stringify(totals)}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(process.exitCode === 1 ? 'Not everything is as it should be.' : 'Everything is as it should be.');
