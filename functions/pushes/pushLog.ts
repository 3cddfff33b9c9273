import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, type RetryOptions, retries } from '../../shared/retry.ts';
import { MAX_TEXT } from '../storage/table.ts';
import type { PushHead, PushStore, RowChange, VersionedHead } from './pushStore.ts';
import { newRow, nextRow, type Row, type RowEvent, type RowTraits } from './rowState.ts';

/** What happened to a row, with what is reported of it. */
export type RowUpdate = { index: number; event: RowEvent } & Pick<RowChange, 'product' | 'code' | 'message' | 'errors'>;

/** This worker may send nothing more: another one took over, or the push was stopped. */
export class MayNotSend extends Error {
  override readonly name = 'MayNotSend';
}

/**
 * The state of one push in the hands of one worker. What it records is written before the promise resolves; what several
 * ask at a time is written together.
 */
export type PushLog = {
  head(): PushHead;
  row(index: number): Row;
  /** Whether no other worker took over, as far as is known. */
  isHeldByThisWorker(): boolean;
  /** Whether a row may leave, as far as is known: nobody else took over or stopped the push. */
  mayLeave(index: number): boolean;
  /**
   * Records what happened.
   * @throws MayNotSend when something is `sending` and may not be; nothing of the call is written then
   */
  record(updates: readonly RowUpdate[]): Promise<void>;
  /** Changes the head, by a function of the latest. */
  change(change: (head: PushHead) => PushHead): Promise<void>;
  /** Looks whether others wrote. */
  refresh(): Promise<void>;
};

type Request = {
  updates: readonly RowUpdate[];
  change: ((head: PushHead) => PushHead) | undefined;
  resolve: () => void;
  reject: (reason: unknown) => void;
};

/** Characters of a product that is stored. */
const MAX_PRODUCT_LENGTH = 100_000;
const MAX_MESSAGE_LENGTH = 4000;
/** Milliseconds the pace is counted over, at the least. */
const MIN_PACE_SPAN = 30_000;

/**
 * @param worker who writes; whoever wrote its own name into the head later goes before it
 * @param about a row: its number, and what may be done when its outcome is unknown
 * @param retry of what the storage failed at
 */
