import { afterAll } from 'vitest';
import { startAzurite } from '../functions/host/azurite.ts';
import { openStorage, type Storage } from '../functions/storage/storage.ts';

/**
 * A real storage account for the tests of a file, in memory, gone when they have ended. To be called at the top of the
 * file; starting it takes two seconds.
 */
export async function testStorage(): Promise<{ connectionString: string; storage: Storage }> {
  const { connectionString, stop } = await startAzurite();
  afterAll(stop);
  return { connectionString, storage: openStorage(connectionString) };
}
