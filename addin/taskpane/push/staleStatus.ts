import { noRetry } from '../../excel/batch.ts';
import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { WorkbookProblem } from '../../excel/workbookProblem.ts';
import { type RowPlace, rowStatus } from './rowStatus.ts';
import { isFinished, keysOf, type SheetPush } from './sheetPush.ts';
import { readSheetPush } from './storedPush.ts';
import { isNotSentStatus, isWaitingStatus } from './translatedWords.ts';
import { type PushContext, writeRowChanges } from './writeResults.ts';

/** The status that a row has in the sheet, and what its check says of it. */
type ShownStatus = RowPlace & {
  status: Cell;
  message: Cell;
  /** Why it is not sent; "" for a row without errors. */
  error: string;
  /** Its status when it is left out of a push; undefined for a row that is sent, and for one without anything to send. */
  leftOut: RowChange | undefined;
  /** Whether it has nothing to send. */
  isEmpty: boolean;
};

/**
 * Corrects statuses that are no longer true. After Undo, or when preparing a push was cancelled, a row may say that it
 * waits while nothing runs. A message about another row may outlast that row.
 */
export async function correctStaleStatuses(context: PushContext, shown: readonly ShownStatus[]): Promise<void> {
  const isOfOthers = (message: string) =>
    context.kind.messagesOfOthers.some(([start, end]) => message.startsWith(start) && message.endsWith(end));
  const stale = shown.filter(({ status, message, error }) => {
    const text = textOfCell(message);
    return isWaitingStatus(status) || (isOfOthers(text) && text !== error);
  });
  if (stale.length === 0) return;
  // Another window may have begun a push since: its rows do wait.
  const push = await readSheetPush(context.handle, context.kind, context.retry);
  if (push !== undefined && !isFinished(push)) return;
  const statusAfter = waitingStatusAfter(push, context);
  const changes = stale.map((row): RowChange => {
    const { key, number, status, error, leftOut, isEmpty } = row;
    const isWaiting = isWaitingStatus(status);
    // A row that was emptied while it was pushed is no row of the push any more, whatever became of that.
    const isGone = isWaiting && isEmpty && key.trim() === '';
    if (isWaiting && !isGone) return leftOut ?? statusAfter(row);
    const cells = { Message: error, ...(isGone || (isEmpty && isNotSentStatus(status)) ? { Status: '' } : {}) };
    return { key, ...(number === undefined ? {} : { number }), cells };
  });
  // A sheet that cannot be written to now is corrected by a later check.
  await writeRowChanges({ ...context, retry: noRetry }, changes).catch((error: unknown) => {
    if (!(error instanceof WorkbookProblem)) throw error;
  });
}

/** The status of a row that says that it waits, by its result in the latest push. */
function waitingStatusAfter(
  push: SheetPush | undefined,
  { kind, messages }: PushContext,
): (row: RowPlace) => RowChange {
  const keysIn = (state: 'applied' | 'refused' | 'unknown') => (push === undefined ? new Set() : keysOf(push, state));
  const [applied, refused, unknown] = [keysIn('applied'), keysIn('refused'), keysIn('unknown')];
  const { rowMessage } = messages;
  const texts = kind.texts(messages);
  return (row) => {
    if (applied.has(row.key)) return rowStatus(row, 'applied', texts.applied, messages);
    if (refused.has(row.key)) return rowStatus(row, 'refused', rowMessage.refusedBefore, messages);
    if (unknown.has(row.key)) return rowStatus(row, 'unknown', texts.unknown, messages);
    return rowStatus(row, 'notSent', rowMessage.cancelled, messages);
  };
}
