import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import limited from 'p-limit';
import type { PushedName } from '../../../shared/api.ts';
import { type ResultMember, resultMembers } from '../../../shared/pushRules.ts';
import { backoffMs, type RetryOptions, retries } from '../../../shared/retry.ts';
import { metrics } from '../../telemetry/telemetry.ts';
import {
  MAX_ENCRYPTED_BYTES,
  type PushHead,
  type PushStore,
  type RowChange,
  type VersionedHead,
} from '../pushStore.ts';
import { sumsAfter } from './pushSums.ts';
import { newRow, nextRow, type Row, type RowEvent, type RowTraits } from './rowState.ts';

/** What happened to a row, and what is reported about it. */
export type RowUpdate = { index: number; event: RowEvent } & Pick<
  RowChange,
  ResultMember | 'code' | 'message' | 'errors'
>;

/** This worker may send no more rows: another one took over, or the push was stopped. */
export class MayNotSend extends Error {
  override readonly name = 'MayNotSend';
}

/** The state of one push for one worker. */
export type PushLog = Awaited<ReturnType<typeof openPushLog>>;

type Request = {
  updates: readonly RowUpdate[];
  change: ((head: PushHead) => PushHead) | undefined;
  resolve: () => void;
  reject: (reason: unknown) => void;
};

/** Bytes of the changes of one request: there is room for more in an entry. */
const MAX_REQUEST_BYTES = MAX_ENCRYPTED_BYTES / 2;
const MAX_MESSAGE_LENGTH = 4000;
/** Updates of rows that are written together in any case; with long messages more would not fit. */
const MAX_TOGETHER = 10;

/** What a log knows about a row: its number, its endpoint, and what may be done when its outcome is unknown. */
type RowFacts = RowTraits & { row: number; name: PushedName };

/** The shortest time that the pace is measured over, in milliseconds. */
const MIN_PACE_SPAN = 30_000;

/**
 * Opens the log of a push. A record is written before its promise resolves; what several callers record at the same
 * time is written together.
 * @param worker its name; a worker that wrote its name into the head later takes precedence
 * @param retry for failed requests to the storage
 */
export async function openPushLog(
  store: PushStore,
  { owner, id }: { owner: string; id: string },
  worker: string,
  about: (index: number) => RowFacts,
  retry: RetryOptions = retries.pushStorage,
) {
  const found = await store.head(owner, id);
  if (found === undefined) throw new Error(`There is no push ${id}.`);
  let latest: VersionedHead = { head: { ...found.head, sequence: 0 }, version: found.version };
  const rows: Row[] = new Array(found.head.total).fill(newRow);
  let waiting: Request[] = [];
  /** The entries that may have been written without a response, by their marks. */
  const tries = new Map<string, readonly Request[]>();
  /** One write at a time: requests that come during it are written together with the next one. */
  const oneAtATime = limited(1);
  await follow(found);

  /** Reads what others wrote, and what this worker wrote without a response. */
  async function follow(to: VersionedHead): Promise<void> {
    for await (const { sequence, mark, changes } of store.entries(owner, id, latest.head.sequence)) {
      // Entries that came after the head was read are read the next time.
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

  /** A stopped push still asks for the outcome of rows that may have been applied. */
  const mayLeave = ({ doubtful }: Row, { stopped } = latest.head): boolean =>
    isHeldByThisWorker() && (stopped === '' || doubtful);

  const maySend = (row: Row, index: number, head: PushHead): boolean =>
    mayLeave(row, head) && nextRow(row, 'sending', about(index)) !== row;

  /**
   * Writes the changes of the waiting requests. When another worker wrote first, reads that; the requests keep waiting.
   */
  async function write(requests: readonly Request[], changes: readonly RowChange[], head: PushHead): Promise<void> {
    if (changes.length === 0) {
      const version = head === latest.head ? latest.version : await store.replace(head, latest.version);
      if (version === undefined) return reload();
      latest = { head, version };
      return done(requests);
    }
    const next = withChanges(head, changes, rows, about);
    const mark = randomUUID();
    tries.set(mark, requests);
    const version = await store.append(next, latest.version, { sequence: next.sequence, mark, changes });
    // The entry may be our own: written before, and its response lost.
    if (version === undefined) return reload();
    for (const { index, state, attempts, doubtful } of changes) rows[index] = { state, attempts, doubtful };
    latest = { head: next, version };
    for (const { state } of changes) if (state !== 'waiting' && state !== 'sending') metrics.pushRows(state, 1);
    metrics.pushRowsWaiting(undoneIn(next.counts) - undoneIn(head.counts));
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
      const { included, refused, changes, head } = decide(waiting, latest.head, rows, about, maySend);
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

  const add = (updates: readonly RowUpdate[], change?: Request['change']): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ updates, change, resolve, reject });
      // An outcome and the next row to send follow each other directly, and are written together.
      setImmediate(() => oneAtATime(writeAll).catch(reject));
    });

  return {
    head: (): PushHead => latest.head,
    row: (index: number): Row => rows[index]!,
    /** Whether no other worker took over, as far as is known. */
    isHeldByThisWorker,
    /** Whether a row may be sent, as far as is known: no other worker took over, and the push was not stopped. */
    mayLeave: (index: number): boolean => mayLeave(rows[index]!),
    /**
     * Records what happened.
     * @throws MayNotSend when something is `sending` and may not be; nothing of the call is written then
     */
    async record(updates: readonly RowUpdate[]): Promise<void> {
      if (updates.some(({ event }) => event === 'sending')) return add(updates);
      const parts = Array.from({ length: Math.ceil(updates.length / MAX_TOGETHER) }, (_, part) =>
        add(updates.slice(part * MAX_TOGETHER, (part + 1) * MAX_TOGETHER)),
      );
      await Promise.all(parts);
    },
    /** Changes the head, by a function of the latest. */
    change: (change: (head: PushHead) => PushHead): Promise<void> => add([], change),
    /** Reads what others wrote. */
    async refresh(): Promise<void> {
      await oneAtATime(reload);
    },
  };
}

