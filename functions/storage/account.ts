import type { TableClient } from '@azure/data-tables';
import type { BlobServiceClient } from '@azure/storage-blob';
import type { QueueServiceClient } from '@azure/storage-queue';

/**
 * A storage account: by its connection string, which holds a key or a SAS, or by its addresses and the identity of the
 * app.
 */
export type StorageAccount = string | ServiceAddresses;

type ServiceAddresses = {
  blob: string;
  queue: string;
  table: string;
  /** The client id of a user-assigned identity; left out: the system-assigned one. */
  clientId?: string | undefined;
  /** Whether it must be a managed identity; otherwise the person signed in on this machine is used. */
  isManagedIdentity: boolean;
};

/** The clients of an account's services. */
type AccountClients = {
  table(name: string): Promise<TableClient>;
  blobs(): Promise<BlobServiceClient>;
  queues(): Promise<QueueServiceClient>;
};

/** The addresses of an account in Azure by its name. */
export const addressesOf = (accountName: string): Pick<ServiceAddresses, 'blob' | 'queue' | 'table'> => ({
  blob: `https://${accountName}.blob.core.windows.net`,
  queue: `https://${accountName}.queue.core.windows.net`,
  table: `https://${accountName}.table.core.windows.net`,
});

/** The clients of Azure are loaded when they are first needed: they are half of all code. */
export function clientsOf(account: StorageAccount): AccountClients {
  if (typeof account === 'string') {
    return {
      async table(name) {
        const { TableClient } = await import('@azure/data-tables');
        // Azurite, on the same machine, speaks HTTP.
        return TableClient.fromConnectionString(account, name, { allowInsecureConnection: true });
      },
      blobs: async () => (await import('@azure/storage-blob')).BlobServiceClient.fromConnectionString(account),
      queues: async () => (await import('@azure/storage-queue')).QueueServiceClient.fromConnectionString(account),
    };
  }
  // One for all: it remembers its tokens.
  let opened: ReturnType<typeof identityOf> | undefined;
  const identity = () => {
    opened ??= identityOf(account);
    return opened;
  };
  return {
    async table(name) {
      const { TableClient } = await import('@azure/data-tables');
      return new TableClient(account.table, name, await identity());
    },
    async blobs() {
      const { BlobServiceClient } = await import('@azure/storage-blob');
      return new BlobServiceClient(account.blob, await identity());
    },
    async queues() {
      const { QueueServiceClient } = await import('@azure/storage-queue');
      return new QueueServiceClient(account.queue, await identity());
    },
  };
}

async function identityOf({ clientId, isManagedIdentity }: ServiceAddresses) {
  // Loaded only here: it is large, and an account with a connection string does not need it.
  const { DefaultAzureCredential, ManagedIdentityCredential } = await import('@azure/identity');
  if (isManagedIdentity) return new ManagedIdentityCredential(clientId === undefined ? {} : { clientId });
  return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
}
