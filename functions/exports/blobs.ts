import { createHash, randomBytes } from 'node:crypto';
import type { BlockBlobClient } from '@azure/storage-blob';
import { linesOf } from '../../shared/exportClient.ts';
import type { WrittenFile } from './run.ts';

/** Bytes of a block; two are held at a time, one being filled and one on its way. */
export const BLOCK = 1024 * 1024;

/** Writes a blob from beginning to end. Nothing of it can be seen until it is closed. */
export type BlobWriter = {
  write(piece: string | Uint8Array): Promise<void>;
  close(): Promise<WrittenFile>;
};

/** @param counted whether it is made of lines, each written by itself */
export function writeBlob(blob: BlockBlobClient, counted: boolean, signal: AbortSignal): BlobWriter {
  const stager = blockStager(blob, signal);
  const blocks: string[] = [];
  let underWay: Promise<unknown> = Promise.resolve();
  return fileWriter(counted, {
    async put(block) {
      await underWay;
      underWay = stager(block).then((id) => blocks.push(id));
      // Awaited before the next one; until then its failure is nobody's.
      underWay.catch(() => {});
    },
    async end() {
      await underWay;
      await commit(blob, blocks, signal);
    },
  });
}

/** Only measures lines that stand in a file already. */
export const countFile = (): BlobWriter => fileWriter(true, { put: async () => {}, end: async () => {} });

type Target = { put(block: Buffer): Promise<void>; end(): Promise<void> };

function fileWriter(counted: boolean, target: Target): BlobWriter {
  const hash = createHash('sha256');
  let pieces: Uint8Array[] = [];
  let held = 0;
  let text = '';
  let bytes = 0;
  let lines = 0;
  const take = (piece: Uint8Array) => {
    hash.update(piece);
    pieces.push(piece);
    held += piece.length;
    bytes += piece.length;
  };
  const flush = async () => {
    const block = Buffer.concat(pieces);
    pieces = [];
    held = 0;
    await target.put(block);
  };
  return {
    async write(piece) {
      if (typeof piece === 'string') {
        lines++;
        text += piece;
        if (text.length < 65_536) return;
        take(Buffer.from(text));
        text = '';
      } else take(piece);
      if (held >= BLOCK) await flush();
    },
    async close() {
      if (text !== '') take(Buffer.from(text));
      if (held > 0) await flush();
      await target.end();
      return { bytes, sha256: hash.digest('hex'), lines: counted ? lines : null };
    },
  };
}

/** Puts blocks into the storage account, where they wait for the blob to be made of them; each has an id nobody else gives. */
export function blockStager(blob: BlockBlobClient, signal: AbortSignal): (bytes: Buffer) => Promise<string> {
  return async (bytes) => {
    const id = randomBytes(12).toString('base64');
    await blob.stageBlock(id, bytes, bytes.length, { abortSignal: signal });
    return id;
  };
}

/** Makes a blob of its blocks. */
export async function commit(blob: BlockBlobClient, blocks: readonly string[], signal: AbortSignal): Promise<void> {
  await blob.commitBlockList([...blocks], { abortSignal: signal });
}

/** The bytes of a blob as they come in. */
export async function* bytesOf(blob: BlockBlobClient, signal?: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const { readableStreamBody } = await blob.download(0, undefined, signal === undefined ? {} : { abortSignal: signal });
  yield* readableStreamBody as unknown as AsyncIterable<Uint8Array>;
}

/** The lines of a blob, without their line feeds. */
export const linesIn = (blob: BlockBlobClient, signal?: AbortSignal): AsyncGenerator<string, void> =>
  linesOf(bytesOf(blob, signal));

/** What a blob really holds, read back. @param counted whether it is made of lines */
export async function measure(blob: BlockBlobClient, counted: boolean, signal: AbortSignal): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  for await (const piece of bytesOf(blob, signal)) {
    hash.update(piece);
    bytes += piece.length;
    if (!counted) continue;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
  }
  return { bytes, sha256: hash.digest('hex'), lines: counted ? lines : null };
}
