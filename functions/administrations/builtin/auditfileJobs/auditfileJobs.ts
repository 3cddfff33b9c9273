import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { Problem } from '../../../../shared/problem.ts';
import type { AuditfileReport } from '../../../../shared/resources/generalLedger/auditfile.ts';
import type { AuditfileImporter, FiscalDays, ImportOptions } from '../../administration.ts';
import { errorOf } from '../../threads/carryOutOrders.ts';
import { threadFile } from '../../threads/threadPool.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Author } from '../sql/logWriting/author.ts';
import type { Seconds } from '../sql/schema.ts';
import type { ThreadMessage } from './auditfileThread.ts';
import { importJob } from './importJob.ts';
import { withdrawJob } from './withdrawJob.ts';

/** What a thread is told of its job: to import a file, or to withdraw a year. */
export type Job = {
  databaseUrl: string;
  timeZone: string;
  now: Seconds;
  author: Author;
  administrationId: bigint;
} & Task;
type Task =
  | { kind: 'import'; file: string; options: Omit<ImportOptions, 'signal' | 'onRead'> }
  | { kind: 'withdraw'; year: FiscalDays; key: string };

/** Megabytes of the heap of a thread: what stays of an import that is repeated grows with its entries. */
const MAX_MEGABYTES = 256;
/** Megabytes of young objects: with more, V8 collects later, and a process holds more than the import needs. */
const MAX_YOUNG_MEGABYTES = 12;

/**
 * Imports, checks and withdraws audit files in a thread with a connection of its own: neither the thread of requests nor,
 * on SQLite, their connection waits for it. They throw what the signal was aborted with, once nothing is stored.
 * @param database undefined for one that no other connection can open: then it is done here
 */
export function auditfileJobs(
  context: EndpointContext,
  database: { url: string; timeZone: string } | undefined,
): AuditfileImporter {
  const { author, administration } = context;
  const as = (action: string): Author => ({ ...author, action });
  const about = (action: string) => ({ author: as(action), now: context.now(), administrationId: administration.id });
  return {
    async import(file, importOptions) {
      const action = 'import auditfile';
      if (database === undefined) return importJob({ ...context, author: as(action) }, file, importOptions);
      const { signal, onRead, ...options } = importOptions;
      const task = { kind: 'import' as const, file, options };
      return (await inThread({ ...about(action), ...task }, database, signal, onRead))!;
    },
    async withdraw(year, { key, signal }) {
      const action = 'withdraw auditfile';
      if (database === undefined) return withdrawJob({ ...context, author: as(action) }, year, { key, signal });
      await inThread({ ...about(action), kind: 'withdraw', year, key }, database, signal);
    },
  };
}

function inThread(
  task: Task & Pick<Job, 'author' | 'now' | 'administrationId'>,
  { url: databaseUrl, timeZone }: { url: string; timeZone: string },
  signal: AbortSignal,
  onRead: (bytes: number) => void = () => {},
): Promise<AuditfileReport | undefined> {
  const job: Job = { ...task, databaseUrl, timeZone };
  const { promise, resolve, reject } = Promise.withResolvers<AuditfileReport | undefined>();
  const limits = { maxOldGenerationSizeMb: MAX_MEGABYTES, maxYoungGenerationSizeMb: MAX_YOUNG_MEGABYTES };
  const entry = path.join(import.meta.dirname, 'auditfileThread.ts');
  const thread = new Worker(threadFile(entry), { execArgv: [], resourceLimits: limits, workerData: job });
  const cancel = () => thread.postMessage('cancel');
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'read') onRead(message.bytes);
    else if (message.kind === 'done') resolve(message.result);
    else if (message.kind === 'cancelled') reject(signal.reason);
    else reject(errorOf(message));
  });
  thread.on('error', (failure: Error & { code?: string }) =>
    reject(failure.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : failure),
  );
  thread.on('exit', () => reject(new Error('The thread of an audit file ended.')));
  return promise.finally(() => signal.removeEventListener('abort', cancel));
}

const tooLarge = (): Problem =>
  new Problem('INVALID_REQUEST', `The audit file takes more than ${MAX_MEGABYTES} MB of memory.`);
