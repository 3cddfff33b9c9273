import { inWorkbook, type Retry } from '../batch.ts';
import type { Source } from './tableMemory.ts';

/*
 * A ribbon button replaces the page of the pane, and closing the pane ends it, at any moment. So a
 * sheet is marked as unfinished from its first request until it is complete.
 */

const PROPERTY = 'Ledgerline unfinished';

/** `new`: the sheet has a part of a list. `refresh`: its table has old and new rows. */
type Work = 'new' | 'refresh';

/** Unfinished work on a sheet; it may still run in another window. */
export type Unfinished = { sheetId: string; sheetName: string; work: Work; startedAt: string; source: Source };

/** Queues marking a sheet as unfinished. Only the members named here get into the workbook. */
export function markUnfinished({ customProperties }: Excel.Worksheet, work: Work, source: Source): void {
  const { view, administration, endpoint, query } = source;
  const { id, label } = administration;
  const mark = {
    work,
    startedAt: new Date().toISOString(),
    source: { view, administration: { id, label }, endpoint, query },
  };
  customProperties.add(PROPERTY, JSON.stringify(mark));
}

/** Queues removing the mark of a sheet. */
export function markFinished({ customProperties }: Excel.Worksheet): void {
  customProperties.getItemOrNullObject(PROPERTY).delete();
}

/** Every sheet that is marked as unfinished. @throws WorkbookProblem */
export function unfinishedInWorkbook(retry?: Retry): Promise<Unfinished[]> {
  return inWorkbook(async (context) => {
    const { worksheets } = context.workbook;
    worksheets.load({ id: true, name: true });
    await context.sync();
    const marks = worksheets.items.map((sheet) => {
      const mark = sheet.customProperties.getItemOrNullObject(PROPERTY);
      mark.load({ value: true });
      return { sheet, mark };
    });
    await context.sync();
    return marks.flatMap(({ sheet, mark }) => {
      const read = mark.isNullObject ? undefined : readMark(mark.value);
      return read === undefined ? [] : [{ sheetId: sheet.id, sheetName: sheet.name, ...read }];
    });
  }, retry);
}

/** Parses a mark; undefined when another version or something else wrote it. */
function readMark(text: string): Pick<Unfinished, 'work' | 'startedAt' | 'source'> | undefined {
  try {
    const { work, startedAt, source } = JSON.parse(text) as Partial<Unfinished>;
    const isWhole =
      (work === 'new' || work === 'refresh') &&
      typeof startedAt === 'string' &&
      typeof source?.view === 'string' &&
      typeof source.administration?.label === 'string' &&
      typeof source.query === 'object';
    return isWhole ? { work, startedAt, source } : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes a sheet with a part of a list; a table that was being refreshed stays, without its mark. */
export function removeUnfinished(
  { sheetId, work }: Pick<Unfinished, 'sheetId' | 'work'>,
  retry?: Retry,
): Promise<void> {
  return inWorkbook(async (context) => {
    const sheet = context.workbook.worksheets.getItemOrNullObject(sheetId);
    if (work === 'new') sheet.delete();
    else markFinished(sheet);
    await context.sync();
  }, retry);
}
