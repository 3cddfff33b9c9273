import type { Workbook } from '../workbook/workbook.ts';
import { buffersOf, contentsOf, rowReader, rowSlices, type WorkbookContents, withoutRows } from './contents.ts';
import type { FileTask, FileTaskResult } from './fileWorker.ts';

/** Seconds after which a file that is read is given up. */
const READ_LIMIT = 60;

/** How often a workbook that changes meanwhile is given to the worker in slices; then it is given at once. */
const MAX_ATTEMPTS = 3;

/** The reading of a file took too long, or too much memory. */
class FileTaskFailed extends Error {
  override readonly name = 'FileTaskFailed';
}

type Outcome = Exclude<FileTaskResult, { kind: 'progress' } | { kind: 'rows' }>;

/**
 * Uses a worker, which ends with its task.
 * @param give gives it the task
 * @param signal ends it
 * @throws FileTaskFailed; the reason of the signal
 */
function inFileWorker(
  give: (post: (task: FileTask, transfer?: Transferable[]) => void) => Promise<void>,
  report: (part: number) => void,
  signal?: AbortSignal,
): Promise<Outcome> {
  const worker = new Worker(new URL('./fileWorker.ts', import.meta.url), { type: 'module' });
  const rows = rowReader();
  return new Promise<Outcome>((resolve, reject) => {
    const fail = () => reject(new FileTaskFailed());
    worker.addEventListener('message', ({ data }: MessageEvent<FileTaskResult>) => {
      if (data.kind === 'progress') report(data.part);
      else if (data.kind === 'rows') rows.add(data.slice);
      else resolve(data.kind === 'read' ? { ...data, contents: rows.into(data.contents) } : data);
    });
    worker.addEventListener('error', fail);
    worker.addEventListener('messageerror', fail);
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
    give((task, transfer = []) => worker.postMessage(task, transfer)).catch(reject);
  }).finally(() => worker.terminate());
}

/** Reads a file beside the page; the worker is loaded meanwhile. @param report gets which part of it was read, from 0 to 1 */
export async function readInWorker(
  file: Blob,
  addIn: string,
  language: WorkbookContents['language'],
  report: (part: number) => void,
  signal: AbortSignal,
): Promise<Outcome> {
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(new FileTaskFailed()), READ_LIMIT * 1000);
  try {
    return await inFileWorker(
      async (post) => {
        const buffer = await file.arrayBuffer();
        post({ kind: 'read', bytes: new Uint8Array(buffer), addIn, language }, [buffer]);
      },
      report,
      AbortSignal.any([signal, tooLong.signal]),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Writes a workbook beside the page, as it is at one moment, with every result. @returns the file */
export async function writeInWorker(workbook: Workbook, addIn: string): Promise<Uint8Array<ArrayBuffer>> {
  if (workbook.isCalculationDue) workbook.calculateDue();
  for (let attempt = 1; ; attempt++) {
    let hasChanged = false;
    const stop = workbook.subscribe(() => {
      hasChanged = true;
    });
    try {
      const result = await inFileWorker(
        async (post) => {
          for (const slice of rowSlices(workbook)) {
            post({ kind: 'rows', slice }, buffersOf(slice));
            if (attempt === MAX_ATTEMPTS) continue;
            await new Promise((resolve) => setTimeout(resolve));
            if (hasChanged) throw new WorkbookChanged();
          }
          post({ kind: 'write', contents: withoutRows(contentsOf(workbook)), addIn });
          stop();
        },
        () => {},
      );
      if (result.kind !== 'written') throw new FileTaskFailed();
      return result.bytes;
    } catch (error) {
      if (!(error instanceof WorkbookChanged)) throw error;
    } finally {
      stop();
    }
  }
}

class WorkbookChanged extends Error {}
