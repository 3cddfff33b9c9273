import { EventEmitter } from 'node:events';
import { TableClient } from '@azure/data-tables';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { type QueueClient, QueueServiceClient } from '@azure/storage-queue';

/** The tables, blob containers and queues of a storage account, each made when it is first asked for. */
export type Storage = {
  table(name: string): Promise<TableClient>;
  container(name: string): Promise<ContainerClient>;
  queue(name: string): Promise<QueueClient>;
};

/** @param connectionString of a storage account, as the setting AzureWebJobsStorage has it */
export function openStorage(connectionString: string): Storage {
  const blobs = BlobServiceClient.fromConnectionString(connectionString);
  const queues = QueueServiceClient.fromConnectionString(connectionString);
  return {
    table: madeOnce(async (name) => {
      // Azurite, on the same machine, speaks HTTP.
      const table = TableClient.fromConnectionString(connectionString, name, { allowInsecureConnection: true });
      await table.createTable();
      return table;
    }),
    container: madeOnce(async (name) => {
      const container = blobs.getContainerClient(name);
      await container.createIfNotExists();
      return container;
    }),
    queue: madeOnce(async (name) => {
      const queue = queues.getQueueClient(name);
      await queue.createIfNotExists();
      return queue;
    }),
  };
}

/** Makes something once for each name; after a failure the next one who asks tries again. */
function madeOnce<T>(make: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (name) => {
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

/** Whether a storage service answered with one of these statuses: 404 not there, 409 there already or held, 412 changed since. */
export const answered = (failure: unknown, ...statuses: number[]): boolean =>
  statuses.includes(Number((failure as { statusCode?: unknown } | null)?.statusCode));

/** What a promise fails with is no failure when a storage service answered with this status. */
export const unless =
  (status: number) =>
  (failure: unknown): void => {
    if (!answered(failure, status)) throw failure;
  };

/** Tells, by the name of a queue, that this process put a message on it: whoever polls it here need not wait. */
export const enqueued = new EventEmitter<Record<string, []>>();

/** Puts a message on a queue, in the form the platform's triggers read. @param delay seconds until it can be seen */
export async function enqueue(queue: QueueClient, message: object, delay = 0): Promise<void> {
  await queue.sendMessage(Buffer.from(JSON.stringify(message)).toString('base64'), { visibilityTimeout: delay });
  if (delay === 0) enqueued.emit(queue.name);
}

/** The queue of messages that failed too often, as the platform names it. */
export const poisonOf = (queue: string): string => `${queue}-poison`;
