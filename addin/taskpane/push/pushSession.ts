import { abortedBy } from '../../../shared/abortedBy.ts';
import { pushRulesOf } from '../../../shared/api.ts';
import type { PushClient } from '../../../shared/client/pushClient.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Push } from '../../../shared/resources/push.ts';
import { isTransient } from './changedRows.ts';
import { isFinished, type SentRow, type SheetPush } from './sheetPush.ts';
import { storeProgress } from './storedPush.ts';
import { openResults, type PushContext, type Result, refusedResults, resultsOf, writeResults } from './writeResults.ts';

/** A followed push. */
type PushSession = {
  /** As it is stored in the sheet. */
  push: SheetPush;
  /** The state that the service last returned. */
  reported: Push | undefined;
  /**
   * Begins the push if it has not begun, and writes the results of the rows that changed since the last request. After
   * an error it can be called again.
   * @returns whether further changes are available
   */
  requestResults: () => Promise<boolean>;
};

type SessionOptions = {
  /** Stops following; the push continues at the service. */
  signal: AbortSignal;
  /** The user cancelled the push. */
  cancel: AbortSignal;
  /** Whether it was prepared just now, so that no request of it can have arrived yet. */
  isNew: boolean;
  /** Whether another key of a remote administration began it, whose pushes this one does not see. */
  isOfOtherKey: boolean;
  now: () => Date;
  /** Called after each block of results. */
  onWrite: () => void;
};

/**
 * A push that did not begin for so long is abandoned: what the user confirmed may no longer be right, and
 * the service may no longer have a record of it.
 */
const MAX_UNSENT_MS = 24 * 60 * 60_000;

/** The session of a push stored in a sheet. */
export function createPushSession(
  context: PushContext,
  stored: SheetPush,
  client: PushClient,
  { signal, cancel, isNew, isOfOtherKey, now, onWrite }: SessionOptions,
): PushSession {
  let mayHaveArrived = !isNew;
  let isReadAgain = false;

  const change = async (part: Partial<SheetPush>) => {
    session.push = { ...session.push, ...part };
    session.push = await storeProgress(context.handle, session.push, context.retry);
  };

  const write = async (results: readonly Result[]) => {
    await writeResults(context, session.push, results, (written) => {
      session.push = written;
      onWrite();
      signal.throwIfAborted();
    });
  };

  /** Ends every open row without the service. */
  const endOpenRows = (state: 'unknown' | 'cancelled') => write(openResults(session.push, state, context));

  /** Begins the push with its key; after a lost response the same key returns the same push. */
  const begin = async () => {
    const { push } = session;
    // Its first request may have arrived, and this key would begin it a second time.
    if (isOfOtherKey) return endOpenRows('unknown');
    const isOld = now().getTime() - Date.parse(push.confirmedAt) > MAX_UNSENT_MS;
    // A push that never began needs no request to be cancelled.
    const mayHaveBegun = async () => mayHaveArrived && (await client.list(signal)).some((one) => mayBe(one, push));
    if ((isOld || push.cancelled) && !(await mayHaveBegun())) {
      return endOpenRows(isOld ? 'unknown' : 'cancelled');
    }
    const rows = push.rows.map(({ row, endpoint, request }) => ({ row, endpoint, request }));
    const isFirst = !mayHaveArrived;
    mayHaveArrived = true;
    try {
      session.reported = await client.begin(
        rows,
        push.idempotencyKey,
        push.cancelled ? signal : abortedBy(signal, cancel).signal,
        push.choices,
      );
    } catch (error) {
      // Refused for its rows, or with the first request: nothing was begun.
      const isRefused = error instanceof Problem && !isTransient(error);
      if (!isRefused || !(isFirst || error.code === 'INVALID_REQUEST')) throw error;
      await write(refusedResults(push, error, context));
      throw error;
    }
    await change({ id: session.reported.id });
  };

  /** The request that cancels the push, unless it failed. */
  let cancelling: Promise<unknown> | undefined;
  const cancelAtService = () => {
    cancelling ??= client.cancel(session.push.id, signal).catch((error: unknown) => {
      cancelling = undefined;
      throw error;
    });
    return cancelling;
  };
  // At once, whatever Excel does: it may wait for a cell that is being edited, and the sheet may be gone.
  const onCancel = () => void (session.push.id && cancelAtService().catch(() => {}));
  cancel.addEventListener('abort', onCancel, { once: true, signal });

  const requestResults = async (): Promise<boolean> => {
    if (cancel.aborted && !session.push.cancelled) {
      // A request that failed is repeated below.
      await change({ cancelled: true }).finally(() => cancelling?.catch(() => {}));
    }
    if (session.push.id === '') {
      await begin();
      if (isFinished(session.push)) return true;
    }
    const { id, cursor, cancelled } = session.push;
    if (cancelled) await cancelAtService();
    const asking = abortedBy(signal, cancelled ? undefined : cancel);
    // A push asks often: the end removes the listeners on the signals.
    const changes = await client.changes(id, cursor, asking.signal).finally(() => asking.abort());
    session.reported = changes.push;
    session.push = { ...session.push, stopped: changes.push.stopped };
    await write(resultsOf(session.push, changes.rows, context, { retold: true }));
    if (changes.cursor !== cursor) await change({ cursor: changes.cursor });
    const hasMore = changes.more === true;
    if (changes.push.state !== 'ended' || hasMore || isFinished(session.push)) return hasMore;
    // Every row has ended, but some results are missing. Read from the start; rows still missing then have no result.
    if (isReadAgain) await endOpenRows('unknown');
    else await change({ cursor: '' });
    isReadAgain = true;
    return false;
  };

  const session: PushSession = { push: stored, reported: undefined, requestResults };
  return session;
}

const addsTo = ({ endpoint, request }: SentRow): boolean => pushRulesOf(endpoint).adds?.(request) === true;

/** Whether a push of the credential may be the stored one. */
const mayBe = ({ total, relative, createdOn }: Push, { rows, confirmedAt }: SheetPush): boolean =>
  total === rows.length &&
  relative === rows.filter(addsTo).length &&
  // It may have been repeated for a day, and the clocks of two computers may differ.
  Math.abs(Number(createdOn) * 1000 - Date.parse(confirmedAt)) < 2 * MAX_UNSENT_MS;
