import type { Credential } from '../../shared/client/client.ts';
import type { Administration } from '../excel/tables/tableMemory.ts';

/** An administration that this browser has a credential for, with its label. */
export type Connection = Credential & {
  id: string;
  label: string;
  /** Whether something was pushed to it before: the first push is asked about. */
  pushedBefore: boolean;
};

/** What a sheet may know of a connection: never its credential. */
export const administrationOf = ({ id, label }: Connection): Administration => ({ id, label });

/** All connections of this browser; the active one is what the pane works with. */
export type Connections = { all: readonly Connection[]; activeId: string | null };

export const noConnections: Connections = { all: [], activeId: null };

export const activeConnection = ({ all, activeId }: Connections): Connection | undefined =>
  all.find(({ id }) => id === activeId);

/** With a connection added and made the active one; one with the same label is replaced. */
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

/** Without a connection; when it was the active one, the first of the others takes its place. */
export const without = ({ all, activeId }: Connections, id: string): Connections => {
  const others = all.filter((connection) => connection.id !== id);
  return { all: others, activeId: activeId === id ? (others[0]?.id ?? null) : activeId };
};

/** A change of connections, made on what the browser keeps by then: another tab may have changed it too. */
export type ConnectionsChange = (now: Connections) => Connections;

/**
 * Where connections are stored: the storage of the browser, never the workbook, which travels. Each pane has its own
 * active connection; the stored one is where the next pane begins.
 * @param storage gives the storage, or throws where the browser keeps it closed
 * @param partition Excel on the web gives each site that embeds it a part of the storage of its own
 */
export function connectionStore(storage: () => Pick<Storage, 'getItem' | 'setItem'>, partition: string | undefined) {
  const name = `${partition ?? ''}ledgerline.connections`;

  /** What the browser keeps; undefined when it keeps nothing at all. */
  const stored = (): Connections | undefined => {
    let text: string | null;
    try {
      text = storage().getItem(name);
    } catch {
      return undefined;
    }
    try {
      const kept = JSON.parse(text ?? 'null') as Partial<Connections> | null;
      if (!Array.isArray(kept?.all)) return noConnections;
      const all = kept.all.filter(isConnection);
      return { all, activeId: idAmong(all, kept.activeId) ?? all[0]?.id ?? null };
    } catch {
      return noConnections;
    }
  };

  const store = {
    name,
    /** Whether the browser keeps anything. */
    isOpen: (): boolean => stored() !== undefined,
    read: (): Connections => stored() ?? noConnections,
    /** The connections of all tabs, with the active one of a pane as long as it is among them. */
    merged(now: Connections): Connections {
      const all = stored()?.all ?? now.all;
      return { all, activeId: idAmong(all, now.activeId) ?? null };
    },
    /** @returns the connections after a change, and whether they could be stored: a browser may forbid it */
    change(now: Connections, change: ConnectionsChange): { connections: Connections; isStored: boolean } {
      const connections = change(store.merged(now));
      try {
        storage().setItem(name, JSON.stringify(connections));
        return { connections, isStored: true };
      } catch {
        return { connections, isStored: false };
      }
    },
  };
  return store;
}

const idAmong = (all: readonly Connection[], id: unknown): string | undefined =>
  all.find((connection) => connection.id === id)?.id;

const isConnection = (value: unknown): value is Connection => {
  const { id, label, username, apiKey } = Object(value) as Record<string, unknown>;
  return [id, label, username, apiKey].every((text) => typeof text === 'string' && text !== '');
};
