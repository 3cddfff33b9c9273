import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { testStorage } from '../../testing/storage.ts';
import { LEASE_SECONDS } from './lease.ts';

const { storage } = await testStorage();
const locks = await storage.containerClient('locks');

describe('a lease', () => {
  it('is held by one at a time, and free once it is released', async () => {
    const first = await storage.lease('one');
    expect(await storage.lease('one')).toBeUndefined();
    expect(await storage.lease('another')).toBeDefined();
    await first!.release();
    const second = await storage.lease('one');
    expect(second).toBeDefined();
    await second!.release();
  });

  it('of a name nobody held before goes to one of those who ask at once', async () => {
    const taken = await Promise.all(Array.from({ length: 6 }, () => storage.lease('new')));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('is kept for longer than it lasts, by being renewed', async () => {
    const held = await storage.lease('long');
    await passed((LEASE_SECONDS + 3) * 1000);
    expect(await storage.lease('long')).toBeUndefined();
    expect(held!.lost.aborted).toBe(false);
    await held!.release();
  });

  it('that was broken is told to its holder', async () => {
    const held = await storage.lease('broken');
    await locks.getBlobClient('broken').getBlobLeaseClient().breakLease(0);
    await new Promise((resolve) => held!.lost.addEventListener('abort', resolve));
    expect(await storage.lease('broken')).toBeDefined();
    await held!.release();
  });
});

describe('what is left of a lease', () => {
  it('is removed once it is old and nobody holds it', async () => {
    const names = () => Array.fromAsync(locks.listBlobsFlat({ prefix: 'old-' }), ({ name }) => name);
    await (await storage.lease('old-free'))!.release();
    const held = (await storage.lease('old-held'))!;
    await storage.removeOldLeases(new Date(Date.now() - 60_000));
    expect(await names()).toEqual(['old-free', 'old-held']);
    await storage.removeOldLeases(new Date(Date.now() + 60_000));
    expect(await names()).toEqual(['old-held']);
    const again = await storage.lease('old-free');
    expect(again).toBeDefined();
    await again!.release();
    await held.release();
  });
});
