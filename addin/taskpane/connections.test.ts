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
});

const memory = () => {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
};

describe('connections', () => {
  it('are there again when the pane is opened again, with the one in use', () => {
    const storage = memory();
    const both = withConnection(withConnection(noConnections, connection('a', 'First')), connection('b', 'Second'));
    expect(connectionStore(storage, undefined).write(both)).toBe(true);
    const read = connectionStore(storage, undefined).read();
    expect(read).toEqual(both);
    expect(activeConnection(read)?.label).toBe('Second');
  });

  it('of another partition of the storage are not seen', () => {
    const storage = memory();
    connectionStore(storage, 'one|').write(withConnection(noConnections, connection('a', 'First')));
    expect(connectionStore(storage, 'two|').read()).toEqual(noConnections);
    expect([...storage.kept.keys()]).toEqual(['one|ledgerline.connections']);
  });

  it.each(['', 'x', '{}', '{"all":[{"id":1}]}', 'null', '[]'])('are none when the storage holds %j', (text) => {
    const storage = memory();
    storage.setItem('ledgerline.connections', text);
    expect(connectionStore(storage, undefined).read().all).toEqual([]);
  });

  it('say so when the browser keeps nothing', () => {
    const closed = {
      getItem: () => null,
      setItem: () => {
        throw new Error('QuotaExceededError');
      },
    };
    expect(connectionStore(closed, undefined).write(noConnections)).toBe(false);
  });

  it('go on with another one when the one in use is forgotten', () => {
    const both = withConnection(withConnection(noConnections, connection('a', 'First')), connection('b', 'Second'));
    const one = without(both, 'b');
    expect(activeConnection(one)?.label).toBe('First');
    expect(activeConnection(without(one, 'a'))).toBeUndefined();
  });

  it('keep their credential when they are renamed', () => {
    const renamed = withChange(withConnection(noConnections, connection('a', 'First')), 'a', { label: 'Mine' });
    expect(activeConnection(renamed)).toMatchObject({ label: 'Mine', apiKey: 'key of a' });
  });

  it('show a sheet no more than their number and label', () => {
    expect(administrationOf(connection('a', 'First'))).toEqual({ id: 'a', label: 'First' });
  });
});
