import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { proxyTo } from '../../testing/databaseProxy.ts';
import { testStorage } from '../../testing/storage.ts';
import { LEASE_SECONDS } from './lease.ts';
import { openStorage } from './storage.ts';

const { storage, connectionString } = await testStorage();
const locks = await storage.containerClient('locks');

describe('a lease', () => {
  it('has one holder at a time, and is free when it is released', async () => {
    const first = await storage.lease('one');
    expect(await storage.lease('one')).toBeUndefined();
    expect(await storage.lease('another')).toBeDefined();
    await first!.release();
    const second = await storage.lease('one');
    expect(second).toBeDefined();
    await second!.release();
  });

  it('with a new name goes to one of several concurrent requests', async () => {
    const taken = await Promise.all(Array.from({ length: 6 }, () => storage.lease('new')));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('is renewed before it ends', async () => {
    const held = await storage.lease('long');
    // Another one that began later and is not renewed has ended.
    const other = locks.getBlockBlobClient('not renewed');
    await other.upload('', 0);
    await other.getBlobLeaseClient().acquireLease(LEASE_SECONDS);
    while ((await other.getProperties()).leaseState === 'leased') await passed(200);
    expect(await storage.lease('long')).toBeUndefined();
    expect(held!.lost.aborted).toBe(false);
    await held!.release();
  });

  it('whose renewals nobody answers is lost to its holder too', async () => {
    const blobs = /BlobEndpoint=([^;]+)/.exec(connectionString)![1]!;
    const proxy = await proxyTo(blobs);
    const behind = openStorage(connectionString.replace(blobs, proxy.url));
    const held = (await behind.lease('silent'))!;
    proxy.setMode('stall');
    let taken = await storage.lease('silent');
    for (; taken === undefined; taken = await storage.lease('silent')) await passed(200);
    await expect.poll(() => held.lost.aborted).toBe(true);
    await taken.release();
    proxy.close();
  });

  it('that was broken is reported to its holder', async () => {
    const held = await storage.lease('broken');
    await locks.getBlobClient('broken').getBlobLeaseClient().breakLease(0);
    await new Promise((resolve) => held!.lost.addEventListener('abort', resolve));
    expect(await storage.lease('broken')).toBeDefined();
    await held!.release();
  });
});

describe('the blob of a lease', () => {
  it('is removed when it is old and free', async () => {
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
