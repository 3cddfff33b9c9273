import type { PushClient } from '../../../shared/client/pushClient.ts';
import type { PushRow } from '../../../shared/resources/push.ts';
import { changedRowsIfKnown } from './changedRows.ts';
import { isOf, type SheetPush } from './sheetPush.ts';
import { type PushContext, resultsOf, writeResults } from './writeResults.ts';

type Options = {
  /** Ends the requests to the service. What was read is written all the same, so that the sheet stores what it shows. */
  signal?: AbortSignal;
  /** Called with the push as the sheet stores it, whenever it was written: what follows may fail. */
  onWritten?: (push: SheetPush) => void;
};

/**
 * Checks a finished push again: requests the outcome of unknown rows, which may have arrived since, and clears added
 * quantities in rows that are found again. Call it before rows are sent again. Without a network nothing changes.
 * @throws WorkbookProblem; the reason of the signal
 */
export async function reviewPush(
  context: PushContext,
  push: SheetPush,
  client: PushClient,
  { signal, onWritten = () => {} }: Options = {},
): Promise<SheetPush> {
  let reviewed = push;
  if (push.id !== '' && push.states.includes('unknown')) {
    const rows = await changedRowsIfKnown(client, push.id, push.cursor, signal);
    reviewed = await writeResults(context, push, resultsOf(push, rows, context), onWritten);
  }
  const earlier = reviewed.unconfirmed.filter((write) => write.state === 'unknown' && !isOf(reviewed, write));
  const outcomes = new Map<string, Map<number | null, PushRow>>();
  for (const id of new Set(earlier.map((write) => write.push))) {
    if (id === '') continue;
    outcomes.set(id, new Map((await changedRowsIfKnown(client, id, '', signal)).map((row) => [row.row, row])));
  }
  signal?.throwIfAborted();
  const settled = await context.kind.settle(context, reviewed, (id, row) => outcomes.get(id)?.get(row));
  onWritten(settled);
  return settled;
}
