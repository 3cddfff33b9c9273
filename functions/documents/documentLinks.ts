import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { MEGABYTE } from '../../shared/api.ts';
import { Problem } from '../../shared/problem.ts';
import { heldBytes } from '../http/heldBytes.ts';
import { type Blob, BlobGone } from '../storage/blobs.ts';
import type { Storage } from '../storage/storage.ts';

/** A document for download, named by its number and format. */
export type DocumentFile = { name: string; content: Uint8Array };

export type DocumentLinks = ReturnType<typeof documentLinks>;

/** The lifetime of a link in milliseconds: a browser may have to start first. */
export const LINK_LIFETIME_MS = 120_000;

/** Milliseconds between two removals of documents whose links have expired. */
const REMOVAL_MS = 15 * 60_000;
/** The schedule of these. */
export const LINK_REMOVAL = '0 */15 * * * *';

/** The documents that are stored at the same time: thousands of usual ones. */
const LIMITS = { ofKey: 250 * MEGABYTE, inAll: 1000 * MEGABYTE };
/** The least bytes that a link counts for. */
const MIN_BYTES = 100_000;

/**
 * Links that open a document once and soon, without a credential: for windows that cannot send headers. The document is
 * stored with its link, so a link gives access to nothing else of the administration. The documents that one key has
 * stored, and all, are bounded; each instance of the app counts by itself.
 */
export function documentLinks(storage: Storage, now: () => number = Date.now, limits = LIMITS) {
  const blobs = storage.blobs('document-links');
  const stored = heldBytes(limits);
  /** The stored documents, the oldest first. They count until they are removed, whether their links were used or not. */
  const links: { owner: string; bytes: number; until: number }[] = [];

  /** @throws Problem RATE_LIMIT */
  const count = (owner: string, length: number) => {
    for (const { owner, bytes } of links.splice(0, links.filter(({ until }) => until <= now()).length)) {
      stored.release(owner, bytes);
    }
    const bytes = Math.max(MIN_BYTES, length);
    if (!stored.take(owner, bytes)) {
      throw new Problem('RATE_LIMIT', 'Too many documents were opened by links. Try again in some minutes.', {
        headers: { 'Retry-After': String(Math.ceil(((links[0]?.until ?? now()) - now()) / 1000)) },
      });
    }
    links.push({ owner, bytes, until: now() + LINK_LIFETIME_MS + REMOVAL_MS });
  };
  // The storage account contains hashes of tokens only.
  const pathOf = (token: string, name: string) =>
    `${expiryOf(token)}-${createHash('sha256').update(token).digest('hex')}-${name}`;
  return {
    /**
     * @param owner whose key asks for it
     * @returns the token of a new link, and the moment at which it expires
     * @throws Problem RATE_LIMIT
     */
    async create(owner: string, { name, content }: DocumentFile): Promise<{ token: string; expiresOn: Date }> {
      count(owner, content.length);
      const expiresOn = now() + LINK_LIFETIME_MS;
      const token = `${expiresOn}-${randomBytes(32).toString('base64url')}`;
      const blob = await blobs.blob(pathOf(token, name));
      await blob.commit([await blob.stage(content)]);
      return { token, expiresOn: new Date(expiresOn) };
    },

    /** @throws Problem NOT_FOUND for a link that was used before, has expired, or never existed */
    async take(token: string, name: string): Promise<Uint8Array> {
      // Anyone may ask for any name, and a storage account does not take all.
      const mayExist = expiryOf(token) > now() && isName(name);
      const blob = mayExist ? await blobs.blob(pathOf(token, name)) : undefined;
      const content = blob && (await readWhole(blob));
      // When two requests read it at the same time, one of them removes it.
      if (content !== undefined && (await blob!.remove())) return content;
      throw new Problem('NOT_FOUND', 'The link was used before, or is too old.');
    },

    /** Removes documents whose links have expired. */
    async removeOld(): Promise<void> {
      for await (const path of blobs.list('')) {
        if (expiryOf(path) <= now()) await (await blobs.blob(path)).remove();
      }
    },
  };
}

/** Whether a text is the name of a document: its number and format. */
const isName = (text: string): boolean => /^\d{1,18}\.(?:pdf|xml)$/.test(text);

/** UNIX milliseconds; 0 for a text that is not a token. */
const expiryOf = (token: string): number => Number(/^(\d{1,15})-/.exec(token)?.[1] ?? 0);

async function readWhole(blob: Blob): Promise<Uint8Array | undefined> {
  try {
    return await buffer(blob.bytes());
  } catch (failure) {
    if (failure instanceof BlobGone) return undefined;
    throw failure;
  }
}
