import { setTimeout as sleep } from 'node:timers/promises';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { BEGUN, keyedWrites } from './pushProcess.ts';

/* A push as a process of its own: sends the same keyed writes repeatedly in batches, and prints the applied ones. */

const { DATABASE_URL = '', PUSH_USERNAME = '', PUSH_API_KEY = '', PUSH_SEED = '' } = process.env;
const BATCH_SIZE = 10;

const administrations = builtinAdministrations(await openDatabase(DATABASE_URL));
const writer = await administrations.writer({ username: PUSH_USERNAME, apiKey: PUSH_API_KEY });
const writes = keyedWrites(Number(PUSH_SEED));
console.log(BEGUN);
for (let start = 0; ; start = (start + BATCH_SIZE) % writes.length) {
  const some = writes.slice(start, start + BATCH_SIZE);
  const outcomes = await writer.write(some, async () => {}, new AbortController().signal);
  const applied = some.filter((_, index) => outcomes[index]!.kind === 'applied');
  // One write to the pipe: what is printed was applied, whenever the end comes.
  process.stdout.write(applied.map(({ key }) => `${key}\n`).join(''));
  // What is printed goes out, and the app comes to its turn: the end is to come to both of them in the middle.
  await sleep(2);
}
