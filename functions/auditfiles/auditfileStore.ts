import { buffer } from 'node:stream/consumers';
import { Problem } from '../../shared/problem.ts';
import type { Auditfile, AuditfileChoices } from '../../shared/resources/generalLedger/auditfile.ts';
import type { PushSecrets } from '../pushes/pushSecrets.ts';
import { BlobGone } from '../storage/blobs.ts';
import type { Storage } from '../storage/storage.ts';
import { type Row, textOf, textToValues } from '../storage/table.ts';

/*
 * Audit files in Azure Table storage. Those of an administration are one partition, so that no query can read another's:
 *
 *   file.{id}          what is known of it, encrypted
 *   part.{id}.{part}   the SHA-256 of what a received part holds
 *
 * The parts are the blobs {owner}/{id}/{part}, compressed as they came, until the file was imported.
 */

/** An audit file that is brought in. Moments are milliseconds since 1970. */
export type StoredAuditfile = Pick<Auditfile, 'id' | 'by' | 'name' | 'bytes' | 'state' | 'report' | 'message'> & {
  owner: string;
  choices: AuditfileChoices;
  /** Whether the work that is under way is to be cancelled. */
  isCancelled: boolean;
  progress: number;
  /** When the work that is under way was asked for; those of earlier versions have none. */
  askedOn?: number;
  /** How often a worker has begun the work that is under way. */
  attempts: number;
  /** The credential of who asked for that work, encrypted; "" without any. */
  credential: string;
  createdOn: number;
  updatedOn: number;
  endedOn: number | null;
  /** Whether it is being erased: nobody finds it any more. */
  isErased?: boolean;
};

/** The part of the secrets of pushes that audit files use. */
export type AuditfileSecrets = Pick<PushSecrets, 'encrypted' | 'decrypted' | 'encryptedRows' | 'rowsIn'>;

/** What is encrypted for an audit file is bound to it. */
export const bindingOf = ({ owner, id }: Pick<StoredAuditfile, 'owner' | 'id'>): string => `auditfile ${owner}.${id}`;

const keyOf = {
  file: (id: string) => `file.${id}`,
  part: (id: string, part: number) => `part.${id}.${String(part).padStart(4, '0')}`,
};

export const isRunning = ({ state }: Pick<StoredAuditfile, 'state'>): boolean =>
  state === 'checking' || state === 'importing' || state === 'withdrawing';

/** Whether a file was imported once: its parts are erased. */
export const wasImported = ({ state }: Pick<StoredAuditfile, 'state'>): boolean =>
  state === 'imported' || state === 'withdrawing' || state === 'withdrawn';

export type AuditfileStore = ReturnType<typeof openAuditfileStore>;

