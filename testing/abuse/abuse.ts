import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDemo } from '../../functions/administrations/builtin/setup/demo/demo.ts';
import { startAppProcess } from '../appProcess.ts';
import { emptyDatabase } from '../database.ts';
import { worstBodies } from './bodies.ts';
import { worstDocuments, worstFiles } from './documents.ts';
import { post, probed } from './probe.ts';

/* `npm run abuse`: the most expensive requests within the limits, and how long each delays other requests. */

/** The longest allowed delay of other requests, in milliseconds. */
const MAX_HELD_UP_MS = 200;

/** Sends every request to an app over a database. */
async function abuse(database: 'sqlite' | 'server'): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledgerline-abuse-'));
  const { db, url } = await emptyDatabase(path.join(folder, 'ledgerline.sqlite'), database);
  const credentials = await makeDemo(db);
  const { customer_name } = await db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', db.selectFrom('administration').where('country', '=', 'NL').select('id'))
    .select('customer_name')
    .limit(1)
    .executeTakeFirstOrThrow();
  const settings = { PORT: '0', DATA_DIR: folder, DATABASE_URL: url };
  const app = await startAppProcess('functions/host/start.ts', settings, 240_000);
  try {
    for (const { name, method, path: target, body } of [
      ...worstFiles(),
      ...worstDocuments(customer_name),
      ...worstBodies(10_000),
    ]) {
      const send = () => post(app.url, method, target, credentials.NL, body);
      const probe = () => post(app.url, 'GET', '/rest/listtaxcodes', credentials.BE, '');
      const { status, milliseconds, heldUp } = await probed(send, probe);
      const size = `${(body.length / 1024).toFixed(0)} kB`;
      console.log(
        `${heldUp > MAX_HELD_UP_MS ? '!' : ' '} ${name} (${size}): ${status} after ${milliseconds.toFixed(0)} ms, others ${heldUp.toFixed(0)} ms`,
      );
      if (heldUp > MAX_HELD_UP_MS) process.exitCode = 1;
    }
  } finally {
    await app.kill('SIGTERM');
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

console.log('On SQLite:');
await abuse('sqlite');
if (process.env.TEST_POSTGRES_URL) {
  console.log('On PostgreSQL:');
  await abuse('server');
} else console.log('On PostgreSQL: skipped, since TEST_POSTGRES_URL names no server.');
