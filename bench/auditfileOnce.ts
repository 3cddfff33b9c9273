import { auditfileThreads } from '../functions/administrations/builtin/auditfileExport/auditfileThreads.ts';
import { auditfileJobs } from '../functions/administrations/builtin/auditfileJobs/auditfileJobs.ts';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { NOW } from './books.ts';

/*
 * One import of the file AUDITFILE into the first administration at DATABASE_URL, or without AUDITFILE its year 2026
 * written, in a process whose memory is its own, in a thread as the app does: how long it takes, and the most it holds.
 */

const url = process.env.DATABASE_URL!;
const db = await openDatabase(url);
const administration = await db.selectFrom('administration').selectAll().executeTakeFirstOrThrow();
const today = '2027-01-01';
const start = performance.now();
const { AUDITFILE: file } = process.env;
if (file === undefined) {
  const threads = auditfileThreads(url);
  let bytes = 0;
  const blocks = await threads.read({ administration, options: { year: '2026', version: '4.0', today } });
  for await (const block of blocks) bytes += block.length;
  if (bytes === 0) throw new Error('Nothing was written.');
  await threads.close();
} else {
  const author = { origin: 'command', key: null, action: 'bench' } as const;
  const context = { db, administration, author, now: () => NOW, today: () => today };
  const options = { key: 'bench', isCheck: false, replace: false, takeWithWarnings: false };
  const signal = new AbortController().signal;
  const jobs = auditfileJobs(context, { url, timeZone: 'Europe/Amsterdam' });
  const { problems } = await jobs.import(file, { ...options, signal, onRead: () => {} });
  if (problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 3)));
}
const whole = performance.now() - start;
const megabytes = process.resourceUsage().maxRSS / 1024;
console.log(`measured ${JSON.stringify({ whole, megabytes })}`);
await db.destroy();
