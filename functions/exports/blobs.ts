import { createHash, randomBytes } from 'node:crypto';
import type { BlockBlobClient } from '@azure/storage-blob';
import { linesOf } from '../../shared/exportClient.ts';
import type { WrittenFile } from './run.ts';

/** Bytes of a block. */
export const BLOCK = 1024 * 1024;
/** Blocks on their way at a time, beside the one that is being filled: a storage account takes several sooner than one after another. */
const ABREAST = 4;

/** Writes a blob from beginning to end. Nothing of it can be seen until it is closed. */
export type BlobWriter = {
  write(piece: string | Uint8Array): Promise<void>;
  close(): Promise<WrittenFile>;
};

/** @param counted whether it is made of lines, each written by itself */
export function writeBlob(blob: BlockBlobClient, counted: boolean, signal: AbortSignal): BlobWriter {
  const stage = blockStager(blob, signal);
  const blocks: string[] = [];
  const uploads = abreast();
  let begun = 0;
  return fileWriter(counted, {
    put(block) {
      const index = begun++;
      return uploads.begin(async () => {
        blocks[index] = await stage(block);
      });
    },
    async end() {
      await uploads.end();
      await commit(blob, blocks, signal);
    },
  });
}

/** Uploads of which a few are under way at a time. */
export type Uploads = {
  /** Begins one when there is room. @throws what an earlier one failed with */
  begin(upload: () => Promise<void>): Promise<void>;
  /** Waits until none is under way. @throws what one failed with */
  end(): Promise<void>;
};

export function abreast(): Uploads {
  const underWay: Promise<void>[] = [];
  return {
    async begin(upload) {
      if (underWay.length === ABREAST) await underWay.shift();
      const begun = upload();
      // Awaited later; until then its failure is nobody's.
      begun.catch(() => {});
      underWay.push(begun);
    },
    async end() {
      await Promise.allSettled(underWay);
      await Promise.all(underWay);
    },
  };
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
