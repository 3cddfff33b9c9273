import { setImmediate as otherWork } from 'node:timers/promises';
import type { FieldError } from '../../shared/fieldErrors.ts';
import { pauses } from '../../shared/inSteps.ts';
import { Problem } from '../../shared/problem.ts';
import type { ResultMember } from '../../shared/pushRules.ts';
import { type PushedWrite, type RowState, rowStates } from '../../shared/resources/push.ts';
import { isOfClockAhead } from '../administrations/clockAhead.ts';
import { BlobGone } from '../storage/blobs.ts';
import type { Storage } from '../storage/storage.ts';
import { MAX_TEXT, type Row, textOf, textToValues } from '../storage/table.ts';
import type { PushSecrets } from './pushSecrets.ts';
import type { PushSums } from './sending/pushSums.ts';

/*
 * Pushes in Azure Table storage. The pushes of an owner (pushOwners.ts) are one partition, so that no query can
 * read another's:
 *
 *   push.{id}            the head: the state of the push, and the number of rows in each state
 *   rows.{id}.{number}   what is pushed, many rows to an entity; written once
 *   log.{id}.{sequence}  what happened, in order; written once
 *   list.{id}            the documents that were there before its first one was sent, to find those that are lost
 *
 * Rows and what happened to them are encrypted. A row that an entity cannot hold, as one with files, is in the blob
 * {owner}/{id}/{number} until the push has ended; the entity has it without its request.
 *
 * An entry of the log and the head are written together, the head only if it was not changed since: so the log has one
 * order, and a worker that lost its lease finds out when it writes. The partition `index` lists every push.
 */

/** The state of a push. Moments are milliseconds since 1970. */
export type PushHead = {
  owner: string;
  id: string;
  /** `receiving`: its rows are not all stored yet. */
  state: 'receiving' | 'waiting' | 'running' | 'ended';
  /** Who began it, encrypted; left out by earlier versions. */
  by?: string;
  total: number;
  relative: number;
  /** Whether rows are in blobs. */
  hasLarge?: true;
  /** Whether rows name people, as those of documents do. */
  isPersonal?: true;
  /** Left out: documents go one after the other. */
  inOrder?: false;
  /** What the applied rows made; left out by earlier versions. */
  sums?: PushSums;
  counts: Record<RowState, number>;
  createdOn: number;
  startedOn: number | null;
  endedOn: number | null;
  /** The prefix of the idempotency keys of its rows; left out: its id. */
  writeKey?: string;
  /** The hash of the pushed rows: the same key with other rows is an error. */
  contentHash: string;
  /** The encrypted credential; "" once it is no longer needed. */
  credential: string;
  /** The worker that may write. */
  worker: string;
  /** The number of the latest entry of the log. */
  sequence: number;
  /** Why no further row is sent; "" while rows are sent. */
  stopped: string;
  /** The end of a pause that the service asked for; 0 without one. */
  notBefore: number;
  /** Since when workers found that they lack its secret key; left out: the last one had it. */
  unreadableSince?: number | undefined;
  /** When somebody last had its lost documents looked for, after it had ended. */
  lookedForOn?: number;
  /** A name for that search: who began it knows it by this when the response of the storage was lost. */
  lookedForBy?: string;
  /** Numbers of done rows with their moments: the recent pace is measured from the first. */
  milestones: readonly { at: number; done: number }[];
};

/** What happened to some rows. */
type PushEntry = {
  sequence: number;
  /** Distinguishes this entry from another one of the same number. */
  mark: string;
  changes: readonly RowChange[];
};

/** What is shown of an applied row, as JSON text. */
type Shown = { [Member in ResultMember]?: string };

export type RowChange = Shown & {
  index: number;
  /** The row number of the caller. */
  row: number;
  state: RowState;
  attempts: number;
  doubtful: boolean;
  code?: string;
  message?: string;
  /** What was wrong with its fields. */
  errors?: readonly FieldError[];
};

