import * as z from 'zod/mini';
import { type AdministrationIdentity, administrationIdentity } from '../../../shared/resources/administration.ts';
import { parseStored } from '../../excel/storedValues.ts';
import {
  type Administration,
  idsOf,
  isOfEarlierVersion,
  isSameAdministration,
} from '../../excel/tables/tableMemory.ts';
import { inReadingOrder } from '../locales/readingOrder.ts';

/** An administration that this browser has a credential for, with its label. */
const connection = z.object({
  id: z.string().check(z.minLength(1)),
  /** A display name only: two connections may have the same. */
  label: z.string().check(z.minLength(1)),
  username: z.string().check(z.minLength(1)),
  apiKey: z.string().check(z.minLength(1)),
  /** The administration as the app last described it; missing in a connection of an earlier version. */
  identity: z.catch(z.optional(administrationIdentity), undefined),
  /** Ids that the user confirmed to be of the same administration. */
  earlierIds: z.catch(z.readonly(z.array(z.string())), []),
  /** Whether it was pushed to before: the first push has a warning. */
  pushedBefore: z.catch(z.boolean(), false),
  /** Milliseconds since 1970. */
  addedOn: z.catch(z.number(), 0),
});
export type Connection = z.infer<typeof connection>;

/** A connection whose administration is known. */
export type IdentifiedConnection = Connection & { identity: AdministrationIdentity };

export const isIdentified = (one: Connection | undefined): one is IdentifiedConnection => one?.identity !== undefined;

const unlessUnknown = (text: string): string | undefined => (text === 'unknown' || text === '' ? undefined : text);

/** The part of a connection that a sheet may contain: never its credential. */
export function administrationOf({ id, label, identity, earlierIds }: Connection): Administration {
  if (identity === undefined) return { id, label };
  return {
    id: identity.id,
    alsoKnownAs: [...new Set([...identity.alsoKnownAs, ...earlierIds])],
    kind: identity.kind,
    name: unlessUnknown(identity.name),
    country: unlessUnknown(identity.country),
    label,
  };
}

/**
 * Whether something was begun with another key than that of a connection, by an administration that was stored then. Of
 * a built-in administration all keys are alike; a remote one has an id for each, and only a person said that it is the
 * same.
 */
export function isOfOtherKey({ id: begunBy }: Administration, one: IdentifiedConnection): boolean {
  const { id, identity, earlierIds } = one;
  // Earlier versions stored the id of the connection, which a replaced key has too.
  const ofKey = [identity.id, ...identity.alsoKnownAs, ...(earlierIds.length === 0 ? [id] : [])];
  return identity.kind === 'remote' && !ofKey.includes(begunBy);
}

/** The words for an administration: its real name, or else the label that the user gave it. */
export const wordsFor = ({ name, label }: Pick<Administration, 'name' | 'label'>): string =>
  inReadingOrder(name ?? label);

/** What is shown below the name of an administration: its label, if that says more, and the service it is at. */
export const captionOf = (one: Connection): string => {
  const label = inReadingOrder(one.label);
  return [label === wordsFor(administrationOf(one)) ? '' : label, one.identity?.address ?? '']
    .filter(Boolean)
    .join(' · ');
};

/** All connections of this browser, and the active one of the pane. */
export type Connections = { all: readonly Connection[]; activeId: string | null };

export const noConnections: Connections = { all: [], activeId: null };

export const activeConnection = ({ all, activeId }: Connections): Connection | undefined =>
  all.find(({ id }) => id === activeId);

/** The connections to an administration, the latest first; one of an earlier version is known by its own id. */
export const connectionsTo = (all: readonly Connection[], wanted: Administration): Connection[] =>
  all
    .filter((one) => isSameAdministration(administrationOf(one), wanted) || idsOf(wanted).includes(one.id))
    .sort((one, other) => other.addedOn - one.addedOn);

/**
 * The connection of a pane that is opened: to the administration that its workbook used last, or else the one that was
 * last active in this tab or this browser. A sheet of an earlier version knows only the label of its administration, so
 * that is no more than a hint: the user is asked about it.
 * @returns the id of the connection, or the administration that there is none to
 */
export function connectionToOpen(
  all: readonly Connection[],
  used: Administration | undefined,
  lastInTab: string | null,
  lastInBrowser: string | null,
): { opened: string | null; missing?: Administration } {
  const last = idAmong(all, lastInTab) ?? idAmong(all, lastInBrowser) ?? null;
  if (used === undefined) return { opened: last };
  const candidates = connectionsTo(all, used).map(({ id }) => id);
  const found = candidates.find((id) => id === lastInTab) ?? candidates[0];
  if (found !== undefined) return { opened: found };
  if (!isOfEarlierVersion(used)) return { opened: null, missing: used };
  return { opened: all.find(({ label }) => label === used.label)?.id ?? last };
}

/**
 * The connection that a new one replaces, since only the key is new: by the same person to the same administration. A
 * connection that has its label only is not replaced.
 */
