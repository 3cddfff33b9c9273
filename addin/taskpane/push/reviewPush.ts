import type { PushClient } from '../../../shared/client/pushClient.ts';
import { groupBy } from '../../../shared/groupBy.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import { textOfCell } from '../../excel/cell.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import type { RowChange } from '../../excel/tables/writeCells.ts';
import { changedRowsIfKnown } from './changedRows.ts';
import { cellIn, rowKey } from './productKey.ts';
import { addedStatus, refusalText, rowStatus } from './rowStatus.ts';
import { isOf, type SheetPush } from './sheetPush.ts';
import { storeProgress, storeSheetPush } from './storedPush.ts';
import { type UnconfirmedWrite, unconfirmedFinder, unconfirmedLeft } from './unconfirmedWrites.ts';
import { type PushContext, resultsOf, writeResults, writeRowChanges } from './writeResults.ts';

/**
 * Checks a finished push again: requests the outcome of unknown rows, which may have arrived since, and clears added
 * quantities in rows that are found again. Call it before rows are sent again. Without a network nothing changes.
 * @throws WorkbookProblem
 */
export async function reviewPush(context: PushContext, push: SheetPush, client: PushClient): Promise<SheetPush> {
  let reviewed = push;
  if (push.id !== '' && push.states.includes('unknown')) {
    const rows = await changedRowsIfKnown(client, push.id, push.cursor);
    reviewed = await writeResults(context, push, resultsOf(push, rows, context), () => {});
  }
  const outcomes = new Map<UnconfirmedWrite, PushRow>();
  const earlier = reviewed.unconfirmed.filter((write) => write.state === 'unknown' && !isOf(reviewed, write));
  for (const [id, writes] of groupBy(earlier, ({ push }) => push)) {
    if (id === '') continue;
    const rows = new Map((await changedRowsIfKnown(client, id, '')).map((row) => [row.row, row]));
    for (const write of writes) if (rows.has(write.row)) outcomes.set(write, rows.get(write.row)!);
  }
  return settleUnconfirmed(context, reviewed, outcomes);
}

/**
 * Updates the sheet for confirmed writes: an added quantity is cleared in its row, wherever that is by now.
 * Decisions of the user about them are removed too.
 * @param outcomes the new outcomes of unknown rows
 */
export async function settleUnconfirmed(
  context: PushContext,
  push: SheetPush,
  outcomes: ReadonlyMap<UnconfirmedWrite, PushRow> = new Map(),
): Promise<SheetPush> {
  if (push.unconfirmed.length === 0) return push;
  const { handle, messages, retry } = context;
  const refusals = new Map<UnconfirmedWrite, PushRow>();
  const known = push.unconfirmed.map((write): UnconfirmedWrite => {
    const outcome = outcomes.get(write);
    if (outcome?.state === 'refused') refusals.set(write, outcome);
    return outcome?.state === 'applied' ? { ...write, state: 'applied' } : write;
  });
  const rows = await readTable(handle, retry);
  const unconfirmed = unconfirmedLeft(known, rows);
  const unconfirmedIn = unconfirmedFinder(unconfirmed);
  const settled = rows.flatMap(({ number, cells }): { writes: UnconfirmedWrite[]; change: RowChange }[] => {
    const writes = unconfirmedIn(cells);
    const place = { number, key: rowKey(cells) };
    if (writes.some(({ state }) => state === 'applied')) {
      return [{ writes, change: addedStatus(place, cellIn(cells, 'NewStockQty'), messages) }];
    }
    const refusal = refusals.get(writes[0]!);
    if (refusal === undefined || !writes.every((write) => refusals.has(write))) return [];
    return [{ writes, change: rowStatus(place, 'refused', refusalText(refusal, messages), messages) }];
  });
  const changes = settled.map(({ change }) => change);
  const missing = new Set(await writeRowChanges(context, changes));
  const written = settled.filter(({ change }) => !missing.has(change.key));
  const ended = new Set([...refusals.keys(), ...written.flatMap(({ writes }) => writes)]);
  const endedRows = new Set([...ended].filter((write) => isOf(push, write)).map(({ row }) => row));
  const foundKeys = new Set(push.rows.filter(({ row }) => endedRows.has(row)).map(({ key }) => key.trim()));
  // A quantity that an earlier push added is remembered like all others.
  const { confirmedAt: at, administration } = push;
  const added = written
    .filter(({ change }) => change.clear !== undefined)
    .flatMap(({ writes }) => writes.filter((write) => write.state === 'applied' && !isOf(push, write)))
    .map(({ names, quantity }) => ({ names, quantity: textOfCell(quantity), at, administration }));
  const after: SheetPush = {
    ...push,
    added: [...push.added, ...added],
    unconfirmed: unconfirmed.filter((write) => !ended.has(write)),
    missing: push.missing.filter((key) => !foundKeys.has(key)),
  };
  return (added.length > 0 ? storeSheetPush : storeProgress)(handle, after, retry);
}
