import type { TableClient, TransactionAction } from '@azure/data-tables';
import { codeOf } from './failure.ts';

/** A row of a table, identified by its partition and its key. A value holds at most 32,768 characters. */
export type Row = { partition: string; key: string; values: Readonly<Record<string, string>> };
/** A stored row. Its version shows whether it was changed since. */
type StoredRow = Row & { version: string };

/** Selects the rows that meet every condition. */
type RowRange = { partition?: string; key?: string; from?: string; after?: string; before?: string };

export type Table = ReturnType<typeof tableOver>;

/** Rows that a transaction may hold. */
const MAX_TRANSACTION = 100;
/** Rows that the service sends at once. */
const MAX_PAGE = 1000;

/** A table of a storage account. @param client resolves when the table exists */
export function tableOver(client: () => Promise<TableClient>) {
  /**
   * The rows of a range, in the order of partition and key.
   * @param maxPageSize how many are received at once: those with long texts take long to parse
   */
  async function* list(range: RowRange, maxPageSize = MAX_PAGE): AsyncGenerator<StoredRow, void> {
    const entities = (await client()).listEntities({ queryOptions: { filter: filterOf(range) } });
    for await (const page of entities.byPage({ maxPageSize })) yield* page.map(rowOf);
  }

  /**
   * Removes a row, if it exists.
   * @param version left out: also when it was changed since
   * @returns whether it was removed
   */
  async function remove(partition: string, key: string, version = '*'): Promise<boolean> {
    const removed = (await client()).deleteEntity(partition, key, { etag: version });
    return (await unless(['ResourceNotFound', 'UpdateConditionNotSatisfied'], removed)) !== undefined;
  }

  return {
    list,

    async get(partition: string, key: string): Promise<StoredRow | undefined> {
      const entity = await unless(['ResourceNotFound'], (await client()).getEntity(partition, key));
      return entity && rowOf(entity);
    },

    /** @returns the version; undefined when there is such a row already */
    async insert(row: Row): Promise<string | undefined> {
      return (await unless(['EntityAlreadyExists'], (await client()).createEntity(entityOf(row))))?.etag;
    },

    /** @returns the new version; undefined when the row was changed or removed since */
    async replace(row: Row, version: string): Promise<string | undefined> {
      const replaced = (await client()).updateEntity(entityOf(row), 'Replace', { etag: version });
      return (await unless(['UpdateConditionNotSatisfied', 'ResourceNotFound'], replaced))?.etag;
    },

    /**
     * Inserts a row and replaces another of the same partition, or neither.
     * @returns the version of the replaced row; undefined when one failed
     */
    async insertAndReplace(inserted: Row, replaced: Row, version: string): Promise<string | undefined> {
      const written = (await client()).submitTransaction([
        ['create', entityOf(inserted)],
        ['update', entityOf(replaced), 'Replace', { etag: version }],
      ]);
      const codes = ['EntityAlreadyExists', 'UpdateConditionNotSatisfied', 'ResourceNotFound'];
      return (await unless(codes, written))?.subResponses.at(-1)?.etag;
    },

    /** Writes a row, and replaces an existing one. */
    async put(row: Row): Promise<void> {
      await (await client()).upsertEntity(entityOf(row), 'Replace');
    },

    /** Changes values of an existing row. */
    async merge(row: Row): Promise<void> {
      await (await client()).updateEntity(entityOf(row), 'Merge');
    },

    remove,

    /** Removes the rows of a range, also while others remove them. */
    async removeAll(range: RowRange & { partition: string }): Promise<void> {
      const { partition } = range;
      let keys: string[] = [];
      const flush = async () => {
        const batch = keys.map((rowKey): TransactionAction => ['delete', { partitionKey: partition, rowKey }]);
        const removed =
          batch.length === 0 || (await unless(['ResourceNotFound'], (await client()).submitTransaction(batch)));
        // One of them is gone already: then none was removed.
        if (!removed) for (const key of keys) await remove(partition, key);
        keys = [];
      };
      for await (const { key } of list(range)) {
        keys.push(key);
        if (keys.length === MAX_TRANSACTION) await flush();
      }
      await flush();
    },
  };
}

const entityOf = ({ partition, key, values }: Row) => ({ ...values, partitionKey: partition, rowKey: key });

function rowOf({ partitionKey, rowKey, etag, timestamp: _, ...values }: Record<string, unknown>): StoredRow {
  return {
    partition: String(partitionKey),
    key: String(rowKey),
    version: String(etag),
    values: values as Record<string, string>,
  };
}

function filterOf({ partition, key, from, after, before }: RowRange): string {
  const conditions = [
    partition !== undefined && `PartitionKey eq ${quoted(partition)}`,
    key !== undefined && `RowKey eq ${quoted(key)}`,
    from !== undefined && `RowKey ge ${quoted(from)}`,
    after !== undefined && `RowKey gt ${quoted(after)}`,
    before !== undefined && `RowKey lt ${quoted(before)}`,
  ];
  return conditions.filter((condition) => condition !== false).join(' and ');
}

/** A text in a filter of OData. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The response of the table; undefined for one of these statuses. A missing table throws nevertheless. */
async function unless<Value>(codes: readonly string[], response: Promise<Value>): Promise<Value | undefined> {
  try {
    return await response;
  } catch (failure) {
    if (codes.includes(codeOf(failure))) return undefined;
    throw failure;
  }
}

/*
 * A long text in a row: a value holds 64 KiB in UTF-16, a row a megabyte in all.
 */

const PART = 32_000;
/** Characters that a row can hold. */
export const MAX_TEXT = 14 * PART;

/** A text as values of a row. */
export const textToValues = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(text.length / PART) }, (_, index) => [
      `text${index}`,
      text.slice(index * PART, (index + 1) * PART),
    ]),
  );

/** The text in the values of a row. */
export function textOf({ values }: Row): string {
  let text = '';
  for (let index = 0; typeof values[`text${index}`] === 'string'; index++) text += values[`text${index}`];
  return text;
}
