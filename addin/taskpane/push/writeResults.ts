import type { Problem } from '../../../shared/problem.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import type { Retry } from '../../excel/batch.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { type RowChange, writeCells } from '../../excel/tables/writeCells.ts';
import type { Messages } from '../locales/en.ts';
import { credentialRefusal, placeOf, resultStatus, rowStatus } from './rowStatus.ts';
import type { SheetKind } from './sheetKind.ts';
import { isOf, type RowEnd, type SentRow, type SheetPush, withResults } from './sheetPush.ts';
import { checkStored, storeProgress } from './storedPush.ts';

/** The sheet of a push, its kind, and the texts of the pane. */
export type PushContext = { handle: TableHandle; kind: SheetKind; messages: Messages; retry?: Retry };

/** The final state of a row, and its cells. */
export type Result = RowEnd & { change: RowChange };

const endStates: readonly string[] = ['applied', 'refused', 'unknown', 'cancelled'] satisfies RowEnd['state'][];

/**
 * The results of ended rows. A row that was unknown may have another result later.
 * @param retold whether what is told of a row that stays unknown is a result too
 */
export function resultsOf(
  push: SheetPush,
  rows: readonly PushRow[],
  context: PushContext,
  { retold = false } = {},
): Result[] {
  const indexOf = new Map(push.rows.map(({ row: number }, index) => [number, index]));
  const resultOf = resultsIn(push, context);
  return rows.flatMap((row) => {
    const index = indexOf.get(row.row ?? -1);
    if (index === undefined || !endStates.includes(row.state ?? '')) return [];
    const [state, before] = [row.state as RowEnd['state'], push.states[index]];
    if (before !== 'waiting' && (before !== 'unknown' || (state === 'unknown' && !retold))) return [];
    return [resultOf(index, state, (sent) => resultStatus(sent, state, row, push.stopped, context))];
  });
}

/** Makes results. A row that was not sent is as unconfirmed as it was before. */
function resultsIn(push: SheetPush, { kind, messages }: PushContext) {
  const unconfirmed = new Set(push.unconfirmed.filter((write) => !isOf(push, write)).flatMap(({ names }) => names));
  return (index: number, state: RowEnd['state'], changeOf: (sent: SentRow) => RowChange): Result => {
    const sent = push.rows[index]!;
    const isHeld = state === 'cancelled' && kind.names(sent).some((name) => unconfirmed.has(name));
    const held = () => rowStatus(placeOf(sent), 'unknown', kind.texts(messages).held, messages);
    return { index, state, change: isHeld ? held() : changeOf(sent) };
  };
}

/** Gives all rows without a result the same one. */
export function openResults(push: SheetPush, state: 'unknown' | 'cancelled', context: PushContext): Result[] {
  const resultOf = resultsIn(push, context);
  const result = { errorCode: '', errorMessage: '', errors: [] };
  const changeOf = (sent: SentRow) => resultStatus(sent, state, result, push.stopped, context);
  return push.states.flatMap((now, index) => (now === 'waiting' ? [resultOf(index, state, changeOf)] : []));
}

/** The results of a push that was refused as a whole: refused rows show why, the others that they were not sent. */
export function refusedResults(push: SheetPush, { code, errors }: Problem, context: PushContext): Result[] {
  const { messages } = context;
  const errorOf = new Map(errors.map((error) => [/^rows\[(\d+)\]/.exec(error.path)?.[1], error]));
  const reason = credentialRefusal(code, messages) ?? messages.rowMessage.refusedWhole;
  const resultOf = resultsIn(push, context);
  return push.rows.map((_, index) => {
    const error = errorOf.get(String(index));
    if (error === undefined) {
      return resultOf(index, 'cancelled', (sent) => rowStatus(placeOf(sent), 'notSent', reason, messages));
    }
    const result = { errorCode: code, errorMessage: error.message, errors: [error] };
    return resultOf(index, 'refused', (sent) => resultStatus(sent, 'refused', result, '', context));
  });
}

/** The most rows in one write, so that requests stay small and the screen is updated. */
const BATCH_SIZE = 500;

const batchesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH_SIZE) }, (_, index) =>
    items.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );

/** @returns the keys of missing rows */
export async function writeRowChanges(
  { handle, kind, retry }: PushContext,
  changes: readonly RowChange[],
): Promise<string[]> {
  const missing: string[] = [];
  for (const batch of batchesOf(changes.map((change) => withFurther(change, kind)))) {
    missing.push(...(await writeCells(handle, handle.memory.keys, batch, retry)));
  }
  return missing;
}

/** A change that also says in the further rows of its key what these show: an amount there would be counted twice. */
function withFurther(change: RowChange, { repeated }: SheetKind): RowChange {
  if (repeated.length === 0 || change.key.trim() === '') return change;
  const further = Object.entries(change.cells).map(([key, cell]) => [key, repeated.includes(key) ? cell : '']);
  return { ...change, further: Object.fromEntries(further) };
}

/**
 * Writes results in blocks, and stores the progress after each.
 * @param onBlock called with the push after each block
 */
export async function writeResults(
  context: PushContext,
  push: SheetPush,
  results: readonly Result[],
  onBlock: (written: SheetPush) => void,
): Promise<SheetPush> {
  let written = push;
  for (const batch of batchesOf(results)) {
    // If another window has continued this push, its rows may not be written here.
    await checkStored(context.handle, written, context.retry);
    const changes = batch.map(({ change }) => change);
    const missing = new Set(await writeRowChanges(context, changes));
    written = await storeProgress(context.handle, withResults(written, batch, missing, context.kind), context.retry);
    onBlock(written);
  }
  return written;
}
