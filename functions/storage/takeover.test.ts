import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { testStorage } from '../../testing/storage.ts';
import { withTakeover } from './takeover.ts';

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
