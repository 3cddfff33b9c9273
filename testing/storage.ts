import { TableClient } from '@azure/data-tables';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { type QueueClient, QueueServiceClient } from '@azure/storage-queue';
import { afterAll } from 'vitest';
import { startAzurite } from '../functions/host/azurite.ts';
import { openStorage, type Storage } from '../functions/storage/storage.ts';

/** A storage account, and Azure's own clients of it: to look into it beside the app. */
export type TestStorage = Storage & {
  connectionString: string;
  tableClient(name: string): Promise<TableClient>;
  containerClient(name: string): Promise<ContainerClient>;
  queueClient(name: string): Promise<QueueClient>;
};

/**
 * A real storage account for the tests of a file, in memory, gone when they have ended. To be called at the top of the
 * file; starting it takes two seconds.
 */
export async function testStorage(): Promise<{ connectionString: string; storage: TestStorage }> {
  const { connectionString, stop } = await startAzurite();
  afterAll(stop);
  return { connectionString, storage: storageAt(connectionString) };
}

const storageAt = (connectionString: string): TestStorage => ({
  ...openStorage(connectionString),
  connectionString,
  async tableClient(name) {
    const client = TableClient.fromConnectionString(connectionString, name, { allowInsecureConnection: true });
    await client.createTable();
    return client;
  },
  async containerClient(name) {
    const client = BlobServiceClient.fromConnectionString(connectionString).getContainerClient(name);
    await client.createIfNotExists();
    return client;
  },
  async queueClient(name) {
    const client = QueueServiceClient.fromConnectionString(connectionString).getQueueClient(name);
    await client.createIfNotExists();
    return client;
  },
});
