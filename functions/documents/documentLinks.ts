import { createHash, randomBytes } from 'node:crypto';
import { Problem } from '../../shared/problem.ts';
import { type Blob, BlobGone } from '../storage/blobs.ts';
import type { Storage } from '../storage/storage.ts';

/** A document as it goes out; its name says its form. */
export type DocumentFile = { name: string; content: Uint8Array };

/**
 * Links that open a document without a credential, once and soon: for windows that cannot send headers. The document is
 * made when its link is, so a link leads to those bytes and to nothing else of the administration.
 */
export type DocumentLinks = {
  /** @returns what the link is known by, and the moment it stops working */
  create(file: DocumentFile): Promise<{ token: string; expiresOn: Date }>;
  /** @throws Problem NOT_FOUND for a link that was used before, is too old, or never was */
  take(token: string, name: string): Promise<Uint8Array>;
  /** Removes documents whose links nobody used. */
  removeOld(): Promise<void>;
};

/** Milliseconds a link works: a browser may have to start first. */
export const LINK_LIFETIME_MS = 120_000;

export function documentLinks(storage: Storage, now: () => number = Date.now): DocumentLinks {
  const blobs = storage.blobs('document-links');
  // Who sees the storage account sees no tokens.
  const pathOf = (token: string, name: string) =>
    `${expiryOf(token)}-${createHash('sha256').update(token).digest('hex')}-${name}`;
  return {
    async create({ name, content }) {
      const expiresOn = now() + LINK_LIFETIME_MS;
      const token = `${expiresOn}-${randomBytes(32).toString('base64url')}`;
      const blob = await blobs.blob(pathOf(token, name));
      await blob.commit([await blob.stage(content)]);
      return { token, expiresOn: new Date(expiresOn) };
    },

    async take(token, name) {
      const blob = expiryOf(token) > now() ? await blobs.blob(pathOf(token, name)) : undefined;
      const content = blob && (await readWhole(blob));
      // Of two that read it at once, one removes it.
      if (content !== undefined && (await blob!.remove())) return content;
      throw new Problem('NOT_FOUND', 'The link was used before, or is too old.');
    },

    async removeOld() {
      for await (const path of blobs.list('')) {
        if (expiryOf(path) <= now()) await (await blobs.blob(path)).remove();
      }
    },
  };
}

/** UNIX milliseconds; 0 for what is no token. */
const expiryOf = (token: string): number => Number(/^(\d{1,15})-/.exec(token)?.[1] ?? 0);

async function readWhole(blob: Blob): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of blob.bytes()) pieces.push(piece);
  } catch (failure) {
    if (failure instanceof BlobGone) return undefined;
    throw failure;
  }
  return Buffer.concat(pieces);
}
