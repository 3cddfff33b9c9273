import { setTimeout as passed } from 'node:timers/promises';
import limited from 'p-limit';
import { type Product, product as productSchema } from '../../shared/resources/product.ts';
import type { PushedWrite } from '../../shared/resources/push.ts';
import { backoffMs, type RetryOptions, retries } from '../../shared/retry.ts';
import { encode } from '../../shared/wire/encode.ts';
import {
  LONGEST_WAIT,
  type ProductWrite,
  type ProductWriter,
  type WriteOutcome,
} from '../administrations/administration.ts';
import { MayNotSend, type PushLog, type RowNews } from './pushLog.ts';
import { isSettled } from './rowState.ts';

/** Milliseconds between two looks whether the push was stopped, while nothing is written. */
const LOOK = 2000;
/** What was written down longer ago than this may have been overtaken: others may work on the push, or have stopped it. */
const STILL_TRUE = 2000;

/** A credential that is refused stops a push. */
export const UNAUTHORIZED = 'UNAUTHORIZED';

/** What an administration knows a row by: the same whenever it is given. */
export const keyOf = (id: string, index: number): string => `${id}.${index}`;

export const writeOf = (id: string, index: number, { name, request }: PushedWrite): ProductWrite =>
  ({ key: keyOf(id, index), name, request }) as ProductWrite;

/** Nothing was sent, and that is no failure: somebody asked for a pause, or stopped the push. */
class StayedHere extends Error {
  override readonly name = 'StayedHere';
}

/** A push whose rows are to be sent. */
export type Sending = {
  writer: ProductWriter;
  /** Whether the administration remembers what it applied. */
  remembers: boolean;
  id: string;
  writes: readonly PushedWrite[];
  log: PushLog;
  /** Of a row whose answer was lost. */
  retry: RetryOptions | undefined;
};

/**
 * Sends rows, several at a time where the administration allows it, until none is left or something stops it. Where nothing
 * waits for turns, rows that may be sent twice are written down as leaving while others are under way, which leave the
 * moment one of those is back: what the storage takes is not added to what the administration takes.
 * @param signal ends it; what was sent is waited for
 * @returns milliseconds until it is worth going on
 */
