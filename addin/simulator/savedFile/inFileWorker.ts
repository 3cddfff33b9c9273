import type { FileTask, FileTaskResult } from './fileWorker.ts';

/** Seconds after which a file that is read is given up. */
const READ_LIMIT = 60;

/** The reading of a file took too long, or too much memory. */
export class FileTaskFailed extends Error {
  override readonly name = 'FileTaskFailed';
}

/**
 * Reads or writes a file in a worker of its own, which ends with it.
 * @param signal ends it
 * @throws FileTaskFailed; the reason of the signal
 */
export function inFileWorker(task: FileTask, signal?: AbortSignal): Promise<FileTaskResult> {
  const worker = new Worker(new URL('./fileWorker.ts', import.meta.url), { type: 'module' });
  const limit = task.kind === 'read' ? AbortSignal.timeout(READ_LIMIT * 1000) : undefined;
  return new Promise<FileTaskResult>((resolve, reject) => {
    const fail = () => reject(new FileTaskFailed());
    worker.addEventListener('message', ({ data }: MessageEvent<FileTaskResult>) => resolve(data));
    worker.addEventListener('error', fail);
    worker.addEventListener('messageerror', fail);
    limit?.addEventListener('abort', fail);
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
    worker.postMessage(task, task.kind === 'read' ? [task.bytes.buffer] : []);
  }).finally(() => worker.terminate());
}
