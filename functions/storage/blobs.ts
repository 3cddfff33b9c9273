import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { codeOf, hasStatus, unless } from './failure.ts';

/** A blob or its staged blocks no longer exist. */
export class BlobGone extends Error {
  override readonly name = 'BlobGone';
}

export type Blob = {
  exists(signal?: AbortSignal): Promise<boolean>;
  /** Some of its bytes; undefined when it does not exist. */
  read(start: number, count: number): Promise<NodeJS.ReadableStream | undefined>;
  /** All its bytes as a stream. @throws BlobGone */
  bytes(signal?: AbortSignal): AsyncGenerator<Uint8Array, void>;
  /** Creates the blob from a stream. It appears when the stream has ended. */
  upload(source: Readable, options: { blockBytes: number; concurrency: number; signal?: AbortSignal }): Promise<void>;
  /** Stages bytes as a block of the blob. @returns its unique id */
  stage(bytes: Uint8Array, signal?: AbortSignal): Promise<string>;
  /** Creates the blob from staged blocks. @throws BlobGone when one of them does not exist */
  commit(blocks: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Copies another blob of the account to it. @throws BlobGone */
  copyFrom(source: Blob, signal?: AbortSignal): Promise<void>;
  /** Removes it, if it is there. @returns whether it was */
  remove(signal?: AbortSignal): Promise<boolean>;
  readonly url: string;
};

/** The blobs of a container, which is made when it is first used. */
export type Blobs = {
  blob(path: string): Promise<Blob>;
  /** The paths with a prefix. */
  list(prefix: string, signal?: AbortSignal): AsyncGenerator<string, void>;
};

export const blobsOver = (container: () => Promise<ContainerClient>): Blobs => ({
  blob: async (path) => blobOver((await container()).getBlockBlobClient(path)),
  async *list(prefix, signal) {
    for await (const { name } of (await container()).listBlobsFlat({ prefix, ...until(signal) })) yield name;
  },
});

const blobOver = (client: BlockBlobClient): Blob => ({
  url: client.url,
  exists: (signal) => client.exists(until(signal)),
  async read(start, count) {
    const answer = await client.download(start, count).catch(unless(404));
    return answer?.readableStreamBody;
  },
  async *bytes(signal) {
    const { readableStreamBody } = await client.download(0, undefined, until(signal)).catch(throwIfGone);
    yield* readableStreamBody as unknown as AsyncIterable<Uint8Array>;
  },
  async upload(source, { blockBytes, concurrency, signal }) {
    await client.uploadStream(source, blockBytes, concurrency, until(signal));
  },
  async stage(bytes, signal) {
    const id = randomBytes(12).toString('base64');
    await client.stageBlock(id, bytes, bytes.length, until(signal));
    return id;
  },
  async commit(blocks, signal) {
    await client.commitBlockList([...blocks], until(signal)).catch(throwIfGone);
  },
  async copyFrom({ url }, signal) {
    try {
      const copy = await client.beginCopyFromURL(url, { ...until(signal), intervalInMs: 500 });
      await copy.pollUntilDone();
    } catch (failure) {
      throwIfGone(failure);
    }
  },
  async remove(signal) {
    return (await client.delete(until(signal)).catch(unless(404))) !== undefined;
  },
});

const until = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { abortSignal: signal });

function throwIfGone(failure: unknown): never {
  const isGone = ['InvalidBlockList', 'InvalidBlockId', 'CannotVerifyCopySource'].includes(codeOf(failure));
  throw isGone || hasStatus(failure, 404)
    ? new BlobGone('What was written is not there any more.', { cause: failure })
    : failure;
}
