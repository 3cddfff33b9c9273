import { randomUUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import limited from 'p-limit';
import type { Credential } from '../../shared/client.ts';
import { Problem } from '../../shared/problem.ts';
import { type Product, product as productSchema } from '../../shared/resources/product.ts';
import type { PushedWrite } from '../../shared/resources/push.ts';
import { encode } from '../../shared/wire/encode.ts';
import type {
  Administrations,
  ProductWrite,
  ProductWriter,
  RememberedWrites,
  WriteOutcome,
} from '../administrations/administration.ts';
import { doneIn, MayNotSend, openPushLog, type PushLog, type RowNews } from './pushLog.ts';
import type { PushHead, PushStore } from './pushStore.ts';
import { isSettled } from './rowState.ts';
import { unsealed } from './sealing.ts';

/** What a worker works with. */
export type Workshop = {
  store: PushStore;
  administrations: Pick<Administrations, 'writer' | 'remembered'>;
  secretKey: Buffer;
  /** Tells whoever runs the app that a push came to another state. */
  tell: (what: string, log: PushLog) => void;
  /** Milliseconds before a row whose answer was lost is sent again; doubled each time. */
  firstPause?: number;
  /** Milliseconds before what the storage failed at is tried again; doubled each time. */
  storagePause?: number;
};

/** Milliseconds between two looks whether the push was stopped, while nothing is written. */
const LOOK = 2000;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
/** What was written down longer ago than this may have been overtaken: others may work on the push, or have stopped it. */
const STILL_TRUE = 2000;
/** A pause longer than this is sat out by nobody: the work goes on with a later message. */
const LONGEST_WAIT = 10_000;

/** A credential that is refused stops a push. */
const UNAUTHORIZED = 'UNAUTHORIZED';
export const CANCELLED = 'CANCELLED';

/**
 * Works on one push: sends its rows, and writes down what becomes of each, until it has ended or the signal says to stop.
 * What was sent is waited for in any case.
 * @param signal the slice of time is over, or the lease is lost
 * @returns whether it has ended, or in how many milliseconds to go on
 */
export async function workPush(
  shop: Workshop,
  { owner, id }: { owner: string; id: string },
  signal: AbortSignal,
): Promise<'ended' | { after: number }> {
  const { store, administrations, secretKey } = shop;
  const found = await store.head(owner, id);
  if (found === undefined || found.head.state === 'ended') return 'ended';
  const writes = await store.rows(owner, id);
  const writer = await openWriter();
  const worker = randomUUID();
  const about = (index: number) => ({
    row: writes[index]!.row,
    remembered: administrations.remembered !== undefined,
    repeatable: writer?.isRepeatable(writeOf(id, index, writes[index]!)) ?? false,
  });
  const log = await openPushLog(store, { owner, id }, worker, about, shop.storagePause);
  const isNew = log.head().state === 'waiting';
  await log.change((head) => ({
    ...head,
    worker,
    state: 'running',
    startedOn: head.startedOn ?? Date.now(),
    milestones: [{ at: Date.now(), done: doneIn(head.counts) }],
    notBefore: 0,
    stopped: writer === undefined ? UNAUTHORIZED : head.stopped,
  }));
  if (log.head().state === 'ended') return 'ended';
  const indexes = [...writes.keys()];
  await log.record(
    indexes.filter((index) => log.row(index).state === 'sending').map((index) => ({ index, event: 'found' })),
  );
  if (isNew) shop.tell('started', log);

  const remembers = administrations.remembered !== undefined;
  const firstPause = shop.firstPause ?? FIRST_PAUSE;
  let after = 0;
  if (writer !== undefined) after = await send(writer, remembers, id, writes, log, signal, firstPause);
  else if (administrations.remembered !== undefined) await clearUp(administrations.remembered, id, log);
  if (!log.isMine()) return { after: LONGEST_WAIT };
  if (log.head().stopped !== '') {
    await log.record(indexes.map((index) => ({ index, event: 'cancelled', ...reasonOf(log) })));
  }
  if (!indexes.every((index) => isSettled(log.row(index)))) {
    if (after > 0) await log.change((head) => ({ ...head, notBefore: Date.now() + after }));
    return { after };
  }
  await log.change((head) => ({ ...head, state: 'ended', endedOn: Date.now(), credential: '' }));
  const { createdOn, endedOn } = log.head();
  await store.enter({ owner, id, createdOn, endedOn });
  shop.tell('ended', log);
  return 'ended';

  /** Undefined when the credential is refused. */
  async function openWriter(): Promise<ProductWriter | undefined> {
    const credential = credentialIn(found!.head, secretKey);
    try {
      return await administrations.writer(credential);
    } catch (failure) {
      if (failure instanceof Problem && failure.code === UNAUTHORIZED) return undefined;
      throw failure;
    }
  }
}

/** @throws when it was encrypted with another key: an instance with the right one may go on with the push */
function credentialIn({ owner, id, credential }: PushHead, secretKey: Buffer): Credential {
  try {
    return unsealed(credential, `${owner}.${id}`, secretKey);
  } catch (cause) {
    throw new Error(`The credential of push ${id} cannot be read: SECRET_KEY is not the one it was begun with.`, {
      cause,
    });
  }
}

const reasonOf = (log: PushLog): Pick<RowNews, 'code'> => ({ code: log.head().stopped });

/** What an administration knows a row by: the same whenever it is given. */
const keyOf = (id: string, index: number): string => `${id}.${index}`;

const writeOf = (id: string, index: number, { name, request }: PushedWrite): ProductWrite =>
  ({ key: keyOf(id, index), name, request }) as ProductWrite;

/** Finds out what became of rows in doubt, for a credential that is refused by now, where that is remembered. */
async function clearUp(remembered: RememberedWrites, id: string, log: PushLog): Promise<void> {
  const inDoubt = Array.from({ length: log.head().total }, (_, index) => index).filter(
    (index) => log.row(index).state === 'sending',
  );
  const products = await remembered.applied(inDoubt.map((index) => keyOf(id, index)));
  await log.record(
    inDoubt.map((index) => {
      const product = products.get(keyOf(id, index));
      if (product !== undefined) return newsOf(index, { kind: 'applied', product });
      return { index, event: 'refused', code: UNAUTHORIZED, message: 'The credential is refused by now.' };
    }),
  );
}

/** Nothing was sent, and that is no failure: somebody asked for a pause, or stopped the push. */
class StayedHere extends Error {
  override readonly name = 'StayedHere';
}

/**
 * Sends rows, several at a time where the administration allows it, until none is left or something stops it. Where nothing
 * waits for turns, rows that may be sent twice are written down as leaving while others are under way, which leave the
 * moment one of those is back: what the storage takes is not added to what the administration takes.
 * @returns milliseconds until it is worth going on
 */
async function send(
  writer: ProductWriter,
  remembers: boolean,
  id: string,
  writes: readonly PushedWrite[],
  log: PushLog,
  signal: AbortSignal,
  firstPause: number,
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
      const pause = firstPause * 2 ** Math.max(0, log.row(index).attempts - 1);
      notBefore.set(index, Date.now() + Math.min(LONGEST_PAUSE, pause));
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

function newsOf(index: number, outcome: WriteOutcome): RowNews {
  if (outcome.kind === 'applied') return { index, event: 'applied', ...toldOf(outcome.product) };
  const { code, message } = outcome.problem;
  return { index, event: outcome.kind, code, message };
}

/** The product as it is told; without one that nobody could write down: that it was applied is what counts. */
function toldOf(product: Product): Pick<RowNews, 'product'> {
  try {
    return { product: encode(productSchema, product) };
  } catch {
    return {};
  }
}
