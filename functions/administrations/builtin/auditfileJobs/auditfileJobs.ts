import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { Problem } from '../../../../shared/problem.ts';
import type { AuditfileReport } from '../../../../shared/resources/generalLedger/auditfile.ts';
import type { ImportOptions } from '../../administration.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Author } from '../sql/logWriting/author.ts';
import type { Seconds } from '../sql/schema.ts';
import type { ThreadMessage } from './auditfileThread.ts';
import { importJob } from './importJob.ts';

/** What a thread is told of its job. */
export type Job = {
  databaseUrl: string;
  timeZone: string;
  now: Seconds;
  author: Author;
  administrationId: bigint;
  file: string;
  options: Omit<ImportOptions, 'signal' | 'onRead'>;
};

/** Megabytes of the heap of a thread. */
const MAX_MEGABYTES = 512;

/**
 * Imports or checks an audit file in a thread with a connection of its own: neither the thread of requests nor, on SQLite,
 * their connection waits for it.
 * @param database undefined for one that no other connection can open: then it is done here
 * @throws what the signal was aborted with, once nothing is stored
 */
export function importFile(
  context: EndpointContext,
  database: { url: string; timeZone: string } | undefined,
  file: string,
  importOptions: ImportOptions,
): Promise<AuditfileReport> {
  if (database === undefined) return importJob(context, file, importOptions);
  const { signal, onRead, ...options } = importOptions;
  const { author, administration } = context;
  return inThread(
    {
      databaseUrl: database.url,
      timeZone: database.timeZone,
      now: context.now(),
      author,
      administrationId: administration.id,
      file,
      options,
    },
    signal,
    onRead,
  );
}

function inThread(job: Job, signal: AbortSignal, onRead: (bytes: number) => void): Promise<AuditfileReport> {
  const { promise, resolve, reject } = Promise.withResolvers<AuditfileReport>();
  const limits = { maxOldGenerationSizeMb: MAX_MEGABYTES };
  const thread = new Worker(threadFile(), { execArgv: [], resourceLimits: limits, workerData: job });
  const cancel = () => thread.postMessage('cancel');
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind === 'read') onRead(message.bytes);
    else if (message.kind === 'done') resolve(message.report);
    else if (message.kind === 'cancelled') reject(signal.reason);
    else if (message.kind === 'refused') reject(new Problem(message.code, message.message));
    else reject(new Error(message.reason));
  });
  thread.on('error', (failure: Error & { code?: string }) =>
    reject(failure.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : failure),
  );
  thread.on('exit', () => reject(new Error('The thread of an audit file ended.')));
  return promise.finally(() => signal.removeEventListener('abort', cancel));
}

const tooLarge = (): Problem =>
  new Problem('INVALID_REQUEST', `The audit file takes more than ${MAX_MEGABYTES} MB of memory.`);

/** A deployment has the thread's code in a file beside its own. */
function threadFile(): string {
  const shipped = path.join(import.meta.dirname, 'auditfileThread.js');
  return existsSync(shipped) ? shipped : path.join(import.meta.dirname, 'auditfileThread.ts');
}
