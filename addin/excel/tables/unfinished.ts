import * as z from 'zod/mini';
import { inWorkbook, type Retry } from '../batch.ts';
import { queueStored, readStored } from '../storedValues.ts';
import { type Source, source } from './tableMemory.ts';

/*
 * A ribbon button replaces the page of the pane, and closing the pane ends it, at any moment. So a sheet is marked as
 * unfinished from its first request until it is complete.
 */

const PROPERTY = 'Ledgerline unfinished';

/** `new`: the sheet has a part of a list. `refresh`: its table has old and new rows. */
const unfinishedMark = z.object({ work: z.enum(['new', 'refresh']), startedAt: z.string(), source });
type Mark = z.infer<typeof unfinishedMark>;

/** Unfinished work on a sheet; it may still run in another window. */
export type Unfinished = Mark & { sheetId: string; sheetName: string };

/** Queues marking a sheet as unfinished. */
export function markUnfinished({ customProperties }: Excel.Worksheet, work: Mark['work'], source: Source): void {
  const mark: Mark = { work, startedAt: new Date().toISOString(), source };
  customProperties.add(PROPERTY, JSON.stringify(unfinishedMark.parse(mark)));
}

/** Queues removing the mark of a sheet. */
export function markFinished({ customProperties }: Excel.Worksheet): void {
  customProperties.getItemOrNullObject(PROPERTY).delete();
}

/** Every sheet that is marked as unfinished. @throws WorkbookProblem */
export const unfinishedInWorkbook = async (retry?: Retry): Promise<Unfinished[]> =>
  (await readStored(PROPERTY, unfinishedMark, retry)).map(({ value, ...sheet }) => ({ ...sheet, ...value }));

/**
 * Deletes a sheet with a part of a list; a table that was being refreshed stays, without its mark. A sheet stays as it is
 * when another window completed it or began a refresh of it since it was found.
 */
export function removeUnfinished({ sheetId, work, startedAt }: Unfinished, retry?: Retry): Promise<void> {
  return inWorkbook(async (context) => {
    const sheet = context.workbook.worksheets.getItemOrNullObject(sheetId);
    sheet.load({ id: true });
    await context.sync();
    if (sheet.isNullObject) return;
    const present = queueStored(sheet, PROPERTY, unfinishedMark);
    await context.sync();
    if (present()?.value.startedAt !== startedAt) return;
    if (work === 'new') sheet.delete();
    else markFinished(sheet);
    await context.sync();
  }, retry);
}