export function openAuditfileStore(
  storage: Pick<Storage, 'table' | 'blobs'>,
  { encryptedRows, rowsIn }: Pick<AuditfileSecrets, 'encryptedRows' | 'rowsIn'>,
) {
  const table = storage.table('auditfiles');
  const blobs = storage.blobs('auditfiles');
  const rowOf = (file: StoredAuditfile): Row => ({
    partition: file.owner,
    key: keyOf.file(file.id),
    values: {
      ...textToValues(encryptedRows(JSON.stringify(file), bindingOf(file))),
      updatedOn: String(file.updatedOn),
    },
  });
  const fileIn = (row: Row): StoredAuditfile => {
    const [owner, id] = [row.partition, row.key.slice(keyOf.file('').length)];
    return JSON.parse(rowsIn(textOf(row), bindingOf({ owner, id })));
  };
  const pathOf = (owner: string, id: string, part = ''): string => `${owner}/${id}/${part}`;

  async function removeParts(owner: string, id: string): Promise<void> {
    for await (const path of blobs.list(pathOf(owner, id))) await (await blobs.blob(path)).remove();
    await table.removeAll({ partition: owner, after: `part.${id}.`, before: `part.${id}/` });
  }

  /** @throws Problem NOT_FOUND */
  async function find(owner: string, id: string): Promise<{ file: StoredAuditfile; version: string }> {
    const row = /^[0-9a-f]{32}$/.test(id) ? await table.get(owner, keyOf.file(id)) : undefined;
    const file = row && readable(() => fileIn(row));
    if (file === undefined || file.isErased) {
      throw new Problem('NOT_FOUND', `There is no audit file ${id.slice(0, 100)}.`);
    }
    return { file, version: row!.version };
  }

  /**
   * Changes a file, and tries again when another writer changed it first.
   * @param change returns undefined when there is nothing to change; what it throws is thrown
   * @throws Problem NOT_FOUND
   */
  async function change(
    owner: string,
    id: string,
    change: (file: StoredAuditfile) => StoredAuditfile | undefined,
  ): Promise<StoredAuditfile> {
    for (;;) {
      const { file, version } = await find(owner, id);
      const changed = change(file);
      if (changed === undefined) return file;
      const next = { ...changed, updatedOn: Date.now() };
      if ((await table.replace(rowOf(next), version)) !== undefined) return next;
    }
  }

  async function remove(owner: string, id: string): Promise<void> {
    await removeParts(owner, id);
    await table.remove(owner, keyOf.file(id));
    // One may have arrived in between; what arrives from now on finds no file.
    await removeParts(owner, id);
  }

  return {
    find,

    /** The audit files of an administration, the latest first. Without those whose secret key is gone. */
    async list(owner: string): Promise<StoredAuditfile[]> {
      const rows = await Array.fromAsync(table.list({ partition: owner, after: 'file.', before: 'file/' }));
      return rows
        .flatMap((row) => readable(() => fileIn(row)) ?? [])
        .filter(({ isErased }) => !isErased)
        .sort((a, b) => b.createdOn - a.createdOn);
    },

    /** Those of all administrations. A file whose secret key is gone is named with its last change only. */
    async *all(): AsyncGenerator<
      { owner: string; id: string; updatedOn: number; file: StoredAuditfile | undefined },
      void
    > {
      for await (const row of table.list({ after: 'file.', before: 'file/' })) {
        const [owner, id] = [row.partition, row.key.slice(keyOf.file('').length)];
        const file = readable(() => fileIn(row));
        yield { owner, id, updatedOn: Number(row.values.updatedOn), file };
      }
    },

    create: async (file: StoredAuditfile): Promise<void> => {
      await table.insert(rowOf(file));
    },

    change,

    /**
     * Stores a part; another one of that number is replaced. Of a file that was removed meanwhile nothing stays.
     * @param compressed as it came
     */
    async savePart(owner: string, id: string, part: number, compressed: Uint8Array, sha256: string): Promise<void> {
      const blob = await blobs.blob(pathOf(owner, id, String(part)));
      // In one request: the commit of a block would end the block that another request staged for the same part.
      await blob.write(compressed);
      await table.put({ partition: owner, key: keyOf.part(id, part), values: { sha256 } });
      if ((await table.get(owner, keyOf.file(id))) === undefined) await removeParts(owner, id);
    },

    /** The received parts, in their order. */
    parts: (owner: string, id: string): Promise<Auditfile['parts']> =>
      Array.fromAsync(
        table.list({ partition: owner, after: `part.${id}.`, before: `part.${id}/` }),
        ({ key, values }) => ({ part: Number(key.slice(-4)), sha256: values.sha256! }),
      ),

    /** A part as it came; undefined when it was removed. */
    async part(owner: string, id: string, part: number): Promise<Buffer | undefined> {
      try {
        return await buffer((await blobs.blob(pathOf(owner, id, String(part)))).bytes());
      } catch (failure) {
        if (failure instanceof BlobGone) return undefined;
        throw failure;
      }
    },

    removeParts,

    remove,

    /**
     * Removes a file with which no work begins any more.
     * @param refuse throws when it is not to be removed
     * @throws Problem NOT_FOUND
     */
    async erase(owner: string, id: string, refuse: (file: StoredAuditfile) => void): Promise<void> {
      await change(owner, id, (file) => {
        refuse(file);
        return { ...file, isErased: true };
      });
      await remove(owner, id);
    },
  };
}

/** What a function returns; undefined when that cannot be decrypted. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
