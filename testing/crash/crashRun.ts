import { setTimeout as sleep } from 'node:timers/promises';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { checkAdministration } from '../../functions/administrations/builtin/check/check.ts';
import { type Seeded, seeded } from '../../functions/administrations/builtin/setup/demo/seeded.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { type AppProcess, startAppProcess, startScript } from '../appProcess.ts';
import type { TestCredential } from '../fixtures/administration.ts';
import { addInitialData, anyWrite, type CrashRun, compare, pushedWrites, sendWrite, type Write } from './writes.ts';

/** Concurrent senders. */
const SENDERS = 8;

const startApp = (databaseUrl: string, timeout?: number): Promise<AppProcess> =>
  startAppProcess('testing/crash/serve.ts', { DATABASE_URL: databaseUrl }, timeout);

/**
 * Kills the app and a push beside it while both write, starts the app again, repeats the writes of the push, and
 * compares the stored data with the acknowledged requests.
 * @param databaseUrl of a database that others may use as well: a new administration is created in it
 */
export async function crashRun(databaseUrl: string, seed: number): Promise<CrashRun> {
  const random = seeded(seed);
  if (random.chance(30)) {
    // An app may also be killed before it has created its tables.
    const early = startApp(databaseUrl, random.from(0, 1200)).catch(() => undefined);
    await (await early)?.kill();
  }

  const db = await openDatabase(databaseUrl);
  try {
    const administration = await addInitialData(db, seed);
    const { administrationId, credential } = administration;
    const app = await startApp(databaseUrl);
    const push = startScript('testing/crash/push.ts', {
      DATABASE_URL: databaseUrl,
      PUSH_USERNAME: credential.username,
      PUSH_API_KEY: credential.apiKey,
      PUSH_SEED: String(seed),
    });
    await push.line(/^begun$/);
    const written: Write[] = [];
    const findings: string[] = [];
    const killBoth = () => {
      if (push.process.exitCode !== null) findings.push('The push ended by itself.');
      return Promise.all([app.kill(), push.kill()]);
    };
    let responsesLeft = random.from(1, 150);
    const milliseconds = random.from(0, 15);
    const sendUntilKilled = async (choose: Seeded) => {
      for (;;) {
        const write = anyWrite(choose, `${seed}.${written.length}`);
        written.push(write);
        try {
          await sendWrite(app, credential, write, findings);
        } catch {
          return;
        }
        responsesLeft--;
        if (responsesLeft === 0) await sleep(milliseconds).then(killBoth);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, (_, sender) => sendUntilKilled(seeded(seed * SENDERS + sender))));

    const again = await startApp(databaseUrl);
    try {
      const pushed = await pushAgain(db, administration, seed, push.lines().slice(1), findings);
      findings.push(...(await compare(db, administrationId, [...written, ...pushed])));
      findings.push(...(await Array.fromAsync(checkAdministration(db, administrationId))));
      // The app continues as usual.
      await sendWrite(again, credential, anyWrite(random, `${seed}.after`), findings);
    } finally {
      await again.kill();
    }
    const acknowledged = written.filter((write) => write.acknowledged).length;
    return { seed, findings, counts: { acknowledged, unanswered: written.length - acknowledged } };
  } finally {
    await db.destroy();
  }
}

/**
 * Repeats every write of the push: writes that were applied before get the same response, the others are applied now.
 * @param applied the keys of the writes that were applied before
 * @returns all writes, each acknowledged now
 */
async function pushAgain(
  db: Database,
  { administrationId, credential }: TestCredential,
  seed: number,
  applied: readonly string[],
  findings: string[],
): Promise<Write[]> {
  const stored = await db
    .selectFrom('applied_write')
    .where('administration_id', '=', administrationId)
    .select('key')
    .execute();
  const keys = new Set(stored.map(({ key }) => key));
  for (const key of new Set(applied)) if (!keys.has(key)) findings.push(`${key} was applied, and its key is missing.`);
  const writer = await builtinAdministrations(db).writer(credential);
  const writes = pushedWrites(seed);
  for (let start = 0; start < writes.length; start += writer.batchSize) {
    const batch = writes.slice(start, start + writer.batchSize);
    for (const { kind } of await writer.write(batch, async () => {}, new AbortController().signal)) {
      if (kind !== 'applied') findings.push(`A write of the push is ${kind} when it is repeated.`);
    }
  }
  return writes.map((write) => ({ ...write, acknowledged: true }));
}
