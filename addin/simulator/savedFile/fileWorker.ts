import { contentsOf, type WorkbookContents, workbookOf } from './contents.ts';
import { type LeftOut, readFile, UnreadableFile } from './readFile.ts';
import { writeFile } from './writeFile.ts';

/* Reads and writes files beside the page, which goes on meanwhile. A file that is too much ends its worker only. */

export type FileTask =
  | { kind: 'write'; contents: WorkbookContents; addIn: string }
  | { kind: 'read'; bytes: Uint8Array<ArrayBuffer>; addIn: string; language: WorkbookContents['language'] };

export type FileTaskResult =
  | { kind: 'written'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'read'; contents: WorkbookContents; leftOut: LeftOut[] }
  | { kind: 'failed'; reason: UnreadableFile['reason'] };

async function resultOf(task: FileTask): Promise<FileTaskResult> {
  if (task.kind === 'write') {
    return { kind: 'written', bytes: await writeFile(workbookOf(task.contents), task.addIn) };
  }
  try {
    const { workbook, leftOut } = await readFile(task.bytes, task.addIn, task.language);
    return { kind: 'read', contents: contentsOf(workbook), leftOut };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof UnreadableFile ? error.reason : 'notWorkbook' };
  }
}

self.addEventListener('message', ({ data }: MessageEvent<FileTask>) => {
  resultOf(data).then(
    (result) => self.postMessage(result, { transfer: result.kind === 'written' ? [result.bytes.buffer] : [] }),
    (error: unknown) => setTimeout(() => Promise.reject(error)),
  );
});
