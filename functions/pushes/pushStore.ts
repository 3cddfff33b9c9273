import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import type { FieldError } from '../../shared/fieldErrors.ts';
import { type PushedWrite, type RowState, rowStates } from '../../shared/resources/push.ts';
import { fromParts, inParts, LONGEST_TEXT } from '../storage/longText.ts';
import { answered, type Storage } from '../storage/storage.ts';

/*
 * Pushes in Azure Table storage. All of a credential's pushes are one partition, so that nobody's query can reach another's:
 *
 *   push.{id}            the head: where the push is, and how many rows are in which state
 *   rows.{id}.{number}   what is pushed, many rows to an entity; written once
 *   log.{id}.{sequence}  what happened, in order; written once
 *
 * An entry of the log and the head are written together, the head only if nobody changed it since: so the log has one
 * order, and whoever lost the right to write finds out when writing. The partition `index` knows every push there is.
 */

/** Where a push is. Moments are milliseconds since 1970. */
export type PushHead = {
  owner: string;
  id: string;
  /** `receiving`: its rows are not all stored yet. */
  state: 'receiving' | 'waiting' | 'running' | 'ended';
  total: number;
  relative: number;
  counts: Record<RowState, number>;
  createdOn: number;
  startedOn: number | null;
  endedOn: number | null;
  /** What was pushed, by its hash: the same key with other rows is a mistake. */
  contentHash: string;
  /** The encrypted credential; "" once it is of no use. */
  credential: string;
  /** Which worker writes. */
  worker: string;
  /** Of the latest entry. */
  sequence: number;
  /** Why no further row is sent; "" while nothing stops it. */
  stopped: string;
  /** When it is worth going on, after a pause somebody asked for; 0 when nobody did. */
  notBefore: number;
  /** Rows done by when: the pace of late is counted from the first. */
  milestones: readonly { at: number; done: number }[];
};

/** What happened to some rows. */
export type PushEntry = {
  sequence: number;
  /** Tells this entry from another one of the same number. */
  mark: string;
  changes: readonly RowChange[];
};

export type RowChange = {
  index: number;
  /** The number its caller gave it. */
  row: number;
  state: RowState;
  attempts: number;
  doubtful: boolean;
  /** JSON text of the product, as it is answered. */
  product?: string;
  code?: string;
  message?: string;
  /** What was wrong with its fields. */
  errors?: readonly FieldError[];
};

/** A head and what proves that it is the latest. */
export type Versioned = { head: PushHead; version: string };
/** A push as the index knows it. */
export type Indexed = { owner: string; id: string; createdOn: number; endedOn: number | null };

const INDEX = 'index';
/** Entities a transaction may hold. */
const AT_A_TIME = 100;

export const noCounts = (): Record<RowState, number> =>
  Object.fromEntries(rowStates.map((state) => [state, 0])) as Record<RowState, number>;

