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
 * @param previous the latest push of the sheet @param administration where its rows would go now
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
 * Makes a sheet ready for a push: every row says that it waits, or why it is left out, and the sheet remembers the push.
 * Nothing is sent yet, so a sheet that cannot be written to (protected, say) stops it here. A row that is not what it
 * was when it was confirmed, and cannot say that it waits, is not sent.
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

/** A push that is being followed: what its sheet says, and what the service last told of it. */
export type Followed = {
  push: SheetPush;
  reported: Push | undefined;
  /** Why the last question had no answer; it is asked again. */
  error: unknown;
};

export type FollowOptions = {
  /** Looks away. The push goes on without us. */
  signal: AbortSignal;
  /** The person wants nothing more to be sent. */
  cancel: AbortSignal;
  /** It was prepared just now: nothing of it can have arrived yet. */
  isNew?: boolean;
  onChange?: (followed: Followed) => void;
  /** Waits some milliseconds, or shorter when a signal is given meanwhile. */
  sleep?: (milliseconds: number, signals: readonly AbortSignal[]) => Promise<void>;
  now?: () => Date;
};

/**
 * Milliseconds between two questions: a small push is told of soon, a long one in larger blocks, since everything an
 * add-in writes may cost the person what could still be undone.
 */
const MIN_POLL_MS = 1500;
const MAX_POLL_MS = 10_000;
/**
 * A push nobody heard of for so long is not begun after all: what the person confirmed then need not be true now, and
 * the service may have forgotten that it carried it out.
 */
const MAX_UNSENT_MS = 24 * 60 * 60_000;

/**
 * Begins a push its sheet remembers, or finds it again, and writes the results of its rows as they come in, until every
 * row has one. It keeps asking while there is no network, whatever time that takes.
 * @returns the push, finished
 * @throws the signal's reason, WorkbookProblem when the sheet cannot be written to, Problem when the service refuses;
 * what the sheet remembers is as it was, so following it once more goes on
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

  /** The end of every row that has none, without the service. */
  const settle = (state: 'unknown' | 'cancelled') => write(openResults(push, state, context));

  /** Begins the push under its own key; an answer that was lost comes again. */
  const begin = async () => {
    const isOld = now().getTime() - Date.parse(push.confirmedAt) > MAX_UNSENT_MS;
    // What was never begun need not be begun to be cancelled.
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
      // Refused for its rows, or before anything else can have arrived: nothing was begun.
      const isRefused = error instanceof Problem && !isTransient(error);
      if (!isRefused || !(wasFirst || error.code === 'INVALID_REQUEST')) throw error;
      await write(refusedResults(push, error, context));
      throw error;
    }
    await change({ id: reported.id });
  };

  /** Asks what became of rows since the last time. @returns whether there is more to be told at once */
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
    // Every row has ended, but not every one was told of. Read from the start; who is not told of then never will be.
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

/** Gives up on the results of a push that cannot be followed: rows without one are unknown. @throws WorkbookProblem */
export async function abandonPush(context: PushContext, push: SheetPush): Promise<SheetPush> {
  return writeResults(context, push, openResults(push, 'unknown', context), () => {});
}

/**
 * The rows that add to the stock of products which pushes changed that the workbook does not know of. When it was closed
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

/** Whether a push of the credential can be the one that was meant, for all that can be seen of it. */
const mayBe = ({ total, relative, createdOn }: Push, { rows, confirmedAt }: SheetPush): boolean =>
  total === rows.length &&
  relative === rows.filter(({ clear }) => clear !== undefined).length &&
  // It may have been sent again for a day, and the clocks of two computers may differ.
  Math.abs(Number(createdOn) * 1000 - Date.parse(confirmedAt)) < 2 * MAX_UNSENT_MS;

/** Milliseconds a service asks to wait. */
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