/** A head with its version. */
export type VersionedHead = { head: PushHead; version: string };
/** A push in the index. */
type IndexedPush = Pick<PushHead, 'owner' | 'id' | 'createdOn' | 'endedOn' | 'isPersonal'>;

const INDEX = 'index';
/** Pushed rows in one row of the table. */
const MAX_ROWS_TOGETHER = 200;
/** Rows of the table that are received at once: each may hold a megabyte. */
const MAX_PAGE = 4;
/** Entries of the log that are received at once: most hold some kilobytes. */
const MAX_ENTRIES_PAGE = 50;
/** Bytes of a text that fits into a row of the table when it is encrypted, which makes it a third longer. */
export const MAX_ENCRYPTED_BYTES = (MAX_TEXT * 3) / 4 - 200;

export const noCounts = (): Record<RowState, number> =>
  Object.fromEntries(rowStates.map((state) => [state, 0])) as Record<RowState, number>;

/** The head of a push that no worker has started. */
export const newHead = (
  push: Pick<
    PushHead,
    'owner' | 'id' | 'writeKey' | 'by' | 'total' | 'relative' | 'inOrder' | 'isPersonal' | 'contentHash' | 'credential'
  >,
): PushHead => ({
  ...push,
  state: 'receiving',
  counts: { ...noCounts(), waiting: push.total },
  createdOn: Date.now(),
  startedOn: null,
  endedOn: null,
  worker: '',
  sequence: 0,
  stopped: '',
  notBefore: 0,
  milestones: [],
});

const keyOf = {
  head: (id: string) => `push.${id}`,
  rows: (id: string, number: number) => `rows.${id}.${String(number).padStart(6, '0')}`,
  list: (id: string) => `list.${id}`,
  entry: (id: string, sequence: number) => `log.${id}.${String(sequence).padStart(9, '0')}`,
};

const rowOf = (partition: string, key: string, content: object): Row => ({
  partition,
  key,
  values: textToValues(JSON.stringify(content)),
});
const headRow = (head: PushHead): Row => rowOf(head.owner, keyOf.head(head.id), head);
const headIn = (row: Row) => JSON.parse(textOf(row)) as PushHead;

export type PushStore = ReturnType<typeof openPushStore>;

