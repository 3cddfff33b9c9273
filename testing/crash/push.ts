import { setTimeout as sleep } from 'node:timers/promises';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { pushedWrites } from './writes.ts';

/* A push as a process of its own: sends the same keyed writes repeatedly in batches, and prints the applied ones. */

const { DATABASE_URL = '', PUSH_USERNAME = '', PUSH_API_KEY = '', PUSH_SEED = '' } = process.env;
const BATCH_SIZE = 10;

const administrations = builtinAdministrations(await openDatabase(DATABASE_URL));
const writer = await administrations.writer({ username: PUSH_USERNAME, apiKey: PUSH_API_KEY });
const writes = pushedWrites(Number(PUSH_SEED));
console.log('begun');
for (let start = 0; ; start = (start + BATCH_SIZE) % writes.length) {
  const batch = writes.slice(start, start + BATCH_SIZE);
  const outcomes = await writer.write(batch, async () => {}, new AbortController().signal);
  const applied = batch.filter((_, index) => outcomes[index]!.kind === 'applied');
  // One write to the pipe: every printed key was applied, even if the process is killed now.
  process.stdout.write(applied.map(({ key }) => `${key}\n`).join(''));
  // The pause lets the output out and the app run, so that both are killed in the middle of their work.
  await sleep(2);
}