export async function openPushLog(
  store: PushStore,
  { owner, id }: { owner: string; id: string },
  worker: string,
  about: (index: number) => RowTraits & { row: number },
  retry: RetryOptions = retries.pushStorage,
): Promise<PushLog> {
  const found = await store.head(owner, id);
  if (found === undefined) throw new Error(`There is no push ${id}.`);
  let latest: VersionedHead = { head: { ...found.head, sequence: 0 }, version: found.version };
  const rows: Row[] = new Array(found.head.total).fill(newRow);
  let waiting: Request[] = [];
  /** What each entry was to hold that may have been written, by its mark. */
  const tries = new Map<string, readonly Request[]>();
  let last: Promise<unknown> = Promise.resolve();
  await follow(found);

  /** Reads what others wrote, and what was written here without an answer. */
  async function follow(to: VersionedHead): Promise<void> {
    for await (const { sequence, mark, changes } of store.entries(owner, id, latest.head.sequence)) {
      // What came after the head was read is read the next time.
      if (sequence > to.head.sequence) break;
      for (const { index, state, attempts, doubtful } of changes) rows[index] = { state, attempts, doubtful };
      done(tries.get(mark) ?? []);
    }
    latest = to;
  }

  async function reload(): Promise<void> {
    const now = await store.head(owner, id);
    if (now === undefined) throw new Error(`The push ${id} is gone.`);
    if (now.version !== latest.version) await follow(now);
  }

  const isHeldByThisWorker = () => latest.head.worker === worker;

  /** A push that is stopped still finds out about rows that may have been carried out. */
  const mayLeave = ({ doubtful }: Row, { stopped } = latest.head): boolean =>
    isHeldByThisWorker() && (stopped === '' || doubtful);

  const maySend = (row: Row, index: number, head: PushHead): boolean =>
    mayLeave(row, head) && nextRow(row, 'sending', about(index)) !== row;

  /** What the requests that wait come to, by how things stand now: as many of them as an entry can hold. */
  function decide() {
    const become = new Map<number, RowChange>();
    const included: Request[] = [];
    const refused: Request[] = [];
    let { head } = latest;
    let length = 200;
    for (const request of waiting) {
      const now = (index: number): Row => become.get(index) ?? rows[index]!;
      if (request.updates.some(({ event, index }) => event === 'sending' && !maySend(now(index), index, head))) {
        refused.push(request);
        continue;
      }
      const changes = request.updates.flatMap((update): RowChange[] => {
        const before = now(update.index);
        const { row, ...traits } = about(update.index);
        const after = nextRow(before, update.event, traits);
        return after === before ? [] : [changeOf(row, update, after)];
      });
      length += changes.reduce((sum, change) => sum + JSON.stringify(change).length + 1, 0);
      if (included.length > 0 && length > MAX_TEXT) break;
      included.push(request);
      for (const change of changes) become.set(change.index, change);
      // What has ended stays so, whoever comes late.
      if (request.change !== undefined && head.state !== 'ended') head = request.change(head);
    }
    return { included, refused, changes: [...become.values()], head };
  }

  /** Writes what requests come to; when others wrote first, reads that instead, and they go on waiting. */
  async function write(requests: readonly Request[], changes: readonly RowChange[], head: PushHead): Promise<void> {
    if (changes.length === 0) {
      const version = head === latest.head ? latest.version : await store.replace(head, latest.version);
      if (version === undefined) return reload();
      latest = { head, version };
      return done(requests);
    }
    const counts = { ...head.counts };
    for (const { index, state } of changes) {
      counts[rows[index]!.state]--;
      counts[state]++;
    }
    const sequence = head.sequence + 1;
    const milestones = milestonesAfter(head, doneIn(counts), Date.now());
    const next: PushHead = { ...head, sequence, counts, milestones };
    const mark = randomUUID();
    tries.set(mark, requests);
    const version = await store.append(next, latest.version, { sequence, mark, changes });
    // It may have been an entry of ours that was first: written, and its answer lost.
    if (version === undefined) return reload();
    for (const { index, state, attempts, doubtful } of changes) rows[index] = { state, attempts, doubtful };
    latest = { head: next, version };
    tries.clear();
    done(requests);
  }

  function removeWaiting(requests: readonly Request[]): void {
    const removed = new Set(requests);
    waiting = waiting.filter((request) => !removed.has(request));
  }

  function done(requests: readonly Request[]): void {
    removeWaiting(requests);
    for (const request of requests) request.resolve();
  }

  async function writeAll(): Promise<void> {
    for (let failures = 0; waiting.length > 0; ) {
      const { included, refused, changes, head } = decide();
      removeWaiting(refused);
      for (const request of refused) request.reject(new MayNotSend());
      try {
        await write(included, changes, head);
        failures = 0;
      } catch (failure) {
        if (++failures < retry.maxAttempts) await sleep(backoffMs(failures, retry));
        else for (const request of waiting.splice(0)) request.reject(failure);
      }
    }
  }

  /** One thing at a time: what is asked meanwhile is written with what comes next. */
  const oneAtATime = (work: () => Promise<unknown>): Promise<unknown> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };

  const ask = (updates: readonly RowUpdate[], change?: Request['change']): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ updates, change, resolve, reject });
      // An outcome and what is sent next come right after each other, and are written together.
      setImmediate(() => oneAtATime(writeAll).catch(reject));
    });

  return {
    head: () => latest.head,
    row: (index) => rows[index]!,
    isHeldByThisWorker,
    mayLeave: (index) => mayLeave(rows[index]!),
    record: (updates) => ask(updates),
    change: (change) => ask([], change),
    async refresh() {
      await oneAtATime(() => reload());
    },
  };
}

function changeOf(
  row: number,
  { index, product, code, message, errors = [] }: RowUpdate,
  { state, attempts, doubtful }: Row,
): RowChange {
  return {
    index,
    row,
    state,
    attempts,
    doubtful,
    ...(product === undefined || product.length > MAX_PRODUCT_LENGTH ? {} : { product }),
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE_LENGTH) }),
    ...(errors.length === 0 || JSON.stringify(errors).length > MAX_MESSAGE_LENGTH ? {} : { errors }),
  };
}

/** Rows that are done: what the pace counts. */
export const doneIn = ({ applied, refused, unknown }: PushHead['counts']): number => applied + refused + unknown;

/** Two moments are kept: the pace is counted from the older, which is never all too old. */
function milestonesAfter({ milestones }: PushHead, done: number, at: number): PushHead['milestones'] {
  const newer = milestones.at(-1);
  if (newer !== undefined && at - newer.at < MIN_PACE_SPAN) return milestones;
  return [...milestones.slice(-1), { at, done }];
}
