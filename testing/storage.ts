import type { Socket } from 'node:net';
import { TableClient } from '@azure/data-tables';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { type QueueClient, QueueServiceClient } from '@azure/storage-queue';
import { type LocalStorage, startAzurite } from '../functions/host/azurite.ts';
import { openStorage } from '../functions/storage/storage.ts';

export type TestStorage = ReturnType<typeof storageAt>;

/** More than the files that a process tests. */
const ACCOUNTS = 1000;

/** The storage of this process, for all its files: starting one takes two seconds. It ends with the process. */
let started: Promise<LocalStorage> | undefined;
let used = 0;

const nameOf = (number: number) => `account${number}`;

async function start(): Promise<LocalStorage> {
  const others = Array.from({ length: ACCOUNTS - 1 }, (_, at) => nameOf(at + 1));
  const azurite = await startAzurite(undefined, [nameOf(0), ...others]);
  // It keeps no script running that is done.
  const { process: child } = azurite;
  child.unref();
  child.channel?.unref();
  (child.stdout as Socket).unref();
  return azurite;
}

/** A real storage account in memory, which is empty: a new one each time. */
export async function testStorage(): Promise<{ connectionString: string; storage: TestStorage }> {
  started ??= start();
  const connectionString = (await started).connectionStringOf(nameOf(used++));
  return { connectionString, storage: storageAt(connectionString) };
}

/** A storage account, and Azure's clients of it for tests that look into it. */
const storageAt = (connectionString: string) => ({
  ...openStorage(connectionString),
  connectionString,
  async tableClient(name: string): Promise<TableClient> {
    const client = TableClient.fromConnectionString(connectionString, name, { allowInsecureConnection: true });
    await client.createTable();
    return client;
  },
  async containerClient(name: string): Promise<ContainerClient> {
    const client = BlobServiceClient.fromConnectionString(connectionString).getContainerClient(name);
    await client.createIfNotExists();
    return client;
  },
  async queueClient(name: string): Promise<QueueClient> {
    const client = QueueServiceClient.fromConnectionString(connectionString).getQueueClient(name);
    await client.createIfNotExists();
    return client;
  },
});
