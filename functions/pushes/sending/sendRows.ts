import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import limited from 'p-limit';
import { type PushedName, pushRulesOf } from '../../../shared/api.ts';
import { inSteps } from '../../../shared/inSteps.ts';
import type { Problem, ProblemCode } from '../../../shared/problem.ts';
import type { PushedWrite } from '../../../shared/resources/push.ts';
import { backoffMs, type RetryOptions, retries } from '../../../shared/retry.ts';
import {
  type KeyedWrite,
  MAX_PAUSE_MS,
  type PushWriter,
  type WriteOutcome,
} from '../../administrations/administration.ts';
import { MayNotSend, type PushLog, type RowUpdate } from './pushLog.ts';
import { orderInSteps } from './rowOrder.ts';
import { createRowQueue } from './rowQueue.ts';
import { isSettled } from './rowState.ts';

/** Milliseconds between two checks whether the push was stopped or taken over, while nothing is recorded. */
const STOP_CHECK_INTERVAL = 2000;
/** A record older than this may be out of date: another worker may have taken over, or the push was stopped. */
const MAX_RECORD_AGE = 2000;

/** The codes of refusals of all that a credential sends: they stop a push. */
const ofCredential: ReadonlySet<string> = new Set<ProblemCode>(['UNAUTHORIZED', 'FORBIDDEN']);

/** Whether a problem refuses all that a credential sends: it is not accepted, or may only read by now. */
export const isOfCredential = ({ code }: Problem): boolean => ofCredential.has(code);

/** A row was not sent, since one that it needs was not applied. */
const NEEDED_ROW = 'NEEDED_ROW_NOT_APPLIED';

/** The idempotency key of a row: the same whenever it is sent. */
export const keyOf = (writeKey: string, index: number): string => `${writeKey}.${index}`;

const writeOf = (writeKey: string, index: number, { name, request }: PushedWrite): KeyedWrite =>
  ({ key: keyOf(writeKey, index), name, request }) as KeyedWrite;

/** Nothing was sent, without a failure: the service asked for a pause, or the push was stopped. */
class NotSentYet extends Error {
  override readonly name = 'NotSentYet';
}

/** What holds back further rows. Both are set before an outcome is recorded. */
type Limits = {
  /** The end of a pause that the service asked for, in milliseconds since 1970. */
  pausedUntil: number;
  /** The code with which the credential was refused; "" while it is not. */
  refusal: string;
};

/** Rows that may be sent once only and are recorded before one under way is done, where speed was chosen over order. */
const MAX_ONCE_AHEAD = 1;

/** A push whose rows are to be sent. */
type Sending = {
  writer: PushWriter;
  /** Whether the administration remembers what it applied. */
  remembers: boolean;
  writeKey: string;
  writes: readonly PushedWrite[];
  /** Whether documents go one after the other. */
  inOrder: boolean;
  log: PushLog;
  /** Retries of a row whose response was lost. */
  retry: RetryOptions | undefined;
};

/**
 * Sends rows, several at a time where the administration allows it, until none is left or something stops it. Without a
 * rate limit, rows are recorded as sending while others are under way, and are sent as soon as one of those is done. So
 * the time of the storage is not added to the time of the administration. Of rows that may not be sent twice this is
 * done with one at a time, and only where speed was chosen over order: after a crash its outcome is unknown, although it
 * never left.
 * @param signal stops it; rows that were sent are waited for
 * @returns milliseconds to wait before the rest can be sent
 */