export function openPushStore(
  storage: Pick<Storage, 'table' | 'blobs'>,
  {
    encryptedRows,
    encryptedInParts,
    rowsIn,
    rowsInSteps,
  }: Pick<PushSecrets, 'encryptedRows' | 'encryptedInParts' | 'rowsIn' | 'rowsInSteps'>,
) {
  const table = storage.table('pushes');
  const blobs = storage.blobs('pushes');
  const pathOf = (owner: string, id: string, number = '') => `${owner}/${id}/${number}`;
  const encryptedRow = (owner: string, id: string, key: string, text: string): Row => ({
    partition: owner,
    key,
    values: textToValues(encryptedRows(text, `${owner}.${id}`)),
  });
  /** The whole of a row that no entity can hold; undefined when it was removed. */
  async function readLarge(path: string): Promise<string | undefined> {
    try {
      const bytes = Buffer.concat(await Array.fromAsync((await blobs.blob(path)).bytes()));
      await otherWork();
      return bytes.toString('latin1');
    } catch (failure) {
      if (failure instanceof BlobGone) return undefined;
      throw failure;
    }
  }
  async function removeLarge(owner: string, id: string): Promise<void> {
    for await (const path of blobs.list(pathOf(owner, id))) await (await blobs.blob(path)).remove();
  }

  return {
    async head(owner: string, id: string): Promise<VersionedHead | undefined> {
      const row = await table.get(owner, keyOf.head(id));
      return row && { head: headIn(row), version: row.version };
    },

    /** Every push of an owner, in no order. */
    heads: (owner: string): Promise<PushHead[]> =>
      Array.fromAsync(table.list({ partition: owner, after: 'push.', before: 'push/' }), headIn),

    /** Creates a push. @returns false when one with that id exists */
    create: async (head: PushHead): Promise<boolean> => (await table.insert(headRow(head))) !== undefined,

    /** Replaces a head. @returns its new version; undefined when it was changed since */
    replace: (head: PushHead, version: string): Promise<string | undefined> => table.replace(headRow(head), version),

    /** Writes an entry together with the new head. @returns undefined when the head was changed since */
    append: (head: PushHead, version: string, entry: PushEntry): Promise<string | undefined> =>
      table.insertAndReplace(
        encryptedRow(head.owner, head.id, keyOf.entry(head.id, entry.sequence), JSON.stringify(entry)),
        headRow(head),
        version,
      ),

    /** The entries after an entry, in order. */
    async *entries(owner: string, id: string, after: number): AsyncGenerator<PushEntry, void> {
      const range = { partition: owner, after: keyOf.entry(id, after), before: `log.${id}/` };
      for await (const row of table.list(range, MAX_ENTRIES_PAGE))
        yield JSON.parse(rowsIn(textOf(row), `${owner}.${id}`)) as PushEntry;
    },

    /** Stores the pushed rows; a second call changes nothing. @returns whether some are in blobs */
    async saveRows(owner: string, id: string, writes: readonly PushedWrite[]): Promise<boolean> {
      let number = 0;
      let hasLarge = false;
      // One text at a time: all of them would take long to make, while others wait.
      const pause = pauses(otherWork);
      for (const { text, large } of chunksOf(writes)) {
        await pause();
        const key = keyOf.rows(id, number++);
        const isLarge = large !== undefined;
        hasLarge ||= isLarge;
        if (isLarge) {
          const blob = await blobs.blob(pathOf(owner, id, key));
          const blocks: string[] = [];
          for await (const part of encryptedInParts(text, `${owner}.${id}`)) blocks.push(await blob.stage(part));
          await blob.commit(blocks).catch(async (failure) => {
            // Another request with the same push stored the row meanwhile, which ended the blocks of this one.
            if (!(failure instanceof BlobGone && (await blob.exists()))) throw failure;
          });
        }
        const stored = isLarge ? JSON.stringify([{ ...large, request: {} }]) : text;
        const row = encryptedRow(owner, id, key, stored);
        await table.put(isLarge ? { ...row, values: { ...row.values, isLarge: 'true' } } : row);
      }
      return hasLarge;
    },

    async rows(owner: string, id: string): Promise<PushedWrite[]> {
      const writes: PushedWrite[] = [];
      const pause = pauses(otherWork);
      for await (const row of table.list({ partition: owner, after: `rows.${id}.`, before: `rows.${id}/` }, MAX_PAGE)) {
        const large = row.values.isLarge === undefined ? undefined : await readLarge(pathOf(owner, id, row.key));
        const text = await rowsInSteps(large ?? textOf(row), `${owner}.${id}`);
        await pause();
        for (const write of JSON.parse(text)) writes.push(write);
        await pause();
      }
      return writes;
    },

    /** Stores what a list had before the first document was sent. */
    saveList: (owner: string, id: string, list: object): Promise<void> =>
      table.put(encryptedRow(owner, id, keyOf.list(id), JSON.stringify(list))),

    async list(owner: string, id: string): Promise<unknown> {
      const row = await table.get(owner, keyOf.list(id));
      return row && JSON.parse(rowsIn(textOf(row), `${owner}.${id}`));
    },

    /** Removes what is needed to send rows only: large requests, as those with files. */
    removeLarge,

    enter: ({ owner, id, createdOn, endedOn, isPersonal }: IndexedPush): Promise<void> =>
      table.put({
        partition: INDEX,
        key: `${owner}.${id}`,
        values: {
          createdOn: String(createdOn),
          endedOn: String(endedOn ?? ''),
          ...(isPersonal ? { isPersonal: 'true' } : {}),
        },
      }),

    /** Every push in the index. */
    async *index(): AsyncGenerator<IndexedPush, void> {
      for await (const { key, values } of table.list({ partition: INDEX })) {
        const [owner = '', id = ''] = key.split('.');
        const endedOn = values.endedOn === '' ? null : Number(values.endedOn);
        const createdOn = Number(values.createdOn);
        yield { owner, id, createdOn, endedOn, ...(values.isPersonal === undefined ? {} : { isPersonal: true }) };
      }
    },

    /** Removes a push and all its rows; its index entry last. */
    async remove(owner: string, id: string): Promise<void> {
      await removeLarge(owner, id);
      await table.removeAll({ partition: owner, after: `log.${id}.`, before: `log.${id}/` });
      await table.removeAll({ partition: owner, after: `rows.${id}.`, before: `rows.${id}/` });
      await table.remove(owner, keyOf.list(id));
      await table.remove(owner, keyOf.head(id));
      await table.remove(INDEX, `${owner}.${id}`);
    },
  };
}