export async function sendRows(
  { writer, remembers, id, writes, log, retry = retries.pushRow }: Sending,
  signal: AbortSignal,
): Promise<number> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  /** Ends the waits for a turn, so that everybody looks anew at what there is to do. */
  let recall = new AbortController();
  /** Rows that come before the others: in doubt, or put off. */
  const again = [...writes.keys()].filter((index) => log.row(index).state === 'sending');
  const notBefore = new Map<number, number>();
  let pausedUntil = 0;
  let next = 0;
  let inHands = 0;
  /** The credential was refused: that is known here before it is written down. */
  let isRefused = false;
  const records = new Set<Promise<void>>();

  /** Written down in the order of the calls; a failure stops everything. */
  const write = (done: Promise<void>): Promise<void> => {
    const noted = done.catch((failure) => failed.abort(failure)).finally(() => records.delete(noted));
    records.add(noted);
    return noted;
  };
  const isStopped = () => isRefused || log.head().stopped !== '';
  const underWay = limited(writer.atATime);
  /** Whether rows can be written down before they can leave: one that is found so, and never left, is sent after all. */
  const mayPrecede = (given: readonly ProductWrite[]) =>
    !writer.hasPace && given.every((one) => remembers || writer.isRepeatable(one));
  const isOpen = (index: number) => (isStopped() ? log.row(index).state === 'sending' : !isSettled(log.row(index)));

  /** The next rows to send; somebody waits to know about those in doubt. */
  function take(): number[] {
    const taken: number[] = [];
    for (let at = 0; at < again.length && taken.length < writer.together; ) {
      const index = again[at]!;
      if (!isOpen(index)) again.splice(at, 1);
      else if ((notBefore.get(index) ?? 0) > Date.now()) at++;
      else taken.push(...again.splice(at, 1));
    }
    while (!isStopped() && next < writes.length && taken.length < writer.together) {
      if (log.row(next).state === 'waiting') taken.push(next);
      next++;
    }
    return taken;
  }

  const isDone = () => again.length === 0 && inHands === 0 && (next >= writes.length || isStopped());

  /**
   * Looks once more at rows that were written down as leaving at a moment.
   * @throws MayNotSend, StayedHere
   */
  async function checkStillLeaving(taken: readonly number[], since: number): Promise<void> {
    if (Date.now() - since > STILL_TRUE) await log.refresh();
    if (!taken.every(log.mayLeave)) throw new MayNotSend();
    if (isRefused && !taken.every((index) => log.row(index).doubtful)) throw new StayedHere();
  }

  /** What outcomes mean for the rows that are next in line: known before one of them leaves. */
  function hear(outcomes: readonly WriteOutcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.kind === 'put off') pausedUntil = Math.max(pausedUntil, Date.now() + outcome.after);
      isRefused ||= outcome.kind === 'refused' && outcome.problem.code === UNAUTHORIZED;
    }
  }

  /** Writes down what became of rows, and sees to those that are to be sent again. */
  async function settle(taken: readonly number[], outcomes: readonly WriteOutcome[]): Promise<void> {
    if (isRefused && log.head().stopped === '') {
      write(log.change((head) => ({ ...head, stopped: head.stopped || UNAUTHORIZED })));
    }
    const noted = write(log.record(taken.map((index, at) => newsOf(index, outcomes[at]!))));
    const open = taken.filter((_, at) => ['put off', 'unknown'].includes(outcomes[at]!.kind));
    if (open.length === 0) return;
    // Whether a row may be sent again is known once it is written down.
    await noted;
    for (const [at, { kind }] of outcomes.entries()) {
      if (kind !== 'unknown') continue;
      const index = taken[at]!;
      notBefore.set(index, Date.now() + backoffMs(log.row(index).attempts, retry));
    }
    again.push(...open.filter(isOpen));
  }

  /** Sends rows, and settles what became of them. @returns whether they were sent */
  async function sent(taken: readonly number[]): Promise<boolean> {
    const wait = AbortSignal.any([stop, recall.signal]);
    const given = taken.map((index) => writeOf(id, index, writes[index]!));
    /** When they were written down as leaving. */
    let since: number | undefined;
    let hasLeft = false;
    const writeDown = async () => {
      await log.record(taken.map((index) => ({ index, event: 'sending' })));
      since = Date.now();
    };
    const onSending = async () => {
      await (since === undefined ? writeDown() : checkStillLeaving(taken, since));
      hasLeft = true;
    };
    let outcomes: WriteOutcome[];
    try {
      if (mayPrecede(given)) await writeDown();
      outcomes = await underWay(async () => {
        wait.throwIfAborted();
        if (pausedUntil > Date.now()) throw new StayedHere();
        try {
          const told = await writer.write(given, onSending, wait);
          hear(told);
          return told;
        } catch (reason) {
          if (hasLeft) failed.abort(reason);
          throw reason;
        }
      });
    } catch (reason) {
      const isStop = reason instanceof MayNotSend && isStopped() && log.isMine();
      if (!(wait.aborted || isStop || reason instanceof StayedHere)) failed.abort(reason);
      // What became of rows that left is known to nobody.
      const news = { event: hasLeft ? 'unknown' : 'stayed', ...(hasLeft ? lost : {}) } as const;
      if (since !== undefined) await write(log.record(taken.map((index) => ({ index, ...news }))));
      return false;
    }
    await settle(taken, outcomes);
    return true;
  }

  async function lane(): Promise<void> {
    while (!stop.aborted && !isDone()) {
      const pause = pausedUntil - Date.now();
      if (pause > LONGEST_WAIT) return;
      const taken = pause > 0 ? [] : take();
      let isSent = false;
      inHands += taken.length;
      try {
        isSent = taken.length > 0 && (await sent(taken));
      } catch (failure) {
        failed.abort(failure);
      } finally {
        inHands -= taken.length;
      }
      if (isSent) continue;
      again.unshift(...taken);
      // What another lane has in hands may come back; what stayed here would stay again at once.
      await passed(Math.min(Math.max(pause, 20), 1000), undefined, { signal: stop }).catch(() => {});
    }
  }

  const look = async () => {
    await log.refresh();
    if (!isStopped()) return;
    recall.abort();
    recall = new AbortController();
  };
  const looking = setInterval(() => look().catch(() => {}), LOOK);
  try {
    await Promise.all(Array.from({ length: writer.atATime * (writer.hasPace ? 1 : 2) }, lane));
    await Promise.all(records);
  } finally {
    clearInterval(looking);
  }
  // Who took over goes on with it.
  if (failed.signal.aborted && !(failed.signal.reason instanceof MayNotSend)) throw failed.signal.reason;
  return Math.max(0, pausedUntil - Date.now());
}

/** What is told of a row that left, of which nothing is known. */
const lost = { code: 'OUTCOME_UNKNOWN', message: 'Something went wrong here after it was sent.' };

/** What is written down of an outcome. */
export function newsOf(index: number, outcome: WriteOutcome): RowNews {
  if (outcome.kind === 'applied') return { index, event: 'applied', ...toldOf(outcome.product) };
  const { code, message, errors } = outcome.problem;
  return { index, event: outcome.kind, code, message, errors };
}

/** The product as it is told; without one that nobody could write down: that it was applied is what counts. */
function toldOf(product: Product): Pick<RowNews, 'product'> {
  try {
    return { product: encode(productSchema, product) };
  } catch {
    return {};
  }
}
