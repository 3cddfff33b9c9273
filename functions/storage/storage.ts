import { clientsOf, type StorageAccount } from './account.ts';
import { type Blobs, blobsOver } from './blobs.ts';
import { isLeased, type Lease, removeOldLeases, takeLease } from './lease.ts';
import { type Queue, queueOver } from './queue.ts';
import { type Table, tableOver } from './table.ts';

export type Storage = ReturnType<typeof openStorage>;

/** What the app needs of a storage account. Tables, containers and queues are created when they are first used. */
export function openStorage(account: StorageAccount) {
  const clients = clientsOf(account);
  const table = madeOnce(async (name) => {
    const client = await clients.table(name);
    await client.createTable();
    return client;
  });
  const container = madeOnce(async (name) => {
    const client = (await clients.blobs()).getContainerClient(name);
    await client.createIfNotExists();
    return client;
  });
  const queue = madeOnce(async (name) => {
    const client = (await clients.queues()).getQueueClient(name);
    await client.createIfNotExists();
    return client;
  });
  const locks = container('locks');
  return {
    table: (name: string): Table => tableOver(table(name)),
    blobs: (name: string): Blobs => blobsOver(container(name)),
    queue: (name: string): Queue => queueOver(name, queue(name)),
    /** Takes the lease of a name. @returns undefined while another one holds it */
    lease: async (name: string): Promise<Lease | undefined> => takeLease(await locks(), name),
    isLeased: async (name: string): Promise<boolean> => isLeased(await locks(), name),
    /** Removes the blobs of free leases that were first taken before a moment. */
    removeOldLeases: async (before: Date): Promise<void> => removeOldLeases(await locks(), before),
  };
}

/** Creates something once for each name, when it is first needed; after a failure the next call tries again. */
function madeOnce<T>(make: (name: string) => Promise<T>): (name: string) => () => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (name) => () => {
    let one = made.get(name);
    if (one === undefined) {
      one = make(name).catch((failure) => {
        made.delete(name);
        throw failure;
      });
      made.set(name, one);
    }
    return one;
  };
}
