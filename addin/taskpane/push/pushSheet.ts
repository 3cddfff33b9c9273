import type { PushClient } from '../../../shared/client/pushClient.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Push } from '../../../shared/resources/push.ts';
import { backoffMs, readRetryAfter, retries } from '../../../shared/retry.ts';
import { readTable } from '../../excel/tables/readTable.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { StockMode } from '../tables/productTable.ts';
import { addedFinder } from './addedQuantities.ts';
import { changedRows, isTransient } from './changedRows.ts';
import { productNames } from './productKey.ts';
import { type ProductRow, readProductRows, type SendableRow } from './readProductRow.ts';
import { leftOutMark, waitingMark } from './results.ts';
import { settleUnconfirmed } from './reviewPush.ts';
import {
  addedQuantities,
  appliedValues,
  intendedPush,
  isFinished,
  missingKeys,
  type SheetPush,
  storeProgress,
  storeSheetPush,
} from './sheetPush.ts';
import {
  openResults,
  type PushContext,
  type Result,
  refusedResults,
  resultsOf,
  writeMarks,
  writeResults,
} from './writeResults.ts';

/**
 * The rows of a product sheet, checked.
 * @param previous the latest push of the sheet @param administration the present target of its rows
 * @throws WorkbookProblem
 */
export const checkSheet = async (
  { handle, messages, retry }: PushContext,
  defaultMode: StockMode,
  previous: SheetPush | undefined,
  administration: Administration,
): Promise<ProductRow[]> =>
  readProductRows(await readTable(handle, retry), defaultMode, messages, {
    applied: appliedValues(previous, administration),
    unconfirmed: previous?.unconfirmed ?? [],
    addedAt: addedFinder(addedQuantities(previous), administration),
  });

/**
 * Prepares a sheet for a push: every row shows that it waits, or why it is left out, and the sheet stores the push.
 * Nothing is sent yet, so a protected sheet stops the push here. A row that is not what it
 * was when it was confirmed is not sent.
 * @param rows all rows of the checked sheet @param chosen those to send
 * @throws WorkbookProblem
 */
export async function preparePush(
  context: PushContext,
  rows: readonly ProductRow[],
  chosen: readonly SendableRow[],
  administration: Administration,
  previous: SheetPush | undefined,
  { newKey = () => crypto.randomUUID() as string, now = () => new Date() } = {},
): Promise<SheetPush> {
  const isChosen = new Set<ProductRow>(chosen);
  const marks = rows.flatMap((row) => {
    const mark = isChosen.has(row) ? waitingMark(row, context) : leftOutMark(row, context);
    return mark === undefined ? [] : [mark];
  });
  const gone = new Set(await writeMarks(context, marks));
  const [lost, sent] = [true, false].map((isGone) => chosen.filter(({ key }) => gone.has(key) === isGone));
  const intended = intendedPush(sent!, administration, previous, newKey(), now());
  const push = { ...intended, missing: missingKeys(lost!.map(({ key }) => key)) };
  return storeSheetPush(context.handle, push, context.retry);
}

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
  onChange?: (followed: Followed) => void;
  /** Waits some milliseconds, or shorter when a signal is given meanwhile. */
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
 * A push that did not begin for so long is abandoned: what the user confirmed may no longer be right, and
 * the service may no longer have a record of it.
 */
const MAX_UNSENT_MS = 24 * 60 * 60_000;

/**
 * Begins the push stored in a sheet, or finds it again, and writes the results of its rows as they arrive, until every
 * row has one. Without a network it repeats its requests without limit.
 * @returns the push, finished
 * @throws the signal's reason, WorkbookProblem when the sheet cannot be written to, Problem when the service refuses;
 * the stored push is unchanged then, so following it again continues
 */
