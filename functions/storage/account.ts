import type { TableClient } from '@azure/data-tables';
import type { BlobServiceClient } from '@azure/storage-blob';
import type { QueueServiceClient } from '@azure/storage-queue';
import { endingWhenSilent } from './silence.ts';

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

/** The addresses of an account in Azure by its name. */
export const addressesOf = (accountName: string): Pick<ServiceAddresses, 'blob' | 'queue' | 'table'> => ({
  blob: `https://${accountName}.blob.core.windows.net`,
  queue: `https://${accountName}.queue.core.windows.net`,
  table: `https://${accountName}.table.core.windows.net`,
});

/**
 * Opens the clients of an account. Azure's libraries are loaded when they are first needed: they are half of all code.
 */
export function clientsOf(account: StorageAccount) {
  let opened: ReturnType<typeof identityOf> | undefined;
  /** One identity for all clients, since it caches its tokens. */
  const identity = (addresses: ServiceAddresses) => {
    opened ??= identityOf(addresses);
    return opened;
  };
  const options = endingWhenSilent(typeof account !== 'string' || isSecure(account));
  return {
    async table(name: string): Promise<TableClient> {
      const { TableClient } = await import('@azure/data-tables');
      if (typeof account !== 'string') return new TableClient(account.table, name, await identity(account), options);
      // Azurite, on the same machine, uses HTTP.
      return TableClient.fromConnectionString(account, name, { ...options, allowInsecureConnection: true });
    },
    async blobs(): Promise<BlobServiceClient> {
      const { BlobServiceClient } = await import('@azure/storage-blob');
      if (typeof account !== 'string') return new BlobServiceClient(account.blob, await identity(account), options);
      return BlobServiceClient.fromConnectionString(account, options);
    },
    async queues(): Promise<QueueServiceClient> {
      const { QueueServiceClient } = await import('@azure/storage-queue');
      if (typeof account !== 'string') return new QueueServiceClient(account.queue, await identity(account), options);
      return QueueServiceClient.fromConnectionString(account, options);
    },
  };
}

/** Whether the services of a connection string use HTTPS. The short form for Azurite names no protocol. */
const isSecure = (connectionString: string): boolean =>
  /^https/i.test(
    (/Endpoint=(\w+)/i.exec(connectionString) ?? /EndpointsProtocol=(\w+)/i.exec(connectionString))?.[1] ?? '',
  );

async function identityOf({ clientId, isManagedIdentity }: ServiceAddresses) {
  // Loaded only here: it is large, and an account with a connection string does not need it.
  const { DefaultAzureCredential, ManagedIdentityCredential } = await import('@azure/identity');
  if (isManagedIdentity) return new ManagedIdentityCredential(clientId === undefined ? {} : { clientId });
  return new DefaultAzureCredential(clientId === undefined ? {} : { managedIdentityClientId: clientId });
}
