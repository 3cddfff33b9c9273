import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { checkAdministration } from '../../functions/administrations/builtin/check/check.ts';
import { type Seeded, seeded } from '../../functions/administrations/builtin/setup/demo/seeded.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { type AppProcess, startAppProcess } from '../appProcess.ts';
import { keyedWrites, type PushProcess, startPushProcess } from './pushProcess.ts';
import { addInitialData, anyWrite, compare, type InitialData, sendTo, type Write } from './writes.ts';

/** The result of one crash. */
export type Crash = {
  /** The errors that were found, a sentence each. */
  findings: string[];
  counts: {
    acknowledged: number;
    /** Requests without a response before the end. */
    unanswered: number;
  };
};

/** Concurrent senders. */
const SENDERS = 8;

const startApp = (databaseUrl: string, timeout?: number): Promise<AppProcess> =>
  startAppProcess(path.join(import.meta.dirname, 'serve.ts'), { DATABASE_URL: databaseUrl }, timeout);

/**
 * Kills the app while it writes, and a push beside it, starts the app again, gives the push's writes again, and
 * compares what is there with what was asked and acknowledged.
 * @param databaseUrl of a new database, or of one that others use as well: an administration of its own is made in it
 */
export async function crashRun(databaseUrl: string, seed: number): Promise<Crash> {
  const random = seeded(seed);
  if (random.chance(30)) {
    // An app may also die before it has made its tables.
    const early = startApp(databaseUrl, random.from(0, 1200)).catch(() => undefined);
    await (await early)?.kill();
  }

  const db = await openDatabase(databaseUrl);
  try {
    const furnished = await addInitialData(db, seed);
    const { administrationId, credential } = furnished;
    const app = await startApp(databaseUrl);
    const push = await startPushProcess(databaseUrl, credential, seed);
    const killBoth = () => Promise.all([app.kill(), push.kill()]);
    const written: Write[] = [];
    const findings: string[] = [];
    let answersLeft = random.from(1, 150);
    const milliseconds = random.from(0, 15);
    const sendUntilTheEnd = async (choose: Seeded) => {
      for (;;) {
        const write = anyWrite(choose, `${seed}.${written.length}`);
        written.push(write);
        try {
          const { status, text } = await sendTo(app, credential, write);
          write.acknowledged = status === 200;
          if (status !== 200) findings.push(`${write.endpoint} is answered ${status}: ${text}`);
        } catch {
          return;
        }
        answersLeft--;
        if (answersLeft === 0) await sleep(milliseconds).then(killBoth);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, (_, sender) => sendUntilTheEnd(seeded(seed * SENDERS + sender))));

    const again = await startApp(databaseUrl);
    try {
      const pushed = await pushedAgain(db, furnished, seed, push, findings);
      findings.push(...(await compare(db, administrationId, [...written, ...pushed])));
      findings.push(...(await Array.fromAsync(checkAdministration(db, administrationId))));
      // It goes on as if nothing had happened.
      const next = anyWrite(random, `${seed}.after`);
      const { status, text } = await sendTo(again, credential, next);
      if (status !== 200) findings.push(`After the crash ${next.endpoint} is answered ${status}: ${text}`);
    } finally {
      await again.kill();
    }
    const acknowledged = written.filter((write) => write.acknowledged).length;
    return { findings, counts: { acknowledged, unanswered: written.length - acknowledged } };
  } finally {
    await db.destroy();
  }
}

/**
 * Gives every write of the push again: those that were applied before are answered, the others are applied now.
 * @returns them all, as acknowledged now
 */
async function pushedAgain(
  db: Database,
  { administrationId, credential }: InitialData,
  seed: number,
  { applied }: PushProcess,
  findings: string[],
): Promise<Write[]> {
  const remembered = await db
    .selectFrom('applied_write')
    .where('administration_id', '=', administrationId)
    .select('key')
    .execute();
  const known = new Set(remembered.map(({ key }) => key));
  for (const key of applied()) if (!known.has(key)) findings.push(`${key} was applied, and is not remembered.`);
  const writer = await builtinAdministrations(db).writer(credential);
  const writes = keyedWrites(seed);
  for (let start = 0; start < writes.length; start += writer.batchSize) {
    const some = writes.slice(start, start + writer.batchSize);
    for (const { kind } of await writer.write(some, async () => {}, new AbortController().signal)) {
      if (kind !== 'applied') findings.push(`A write of the push is ${kind} when it is given again.`);
    }
  }
  return writes.map(({ key, name, request, article, hundredths }) => ({
    key,
    endpoint: name,
    body: request,
    rows: { stock_mutation: 1 },
    moved: [{ article, hundredths }],
    acknowledged: true,
  }));
}
