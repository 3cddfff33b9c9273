import { noRetry } from '../../excel/batch.ts';
import { textOfCell } from '../../excel/cell.ts';
import type { TableRow } from '../../excel/tables/readTable.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { WorkbookProblem } from '../../excel/workbookProblem.ts';
import { languages, messagesOf } from '../locales/messages.ts';
import { cellIn } from './productKey.ts';
import type { ProductRow } from './readProductRow.ts';
import { leftOutStatus, rowStatus } from './rowStatus.ts';
import { isFinished, keysOf, type SheetPush } from './sheetPush.ts';
import { readSheetPush } from './storedPush.ts';
import { isNotSentStatus, isWaitingStatus } from './translatedWords.ts';
import { type PushContext, writeRowChanges } from './writeResults.ts';

/** The texts around the row numbers of a message about two rows for one product, in every language. */
const duplicateTexts = languages.map((language) => messagesOf[language].rowMessage.twice([0]).split('0'));
const isOfDuplicates = (message: string): boolean =>
  duplicateTexts.some(([before, after]) => message.startsWith(before!) && message.endsWith(after!));

/**
 * Corrects statuses that are no longer true. After Undo, or when preparing a push was cancelled, a row may say that it
 * waits while nothing runs. The message of a duplicate may outlast the other row.
 * @param table the rows of the sheet @param rows the same, checked
 */
export async function correctStaleStatuses(
  context: PushContext,
  table: readonly TableRow[],
  rows: readonly ProductRow[],
): Promise<void> {
  const stale = table.flatMap(({ cells }, index): { row: ProductRow; isWaiting: boolean; isNotSent: boolean }[] => {
    const row = rows[index]!;
    const isWaiting = isWaitingStatus(cellIn(cells, 'Status'));
    const message = textOfCell(cellIn(cells, 'Message'));
    const isOld = isOfDuplicates(message) && !(row.kind === 'bad' && row.message === message);
    return isWaiting || isOld ? [{ row, isWaiting, isNotSent: isNotSentStatus(cellIn(cells, 'Status')) }] : [];
  });
  if (stale.length === 0) return;
  // Another window may have begun a push since: its rows do wait.
  const push = await readSheetPush(context.handle, context.retry);
  if (push !== undefined && !isFinished(push)) return;
  const statusAfter = waitingStatusAfter(push, context);
  const changes = stale.map(({ row, isWaiting, isNotSent }): RowChange => {
    if (isWaiting) return leftOutStatus(row, context.messages) ?? statusAfter(row);
    const isEmpty = row.kind === 'blank' || row.kind === 'unchanged';
    const message = row.kind === 'bad' ? row.message : '';
    return {
      key: row.key,
      number: row.number,
      cells: { Message: message, ...(isEmpty && isNotSent ? { Status: '' } : {}) },
    };
  });
  // A sheet that cannot be written to now is corrected by a later check.
  await writeRowChanges({ ...context, retry: noRetry }, changes).catch((error: unknown) => {
    if (!(error instanceof WorkbookProblem)) throw error;
  });
}

/** The status of a row that says that it waits, by its result in the latest push. */
function waitingStatusAfter(push: SheetPush | undefined, { messages }: PushContext): (row: ProductRow) => RowChange {
  const keysIn = (state: 'applied' | 'refused' | 'unknown') => (push === undefined ? new Set() : keysOf(push, state));
  const [applied, refused, unknown] = [keysIn('applied'), keysIn('refused'), keysIn('unknown')];
  const { rowMessage } = messages;
  return (row) => {
    if (applied.has(row.key)) return rowStatus(row, 'applied', rowMessage.applied, messages);
    if (refused.has(row.key)) return rowStatus(row, 'refused', rowMessage.refusedBefore, messages);
    if (unknown.has(row.key)) return rowStatus(row, 'unknown', rowMessage.unknown, messages);
    return rowStatus(row, 'notSent', rowMessage.cancelled, messages);
  };
}
