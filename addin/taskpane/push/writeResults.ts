import type { Problem } from '../../../shared/problem.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import type { Retry } from '../../excel/batch.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { type RowChange, writeCells } from '../../excel/tables/writeCells.ts';
import type { Messages } from '../locales/en.ts';
import { productKeys } from '../tables/productTable.ts';
import { productNames } from './productKey.ts';
import { heldMark, notSentMark, resultMark } from './results.ts';
import {
  checkStored,
  isOf,
  type RowEnd,
  type SentRow,
  type SheetPush,
  storeProgress,
  type WrittenState,
  withResults,
} from './sheetPush.ts';

/** The sheet of a push, and the texts of the pane. */
export type PushContext = { handle: TableHandle; messages: Messages; retry?: Retry };

/** The final state of a row, and its cells. */
export type Result = RowEnd & { mark: RowChange };

const ends: readonly string[] = ['applied', 'refused', 'unknown', 'cancelled'] satisfies WrittenState[];

/** The results of ended rows. A late response counts. */
export function resultsOf(push: SheetPush, rows: readonly PushRow[], context: PushContext): Result[] {
  const indexOf = new Map(push.rows.map(({ row }, index) => [row, index]));
  const resultOf = resultsIn(push, context);
  return rows.flatMap((answer) => {
    const index = indexOf.get(answer.row ?? -1);
    if (index === undefined || !ends.includes(answer.state ?? '')) return [];
    const [state, before] = [answer.state as RowEnd['state'], push.states[index]];
    if (before !== 'waiting' && (before !== 'unknown' || state === 'unknown')) return [];
    return [resultOf(index, state, (sent) => resultMark(sent, state, answer, push.stopped, context))];
  });
}

/** Makes results. A row that was not sent is as unconfirmed as it was before. */
function resultsIn(push: SheetPush, context: PushContext) {
  const isUnconfirmed = new Set(push.unconfirmed.filter((write) => !isOf(push, write)).flatMap(({ names }) => names));
  return (index: number, state: RowEnd['state'], markOf: (sent: SentRow) => RowChange): Result => {
    const sent = push.rows[index]!;
    const isHeld = state === 'cancelled' && productNames(sent.update).some((name) => isUnconfirmed.has(name));
    return { index, state, mark: isHeld ? heldMark(sent, context) : markOf(sent) };
  };
}

/** The same result for all rows without one. */
export function openResults(push: SheetPush, state: 'unknown' | 'cancelled', context: PushContext): Result[] {
  const resultOf = resultsIn(push, context);
  const answer = { errorCode: '', errorMessage: '', errors: [] };
  return push.states.flatMap((now, index) =>
    now === 'waiting' ? [resultOf(index, state, (sent) => resultMark(sent, state, answer, push.stopped, context))] : [],
  );
}

/** The results of a push that was refused as a whole: refused rows show why, the others that they were not sent. */
export function refusedResults(push: SheetPush, { code, errors }: Problem, context: PushContext): Result[] {
  const { rowMessage } = context.messages;
  const wrong = new Map(
    errors.flatMap((error) => {
      const index = /^rows\[(\d+)\]/.exec(error.path)?.[1];
      return index === undefined ? [] : [[Number(index), error] as const];
    }),
  );
  const whole = code === 'UNAUTHORIZED' ? rowMessage.stoppedUnauthorized : rowMessage.refusedWhole;
  const resultOf = resultsIn(push, context);
  return push.rows.map((_, index) => {
    const error = wrong.get(index);
    if (error === undefined) return resultOf(index, 'cancelled', (sent) => notSentMark(sent, whole, context));
    const answer = { errorCode: code, errorMessage: error.message, errors: [error] };
    return resultOf(index, 'refused', (sent) => resultMark(sent, 'refused', answer, '', context));
  });
}

/** The most rows in one write, so that requests stay small and the screen is updated. */
const BATCH_SIZE = 500;
/** @returns the keys of missing rows */
export async function writeMarks({ handle, retry }: PushContext, marks: readonly RowChange[]): Promise<string[]> {
  const missing: string[] = [];
  for (let start = 0; start < marks.length; start += BATCH_SIZE) {
    missing.push(...(await writeCells(handle, productKeys, marks.slice(start, start + BATCH_SIZE), retry)));
  }
  return missing;
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
  for (let start = 0; start < results.length; start += BATCH_SIZE) {
    const block = results.slice(start, start + BATCH_SIZE);
    // Another window has continued this push, so its rows may not be written here.
    await checkStored(context.handle, written, context.retry);
    const gone = await writeMarks(
      context,
      block.map(({ mark }) => mark),
    );
    written = await storeProgress(context.handle, withResults(written, block, new Set(gone)), context.retry);
    onBlock(written);
  }
  return written;
}
