import { buffer } from 'node:stream/consumers';
import { TableClient, TableServiceClient } from '@azure/data-tables';
import { BlobServiceClient, type BlockBlobClient } from '@azure/storage-blob';
import { QueueServiceClient } from '@azure/storage-queue';

/** The content of a storage account as text: bytes are base64. */
type StorageContent = {
  tables: Record<string, Record<string, unknown>[]>;
  containers: Record<string, StoredBlob[]>;
  queues: Record<string, string[]>;
};

/** A blob; or its uncommitted blocks, each with its id. */
type StoredBlob = { name: string; content: string } | { name: string; blocks: { id: string; content: string }[] };

const options = { allowInsecureConnection: true };

/** Reads the content of an account that nobody uses any more. It removes the messages. */
export async function readStorage(connectionString: string): Promise<StorageContent> {
  const content: StorageContent = { tables: {}, containers: {}, queues: {} };
  for await (const { name } of TableServiceClient.fromConnectionString(connectionString, options).listTables()) {
    const client = TableClient.fromConnectionString(connectionString, name!, options);
    content.tables[name!] = await Array.fromAsync(client.listEntities(), ({ etag: _, timestamp: __, ...row }) => row);
  }
  const blobs = BlobServiceClient.fromConnectionString(connectionString);
  for await (const { name } of blobs.listContainers()) {
    const container = blobs.getContainerClient(name);
    const names = await Array.fromAsync(container.listBlobsFlat({ includeUncommitedBlobs: true }), (blob) => blob.name);
    const stored: StoredBlob[] = [];
    // The holders of leases were killed.
    if (name !== 'locks') for (const one of names) stored.push(await readBlob(container.getBlockBlobClient(one)));
    content.containers[name] = stored;
  }
  const queues = QueueServiceClient.fromConnectionString(connectionString);
  for await (const { name } of queues.listQueues()) {
    const queue = queues.getQueueClient(name);
    content.queues[name] = [];
    for (;;) {
      const { receivedMessageItems } = await queue.receiveMessages({ numberOfMessages: 32, visibilityTimeout: 3600 });
      if (receivedMessageItems.length === 0) break;
      content.queues[name].push(...receivedMessageItems.map(({ messageText }) => messageText));
    }
  }
  return content;
}

async function readBlob(blob: BlockBlobClient): Promise<StoredBlob> {
  const { name } = blob;
  const { uncommittedBlocks = [] } = await blob.getBlockList('all');
  // Uncommitted blocks cannot be read.
  if (uncommittedBlocks.length > 0) await blob.commitBlockList(uncommittedBlocks.map((block) => block.name));
  const bytes = await buffer((await blob.download()).readableStreamBody!);
  if (uncommittedBlocks.length === 0) return { name, content: bytes.toString('base64') };
  let at = 0;
  const blocks = uncommittedBlocks.map(({ name: id, size }) => {
    const content = bytes.subarray(at, at + Number(size)).toString('base64');
    at += Number(size);
    return { id, content };
  });
  return { name, blocks };
}

/** Writes the content into an empty account. */
export async function writeStorage(connectionString: string, content: StorageContent): Promise<void> {
  for (const [name, rows] of Object.entries(content.tables)) {
    const client = TableClient.fromConnectionString(connectionString, name, options);
    await client.createTable();
    for (const row of rows) await client.createEntity(row as Parameters<typeof client.createEntity>[0]);
  }
  const blobs = BlobServiceClient.fromConnectionString(connectionString);
  for (const [name, stored] of Object.entries(content.containers)) {
    const container = blobs.getContainerClient(name);
    await container.create();
    for (const one of stored) {
      const blob = container.getBlockBlobClient(one.name);
      if ('content' in one) await blob.uploadData(Buffer.from(one.content, 'base64'));
      else
        for (const { id, content } of one.blocks) {
          const bytes = Buffer.from(content, 'base64');
          await blob.stageBlock(id, bytes, bytes.length);
        }
    }
  }
  const queues = QueueServiceClient.fromConnectionString(connectionString);
  for (const [name, messages] of Object.entries(content.queues)) {
    const queue = queues.getQueueClient(name);
    await queue.create();
    for (const message of messages) await queue.sendMessage(message);
  }
}
