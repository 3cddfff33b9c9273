import { textOfCell } from '../../excel/cell.ts';
import { markCells } from '../../excel/marks/markCells.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import { type Administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { WorkbookProblem } from '../../excel/workbookProblem.ts';
import type { Selection } from '../push/preparePush.ts';
import { rowStatus } from '../push/rowStatus.ts';
import { addedQuantities, rememberedOf, type SentRow, type SheetPush } from '../push/sheetPush.ts';
import { correctStaleStatuses } from '../push/staleStatus.ts';
import { isAppliedStatus, isUnknownStatus } from '../push/translatedWords.ts';
import type { PushContext } from '../push/writeResults.ts';
import type { RequestSheet } from '../sheetColumns/requestColumns.ts';
import { isEmptyRow, keyOf, type Reading, type RowRequest, readRequests } from './readRequests.ts';
import { saysOf } from './requestKind.ts';

/**
 * A checked request. `held`: an earlier outcome of it is unknown. `repeated`: sending it would make what is there
 * already, and `because` says why; the user confirms that it is another one. `applied`: it was made, and is unchanged.
 */
export type CheckedRequest = SendableRequest | (RowRequest & { kind: 'applied' | 'bad' });

/** A request that can be sent. */
export type SendableRequest = RowRequest & ({ kind: 'ready' | 'held' } | { kind: 'repeated'; because: string });
export const isSendable = (row: CheckedRequest): row is SendableRequest =>
  row.kind === 'ready' || row.kind === 'held' || row.kind === 'repeated';

/**
 * The requests of a sheet, checked. Each bad cell is marked, and statuses that are no longer true are corrected, unless
 * somebody is typing.
 * @param previous the latest push of the sheet @param administration the present target of its rows
 * @throws WorkbookProblem
 */
export async function checkRequests(
  context: PushContext,
  reading: Omit<Reading, 'messages'>,
  previous: SheetPush | undefined,
  administration: Administration,
  isTyping = false,
): Promise<CheckedRequest[]> {
  const { handle, messages, retry } = context;
  const { sheet } = reading;
  const table = await readTable(handle, retry);
  const rows = readRequests(table, { ...reading, messages });
  const checked = compared(rows, sheet, context, previous, administration);
  const issues = checked.flatMap((row) => row.issues);
  await markCells(handle, Object.keys(sheet.columns).concat(sheet.key), issues, retry).catch(unlessProtected);
  if (isTyping) return checked;
  const empty = table.filter((row) => isEmptyRow(row, sheet));
  await correctStaleStatuses(context, [
    ...checked.map((row) => ({
      key: row.key,
      number: row.number,
      status: row.status,
      message: row.message,
      error: leftOutMessage(row, context),
      leftOut: leftOutStatus(row, context),
      isEmpty: false,
    })),
    ...empty.map((row) => ({
      key: keyOf(row, sheet),
      number: row.number,
      status: row.cells.get('Status') ?? '',
      message: row.cells.get('Message') ?? '',
      error: '',
      leftOut: undefined,
      isEmpty: true,
    })),
  ]);
  return checked;
}

/** A sheet whose cells cannot be marked is checked all the same: the pane lists what is wrong. */
const unlessProtected = (error: unknown): void => {
  if (!(error instanceof WorkbookProblem && error.code === 'PROTECTED')) throw error;
};

/** Compares requests with what the sheet has made before, and with each other. */
function compared(
  rows: readonly RowRequest[],
  { endpoint }: RequestSheet,
  { kind, messages: { rowMessage } }: PushContext,
  previous: SheetPush | undefined,
  administration: Administration,
): CheckedRequest[] {
  const names = (all: readonly { names: readonly string[] }[]) => new Set(all.flatMap((one) => one.names));
  const unknown = names((previous?.unconfirmed ?? []).filter(({ state }) => state === 'unknown'));
  const made = names([
    ...addedQuantities(previous, kind).filter((one) => isSameAdministration(one.administration, administration)),
    ...(previous?.unconfirmed ?? []).filter(({ state }) => state === 'applied'),
  ]);
  const madeKeys = rememberedOf(previous, administration, kind);
  const first = new Map<string, RowRequest>();
  return rows.map((row): CheckedRequest => {
    if (row.issues.length > 0) return { ...row, kind: 'bad' };
    const says = saysOf({ endpoint, request: row.request });
    const isMade = isAppliedStatus(row.status);
    const wasUnknown = isUnknownStatus(row.status);
    if (unknown.has(says) || (wasUnknown && !made.has(says))) return { ...row, kind: 'held' };
    if (made.has(says)) {
      const isShown = isMade || wasUnknown;
      return isShown ? { ...row, kind: 'applied' } : { ...row, kind: 'repeated', because: rowMessage.sameAsMade };
    }
    // Its rows were changed after it was made. Somebody who means another document clears the status.
    if (isMade || (madeKeys.has(row.key) && textOfCell(row.status) !== '')) {
      return { ...row, kind: 'repeated', because: rowMessage.changedSinceMade };
    }
    const twin = first.get(says);
    if (twin !== undefined) return { ...row, kind: 'repeated', because: rowMessage.sameAs(twin.key) };
    first.set(says, row);
    return { ...row, kind: 'ready' };
  });
}

function leftOutMessage(row: CheckedRequest, { messages }: PushContext): string {
  switch (row.kind) {
    case 'bad':
      return row.issues.map(({ message }) => message).join('; ');
    case 'held':
      return messages.rowMessage.heldMade;
    case 'repeated':
      return row.because;
    default:
      return '';
  }
}

/** The status of a request that a push leaves out, if it needs one. */
function leftOutStatus(row: CheckedRequest, context: PushContext): RowChange | undefined {
  const message = leftOutMessage(row, context);
  if (message === '') return undefined;
  const isUnknown = row.kind === 'held' || (row.kind === 'bad' && isUnknownStatus(row.status));
  // What was made stays said, whatever its rows say by now.
  if (isAppliedStatus(row.status)) return { key: row.key, number: row.number, cells: { Message: message } };
  return rowStatus(row, isUnknown ? 'unknown' : 'notSent', message, context.messages);
}

const sentRow = ({ number, key, request, totals }: SendableRequest, { endpoint }: RequestSheet): SentRow => ({
  row: number,
  key,
  endpoint,
  request,
  ...(Object.keys(totals).length === 0 ? {} : { expected: totals }),
});

/** The requests of a sheet to send, and the statuses of the others. */
export function selectRequests(
  rows: readonly CheckedRequest[],
  chosen: readonly SendableRequest[],
  sheet: RequestSheet,
  context: PushContext,
): Selection {
  const isChosen = new Set<CheckedRequest>(chosen);
  return {
    chosen: chosen.map((row) => ({ sent: sentRow(row, sheet), otherwise: leftOutStatus(row, context) })),
    leftOut: rows.filter((row) => !isChosen.has(row)).flatMap((row) => leftOutStatus(row, context) ?? []),
  };
}
