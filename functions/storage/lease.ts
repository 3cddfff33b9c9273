import type { ContainerClient } from '@azure/storage-blob';
import { hasStatus, unless } from './failure.ts';

/** Seconds a lease lasts after its holder crashed: the shortest that a storage account allows. */
export const LEASE_SECONDS = 15;
/** Milliseconds between two renewals. */
const RENEWAL = 5000;

/** A lease with one holder at a time, over all instances. */
export type Lease = {
  /** Aborted when the lease is lost: renewing failed until it ran out. */
  lost: AbortSignal;
  release(): Promise<void>;
};

/**
 * Takes the lease of a name, renewed until it is released; a crashed holder loses it after LEASE_SECONDS.
 * @param locks a container for the blobs that are leased
 * @returns undefined while another one holds it
 */
export async function takeLease(locks: ContainerClient, name: string): Promise<Lease | undefined> {
  const blob = locks.getBlockBlobClient(name);
  const lease = blob.getBlobLeaseClient();
  const acquire = async () => {
    // Measured from before the request, so that it never ends later than at the service.
    const requestedAt = performance.now();
    await lease.acquireLease(LEASE_SECONDS);
    return requestedAt;
  };
  let heldSince: number;
  try {
    heldSince = await acquire().catch(async (failure) => {
      if (!hasStatus(failure, 404)) throw failure;
      await blob.upload('', 0, { conditions: { ifNoneMatch: '*' } }).catch(unless(409, 412));
      return acquire();
    });
  } catch (failure) {
    if (hasStatus(failure, 409)) return undefined;
    throw failure;
  }

  const lost = new AbortController();
  let renewing = true;
  let timer: NodeJS.Timeout;
  /** Also while a renewal is being tried: nobody may answer it for a long time. */
  let expiry: NodeJS.Timeout;
  const end = () => {
    renewing = false;
    clearTimeout(timer);
    clearTimeout(expiry);
  };
  const lose = () => {
    end();
    lost.abort(new Error(`The lease of ${name} was lost.`));
  };
  const hold = (since: number) => {
    clearTimeout(expiry);
    expiry = setTimeout(lose, since + LEASE_SECONDS * 1000 - performance.now());
  };
  const renew = async () => {
    const requestedAt = performance.now();
    try {
      await lease.renewLease({ abortSignal: lost.signal });
      if (renewing) hold(requestedAt);
    } catch (failure) {
      if (renewing && hasStatus(failure, 404, 409, 412)) return lose();
    }
    if (renewing) timer = setTimeout(renew, RENEWAL);
  };
  timer = setTimeout(renew, RENEWAL);
  hold(heldSince);
  return {
    lost: lost.signal,
    async release() {
      end();
      if (lost.signal.aborted) return;
      await lease.releaseLease().catch((failure) => {
        // It is lost already, or expires by itself.
        if (!hasStatus(failure, 404, 409, 412)) console.warn(`A lease was left to run out: ${failure.message}`);
      });
    },
  };
}

/** Removes the blobs of free leases that were created before a moment: they are created again when needed. */
export async function removeOldLeases(locks: ContainerClient, before: Date): Promise<void> {
  for await (const { name, properties } of locks.listBlobsFlat()) {
    if (properties.createdOn === undefined || properties.createdOn >= before || properties.leaseState === 'leased')
      continue;
    // 412: it has been taken since.
    await locks.deleteBlob(name).catch(unless(404, 412));
  }
}

export async function isLeased(locks: ContainerClient, name: string): Promise<boolean> {
  const properties = await locks.getBlobClient(name).getProperties().catch(unless(404));
  return properties?.leaseState === 'leased';
}
