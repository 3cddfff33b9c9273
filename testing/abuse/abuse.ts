import { startAzurite } from '../../functions/host/azurite.ts';
import { attacks } from './attacks/all.ts';
import type { Attack } from './attacks/attack.ts';
import { remoteAttacks, startRemoteTarget } from './attacks/remote.ts';
import type { Prober } from './probe.ts';
import { startTarget } from './target.ts';

/*
 * `npm run abuse`: the most expensive requests within the limits, and how long each delays small reads and writes of others.
 * `npm run abuse -- TEXT TEXT` does those with one of the texts in their names.
 */

/** The longest allowed wait of others, in milliseconds. */
const MAX_HELD_UP_MS = 200;

/** A return may have half a million lines with VAT. */
const linesOf = { day: 40, busyYear: 490_000 };

const wanted = process.argv.slice(2);

/** Prints a line for each attack, and the longest wait of all. */
async function abuse<Of extends { probe: Prober; stop(): Promise<void> }>(
  title: string,
  target: Of,
  all: readonly Attack<Of>[],
): Promise<void> {
  console.log(`${title}:`);
  let longest = 0;
  for (const { name, prepare, maxMemory } of all.filter(
    (one) => wanted.length === 0 || wanted.some((text) => one.name.includes(text)),
  )) {
    try {
      const measured = await target.probe.beside(await prepare(target));
      const { result, milliseconds, heldUp, writeHeldUp, turn, memory } = measured;
      const waited = Math.max(heldUp, writeHeldUp ?? 0);
      longest = Math.max(longest, waited);
      const written = writeHeldUp === undefined ? '' : `, their writes ${writeHeldUp.toFixed(0)} ms`;
      const grown = memory === undefined ? '' : `, memory +${memory.toFixed(0)} MB`;
      const isTooMuch = waited > MAX_HELD_UP_MS || (memory ?? 0) > (maxMemory ?? Number.POSITIVE_INFINITY);
      if (isTooMuch) process.exitCode = 1;
      console.log(
        `${isTooMuch ? '!' : ' '} ${name}: ${result} after ${milliseconds.toFixed(0)} ms, others ${heldUp.toFixed(0)} ms (processor ${turn.toFixed(0)} ms)${written}${grown}`,
      );
    } catch (failure) {
      process.exitCode = 1;
      console.log(`! ${name}: ${failure instanceof Error ? failure.message : failure}`);
    }
  }
  console.log(`  The longest wait: ${longest.toFixed(0)} ms`);
  await target.stop();
}

const storage = await startAzurite();
const { connectionString } = storage;
await abuse('On SQLite', await startTarget('sqlite', connectionString, linesOf), attacks());
if (process.env.TEST_POSTGRES_URL) {
  await abuse('On PostgreSQL', await startTarget('server', connectionString, linesOf), attacks());
} else console.log('On PostgreSQL: skipped, since TEST_POSTGRES_URL names no server.');
await abuse('Before a remote service', await startRemoteTarget(connectionString), remoteAttacks);
await storage.stop();