export const connectionReplacedBy = (all: readonly Connection[], made: IdentifiedConnection): Connection | undefined =>
  all.find(
    ({ identity }) =>
      identity !== undefined &&
      identity.username === made.identity.username &&
      [identity.id, ...identity.alsoKnownAs].some((id) =>
        [made.identity.id, ...made.identity.alsoKnownAs].includes(id),
      ),
  );

/**
 * Adds a connection and makes it active. A new key of the same person for the same administration takes the place of
 * the earlier one, with what that is known by.
 * @param replaced the connection that it replaces, if any
 */
export function withConnection(
  { all }: Connections,
  made: Connection,
  replaced: Connection | undefined = isIdentified(made) ? connectionReplacedBy(all, made) : undefined,
): Connections {
  const before = all.find(({ id }) => id === replaced?.id);
  if (before === undefined) return { all: [...all, made], activeId: made.id };
  const { id, pushedBefore, addedOn } = before;
  const known = idsOf(administrationOf(before)).filter((one) => one !== made.identity?.id);
  const next = { ...made, id, pushedBefore, addedOn, earlierIds: [...new Set([...known, ...before.earlierIds])] };
  return { all: all.map((one) => (one === before ? next : one)), activeId: id };
}

export const withChange = (
  { all, activeId }: Connections,
  id: string,
  change: Partial<Omit<Connection, 'id'>>,
): Connections => ({
  all: all.map((connection) => (connection.id === id ? { ...connection, ...change } : connection)),
  activeId,
});

/**
 * Records how the app describes the administration of a connection. The same credential may open another administration
 * when the app was moved to another database: then nothing of the earlier one counts any more.
 */
export function withIdentity(now: Connections, id: string, identity: AdministrationIdentity): Connections {
  const before = now.all.find((one) => one.id === id);
  if (before === undefined || JSON.stringify(before.identity) === JSON.stringify(identity)) return now;
  const described = { ...before, identity, earlierIds: [] };
  const isSame =
    before.identity === undefined || isSameAdministration(administrationOf(before), administrationOf(described));
  return withChange(now, id, isSame ? { identity } : { identity, earlierIds: [], pushedBefore: false });
}

/** Records that an administration in a sheet is the one of a connection, as the user confirmed. */
export function withEarlierIds(now: Connections, id: string, same: Administration): Connections {
  const before = now.all.find((one) => one.id === id);
  if (before === undefined) return now;
  return withChange(now, id, { earlierIds: [...new Set([...before.earlierIds, ...idsOf(same)])] });
}

/** Removes a connection; if it was active, none is: the workbook stays with its administration. */
export const without = ({ all, activeId }: Connections, id: string): Connections => ({
  all: all.filter((connection) => connection.id !== id),
  activeId: activeId === id ? null : activeId,
});

type ConnectionStorage = Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;

/** A change of connections, applied to the stored ones, since another tab may have changed them too. */
export type ConnectionsChange = (now: Connections) => Connections;

/**
 * Stores connections in the storage of the browser, never in the workbook, which is shared. Each has an item of its own:
 * tabs that change connections at the same moment would overwrite each other's in a common one. Each pane has its own
 * active connection; the stored one is active in the next pane beside a workbook that remembers none.
 * @param storage returns the storage, or throws when the browser forbids it
 * @param partition of the storage, which Excel on the web makes for each site that embeds it
 */
export function connectionStore(storage: () => ConnectionStorage, partition: string | undefined) {
  const prefix = `${partition ?? ''}ledgerline.connection.`;
  const active = `${partition ?? ''}ledgerline.activeConnection`;
  /** The ids of connections that the storage lacks as they are now, since it was full: only this pane knows them. */
  const unstored = new Set<string>();

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
    /** The stored connections of all tabs, with the pane's active one if it still exists. Unchanged ones stay the same objects. */
    merged(now: Connections): Connections {
      const texts = new Map(now.all.map((one) => [JSON.stringify(one), one]));
      const own = now.all.filter(({ id }) => unstored.has(id));
      const others = stored()?.all.filter(({ id }) => idAmong(own, id) === undefined);
      const all =
        others === undefined ? now.all : [...others.map((one) => texts.get(JSON.stringify(one)) ?? one), ...own];
      return { all, activeId: idAmong(all, now.activeId) ?? null };
    },
    /** @returns the connections after a change, and whether they could be stored: a browser may forbid it */
    change(now: Connections, change: ConnectionsChange): { connections: Connections; isStored: boolean } {
      const before = store.merged(now);
      const connections = change(before);
      const { all, activeId } = connections;
      for (const one of all) if (!before.all.includes(one)) unstored.add(one.id);
      try {
        const items = storage();
        for (const { id } of before.all) if (idAmong(all, id) === undefined) items.removeItem(prefix + id);
        for (const one of all) {
          if (!unstored.has(one.id)) continue;
          items.setItem(prefix + one.id, JSON.stringify(one));
          unstored.delete(one.id);
        }
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