export async function sendRows(
  { writer, remembers, writeKey, writes, inOrder, log, retry = retries.pushRow }: Sending,
  signal: AbortSignal,
): Promise<number> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  /** Ends all waits for the rate limiter, so that each sender checks again what to send. */
  let recheck = new AbortController();
  let inProgress = 0;
  const limits: Limits = { pausedUntil: 0, refusal: '' };
  const { record, allRecorded } = openRecords((failure) => failed.abort(failure));
  const order = await inSteps(orderInSteps(writes, inOrder), otherWork);
  const isStopped = () => limits.refusal !== '' || log.head().stopped !== '';
  const queue = createRowQueue(log, order, isStopped, writer.isInOrder);
  const underWay = limited(writer.concurrency);
  const onceAhead = limited(MAX_ONCE_AHEAD);
  /** Whether a row that is found recorded as sending, and was never sent, is then sent. */
  const mayRepeat = (batch: readonly KeyedWrite[]) => batch.every((one) => remembers || writer.isRepeatable(one));

  /** Records rows before others are done where they may be, and sends them when there is room. */
  function whenThereIsRoom<T>(batch: readonly KeyedWrite[], record: () => Promise<void>, work: () => Promise<T>) {
    if (writer.isRateLimited) return underWay(work);
    if (mayRepeat(batch)) return record().then(() => underWay(work));
    if (inOrder) return underWay(work);
    return new Promise<T>((resolve, reject) => {
      onceAhead(async () => {
        await record();
        await new Promise<void>((begun) => {
          underWay(() => {
            begun();
            return work();
          }).then(resolve, reject);
        });
      }).catch(reject);
    });
  }

  const isDone = () => inProgress === 0 && queue.isEmpty();

  /** Records the outcomes of rows, and queues those that are to be sent again. */
  async function settle(batch: readonly number[], outcomes: readonly WriteOutcome[]): Promise<void> {
    if (limits.refusal !== '' && log.head().stopped === '') {
      record(log.change((head) => ({ ...head, stopped: head.stopped || limits.refusal })));
    }
    const recorded = record(log.record(batch.map((index, at) => updateOf(index, writes[index]!.name, outcomes[at]!))));
    const open = batch.filter((_, at) => isOpen(outcomes[at]!));
    const awaited = batch.filter(queue.isAwaited);
    if (open.length + awaited.length === 0) return;
    // Whether a row may be sent again, and what may be sent after it, is known once it is recorded.
    await recorded;
    await letGo(awaited);
    for (const [at, { kind }] of outcomes.entries()) {
      if (kind !== 'unknown') continue;
      const index = batch[at]!;
      queue.delay(index, Date.now() + backoffMs(log.row(index).attempts, retry));
    }
    queue.putBack(open);
  }

  /** Lets the rows go on that wait for these, and records those that are never sent. */
  async function letGo(settled: readonly number[]): Promise<void> {
    const dropped = queue.settle(settled);
    if (dropped.length === 0) return;
    const messageOf = (needed: number) =>
      `Nothing was sent: it needs row ${writes[needed]!.row}, which is ${log.row(needed).state}.`;
    await record(
      log.record(
        dropped.map(({ index, needed }) => ({
          index,
          event: 'cancelled',
          code: NEEDED_ROW,
          message: messageOf(needed),
        })),
      ),
    );
    await letGo(dropped.map(({ index }) => index));
  }

  /** Sends rows and records their outcomes. @returns whether they were sent */
  async function send(batch: readonly number[]): Promise<boolean> {
    const wait = AbortSignal.any([stop, recheck.signal]);
    const batchWrites = batch.map((index) => writeOf(writeKey, index, writes[index]!));
    /** When they were recorded as sending. */
    let since: number | undefined;
    let hasLeft = false;
    const recordSending = async () => {
      await log.record(batch.map((index) => ({ index, event: 'sending' })));
      since = Date.now();
    };
    const onSending = async () => {
      await (since === undefined ? recordSending() : checkStillSending(log, batch, since, limits.refusal !== ''));
      hasLeft = true;
    };
    let outcomes: WriteOutcome[];
    try {
      outcomes = await whenThereIsRoom(batchWrites, recordSending, async () => {
        try {
          wait.throwIfAborted();
          if (limits.pausedUntil > Date.now()) throw new NotSentYet();
          if (writer.isInOrder && queue.hasBefore(batch)) throw new NotSentYet();
          const returned = await writer.write(batchWrites, onSending, wait);
          applyOutcomes(limits, returned);
          queue.wereWritten(batch.filter((_, at) => !isOpen(returned[at]!)));
          return returned;
        } catch (reason) {
          if (hasLeft) failed.abort(reason);
          throw reason;
        }
      });
    } catch (reason) {
      const isStop = reason instanceof MayNotSend && isStopped() && log.isHeldByThisWorker();
      if (!(wait.aborted || isStop || reason instanceof NotSentYet)) failed.abort(reason);
      const update = hasLeft ? ({ event: 'unknown', ...lost } as const) : ({ event: 'not sent' } as const);
      if (since !== undefined) await record(log.record(batch.map((index) => ({ index, ...update }))));
      return false;
    }
    await settle(batch, outcomes);
    return true;
  }

  async function sendOneAfterAnother(): Promise<void> {
    // Rows that another worker settled let no others go on here.
    while (!stop.aborted && log.isHeldByThisWorker() && !isDone()) {
      const pause = limits.pausedUntil - Date.now();
      if (pause > MAX_PAUSE_MS) return;
      const batch = pause > 0 ? [] : queue.take(writer.batchSize);
      let isSent = false;
      inProgress += batch.length;
      try {
        isSent = batch.length > 0 && (await send(batch));
      } catch (failure) {
        failed.abort(failure);
      } finally {
        inProgress -= batch.length;
      }
      if (isSent) continue;
      queue.putBack(batch);
      // A row in progress elsewhere may get an outcome; a row that was not sent would not be sent at once either.
      await sleep(Math.min(Math.max(pause, 20), 1000), undefined, { signal: stop }).catch(() => {});
    }
  }

  const checkStopped = async () => {
    await log.refresh();
    if (!log.isHeldByThisWorker()) failed.abort(new MayNotSend());
    if (!isStopped()) return;
    recheck.abort();
    recheck = new AbortController();
  };
  await letGo([...writes.keys()].filter((index) => isSettled(log.row(index))));
  const checking = setInterval(() => checkStopped().catch(() => {}), STOP_CHECK_INTERVAL);
  try {
    await Promise.all(Array.from({ length: writer.concurrency * (writer.isRateLimited ? 1 : 2) }, sendOneAfterAnother));
    await allRecorded();
  } finally {
    clearInterval(checking);
  }
  // The worker that took over continues with it.
  if (failed.signal.aborted && !(failed.signal.reason instanceof MayNotSend)) throw failed.signal.reason;
  return Math.max(0, limits.pausedUntil - Date.now());
}