export async function followPush(
  context: PushContext,
  remembered: SheetPush,
  client: PushClient,
  { signal, cancel, isNew = false, onChange = () => {}, sleep = pause, now = () => new Date() }: FollowOptions,
): Promise<SheetPush> {
  let push = remembered;
  let reported: Push | undefined;
  let cancelReported = false;
  let mayHaveArrived = !isNew;
  let readAgain = false;

  const change = async (part: Partial<SheetPush>) => {
    push = { ...push, ...part };
    push = await storeProgress(context.handle, push, context.retry);
  };
  const report = (error?: unknown) => onChange({ push, reported, error });

  const write = async (results: readonly Result[]) => {
    await writeResults(context, push, results, (written) => {
      push = written;
      report();
      signal.throwIfAborted();
    });
  };

  /** Ends every open row without the service. */
  const settle = (state: 'unknown' | 'cancelled') => write(openResults(push, state, context));

  /** Begins the push with its key; after a lost response the same key returns the same push. */
  const begin = async () => {
    const isOld = now().getTime() - Date.parse(push.confirmedAt) > MAX_UNSENT_MS;
    // A push that never began needs no request to be cancelled.
    if ((isOld || push.cancelled) && !(await client.list(signal)).some((one) => mayBe(one, push))) {
      return settle(isOld ? 'unknown' : 'cancelled');
    }
    const rows = push.rows.map(({ row, update }) => ({ row, update }));
    const until = push.cancelled ? signal : firstOf(signal, cancel);
    const wasFirst = !mayHaveArrived;
    mayHaveArrived = true;
    try {
      reported = await client.begin(rows, push.idempotencyKey, until);
    } catch (error) {
      // Refused for its rows, or with the first request: nothing was begun.
      const isRefused = error instanceof Problem && !isTransient(error);
      if (!isRefused || !(wasFirst || error.code === 'INVALID_REQUEST')) throw error;
      await write(refusedResults(push, error, context));
      throw error;
    }
    await change({ id: reported.id });
  };

  /** Requests the rows that changed since the last time. @returns whether further changes are available */
  const ask = async (): Promise<boolean> => {
    if (cancel.aborted && !push.cancelled) await change({ cancelled: true });
    if (push.id === '') {
      await begin();
      if (isFinished(push)) return true;
    }
    if (push.cancelled && !cancelReported) {
      reported = await client.cancel(push.id, signal);
      cancelReported = true;
    }
    const changes = await client.changes(push.id, push.cursor, signal);
    reported = changes.push;
    push = { ...push, stopped: reported.stopped };
    await write(resultsOf(push, changes.rows, context));
    if (changes.cursor !== push.cursor) await change({ cursor: changes.cursor });
    if (reported.state !== 'ended' || changes.more || isFinished(push)) return changes.more === true;
    // Every row has ended, but some results are missing. Read from the start; rows still missing then have no result.
    if (readAgain) await settle('unknown');
    else await change({ cursor: '' });
    readAgain = true;
    return false;
  };

  let usual = MIN_POLL_MS;
  let failures = 0;
  report();
  while (!isFinished(push)) {
    signal.throwIfAborted();
    let wait: number;
    try {
      wait = (await ask()) ? 0 : usual;
      failures = 0;
      usual = Math.min(usual * 1.5, MAX_POLL_MS);
      report();
    } catch (error) {
      signal.throwIfAborted();
      const isCancelling = cancel.aborted && !push.cancelled;
      if (!isCancelling && !isTransient(error)) throw error;
      wait = isCancelling ? 0 : backoffMs(++failures, retries.paneFollow, { retryAfterMs: retryAfterOf(error) });
      report(isCancelling ? undefined : error);
    }
    if (wait > 0 && !isFinished(push)) await sleep(wait, push.cancelled ? [signal] : [signal, cancel]);
  }
  return settleUnconfirmed(context, push).catch((error: unknown) => {
    // Before the next push it is tried again.
    if (isTransient(error)) return push;
    throw error;
  });
}

/** Abandons a push that cannot be followed: rows without a result become unknown. @throws WorkbookProblem */
export async function abandonPush(context: PushContext, push: SheetPush): Promise<SheetPush> {
  return writeResults(context, push, openResults(push, 'unknown', context), () => {});
}

/**
 * The rows that add to the stock of products that were changed by pushes unknown to the workbook. When it was closed
 * without saving, those may be the very same rows.
 * @param pushes by the same credential, since the sheet was made
 */
export async function rowsAppliedElsewhere(
  rows: readonly SendableRow[],
  pushes: readonly Push[],
  client: PushClient,
): Promise<SendableRow[]> {
  const adding = rows.filter(({ mode }) => mode === 'Relative');
  if (adding.length === 0) return [];
  const changed = new Set<string>();
  for (const { id, relative } of pushes) {
    if (!relative) continue;
    for (const { product } of await changedRows(client, id, '')) {
      for (const name of productNames(product ?? {})) changed.add(name);
    }
  }
  return adding.filter(({ update }) => productNames(update).some((name) => changed.has(name)));
}

/** Whether a push of the credential may be the intended one. */
const mayBe = ({ total, relative, createdOn }: Push, { rows, confirmedAt }: SheetPush): boolean =>
  total === rows.length &&
  relative === rows.filter(({ clear }) => clear !== undefined).length &&
  // It may have been repeated for a day, and the clocks of two computers may differ.
  Math.abs(Number(createdOn) * 1000 - Date.parse(confirmedAt)) < 2 * MAX_UNSENT_MS;

/** The milliseconds of a service's Retry-After. */
const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof Problem ? readRetryAfter(error.headers['Retry-After'], Date.now()) : undefined;

/** A signal given as soon as one of some is: `AbortSignal.any`, which WebKit before 17.4 lacks. */
function firstOf(...signals: readonly AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason);
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true, signal: first.signal });
  }
  return first.signal;
}

/** Waits; a signal or the network coming back ends it. */
const pause = (milliseconds: number, signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
      globalThis.removeEventListener?.('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    for (const signal of signals) signal.addEventListener('abort', end);
    globalThis.addEventListener?.('online', end);
    if (signals.some(({ aborted }) => aborted)) end();
  });
