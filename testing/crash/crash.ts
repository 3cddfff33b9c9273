import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { crashRun } from './crashRun.ts';

/* `npm run crash`: kills the app while it writes, over and over, and looks whether anything was lost or left half. */

const whole = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a whole number above zero.');
  return Number(text);
};

const { runs, seed, database } = new Command('crash')
  .description('Kills the app while it writes, and looks whether anything was lost or left half.')
  .option('--runs <count>', 'how often', whole, 10)
  .option('--seed <number>', 'the same seed sends the same requests', whole, randomInt(1, 2 ** 30))
  .option('--database <url>', 'a PostgreSQL server’s database; left out: a SQLite file for each run')
  .parse()
  .opts<{ runs: number; seed: number; database?: string }>();

console.log(`${runs} runs, --seed ${seed}`);
const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-crash-'));
let acknowledged = 0;
let unanswered = 0;
try {
  for (let run = 0; run < runs; run++) {
    const crash = await crashRun(database ?? `sqlite:${path.join(folder, `${run}.sqlite`)}`, seed + run);
    acknowledged += crash.acknowledged;
    unanswered += crash.unanswered;
    for (const finding of crash.findings) console.log(`--seed ${seed + run} --runs 1: ${finding}`);
    if (crash.findings.length > 0) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(
  `${acknowledged} writes were acknowledged and ${unanswered} were not answered when the app was killed; ${
    process.exitCode === 1 ? 'not everything is as it should be.' : 'everything is as it should be.'
  }`,
);
