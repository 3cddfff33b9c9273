import { describe, expect, it } from 'vitest';
import {
  activeConnection,
  administrationOf,
  type Connection,
  connectionStore,
  noConnections,
  withChange,
  withConnection,
  without,
} from './connections.ts';

const connection = (id: string, label: string): Connection => ({
  id,
  label,
  username: `${id}@example.com`,
  apiKey: `key of ${id}`,
  pushedBefore: false,
  addedOn: 0,
});

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
    if (!isOpen) {
      const second = store.change(first.connections, (now) => withConnection(now, connection('b', 'Second')));
      expect(second.connections.all.map(({ label }) => label)).toEqual(['First', 'Second']);
    }
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

  it('have another active one when the active one is removed', () => {
    const both = withConnection(withConnection(noConnections, connection('a', 'First')), connection('b', 'Second'));
    const one = without(both, 'b');
    expect(activeConnection(one)?.label).toBe('First');
    expect(activeConnection(without(one, 'a'))).toBeUndefined();
  });

  it('keep their credential when they are renamed', () => {
    const renamed = withChange(withConnection(noConnections, connection('a', 'First')), 'a', { label: 'Mine' });
    expect(activeConnection(renamed)).toMatchObject({ label: 'Mine', apiKey: 'key of a' });
  });

  it('give a sheet only their id and label', () => {
    expect(administrationOf(connection('a', 'First'))).toEqual({ id: 'a', label: 'First' });
  });
});
