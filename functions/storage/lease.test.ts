import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { testStorage } from '../../testing/storage.ts';
import { LEASE_SECONDS, takeLease } from './lease.ts';

const { storage } = await testStorage();
const locks = await storage.container('locks');

describe('a lease', () => {
  it('is held by one at a time, and free once it is released', async () => {
    const first = await takeLease(locks, 'one');
    expect(await takeLease(locks, 'one')).toBeUndefined();
    expect(await takeLease(locks, 'another')).toBeDefined();
    await first!.release();
    const second = await takeLease(locks, 'one');
    expect(second).toBeDefined();
    await second!.release();
  });

  it('of a name nobody held before goes to one of those who ask at once', async () => {
    const taken = await Promise.all(Array.from({ length: 6 }, () => takeLease(locks, 'new')));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('is kept for longer than it lasts, by being renewed', async () => {
    const held = await takeLease(locks, 'long');
    await passed((LEASE_SECONDS + 3) * 1000);
    expect(await takeLease(locks, 'long')).toBeUndefined();
    expect(held!.lost.aborted).toBe(false);
    await held!.release();
  });

  it('that was broken is told to its holder', async () => {
    const held = await takeLease(locks, 'broken');
    await locks.getBlobClient('broken').getBlobLeaseClient().breakLease(0);
    await new Promise((resolve) => held!.lost.addEventListener('abort', resolve));
    expect(await takeLease(locks, 'broken')).toBeDefined();
    await held!.release();
  });
});
