import type { PushChoices } from '../../../shared/resources/push.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { WorkbookProblem } from '../../excel/workbookProblem.ts';
import { placeOf, rowStatus } from './rowStatus.ts';
import { intendedPush, missingKeys, type SentRow, type SheetPush } from './sheetPush.ts';
import { storeSheetPush } from './storedPush.ts';
import { type PushContext, writeRowChanges } from './writeResults.ts';

/** A row to send, and its status should it not be sent after all; left out: it says that the push was stopped. */
type ChosenRow = { sent: SentRow; otherwise: RowChange | undefined };

/** The rows of a checked sheet: those to send, and the statuses of those that are left out. */
export type Selection = { chosen: readonly ChosenRow[]; leftOut: readonly RowChange[] };

/**
 * Prepares a sheet for a push: every row shows that it waits, or why it is left out, and the sheet stores the push.
 * Nothing is sent yet, so a protected sheet stops the push here, and when it fails or is cancelled no row waits any
 * more. A row that was changed after its confirmation is not sent.
 * @throws WorkbookProblem
 */
export async function preparePush(
  context: PushContext,
  { chosen, leftOut }: Selection,
  administration: Administration,
  previous: SheetPush | undefined,
  {
    choices = {},
    newKey = () => crypto.randomUUID(),
    now = () => new Date(),
  }: { choices?: PushChoices; newKey?: () => string; now?: () => Date } = {},
): Promise<SheetPush> {
  const { kind, messages } = context;
  const waiting = chosen.map(({ sent }) => rowStatus(placeOf(sent), 'waiting', '', messages));
  try {
    const missing = new Set(await writeRowChanges(context, [...leftOut, ...waiting]));
    const rows = chosen.map(({ sent }) => sent);
    const intent = { administration, idempotencyKey: newKey(), confirmedAt: now(), choices };
    const push = {
      ...intendedPush({ ...intent, rows: rows.filter(({ key }) => !missing.has(key)) }, previous, kind),
      missing: missingKeys(rows.filter(({ key }) => missing.has(key)).map(({ key }) => key)),
    };
    return await storeSheetPush(context.handle, push, context.retry);
  } catch (error) {
    const isOfAnotherWindow = error instanceof WorkbookProblem && error.code === 'CHANGED_ELSEWHERE';
    if (!isOfAnotherWindow) await endWaiting(context, chosen);
    throw error;
  }
}

/**
 * Rows no longer show that they wait, and a held one is held again, as soon as Excel accepts it. What fails here is
 * corrected by the next check.
 */
async function endWaiting(context: PushContext, rows: readonly ChosenRow[]): Promise<void> {
  const { messages, retry } = context;
  const changes = rows.map(
    ({ sent, otherwise }) => otherwise ?? rowStatus(placeOf(sent), 'notSent', messages.rowMessage.cancelled, messages),
  );
  const uncancelled = retry && { ...retry, signal: undefined };
  await writeRowChanges({ ...context, retry: uncancelled }, changes).catch(() => {});
}
