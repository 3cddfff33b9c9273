import { z } from 'zod';
import { parseStored } from '../excel/storedValues.ts';
import type { Administration } from '../excel/tables/tableMemory.ts';

/** An administration that this browser has a credential for, with its label. */
const connection = z.object({
  id: z.string().min(1),
  label: z.string().min(1),
  username: z.string().min(1),
  apiKey: z.string().min(1),
  /** Whether it was pushed to before: the first push has a warning. */
  pushedBefore: z.boolean().catch(false),
  /** Milliseconds since 1970. */
  addedOn: z.number().catch(0),
});
export type Connection = z.infer<typeof connection>;

/** The part of a connection that a sheet may contain: never its credential. */
export const administrationOf = ({ id, label }: Connection): Administration => ({ id, label });

/** All connections of this browser, and the active one of the pane. */
export type Connections = { all: readonly Connection[]; activeId: string | null };

export const noConnections: Connections = { all: [], activeId: null };

export const activeConnection = ({ all, activeId }: Connections): Connection | undefined =>
  all.find(({ id }) => id === activeId);

/** Adds a connection and makes it active; one with the same label is replaced. */
export const withConnection = ({ all }: Connections, connection: Connection): Connections => ({
  all: [...all.filter(({ label }) => label !== connection.label), connection],
  activeId: connection.id,
});

export const withChange = (
  { all, activeId }: Connections,
  id: string,
  change: Partial<Omit<Connection, 'id'>>,
): Connections => ({
  all: all.map((connection) => (connection.id === id ? { ...connection, ...change } : connection)),
  activeId,
});

/** Removes a connection; if it was active, the first of the others becomes active. */
export const without = ({ all, activeId }: Connections, id: string): Connections => {
  const others = all.filter((connection) => connection.id !== id);
  return { all: others, activeId: activeId === id ? (others[0]?.id ?? null) : activeId };
};

type ConnectionStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/** A change of connections, applied to the stored ones, since another tab may have changed them too. */
export type ConnectionsChange = (now: Connections) => Connections;

/**
 * Stores connections in the storage of the browser, never in the workbook, which is shared. Each has an item of its own:
 * tabs that change connections at the same moment would overwrite each other's in a common one. Each pane has its own
 * active connection; the stored one is active in the next pane.
 * @param storage returns the storage, or throws when the browser forbids it
 * @param partition of the storage, which Excel on the web makes for each site that embeds it
 */
export function connectionStore(storage: () => ConnectionStorage, partition: string | undefined) {
  const prefix = `${partition ?? ''}ledgerline.connection.`;
  const active = `${partition ?? ''}ledgerline.activeConnection`;

  /** The stored connections, the earliest added first; undefined when the browser has no storage. */
  const stored = (): Connections | undefined => {
    try {
      const items = storage();
      const names = Array.from({ length: items.length }, (_, index) => items.key(index) ?? '');
      const all = names
        .filter((name) => name.startsWith(prefix))
        .flatMap((name) => parseStored(connection, items.getItem(name) ?? '') ?? [])
        .sort((one, other) => one.addedOn - other.addedOn || (one.id < other.id ? -1 : 1));
      return { all, activeId: idAmong(all, items.getItem(active)) ?? all[0]?.id ?? null };
    } catch {
      return undefined;
    }
  };

  const store = {
    /** Whether an item of the storage is a connection; null: all items were removed. */
    has: (name: string | null): boolean => name === null || name.startsWith(prefix),
    /** Whether the browser has a storage. */
    isOpen: (): boolean => stored() !== undefined,
    read: (): Connections => stored() ?? noConnections,
    /** The stored connections of all tabs, with the pane's active one if it still exists. */
    merged(now: Connections): Connections {
      const all = stored()?.all ?? now.all;
      return { all, activeId: idAmong(all, now.activeId) ?? null };
    },
    /** @returns the connections after a change, and whether they could be stored: a browser may forbid it */
    change(now: Connections, change: ConnectionsChange): { connections: Connections; isStored: boolean } {
      const before = store.merged(now);
      const connections = change(before);
      const { all, activeId } = connections;
      try {
        const items = storage();
        for (const one of all) if (!before.all.includes(one)) items.setItem(prefix + one.id, JSON.stringify(one));
        for (const { id } of before.all) if (idAmong(all, id) === undefined) items.removeItem(prefix + id);
        items.setItem(active, activeId ?? '');
        return { connections, isStored: true };
      } catch {
        return { connections, isStored: false };
      }
    },
  };
  return store;
}

const idAmong = (all: readonly Connection[], id: string | null): string | undefined =>
  all.find((connection) => connection.id === id)?.id;
