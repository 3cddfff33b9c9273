import type { PushClient } from '../../../shared/client/pushClient.ts';
import { groupBy } from '../../../shared/groupBy.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import { textOfCell } from '../../excel/cell.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { changedRowsIfKnown } from './changedRows.ts';
import { cellIn, rowKey } from './productKey.ts';
import { addedMark, refusedMark } from './results.ts';
import { isOf, type SheetPush, storeProgress, storeSheetPush } from './sheetPush.ts';
import { type UnconfirmedWrite, unconfirmedFinder, unconfirmedLeft } from './unconfirmedWrites.ts';
import { type PushContext, resultsOf, writeMarks, writeResults } from './writeResults.ts';

/**
 * Checks a finished push again: requests the outcome of unknown rows, which may have arrived
 * since, and clears added quantities in rows that are found again. Call it before rows are sent
 * again. Without a network nothing changes.
 * @throws WorkbookProblem
 */
export async function reviewPush(context: PushContext, push: SheetPush, client: PushClient): Promise<SheetPush> {
  let reviewed = push;
  if (push.id !== '' && push.states.includes('unknown')) {
    const rows = await changedRowsIfKnown(client, push.id, push.cursor);
    reviewed = await writeResults(context, push, resultsOf(push, rows, context), () => {});
  }
  const answers = new Map<UnconfirmedWrite, PushRow>();
  const before = reviewed.unconfirmed.filter((write) => write.state === 'unknown' && !isOf(reviewed, write));
  for (const [id, unconfirmed] of groupBy(before, ({ push }) => push)) {
    if (id === '') continue;
    const rows = new Map((await changedRowsIfKnown(client, id, '')).map((row) => [row.row, row]));
    for (const write of unconfirmed) if (rows.has(write.row)) answers.set(write, rows.get(write.row)!);
  }
  return settleUnconfirmed(context, reviewed, answers);
}

/**
 * Updates the sheet for confirmed writes: an added quantity is cleared in its row, wherever that is by now.
 * Decisions of the user about them are removed too.
 * @param answers the new outcomes of unknown rows
 */
export async function settleUnconfirmed(
  context: PushContext,
  push: SheetPush,
  answers: ReadonlyMap<UnconfirmedWrite, PushRow> = new Map(),
): Promise<SheetPush> {
  if (push.unconfirmed.length === 0) return push;
  const told = push.unconfirmed.flatMap((write): [UnconfirmedWrite, PushRow | undefined][] => {
    const answer = answers.get(write);
    if (answer?.state !== 'applied') return [[write, answer]];
    return [[{ ...write, state: 'applied' }, answer]];
  });
  const refusals = new Map(told.flatMap(([write, answer]) => (answer?.state === 'refused' ? [[write, answer]] : [])));
  const rows = await readTable(context.handle, context.retry);
  const unconfirmed = unconfirmedLeft(
    told.map(([write]) => write),
    rows,
  );
  const unconfirmedIn = unconfirmedFinder(unconfirmed);
  const settled = rows.flatMap(({ number, cells }): { unconfirmed: UnconfirmedWrite[]; mark: RowChange }[] => {
    const found = unconfirmedIn(cells);
    const place = { number, key: rowKey(cells) };
    if (found.some(({ state }) => state === 'applied')) {
      return [{ unconfirmed: found, mark: addedMark(place, cellIn(cells, 'NewStockQty'), context) }];
    }
    const refusal = refusals.get(found[0]!);
    if (refusal === undefined || !found.every((write) => refusals.has(write))) return [];
    return [{ unconfirmed: found, mark: refusedMark(place, refusal, context) }];
  });
  const marks = settled.map(({ mark }) => mark);
  const gone = new Set(await writeMarks(context, marks));
  const ended = new Set([
    ...refusals.keys(),
    ...settled.flatMap(({ unconfirmed, mark }) => (gone.has(mark.key) ? [] : unconfirmed)),
  ]);
  const found = new Set([...ended].filter((write) => isOf(push, write)).map(({ row }) => row));
  const back = new Set(push.rows.filter(({ row }) => found.has(row)).map(({ key }) => key.trim()));
  // A quantity of an earlier push that turns out to have been added is remembered like all others.
  const added = settled
    .filter(({ mark }) => mark.clear !== undefined && !gone.has(mark.key))
    .flatMap(({ unconfirmed }) => unconfirmed.filter((write) => write.state === 'applied' && !isOf(push, write)))
    .map(({ names, quantity }) => {
      const { confirmedAt: at, administration } = push;
      return { names, quantity: textOfCell(quantity), at, administration };
    });
  const after: SheetPush = {
    ...push,
    added: [...push.added, ...added],
    unconfirmed: unconfirmed.filter((write) => !ended.has(write)),
    missing: push.missing.filter((key) => !back.has(key)),
  };
  return (added.length > 0 ? storeSheetPush : storeProgress)(context.handle, after, context.retry);
}
