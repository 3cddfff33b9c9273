import { describe, expect, it } from 'vitest';
import type { AdministrationIdentity } from '../../../shared/resources/administration.ts';
import { administration, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import {
  activeConnection,
  administrationOf,
  type Connection,
  captionOf,
  connectionStore,
  connectionsTo,
  connectionToOpen,
  type IdentifiedConnection,
  isOfOtherKey,
  noConnections,
  withChange,
  withConnection,
  withEarlierIds,
  withIdentity,
  without,
  wordsFor,
} from './connections.ts';

const connection = (id: string, label: string): Connection => ({
  id,
  label,
  username: `${id}@example.com`,
  apiKey: `key of ${id}`,
  earlierIds: [],
  pushedBefore: false,
  addedOn: 0,
});

const identityOf = (id: string, more: Partial<AdministrationIdentity> = {}): AdministrationIdentity => ({
  id,
  alsoKnownAs: [],
  name: `Books ${id}`,
  country: 'NL',
  kind: 'builtin',
  username: 'jo@example.com',
  rights: { read: true, write: true, import: false },
  archived: false,
  available: { pushes: true, products: true, exports: true, documents: true, ledger: true },
  ...more,
});

/** A connection to books with an id. */
const identified = (
  id: string,
  label: string,
  books: string,
  more: Partial<AdministrationIdentity> = {},
): IdentifiedConnection => ({ ...connection(id, label), identity: identityOf(books, more) });

const memory = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
};

