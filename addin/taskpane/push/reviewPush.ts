import type { PushClient } from '../../../shared/pushClient.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import { readTable } from '../../excel/readTable.ts';
import type { RowChange } from '../../excel/writeCells.ts';
import { changedRowsIfTold } from './askPush.ts';
import { type Doubt, doubtFinder, doubtsLeft } from './doubts.ts';
import { addedMark, refusedMark } from './results.ts';
import { isOf, keepProgress, type SheetPush } from './sheetPush.ts';
import { cellIn, rowKey } from './whichProduct.ts';
import { type PushContext, resultsOf, writeMarks, writeResults } from './writeResults.ts';

/**
 * What is certain of a finished push by now: asks once more about rows that ended unknown, the answer may have come
 * after all, and empties quantities that were added in rows that are found again. To be asked for before rows are sent
 * once more. Without a network it stays what it was.
 * @throws WorkbookProblem
 */
export async function reviewPush(context: PushContext, push: SheetPush, client: PushClient): Promise<SheetPush> {
  let reviewed = push;
  if (push.id !== '' && push.states.includes('unknown')) {
    const rows = await changedRowsIfTold(client, push.id, push.cursor);
    reviewed = await writeResults(context, push, resultsOf(push, rows, context), () => {});
  }
  const answers = new Map<Doubt, PushRow>();
  const before = reviewed.doubts.filter((doubt) => doubt.state === 'unknown' && !isOf(reviewed, doubt));
  for (const [id, doubts] of Map.groupBy(before, ({ push }) => push)) {
    if (id === '') continue;
    const rows = new Map((await changedRowsIfTold(client, id, '')).map((row) => [row.row, row]));
    for (const doubt of doubts) if (rows.has(doubt.row)) answers.set(doubt, rows.get(doubt.row)!);
  }
  return settleDoubts(context, reviewed, answers);
}

/**
 * Says in the sheet what is no longer doubtful: a quantity that was added is emptied in its row, wherever that is by now.
 * What the person has decided since is forgotten too.
 * @param answers what the service told since of rows that were unknown
 */
export async function settleDoubts(
  context: PushContext,
  push: SheetPush,
  answers: ReadonlyMap<Doubt, PushRow> = new Map(),
): Promise<SheetPush> {
  if (push.doubts.length === 0) return push;
  const told = push.doubts.flatMap((doubt): [Doubt, PushRow | undefined][] => {
    const answer = answers.get(doubt);
    if (answer?.state !== 'applied') return [[doubt, answer]];
    return [[{ ...doubt, state: 'applied' }, answer]];
  });
  const refusals = new Map(told.flatMap(([doubt, answer]) => (answer?.state === 'refused' ? [[doubt, answer]] : [])));
  const rows = await readTable(context.handle, context.retry);
  const doubts = doubtsLeft(
    told.map(([doubt]) => doubt),
    rows,
  );
  const doubtsIn = doubtFinder(doubts);
  const settled = rows.flatMap(({ number, cells }): { doubts: Doubt[]; mark: RowChange }[] => {
    const found = doubtsIn(cells);
    const place = { number, key: rowKey(cells) };
    if (found.some(({ state }) => state === 'applied')) {
      return [{ doubts: found, mark: addedMark(place, cellIn(cells, 'NewStockQty'), context) }];
    }
    const refusal = refusals.get(found[0]!);
    if (refusal === undefined || !found.every((doubt) => refusals.has(doubt))) return [];
    return [{ doubts: found, mark: refusedMark(place, refusal, context) }];
  });
  const marks = settled.map(({ mark }) => mark);
  const gone = new Set(await writeMarks(context, marks));
  const ended = new Set([
    ...refusals.keys(),
    ...settled.flatMap(({ doubts, mark }) => (gone.has(mark.key) ? [] : doubts)),
  ]);
  const found = new Set([...ended].filter((doubt) => isOf(push, doubt)).map(({ row }) => row));
  const back = new Set(push.rows.filter(({ row }) => found.has(row)).map(({ key }) => key.trim()));
  const after: SheetPush = {
    ...push,
    doubts: doubts.filter((doubt) => !ended.has(doubt)),
    missing: push.missing.filter((key) => !back.has(key)),
  };
  await keepProgress(context.handle, after, context.retry);
  return after;
}
