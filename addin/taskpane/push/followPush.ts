import { abortedBy } from '../../../shared/abortedBy.ts';
import { pushRulesOf } from '../../../shared/api.ts';
import type { PushClient } from '../../../shared/client/pushClient.ts';
import { sleep as sleepUntil } from '../../../shared/client/sleep.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Push } from '../../../shared/resources/push.ts';
import { backoffMs, readRetryAfter, retries } from '../../../shared/retry.ts';
import { isTransient } from './changedRows.ts';
import { createPushSession } from './pushSession.ts';
import { isFinished, type SheetPush } from './sheetPush.ts';
import { openResults, type PushContext, writeResults } from './writeResults.ts';

/** A followed push: its state in the sheet, and the last state that the service returned. */
export type Followed = {
  push: SheetPush;
  reported: Push | undefined;
  /** Why the last request failed; it is repeated. */
  error: unknown;
};

export type FollowOptions = {
  /** Stops following; the push continues at the service. */
  signal: AbortSignal;
  /** The user cancelled the push. */
  cancel: AbortSignal;
  /** Whether it was prepared just now, so that no request of it can have arrived yet. */
  isNew?: boolean;
  /** Whether another key of a remote administration began it, whose pushes this one does not see. */
  isOfOtherKey?: boolean;
  onChange?: (followed: Followed) => void;
  /** Waits some milliseconds, or until one of the signals is aborted. */
  sleep?: (milliseconds: number, signals: readonly AbortSignal[]) => Promise<void>;
  now?: () => Date;
};

/**
 * Milliseconds between two requests: short for a small push, longer for a large one, since every write of an
 * add-in may remove steps from the user's undo history.
 */
const MIN_POLL_MS = 1500;
const MAX_POLL_MS = 10_000;

/**
 * Begins the push stored in a sheet, or finds it again, and writes the results of its rows as they arrive, until every
 * row has one. Without a network it repeats its requests without limit.
 * @returns the push, finished
 * @throws the signal's reason, WorkbookProblem when the sheet cannot be written to, Problem when the service refuses;
 * the stored push is unchanged then, so following it again continues
 */
export async function followPush(
  context: PushContext,
  stored: SheetPush,
  client: PushClient,
  {
    signal,
    cancel,
    isNew = false,
    isOfOtherKey = false,
    onChange = () => {},
    sleep = pause,
    now = () => new Date(),
  }: FollowOptions,
): Promise<SheetPush> {
  const report = (error?: unknown) => onChange({ push: session.push, reported: session.reported, error });
  const options = { signal, cancel, isNew, isOfOtherKey, now, onWrite: () => report() };
  const session = createPushSession(context, stored, client, options);
  let pollMs = MIN_POLL_MS;
  let failures = 0;
  report();
  while (isOpen(session)) {
    signal.throwIfAborted();
    let waitMs: number;
    try {
      waitMs = (await session.requestResults()) ? 0 : pollMs;
      failures = 0;
      pollMs = Math.min(pollMs * 1.5, MAX_POLL_MS);
      report();
    } catch (error) {
      signal.throwIfAborted();
      const isCancelling = cancel.aborted && !session.push.cancelled;
      if (!isCancelling && !isTransient(error)) {
        // What is stored may be newer than the last report, and abandoning it compares the two.
        report();
        throw error;
      }
      waitMs = isCancelling ? 0 : backoffMs(++failures, retries.paneFollow, { retryAfterMs: retryAfterOf(error) });
      report(isCancelling ? undefined : error);
    }
    const { push } = session;
    if (waitMs > 0 && isOpen(session)) await sleep(waitMs, push.cancelled ? [signal] : [signal, cancel]);
  }
  return context.kind
    .settle(context, session.push, () => undefined)
    .catch((error: unknown) => {
      // It is repeated before the next push.
      if (isTransient(error)) return session.push;
      throw error;
    });
}

/** Whether rows have no result yet, or the service still looks for documents whose outcome is unknown. */
const isOpen = ({ push, reported }: Pick<Followed, 'push' | 'reported'>): boolean =>
  !isFinished(push) ||
  (reported !== undefined &&
    reported.state !== 'ended' &&
    push.rows.some(
      ({ endpoint }, index) => push.states[index] === 'unknown' && pushRulesOf(endpoint).lookFor !== undefined,
    ));

/** Abandons a push that cannot be followed: rows without a result become unknown. @throws WorkbookProblem */
export const abandonPush = (context: PushContext, push: SheetPush): Promise<SheetPush> =>
  writeResults(context, push, openResults(push, 'unknown', context), () => {});

/** The milliseconds of a service's Retry-After. */
const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof Problem ? readRetryAfter(error.headers['Retry-After'], Date.now()) : undefined;

/** Waits until the time is over, a signal is aborted, or the network is back. */
async function pause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  const awake = new AbortController();
  const wake = () => awake.abort();
  globalThis.addEventListener?.('online', wake);
  await sleepUntil(milliseconds, abortedBy(...signals, awake.signal).signal).catch(() => {});
  globalThis.removeEventListener?.('online', wake);
  // Removes the listeners on the signals.
  wake();
}
