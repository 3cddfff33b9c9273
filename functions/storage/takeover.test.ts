import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testStorage } from '../../testing/storage.ts';
import { readWorkMessage, withLease, withTakeover } from './takeover.ts';

const { storage } = await testStorage();
const newQueue = () => storage.queue(`takeover-${randomUUID()}`);

describe('work that another instance is to take over', () => {
  it('has a message that nobody sees while it goes on', async () => {
    const queue = newQueue();
    const result = await withTakeover(queue, { owner: 'a' }, async () => {
      await expect.poll(() => queue.length()).toBe(1);
      expect(await queue.receive(1, 1)).toEqual([]);
      return 'done';
    });
    expect(result).toBe('done');
  });

  it('that was taken over sends none at once: it may have nothing to do, or fail', async () => {
    const queue = newQueue();
    const work = withTakeover(queue, { owner: 'a', takeover: true }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('No');
    });
    await expect(work).rejects.toThrow('No');
    expect(await queue.length()).toBe(0);
  });

  it('goes on when no message can be sent', async () => {
    const queue = { send: () => Promise.reject(new Error('unreachable')) };
    expect(await withTakeover(queue, {}, async () => 'done')).toBe('done');
  });
});

describe('work of an owner that one worker does at a time', () => {
  it('is left to the worker that has the lease, and looked for again later, three times', async () => {
    const name = randomUUID();
    const queue = newQueue();
    const held = await storage.lease(name);
    const sent: [object, number | undefined][] = [];
    const recording = { send: async (message: object, delay?: number) => void sent.push([message, delay]) };
    const never = new AbortController().signal;
    const work = () => Promise.reject(new Error('Two workers have the lease.'));
    for (const message of [{ owner: 'a' }, { owner: 'a', tries: 2 }, { owner: 'a', tries: 3 }])
      expect(await withLease({ storage, queue: recording }, name, message, never, work)).toBeUndefined();
    await withLease({ storage, queue: recording }, name, { owner: 'a', takeover: true }, never, work);
    expect(sent).toEqual([
      [{ owner: 'a', tries: 1 }, expect.any(Number)],
      [{ owner: 'a', tries: 3 }, expect.any(Number)],
    ]);
    await held?.release();
    expect(await withLease({ storage, queue }, name, { owner: 'a', tries: 3 }, never, async () => 'done')).toBe('done');
  });

  it('has messages that say whose it is', () => {
    expect(() => readWorkMessage('{', 'pushes')).toThrow('an owner in a message of the queue pushes');
    expect(readWorkMessage({ owner: 'a', tries: '1' }, 'pushes')).toEqual({ owner: 'a', takeover: false });
  });
});