describe('Connections', () => {
  it('are restored in a reopened pane, with the active one', () => {
    const storage = memory();
    const both = withConnection(withConnection(noConnections, connection('a', 'First')), connection('b', 'Second'));
    expect(connectionStore(() => storage, undefined).change(noConnections, () => both).isStored).toBe(true);
    const read = connectionStore(() => storage, undefined).read();
    expect(read).toEqual(both);
    expect(activeConnection(read)?.label).toBe('Second');
  });

  it('of another partition of the storage are not read', () => {
    const storage = memory();
    connectionStore(() => storage, 'one|').change(noConnections, (now) =>
      withConnection(now, connection('a', 'First')),
    );
    expect(connectionStore(() => storage, 'two|').read()).toEqual(noConnections);
    expect([...storage.kept.keys()].every((name) => name.startsWith('one|ledgerline.'))).toBe(true);
  });

  it.each(['', 'x', '{}', '{"id":1}', 'null', '[]'])('are none when the storage contains %j', (text) => {
    const storage = memory();
    storage.setItem('ledgerline.connection.a', text);
    expect(connectionStore(() => storage, undefined).read().all).toEqual([]);
  });

  const noStorage = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const refusing = { ...memory(), setItem: noStorage };
  it.each([
    ['refuses to write', refusing, true],
    ['refuses to read', { ...refusing, length: 1, key: noStorage }, false],
    ['has no storage', undefined, false],
  ])('work, reported as not stored, when the browser %s', (_, storage, isOpen) => {
    const store = connectionStore(() => storage ?? noStorage(), undefined);
    expect([store.isOpen(), store.read()]).toEqual([isOpen, noConnections]);
    const first = store.change(noConnections, (now) => withConnection(now, connection('a', 'First')));
    expect(first).toMatchObject({ isStored: false, connections: { activeId: 'a' } });
    const second = store.change(first.connections, (now) => withConnection(now, connection('b', 'Second')));
    expect(second.connections.all.map(({ label }) => label)).toEqual(['First', 'Second']);
    const renamed = store.change(second.connections, (now) => withChange(now, 'a', { label: 'Renamed' }));
    // Another tab may have changed the stored ones.
    const third = store.change(store.merged(renamed.connections), (now) => without(now, 'b'));
    expect(third.connections).toMatchObject({ all: [{ id: 'a', label: 'Renamed' }], activeId: null });
  });

  it('that did not fit into the storage are stored with the next change that does, beside those of other tabs', () => {
    const storage = memory();
    let isFull = false;
    const filling = {
      ...storage,
      get length() {
        return storage.length;
      },
      setItem: (name: string, value: string) => {
        if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        storage.setItem(name, value);
      },
    };
    const store = connectionStore(() => filling, undefined);
    const other = connectionStore(() => storage, undefined);
    const before = store.change(noConnections, (now) => withConnection(now, connection('a', 'First'))).connections;
    isFull = true;
    const added = store.change(before, (now) => withConnection(now, connection('b', 'Second')));
    expect(added).toMatchObject({ isStored: false, connections: { activeId: 'b' } });
    other.change(other.read(), (now) => without(withConnection(now, connection('c', 'Third')), 'a'));
    expect(store.merged(added.connections).all.map(({ id }) => id)).toEqual(['c', 'b']);
    isFull = false;
    const pushed = store.change(added.connections, (now) => withChange(now, 'c', { pushedBefore: true }));
    expect(pushed).toMatchObject({ isStored: true, connections: { activeId: 'b' } });
    expect(other.read().all.map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('that three tabs add are all stored', () => {
    const storage = memory();
    const tabs = ['a', 'b', 'c'].map((id) => ({ id, store: connectionStore(() => storage, undefined) }));
    const opened = tabs.map(({ store }) => store.read());
    const added = tabs.map(
      ({ id, store }, index) =>
        store.change(opened[index]!, (now) => withConnection(now, connection(id, `Label ${id}`))).connections,
    );
    expect(tabs[0]!.store.read().all.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    // The active connection of a tab does not change.
    expect(tabs.map(({ store }, index) => store.merged(added[index]!).activeId)).toEqual(['a', 'b', 'c']);
  });

  it('that tabs add at the same moment are all stored, when a browser passes changes on later', () => {
    const tabs = ['a', 'b', 'c'].map((id) => ({ id, storage: memory() }));
    for (const { id, storage } of tabs) {
      connectionStore(() => storage, undefined).change(noConnections, (now) =>
        withConnection(now, connection(id, `Label ${id}`)),
      );
    }
    const changes = tabs.flatMap(({ storage }) => [...storage.kept]);
    for (const { storage } of tabs) {
      for (const [name, value] of changes) storage.setItem(name, value);
      const { all } = connectionStore(() => storage, undefined).read();
      expect(all.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    }
  });

  it('that were removed are not restored by another tab', () => {
    const storage = memory();
    const [one, other] = [connectionStore(() => storage, undefined), connectionStore(() => storage, undefined)];
    const before = one.change(noConnections, (now) => withConnection(now, connection('a', 'First'))).connections;
    other.change(other.read(), (now) => without(now, 'a'));
    const after = one.change(before, (now) => withChange(now, 'a', { pushedBefore: true })).connections;
    expect(after).toEqual(noConnections);
    expect(one.read()).toEqual(noConnections);
  });

  it('have no other active one when the active one is removed: the workbook stays with its administration', () => {
    const both = withConnection(withConnection(noConnections, connection('a', 'First')), connection('b', 'Second'));
    expect(activeConnection(without(both, 'b'))).toBeUndefined();
    expect(activeConnection(without(both, 'a'))?.label).toBe('Second');
  });

  it('keep their credential when they are renamed', () => {
    const renamed = withChange(withConnection(noConnections, connection('a', 'First')), 'a', { label: 'Mine' });
    expect(activeConnection(renamed)).toMatchObject({ label: 'Mine', apiKey: 'key of a' });
  });

  it('give a sheet the ids and names of their administration, and nothing of the credential', () => {
    const one = { ...identified('a', 'Klant A', 'books', { alsoKnownAs: ['older'] }), earlierIds: ['old key'] };
    const stored = administration.parse(administrationOf(one));
    expect(stored).toEqual({
      id: 'books',
      alsoKnownAs: ['older', 'old key'],
      kind: 'builtin',
      name: 'Books books',
      country: 'NL',
      label: 'Klant A',
    });
    expect(JSON.stringify(stored)).not.toMatch(/key of|example\.com/);
  });

  it('unchanged ones stay the same objects when another tab changed others', () => {
    const storage = memory();
    const [one, other] = [connectionStore(() => storage, undefined), connectionStore(() => storage, undefined)];
    const { connections } = one.change(noConnections, (now) => withConnection(now, identified('a', 'First', 'x')));
    other.change(other.read(), (now) => withConnection(now, identified('b', 'Second', 'y')));
    const merged = one.merged(one.merged(connections));
    expect(merged.all).toHaveLength(2);
    expect(one.merged(merged).all[0]).toBe(merged.all[0]);
    expect(merged.activeId).toBe('a');
  });
});

describe('What was begun with a key', () => {
  const old = administrationOf(identified('c1', 'Klant A', 'key 1', { kind: 'remote' }));
  const next = identified('c2', 'Klant A', 'key 2', { kind: 'remote' });

  it('is of another key once the key of a remote administration is replaced, whatever the user confirmed', () => {
    expect(isOfOtherKey(old, next)).toBe(true);
    expect(isOfOtherKey(old, { ...next, earlierIds: ['key 1'] })).toBe(true);
    expect(isOfOtherKey(administrationOf(next), next)).toBe(false);
  });

  it('is of the same key under a new secret key of the app, and for a connection of an earlier version', () => {
    expect(isOfOtherKey(old, identified('c1', '', 'new', { kind: 'remote', alsoKnownAs: ['key 1'] }))).toBe(false);
    expect(isOfOtherKey({ id: 'c2', label: 'Klant A' }, next)).toBe(false);
    // A replaced key has the id of the connection that it replaced.
    expect(isOfOtherKey({ id: 'c2', label: 'Klant A' }, { ...next, earlierIds: ['key 1'] })).toBe(true);
  });

  it('is of no other key of a built-in administration, whose keys all see it', () => {
    const { id, label } = administrationOf(identified('c1', 'Klant A', 'books'));
    expect(isOfOtherKey({ id, label }, identified('c2', 'Klant A', 'books', { username: 'bert@example.com' }))).toBe(
      false,
    );
  });
});

describe('The administration of a connection', () => {
  it('is another one under the same label, and neither connection takes the place of the other', () => {
    const dutch = identified('a', 'Klant A', 'dutch');
    const belgian = identified('b', 'Klant A', 'belgian');
    const both = withConnection(withConnection(noConnections, dutch), belgian);
    expect(both.all).toEqual([dutch, belgian]);
    expect(isSameAdministration(administrationOf(dutch), administrationOf(belgian))).toBe(false);
    expect(connectionsTo(both.all, administrationOf(dutch)).map(({ id }) => id)).toEqual(['a']);
  });

  it('is the same one under another label', () => {
    const before = administrationOf(identified('a', 'Klant A', 'dutch'));
    const after = administrationOf(identified('b', 'Bakkerij', 'dutch'));
    expect(isSameAdministration(before, after)).toBe(true);
  });

  it('keeps its connection, with what it is known by, when its key is replaced', () => {
    const before = { ...identified('a', 'Klant A', 'dutch'), earlierIds: ['c1'], pushedBefore: true };
    const replaced = withConnection(withConnection(noConnections, before), {
      ...identified('b', 'Bakkerij', 'dutch'),
      apiKey: 'new key',
    });
    expect(replaced.all).toHaveLength(1);
    expect(replaced.all[0]).toMatchObject({
      id: 'a',
      label: 'Bakkerij',
      apiKey: 'new key',
      earlierIds: ['c1'],
      pushedBefore: true,
    });
    expect(replaced.activeId).toBe('a');
  });

  it('has another connection for another person', () => {
    const jo = identified('a', 'Klant A', 'dutch');
    const an = identified('b', 'Klant A', 'dutch', { username: 'an@example.com' });
    expect(withConnection(withConnection(noConnections, jo), an).all).toEqual([jo, an]);
  });

  it('of a remote key that was replaced is the same one once the user confirmed it', () => {
    const remote = { kind: 'remote', name: 'unknown', address: 'books.example' } as const;
    const old = identified('a', 'Klant A', 'hash 1', { ...remote, alsoKnownAs: ['hash 0'] });
    const made = identified('b', 'Klant A', 'hash 2', remote);
    const both = withConnection(withConnection(noConnections, old), made);
    expect(both.all).toHaveLength(2);
    expect(connectionsTo(both.all, administrationOf(old)).map(({ id }) => id)).toEqual(['a']);

    const confirmed = withEarlierIds(both, 'b', administrationOf(old));
    const ofSheet = administrationOf(old);
    expect(isSameAdministration(administrationOf(activeConnection(confirmed)!), ofSheet)).toBe(true);
    // A sheet that is refreshed with the new key is still known under the old one.
    expect(isSameAdministration(administrationOf(old), administrationOf(activeConnection(confirmed)!))).toBe(true);

    const replaced = withConnection(withConnection(noConnections, old), made, old);
    expect(replaced.all).toMatchObject([{ id: 'a', apiKey: 'key of b', earlierIds: ['hash 1', 'hash 0'] }]);
  });

  it('is remembered from a connection of an earlier version by the id of that connection', () => {
    const { identity, ...old } = identified('c1', 'Klant A', 'dutch');
    const storage = memory();
    const { earlierIds, ...stored } = old;
    storage.setItem('ledgerline.connection.c1', JSON.stringify(stored));
    const read = connectionStore(() => storage, undefined).read();
    expect(read.all).toEqual([{ ...old, earlierIds: [] }]);
    const known = withIdentity(read, 'c1', identity);
    expect(activeConnection(known)?.identity).toEqual(identity);
    const ofSheet = { id: 'c1', label: 'Klant A' };
    expect(connectionsTo(known.all, ofSheet).map(({ id }) => id)).toEqual(['c1']);
    // The user is asked first.
    expect(isSameAdministration(administrationOf(known.all[0]!), ofSheet)).toBe(false);
  });

  it('is opened again with the workbook that used it last, whatever was used elsewhere', () => {
    const [dutch, belgian] = [identified('a', 'Klant A', 'dutch'), identified('b', 'Klant B', 'belgian')];
    const again = { ...identified('c', 'Klant A', 'dutch'), addedOn: 5 };
    const all = [dutch, belgian, again];
    const used = administrationOf(dutch);
    expect(connectionToOpen(all, used, 'b', 'b')).toEqual({ opened: 'c' });
    expect(connectionToOpen(all, used, 'a', 'b')).toEqual({ opened: 'a' });
    expect(connectionToOpen([belgian], used, 'b', 'b')).toEqual({ opened: null, missing: used });
    // A workbook that used none.
    expect(connectionToOpen(all, undefined, 'a', 'b')).toEqual({ opened: 'a' });
    expect(connectionToOpen(all, undefined, 'gone', 'b')).toEqual({ opened: 'b' });
    expect(connectionToOpen([], undefined, null, null)).toEqual({ opened: null });
    // A workbook of an earlier version.
    expect(connectionToOpen(all, { id: 'old', label: 'Klant B' }, 'a', 'a')).toEqual({ opened: 'b' });
    expect(connectionToOpen(all, { id: 'old', label: 'Klant C' }, 'a', 'b')).toEqual({ opened: 'a' });
    expect(connectionToOpen(all, { id: 'b', label: 'Klant A' }, 'a', 'a')).toEqual({ opened: 'b' });
  });

  it('that a credential no longer opens leaves nothing behind', () => {
    const before = { ...identified('a', 'Klant A', 'dutch'), earlierIds: ['c1'], pushedBefore: true };
    const all = withConnection(noConnections, before);
    expect(withIdentity(all, 'a', identityOf('dutch'))).toBe(all);
    expect(withIdentity(all, 'a', identityOf('dutch', { archived: true })).all[0]).toMatchObject({
      earlierIds: ['c1'],
    });
    expect(withIdentity(all, 'a', identityOf('other')).all[0]).toMatchObject({ earlierIds: [], pushedBefore: false });
  });

  it('is shown by its real name, or by its label where that is unknown', () => {
    const known = identified('a', 'Klant A', 'dutch');
    expect([wordsFor(administrationOf(known)), captionOf(known)]).toEqual(['Books dutch', 'Klant A']);
    const remote = identified('a', 'Klant A', 'x', { kind: 'remote', name: 'unknown', address: 'books.example' });
    expect([wordsFor(administrationOf(remote)), captionOf(remote)]).toEqual(['Klant A', 'books.example']);
  });
});