/**
 * Checks again whether rows that were recorded as sending may be sent.
 * @param since when they were recorded
 * @throws MayNotSend, NotSentYet
 */
async function checkStillSending(
  log: PushLog,
  batch: readonly number[],
  since: number,
  isRefused: boolean,
): Promise<void> {
  if (Date.now() - since > MAX_RECORD_AGE) await log.refresh();
  if (!batch.every(log.mayLeave)) throw new MayNotSend();
  if (isRefused && !batch.every((index) => log.row(index).doubtful)) throw new NotSentYet();
}

/** Whether a row may have to be sent again. */
const isOpen = ({ kind }: WriteOutcome): boolean => kind === 'deferred' || kind === 'unknown';

/** Applies outcomes to the limits, before another row is sent. */
function applyOutcomes(limits: Limits, outcomes: readonly WriteOutcome[]): void {
  for (const outcome of outcomes) {
    if (outcome.kind === 'deferred') limits.pausedUntil = Math.max(limits.pausedUntil, Date.now() + outcome.after);
    if (outcome.kind === 'refused' && isOfCredential(outcome.problem)) limits.refusal ||= outcome.problem.code;
  }
}

/** Records that are being written. @param onFailure called with the failure of each */
function openRecords(onFailure: (failure: unknown) => void) {
  const records = new Set<Promise<void>>();
  return {
    record(recording: Promise<void>): Promise<void> {
      const recorded = recording.catch(onFailure).finally(() => records.delete(recorded));
      records.add(recorded);
      return recorded;
    },
    allRecorded: () => Promise.all(records),
  };
}

/** What is reported about a sent row without a known outcome. */
const lost = { code: 'OUTCOME_UNKNOWN', message: 'Something went wrong here after it was sent.' };

/** The record of an outcome. */
export function updateOf(index: number, name: PushedName, outcome: WriteOutcome): RowUpdate {
  if (outcome.kind === 'applied') {
    const shown = outcome.shown === '' ? {} : { [pushRulesOf(name).result]: outcome.shown };
    return { index, event: 'applied', ...shown };
  }
  const { code, message, errors } = outcome.problem;
  // A push that is cancelled sends such a row no more.
  const event = outcome.kind === 'deferred' && outcome.begun === false ? 'not sent' : outcome.kind;
  return { index, event, code, message, errors };
}