/** Rows as JSON texts, of a size that a row of the table can hold; a larger row alone. */
function* chunksOf(writes: readonly PushedWrite[]): Generator<{ text: string; large?: PushedWrite }, void> {
  let texts: string[] = [];
  let bytes = 2;
  for (const write of writes) {
    const text = JSON.stringify(write);
    // A text has as many bytes as characters, or more.
    const more = (text.length > MAX_ENCRYPTED_BYTES ? text.length : Buffer.byteLength(text)) + 1;
    if (texts.length > 0 && (bytes + more > MAX_ENCRYPTED_BYTES || texts.length === MAX_ROWS_TOGETHER)) {
      yield { text: `[${texts.join(',')}]` };
      texts = [];
      bytes = 2;
    }
    if (bytes + more > MAX_ENCRYPTED_BYTES) {
      yield { text: `[${text}]`, large: write };
      continue;
    }
    texts.push(text);
    bytes += more;
  }
  if (texts.length > 0) yield { text: `[${texts.join(',')}]` };
}

export const isPushId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id);

export const noPush = (id: string): Problem => new Problem('NOT_FOUND', `There is no push ${id.slice(0, 100)}.`);

/** @throws Problem NOT_FOUND */
export async function findHead(store: PushStore, owner: string, id: string): Promise<VersionedHead> {
  const found = await store.head(owner, id);
  if (found === undefined) throw noPush(id);
  return found;
}

/**
 * Changes a head, and tries again when another writer changed it first.
 * @param change returns undefined when there is nothing to change
 * @throws Problem NOT_FOUND
 */
export async function changeHead(
  store: PushStore,
  owner: string,
  id: string,
  change: (head: PushHead) => PushHead | undefined,
): Promise<{ head: PushHead; changed: boolean }> {
  for (;;) {
    const { head, version } = await findHead(store, owner, id);
    const next = change(head);
    if (next === undefined) return { head, changed: false };
    if ((await store.replace(next, version)) !== undefined) return { head: next, changed: true };
  }
}

/** The pushes of an owner that have not ended, the oldest first. */
export async function unfinishedPushes(store: PushStore, owner: string): Promise<PushHead[]> {
  const heads = await store.heads(owner);
  return heads
    .filter(({ state }) => state === 'waiting' || state === 'running')
    .sort((a, b) => a.createdOn - b.createdOn);
}

/** When a worker last made progress with a push, as far as is known. */
export const lastWorkedOn = ({ createdOn, milestones }: PushHead): number => milestones.at(-1)?.at ?? createdOn;

/**
 * Whether a push waits for the end of a pause that the service asked for; a cancelled push does not wait. Nor does one
 * whose last worker had a clock that was ahead: nobody knows when its pause ends.
 */
export function isPaused(head: PushHead): boolean {
  const now = Date.now();
  return head.stopped === '' && head.notBefore > now + 1000 && !isOfClockAhead(lastWorkedOn(head), now);
}
