import { TableClient } from '@azure/data-tables';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { type QueueClient, QueueServiceClient } from '@azure/storage-queue';
import { afterAll } from 'vitest';
import { startAzurite } from '../functions/host/azurite.ts';
import { openStorage } from '../functions/storage/storage.ts';

export type TestStorage = ReturnType<typeof storageAt>;

/**
 * A real storage account in memory, which is stopped after the tests of the file. To be called at the top of the file;
 * starting it takes two seconds.
 */
export async function testStorage(): Promise<{ connectionString: string; storage: TestStorage }> {
  const { connectionString, stop } = await startAzurite();
  afterAll(stop);
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
