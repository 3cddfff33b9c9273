import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ScriptProcess, startScript } from '../../testing/appProcess.ts';
import { deeper } from '../../testing/deep.ts';
import { openExports } from '../../testing/exports/openExports.ts';
import { fixturesOf } from '../../testing/fixtures/fixtures.ts';
import { secretKeyOf } from '../../testing/secretKey.ts';
import { testStorage } from '../../testing/storage.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { builtinAdministrations } from '../administrations/builtin/builtin.ts';
import { issueKey } from '../administrations/builtin/credentials/keys.ts';
import { relationResponses } from '../administrations/builtin/relations/relationResponses.ts';
import { createAdministration } from '../administrations/builtin/setup/createAdministration.ts';
import type { Database } from '../administrations/builtin/sql/database.ts';
import { openDatabase } from '../administrations/builtin/sql/openDatabase.ts';
import { QUEUE } from './dependencies.ts';

const { storage, connectionString } = await testStorage();

const RELATIONS = 3000;
const folder = temporaryFolder();
let databaseUrl: string;
let db: Database;
let id: string;
let credential: { apiKey: string; username: string };
beforeAll(async () => {
  databaseUrl = `sqlite:${path.join(folder, 'ledgerline.sqlite')}`;
  db = await openDatabase(databaseUrl);
  const made = await createAdministration(db, { name: 'Crash', country: 'NL', fiscalYears: [], now: 1n });
  const { addRelation } = fixturesOf(db, made);
  for (let number = 0; number < RELATIONS; number++) await addRelation({ name: 'x'.repeat(1000) });
  credential = {
    username: 'crash@example.com',
    apiKey: await issueKey(db, { administrationId: made, username: 'crash@example.com', label: '', now: 1n }),
  };
  id = String(made);
});

const workers: ScriptProcess[] = [];
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await db.destroy();
});

/** A worker process that can be killed, and its output. */
async function startWorker(): Promise<ScriptProcess> {
  const worker = startScript('testing/exports/exporter.ts', {
    DATABASE_URL: databaseUrl,
    AzureWebJobsStorage: connectionString,
    SECRET_KEY: secretKeyOf('exports'),
  });
  workers.push(worker);
  await worker.line(/^ready$/);
  return worker;
}

it('an export is completed by the next message, exactly once, wherever its worker was killed', async () => {
  const exports = openExports(storage, builtinAdministrations(db));
  const [seed] = fc.sample(fc.nat(), 1) as [number];
  // From reading to publishing takes about a second; some are killed earlier, or not at all. The next worker waits for
  // the lease of the killed one.
  const moments = fc.sample(fc.integer({ min: 0, max: 1500 }), { seed, numRuns: deeper(1, 3) });
  const message = { administration: id, scheduledOn: Math.floor(Date.now() / 1000) };
  await storage.queue(QUEUE).send(message);
  const received: string[] = [];
  for (const moment of moments) {
    const worker = await startWorker();
    const begun = Date.now();
    // Timed from its first step, because it first waits for the lease of the previous worker.
    while (worker.lines().length < 2 && Date.now() - begun < 45_000) await passed(5);
    await passed(moment);
    await worker.kill();
    received.push(...worker.lines());
    await storage.queue(QUEUE).send(message);
  }
  const last = await startWorker();
  const state = async () => (await exports.list(credential)).at(-1)?.state;
  const published = async () => (await state()) === 'published';
  while (!(await published())) await passed(100);
  // It also completes the message, so that nothing is exported again.
  const queued = await storage.queueClient(QUEUE);
  while ((await queued.getProperties()).approximateMessagesCount !== 0) await passed(100);
  await last.kill();

  const rows = await db.selectFrom('relation').orderBy('guid').select('id').execute();
  const responses = await relationResponses(
    db,
    rows.map((row) => row.id),
  );
  const { lines, manifest } = await exports.latest(id);
  expect(lines, `seed ${seed}`).toEqual(rows.map((row) => responses.get(row.id)?.answer));
  expect([manifest.relations, manifest.added]).toEqual([RELATIONS, RELATIONS]);
  expect(await exports.list(credential)).toHaveLength(1);
  const begun = [...received, ...last.lines()].filter((line) => line.includes('"event":"begun"'));
  expect(begun).toHaveLength(1);
});
