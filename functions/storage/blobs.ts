import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { codeOf, hasStatus, unless } from './failure.ts';

/** A blob or its staged blocks no longer exist. */
export class BlobGone extends Error {
  override readonly name = 'BlobGone';
}

export type Blob = ReturnType<typeof blobOver>;
export type Blobs = ReturnType<typeof blobsOver>;

/** The blobs of a container. @param container resolves when the container exists */
export const blobsOver = (container: () => Promise<ContainerClient>) => ({
  blob: async (path: string): Promise<Blob> => blobOver((await container()).getBlockBlobClient(path)),
  /** The paths with a prefix. */
  async *list(prefix: string, signal?: AbortSignal): AsyncGenerator<string, void> {
    for await (const { name } of (await container()).listBlobsFlat({ prefix, ...until(signal) })) yield name;
  },
});

const blobOver = (client: BlockBlobClient) => ({
  url: client.url,
  exists: (signal?: AbortSignal): Promise<boolean> => client.exists(until(signal)),
  /** Some of its bytes; undefined when it does not exist. */
  async read(start: number, count: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    const response = await client.download(start, count).catch(unless(404));
    return response?.readableStreamBody as AsyncIterable<Uint8Array> | undefined;
  },
  /** All its bytes as a stream. @throws BlobGone */
  async *bytes(signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
    const { readableStreamBody } = await client.download(0, undefined, until(signal)).catch(throwIfGone);
    yield* readableStreamBody as unknown as AsyncIterable<Uint8Array>;
  },
  /** Creates the blob from a stream. It appears when the stream has ended. */
  async upload(
    source: Readable,
    { blockBytes, concurrency, signal }: { blockBytes: number; concurrency: number; signal?: AbortSignal },
  ): Promise<void> {
    await client.uploadStream(source, blockBytes, concurrency, until(signal));
  },
  /** Creates or replaces the blob. Of several writers at once each succeeds, and the last one stays. */
  async write(bytes: Uint8Array): Promise<void> {
    await client.upload(bytes, bytes.length);
  },
  /** Stages bytes as a block of the blob. @returns its unique id */
  async stage(bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
    const id = randomBytes(12).toString('base64');
    await client.stageBlock(id, bytes, bytes.length, until(signal));
    return id;
  },
  /** Creates the blob from staged blocks. @throws BlobGone when one of them does not exist */
  async commit(blocks: readonly string[], signal?: AbortSignal): Promise<void> {
    await client.commitBlockList([...blocks], until(signal)).catch(throwIfGone);
  },
  /** Copies another blob of the account to it. @throws BlobGone */
  async copyFrom({ url }: { url: string }, signal?: AbortSignal): Promise<void> {
    try {
      const copy = await client.beginCopyFromURL(url, { ...until(signal), intervalInMs: 500 });
      await copy.pollUntilDone();
    } catch (failure) {
      throwIfGone(failure);
    }
  },
  /** Removes it, if it exists. @returns whether it existed */
  remove: async (signal?: AbortSignal): Promise<boolean> =>
    (await client.delete(until(signal)).catch(unless(404))) !== undefined,
});

const until = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { abortSignal: signal });

function throwIfGone(failure: unknown): never {
  const isGone = ['InvalidBlockList', 'InvalidBlockId', 'CannotVerifyCopySource'].includes(codeOf(failure));
  throw isGone || hasStatus(failure, 404)
    ? new BlobGone('What was written is not there any more.', { cause: failure })
    : failure;
}
