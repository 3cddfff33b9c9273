import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Credential } from '../../shared/client/client.ts';
import { Problem } from '../../shared/problem.ts';
import { derivedKey, type SecretKeys } from '../http/secretKeys.ts';

/*
 * Secrets of pushes: credentials, rows and what became of them. Someone who reads the storage but has no secret key
 * learns no API key and no row, and cannot use what is stored of one push for another.
 *
 * Nothing is encrypted with a secret key itself, but with keys derived from it, one for each purpose. An encrypted text
 * is `2.`, the id of the secret key, a dot, and in base64 nonce, tag and ciphertext (AES-256-GCM). Texts of version 1
 * are that base64 alone, encrypted with the secret key itself. The names of credentials were derived from it, too.
 */

const NONCE = 12;
const TAG = 16;

/** Who began a push: the user name, and the label of the key. */
export type PushAuthor = { username: string; label: string };

/** The uses of secret keys by pushes. */
export type PushSecrets = {
  /**
   * The names of a credential in storage, one for each secret key and version, the current one first: the same for the
   * same credential, and they reveal nothing about it.
   */
  ownersOf(credential: Credential): [current: string, ...previous: string[]];
  /** A credential, encrypted with the current secret key. @param push the push it is bound to */
  encrypted(credential: Credential, push: string): string;
  /**
   * The credential in an encrypted text.
   * @throws when it was encrypted with a secret key that is not one of these, for another push, or was changed
   */
  decrypted(text: string, push: string): Credential;
  /** Who began a push, encrypted with the current secret key. */
  encryptedAuthor(author: PushAuthor, push: string): string;
  /** A text about rows, encrypted with the current secret key. */
  encryptedRows(text: string, push: string): string;
  /**
   * Decrypts a text about rows; earlier versions stored it unencrypted.
   * @throws Problem NOT_FOUND when it was encrypted with a secret key that is not one of these
   */
  rowsIn(text: string, push: string): string;
  /** The author in an encrypted text; undefined when it was encrypted with a secret key that is not one of these. */
  authorIn(text: string, push: string): PushAuthor | undefined;
};

export function pushSecrets(secretKeys: SecretKeys): PushSecrets {
  const derived = secretKeys.map(derivedKeys) as [DerivedKeys, ...DerivedKeys[]];
  const [current] = derived;
  return {
    ownersOf({ apiKey, username }) {
      const name = `${username.toLowerCase()}\n${apiKey}`;
      const owners = derived.map(({ owner }) => createHmac('sha256', owner).update(name).digest('hex'));
      const ownersOfVersion1 = secretKeys.map((key) =>
        createHmac('sha256', key).update(`owner\n${name}`).digest('hex'),
      );
      return [...owners, ...ownersOfVersion1] as [string, ...string[]];
    },
    encrypted: ({ apiKey, username }, push) =>
      `2.${current.id}.${sealed(JSON.stringify({ apiKey, username }), push, current.credential)}`,
    decrypted(text, push) {
      const [, id, content] = /^2\.([0-9a-f]{8})\.(.*)$/.exec(text) ?? [];
      const keys =
        id === undefined ? secretKeys : derived.filter((one) => one.id === id).map(({ credential }) => credential);
      return JSON.parse(openedWithAny(keys, content ?? text, push));
    },
    encryptedAuthor: (author, push) => `${current.id}.${sealed(JSON.stringify(author), push, current.author)}`,
    encryptedRows: (text, push) => `${current.id}.${sealed(text, push, current.rows)}`,
    rowsIn(text, push) {
      if (/^[[{]/.test(text)) return text;
      const [id, content = ''] = text.split('.');
      const key = derived.find((one) => one.id === id);
      if (key !== undefined) return opened(content, push, key.rows);
      throw new Problem('NOT_FOUND', 'The rows of this push were encrypted with another SECRET_KEY.');
    },
    authorIn(text, push) {
      const [id, content = ''] = text.split('.');
      const key = derived.find((one) => one.id === id);
      return key && JSON.parse(opened(content, push, key.author));
    },
  };
}

type DerivedKeys = { id: string; owner: Buffer; credential: Buffer; author: Buffer; rows: Buffer };

/** A key for each purpose, and an id that tells secret keys apart. */
const derivedKeys = (secretKey: Buffer): DerivedKeys => ({
  id: derivedKey(secretKey, 'id of the secret key').toString('hex', 0, 4),
  owner: derivedKey(secretKey, 'owner of pushes'),
  credential: derivedKey(secretKey, 'credential of a push'),
  author: derivedKey(secretKey, 'author of a push'),
  rows: derivedKey(secretKey, 'rows of a push'),
});

function sealed(text: string, boundTo: string, key: Buffer): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64');
}

function opened(text: string, boundTo: string, key: Buffer): string {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
}

/** Decrypts a text with the first key that fits. @throws the last failure, when none fits */
function openedWithAny(keys: readonly Buffer[], text: string, boundTo: string): string {
  let failure = new Error('It was encrypted with a secret key that is not known here.');
  for (const key of keys) {
    try {
      return opened(text, boundTo, key);
    } catch (cause) {
      failure = cause as Error;
    }
  }
  throw failure;
}
