import { randomUUID } from 'node:crypto';
import { setTimeout as passed } from 'node:timers/promises';
import limited from 'p-limit';
import type { Credential } from '../../shared/client.ts';
import { Problem } from '../../shared/problem.ts';
import { product as productSchema } from '../../shared/resources/product.ts';
import type { PushedWrite } from '../../shared/resources/push.ts';
import { encode } from '../../shared/wire/encode.ts';
import type { Administrations, ProductWrite, ProductWriter, WriteOutcome } from '../administrations/administration.ts';
import { doneIn, MayNotSend, openPushLog, type PushLog, type RowNews } from './pushLog.ts';
import type { PushHead, PushStore } from './pushStore.ts';
import { isSettled } from './rowState.ts';
import { unsealed } from './sealing.ts';

/** What a worker works with. */
export type Workshop = {
  store: PushStore;
  administrations: Pick<Administrations, 'writer'>;
  secretKey: Buffer;
  /** Tells whoever runs the app that a push came to another state. */
  tell: (what: string, log: PushLog) => void;
  /** Milliseconds before a row whose answer was lost is sent again; doubled each time. */
  firstPause?: number;
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
  const log = await openPushLog(store, { owner, id }, worker, (index) => ({
    row: writes[index]!.row,
    remembered: writer?.remembers ?? false,
    repeatable: writer?.isRepeatable(writeOf(id, index, writes[index]!)) ?? false,
  }));
  const isNew = log.head().state === 'waiting';
  await log.change((head) => ({
    ...head,
    worker,
    state: 'running',
    startedOn: head.startedOn ?? Date.now(),
    milestones: [{ at: Date.now(), done: doneIn(head.counts) }],
    stopped: writer === undefined ? UNAUTHORIZED : head.stopped,
  }));
  if (log.head().state === 'ended') return 'ended';
  const indexes = [...writes.keys()];
  await log.record(
    indexes.filter((index) => log.row(index).state === 'sending').map((index) => ({ index, event: 'found' })),
  );
  if (isNew) shop.tell('started', log);

  const after = writer === undefined ? 0 : await send(writer, id, writes, log, signal, shop.firstPause ?? FIRST_PAUSE);
  if (!log.isMine()) return { after: LONGEST_WAIT };
  if (log.head().stopped !== '') {
    await log.record(indexes.map((index) => ({ index, event: 'cancelled', ...reasonOf(log) })));
  }
  if (!indexes.every((index) => isSettled(log.row(index)))) return { after };
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

/** A row as the administration is given it: its key is the same whenever that is. */
const writeOf = (id: string, index: number, { name, request }: PushedWrite): ProductWrite =>
  ({ key: `${id}.${index}`, name, request }) as ProductWrite;

/**
 * Sends rows, several at a time where the administration allows it, until none is left or something stops it. Where nothing
 * waits for turns, rows that may be sent twice are written down as leaving while others are under way, which leave the
 * moment one of those is back: what the storage takes is not added to what the administration takes.
 * @returns milliseconds until it is worth going on
 */
async function send(
  writer: ProductWriter,
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
  const records = new Set<Promise<void>>();

  /** Written down in the order of the calls; a failure stops everything. */
  const write = (done: Promise<void>): Promise<void> => {
    const noted = done.catch((failure) => failed.abort(failure)).finally(() => records.delete(noted));
    records.add(noted);
    return noted;
  };
  const isStopped = () => log.head().stopped !== '';
  const underWay = limited(writer.atATime);
  /** Whether rows can be written down before they can leave: one that is found so, and never left, is sent after all. */
  const mayPrecede = (given: readonly ProductWrite[]) =>
    !writer.hasPace && given.every((one) => writer.remembers || writer.isRepeatable(one));
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

  /** @throws MayNotSend for rows that were written down as leaving at that moment, and may not leave any more */
  async function checkStillLeaving(taken: readonly number[], since: number): Promise<void> {
    if (Date.now() - since > STILL_TRUE) await log.refresh();
    if (!taken.every(log.mayLeave)) throw new MayNotSend();
  }

  const isDone = () => again.length === 0 && inHands === 0 && (next >= writes.length || isStopped());

  /** Writes down what became of rows, and sees to those that are to be sent again. */
  async function settle(taken: readonly number[], outcomes: readonly WriteOutcome[]): Promise<void> {
    const noted = write(log.record(taken.map((index, at) => newsOf(index, outcomes[at]!))));
    const refused = outcomes.find((one) => one.kind === 'refused' && one.problem.code === UNAUTHORIZED);
    if (refused !== undefined && !isStopped()) write(log.change((head) => ({ ...head, stopped: UNAUTHORIZED })));
    const open = taken.filter((_, at) => ['put off', 'unknown'].includes(outcomes[at]!.kind));
    if (open.length === 0) return;
    // Whether a row may be sent again is known once it is written down.
    await noted;
    for (const [at, outcome] of outcomes.entries()) {
      const index = taken[at]!;
      if (outcome.kind === 'put off') pausedUntil = Math.max(pausedUntil, Date.now() + outcome.after);
      if (outcome.kind === 'unknown') {
        const pause = firstPause * 2 ** Math.max(0, log.row(index).attempts - 1);
        notBefore.set(index, Date.now() + Math.min(LONGEST_PAUSE, pause));
      }
    }
    again.push(...open.filter(isOpen));
  }

  /** @returns what became of rows; undefined when nothing was sent */
  async function sent(taken: readonly number[]): Promise<WriteOutcome[] | undefined> {
    const wait = AbortSignal.any([stop, recall.signal]);
    const given = taken.map((index) => writeOf(id, index, writes[index]!));
    const leave = () => log.record(taken.map((index) => ({ index, event: 'sending' })));
    let leftOn: number | undefined;
    try {
      if (mayPrecede(given)) {
        await leave();
        leftOn = Date.now();
      }
      const onSending = () => (leftOn === undefined ? leave() : checkStillLeaving(taken, leftOn));
      return await underWay(() => {
        wait.throwIfAborted();
        return writer.write(given, onSending, wait);
      });
    } catch (reason) {
      const isRecalled = wait.aborted || (reason instanceof MayNotSend && isStopped() && log.isMine());
      if (!isRecalled) failed.abort(reason);
      if (leftOn !== undefined) await write(log.record(taken.map((index) => ({ index, event: 'stayed' }))));
      return undefined;
    }
  }

  async function lane(): Promise<void> {
    while (!stop.aborted && !isDone()) {
      const pause = pausedUntil - Date.now();
      if (pause > LONGEST_WAIT) return;
      const taken = pause > 0 ? [] : take();
      if (taken.length === 0) {
        // What another lane has in hands may come back.
        await passed(Math.min(Math.max(pause, 20), 1000), undefined, { signal: stop }).catch(() => {});
        continue;
      }
      inHands += taken.length;
      const outcomes = await sent(taken);
      if (outcomes === undefined) again.unshift(...taken);
      else await settle(taken, outcomes);
      inHands -= taken.length;
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

function newsOf(index: number, outcome: WriteOutcome): RowNews {
  if (outcome.kind === 'applied') {
    return { index, event: 'applied', product: encode(productSchema, outcome.product) };
  }
  const { code, message } = outcome.problem;
  return { index, event: outcome.kind, code, message };
}
