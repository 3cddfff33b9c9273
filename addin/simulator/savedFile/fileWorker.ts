import {
  buffersOf,
  contentsOf,
  type RowSlice,
  rowReader,
  rowSlices,
  type WorkbookContents,
  withoutRows,
  workbookOf,
} from './contents.ts';
import { type LeftOut, readFile, UnreadableFile } from './readFile.ts';
import { writeFile } from './writeFile.ts';

/* Reads and writes files beside the page, which goes on meanwhile. A file that is too much ends its worker only. */

/** What a worker gets: a file to read; or the rows of a workbook in slices, and then the rest of it, to be written. */
export type FileTask =
  | { kind: 'rows'; slice: RowSlice }
  | { kind: 'write'; contents: WorkbookContents; addIn: string }
  | { kind: 'read'; bytes: Uint8Array<ArrayBuffer>; addIn: string; language: WorkbookContents['language'] };

/** What it returns: the rows of the workbook that it read in slices, and then the rest of it. */
export type FileTaskResult =
  | { kind: 'progress'; part: number }
  | { kind: 'rows'; slice: RowSlice }
  | { kind: 'written'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'read'; contents: WorkbookContents; leftOut: LeftOut[] }
  | { kind: 'failed'; reason: UnreadableFile['reason'] };

const given = rowReader();

const post = (result: FileTaskResult, transfer: Transferable[] = []): void => self.postMessage(result, { transfer });

async function carryOut(task: FileTask): Promise<void> {
  if (task.kind === 'rows') {
    given.add(task.slice);
  } else if (task.kind === 'write') {
    const bytes = await writeFile(workbookOf(given.into(task.contents)), task.addIn);
    post({ kind: 'written', bytes }, [bytes.buffer]);
  } else {
    const report = (part: number) => post({ kind: 'progress', part });
    try {
      const { workbook, leftOut } = await readFile(task.bytes, task.addIn, task.language, undefined, report);
      for (const slice of rowSlices(workbook)) post({ kind: 'rows', slice }, buffersOf(slice));
      post({ kind: 'read', contents: withoutRows(contentsOf(workbook)), leftOut });
    } catch (error) {
      post({ kind: 'failed', reason: error instanceof UnreadableFile ? error.reason : 'notWorkbook' });
    }
  }
}

self.addEventListener('message', ({ data }: MessageEvent<FileTask>) => {
  carryOut(data).catch((error: unknown) => setTimeout(() => Promise.reject(error)));
});