/** The head of a push nobody has worked on. */
export const newHead = (
  given: Pick<PushHead, 'owner' | 'id' | 'total' | 'relative' | 'contentHash' | 'credential'>,
): PushHead => ({
  ...given,
  state: 'receiving',
  counts: { ...noCounts(), waiting: given.total },
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
  entry: (id: string, sequence: number) => `log.${id}.${String(sequence).padStart(9, '0')}`,
};

export type PushStore = Awaited<ReturnType<typeof openPushStore>>;

export async function openPushStore(storage: Storage) {
  const table: TableClient = await storage.table('pushes');

  const entityOf = (head: PushHead) => ({
    partitionKey: head.owner,
    rowKey: keyOf.head(head.id),
    ...inParts(JSON.stringify(head)),
  });
  const headOf = (entity: Record<string, unknown>) => JSON.parse(fromParts(entity)) as PushHead;
  const between = (owner: string, from: string, till: string) =>
    table.listEntities({
      queryOptions: { filter: odata`PartitionKey eq ${owner} and RowKey gt ${from} and RowKey lt ${till}` },
    });

  return {
    async head(owner: string, id: string): Promise<Versioned | undefined> {
      try {
        const entity = await table.getEntity(owner, keyOf.head(id));
        return { head: headOf(entity), version: entity.etag };
      } catch (failure) {
        if (answered(failure, 404)) return undefined;
        throw failure;
      }
    },

    /** Every push of a credential, in no order. */
    async heads(owner: string): Promise<PushHead[]> {
      const heads: PushHead[] = [];
      for await (const entity of between(owner, 'push.', 'push/')) heads.push(headOf(entity));
      return heads;
    },

    /** Whether it was made: false when there is one of that id. */
    async create(head: PushHead): Promise<boolean> {
      try {
        await table.createEntity(entityOf(head));
        return true;
      } catch (failure) {
        if (answered(failure, 409)) return false;
        throw failure;
      }
    },

    /** The head's new version; undefined when somebody changed it since. */
    async replace(head: PushHead, version: string): Promise<string | undefined> {
      try {
        return (await table.updateEntity(entityOf(head), 'Replace', { etag: version })).etag;
      } catch (failure) {
        if (answered(failure, 404, 412)) return undefined;
        throw failure;
      }
    },

    /** Writes an entry together with the head it leads to; undefined when somebody was first. */
    async append(head: PushHead, version: string, entry: PushEntry): Promise<string | undefined> {
      const actions: TransactionAction[] = [
        [
          'create',
          {
            partitionKey: head.owner,
            rowKey: keyOf.entry(head.id, entry.sequence),
            ...inParts(JSON.stringify(entry)),
          },
        ],
        ['update', entityOf(head), 'Replace', { etag: version }],
      ];
      try {
        const { subResponses } = await table.submitTransaction(actions);
        return subResponses.at(-1)?.etag;
      } catch (failure) {
        if (answered(failure, 404, 409, 412)) return undefined;
        throw failure;
      }
    },

    /** What happened after an entry, in order. */
    async *entries(owner: string, id: string, after: number): AsyncGenerator<PushEntry, void> {
      for await (const entity of between(owner, keyOf.entry(id, after), `log.${id}/`)) {
        yield JSON.parse(fromParts(entity)) as PushEntry;
      }
    },

    /** Stores what is pushed; the second time it changes nothing. */
    async saveRows(owner: string, id: string, writes: readonly PushedWrite[]): Promise<void> {
      for (const [number, text] of chunksOf(writes).entries()) {
        await table.upsertEntity({ partitionKey: owner, rowKey: keyOf.rows(id, number), ...inParts(text) }, 'Replace');
      }
    },

    async rows(owner: string, id: string): Promise<PushedWrite[]> {
      const writes: PushedWrite[] = [];
      for await (const entity of between(owner, `rows.${id}.`, `rows.${id}/`)) {
        writes.push(...(JSON.parse(fromParts(entity)) as PushedWrite[]));
      }
      return writes;
    },

    async enter({ owner, id, createdOn, endedOn }: Indexed): Promise<void> {
      const moments = { createdOn: String(createdOn), endedOn: String(endedOn ?? '') };
      await table.upsertEntity({ partitionKey: INDEX, rowKey: `${owner}.${id}`, ...moments }, 'Replace');
    },

    /** Every push there is. */
    async *index(): AsyncGenerator<Indexed, void> {
      const filter = odata`PartitionKey eq ${INDEX}`;
      for await (const { rowKey, createdOn, endedOn } of table.listEntities({ queryOptions: { filter } })) {
        const [owner = '', id = ''] = String(rowKey).split('.');
        yield { owner, id, createdOn: Number(createdOn), endedOn: endedOn === '' ? null : Number(endedOn) };
      }
    },

    /** Removes a push and all that belongs to it; last the index's word of it. */
    async remove(owner: string, id: string): Promise<void> {
      for (const [from, till] of [
        [`log.${id}.`, `log.${id}/`],
        [`rows.${id}.`, `rows.${id}/`],
      ] as const) {
        let some: TransactionAction[] = [];
        const flush = async () => {
          if (some.length > 0) await table.submitTransaction(some);
          some = [];
        };
        for await (const { rowKey } of between(owner, from, till)) {
          some.push(['delete', { partitionKey: owner, rowKey: String(rowKey) }]);
          if (some.length === AT_A_TIME) await flush();
        }
        await flush();
      }
      for (const [partition, row] of [
        [owner, keyOf.head(id)],
        [INDEX, `${owner}.${id}`],
      ] as const) {
        await table.deleteEntity(partition, row).catch((failure) => {
          if (!answered(failure, 404)) throw failure;
        });
      }
    },
  };
}

/** Rows of an entity at the most. */
const ROWS_TOGETHER = 200;

/** Rows as JSON texts, each of a size an entity can hold. */
function chunksOf(writes: readonly PushedWrite[]): string[] {
  const chunks: string[] = [];
  let texts: string[] = [];
  let length = 0;
  const end = () => {
    if (texts.length > 0) chunks.push(`[${texts.join(',')}]`);
    texts = [];
    length = 2;
  };
  for (const write of writes) {
    const text = JSON.stringify(write);
    if (length + text.length + 1 > LONGEST_TEXT || texts.length === ROWS_TOGETHER) end();
    texts.push(text);
    length += text.length + 1;
  }
  end();
  return chunks;
}

/** Whether a row can be stored. */
export const fits = (write: PushedWrite): boolean => JSON.stringify(write).length <= LONGEST_TEXT - 10;