/**
 * The changes that the waiting requests lead to: as many as fit into an entry.
 * @param maySend whether a row may be recorded as sending
 */
function decide(
  waiting: readonly Request[],
  latest: PushHead,
  rows: readonly Row[],
  about: (index: number) => RowFacts,
  maySend: (row: Row, index: number, head: PushHead) => boolean,
) {
  const changed = new Map<number, RowChange>();
  const included: Request[] = [];
  const refused: Request[] = [];
  let head = latest;
  let bytes = 200;
  const present = (index: number): Row => changed.get(index) ?? rows[index]!;
  for (const request of waiting) {
    if (request.updates.some(({ event, index }) => event === 'sending' && !maySend(present(index), index, head))) {
      refused.push(request);
      continue;
    }
    const all = request.updates.flatMap((update): RowChange[] => {
      const before = present(update.index);
      const { row, ...traits } = about(update.index);
      const after = nextRow(before, update.event, traits);
      return after === before ? [] : [changeOf(row, update, after)];
    });
    const { changes, bytes: more } = withinRoom(all);
    bytes += more;
    if (included.length > 0 && bytes > MAX_ENCRYPTED_BYTES) break;
    included.push(request);
    for (const change of changes) changed.set(change.index, change);
    // An ended push stays ended, also for late writers.
    if (request.change !== undefined && head.state !== 'ended') head = request.change(head);
  }
  return { included, refused, changes: [...changed.values()], head };
}

/** The head after an entry with these changes. */
function withChanges(
  head: PushHead,
  changes: readonly RowChange[],
  rows: readonly Row[],
  about: (index: number) => RowFacts,
): PushHead {
  const counts = { ...head.counts };
  let { sums = {} } = head;
  for (const change of changes) {
    const { index, state } = change;
    counts[rows[index]!.state]--;
    counts[state]++;
    if (state === 'applied') sums = sumsAfter(sums, about(index).name, shownIn(change));
  }
  const milestones = milestonesAfter(head, doneIn(counts), Date.now());
  return { ...head, sequence: head.sequence + 1, counts, sums, milestones };
}

function changeOf(
  row: number,
  { event: _, errors = [], message, ...update }: RowUpdate,
  { state, attempts, doubtful }: Row,
): RowChange {
  return {
    row,
    state,
    attempts,
    doubtful,
    ...update,
    ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE_LENGTH) }),
    ...(errors.length === 0 || JSON.stringify(errors).length > MAX_MESSAGE_LENGTH ? {} : { errors }),
  };
}

const shownIn = (change: RowChange): string | undefined =>
  resultMembers.map((member) => change[member]).find((text) => text !== undefined);

/** Changes with their bytes; without what is shown of them, where that is too long to be stored. */
function withinRoom(changes: readonly RowChange[]): { changes: readonly RowChange[]; bytes: number } {
  const bytes = bytesOf(changes);
  if (bytes <= MAX_REQUEST_BYTES) return { changes, bytes };
  // A character takes three bytes at the most, and a quotation mark in JSON text as many.
  const room = MAX_REQUEST_BYTES / changes.length / 3;
  const fitting = changes.map((change) =>
    (shownIn(change)?.length ?? 0) <= room
      ? change
      : { ...change, ...Object.fromEntries(resultMembers.map((member) => [member, undefined])) },
  );
  return { changes: fitting, bytes: bytesOf(fitting) };
}

const bytesOf = (changes: readonly RowChange[]): number =>
  changes.reduce((sum, change) => sum + Buffer.byteLength(JSON.stringify(change)) + 1, 0);

/** Rows that are done, for the pace. */
export const doneIn = ({ applied, refused, unknown }: PushHead['counts']): number => applied + refused + unknown;

const undoneIn = ({ waiting, sending }: PushHead['counts']): number => waiting + sending;

/** Two moments are stored. The pace is measured from the older one, which is replaced before it is too old. */
function milestonesAfter({ milestones }: PushHead, done: number, at: number): PushHead['milestones'] {
  const newer = milestones.at(-1);
  if (newer !== undefined && at - newer.at < MIN_PACE_SPAN) return milestones;
  return [...milestones.slice(-1), { at, done }];
}
