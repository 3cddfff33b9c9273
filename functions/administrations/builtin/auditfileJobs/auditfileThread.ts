import { parentPort, workerData } from 'node:worker_threads';
import type { AuditfileReport } from '../../../../shared/resources/generalLedger/auditfile.ts';
import { dateIn } from '../../../../shared/wire/calendarDate.ts';
import { failureOf, type Outcome } from '../../threads/carryOutOrders.ts';
import { openDatabase } from '../sql/openDatabase.ts';
import type { Job } from './auditfileJobs.ts';
import { importJob } from './importJob.ts';
import { withdrawJob } from './withdrawJob.ts';

/* The entry of a thread that does one job with an audit file, on a connection of its own. */

/** What the thread reports: bytes that were read, and then one of the others. */
export type ThreadMessage =
  | { kind: 'read'; bytes: number }
  | { kind: 'cancelled' }
  | Outcome<AuditfileReport | undefined>;

/** Bytes between two reports. */
const REPORTED_BYTES = 1_000_000;

/** What ends a job that is cancelled. */
const cancelled = new Error('The job was cancelled.');

async function work(job: Job): Promise<AuditfileReport | undefined> {
  const { databaseUrl, timeZone, now, author, administrationId } = job;
  const cancelling = new AbortController();
  parentPort!.on('message', () => cancelling.abort(cancelled));
  const db = await openDatabase(databaseUrl);
  try {
    const administration = await db
      .selectFrom('administration')
      .where('id', '=', administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const context = { db, administration, author, now: () => now, today: () => dateIn(timeZone, new Date()) };
    if (job.kind === 'withdraw') {
      await withdrawJob(context, job.year, { key: job.key, signal: cancelling.signal });
      return undefined;
    }
    let unreported = 0;
    return await importJob(context, job.file, {
      ...job.options,
      signal: cancelling.signal,
      onRead(bytes) {
        unreported += bytes;
        if (unreported < REPORTED_BYTES) return;
        tell({ kind: 'read', bytes: unreported });
        unreported = 0;
      },
    });
  } finally {
    await db.destroy();
  }
}

const tell = (message: ThreadMessage): void => parentPort!.postMessage(message);

work(workerData)
  .then((result) => tell({ kind: 'done', result }))
  .catch((thrown) => tell(thrown === cancelled ? { kind: 'cancelled' } : failureOf(thrown)))
  .finally(() => parentPort!.close());
