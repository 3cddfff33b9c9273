import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { Credential } from '../../shared/client/client.ts';
import { atOnce, inSteps } from '../../shared/inSteps.ts';
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
/**
 * Characters of a text that are encrypted or decrypted at a time, which takes some milliseconds. Base64 can be cut
 * there: four of its characters are three bytes.
 */
const PART = 2 ** 20;

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
  /** What `encryptedRows` gives, for texts of many megabytes: in parts of some, and others work while they are made. */
  encryptedInParts(text: string, push: string): AsyncGenerator<Buffer, void>;
  /** What `rowsIn` gives. Others work while it is made. */
  rowsInSteps(text: string, push: string): Promise<string>;
  /** The author in an encrypted text; undefined when it was encrypted with a secret key that is not one of these. */
  authorIn(text: string, push: string): PushAuthor | undefined;
};

export function pushSecrets(secretKeys: SecretKeys): PushSecrets {
  const derived = secretKeys.map(derivedKeys) as [DerivedKeys, ...DerivedKeys[]];
  const [current] = derived;
  function* rowsIn(text: string, push: string): Generator<void, string> {
    if (/^[[{]/.test(text)) return text;
    const [id] = text.split('.', 1);
    const key = derived.find((one) => one.id === id);
    if (key !== undefined) return yield* opened(text.slice(`${id}.`.length), push, key.rows);
    throw new Problem('NOT_FOUND', 'The rows of this push were encrypted with another SECRET_KEY.');
  }

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
    rowsIn: (text, push) => atOnce(rowsIn(text, push)),
    async *encryptedInParts(text, push) {
      const bytes = await inSteps(sealedBytes(text, push, current.rows), otherWork);
      for (let at = 0; at < bytes.length; at += 3 * PART)
        yield Buffer.from((at === 0 ? `${current.id}.` : '') + bytes.toString('base64', at, at + 3 * PART), 'latin1');
    },
    rowsInSteps: (text, push) => inSteps(rowsIn(text, push), otherWork),
    authorIn(text, push) {
      const [id, content = ''] = text.split('.');
      const key = derived.find((one) => one.id === id);
      return key && JSON.parse(atOnce(opened(content, push, key.author)));
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

const sealed = (text: string, boundTo: string, key: Buffer): string =>
  atOnce(sealedBytes(text, boundTo, key)).toString('base64');

/** The nonce, the tag and what a text is encrypted to. */
function* sealedBytes(text: string, boundTo: string, key: Buffer): Generator<void, Buffer> {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(boundTo));
  const parts: Buffer[] = [];
  for (let [at, end] = [0, 0]; at < text.length; at = end) {
    // Not between the halves of a character.
    end = at + PART + (/[\ud800-\udbff]/.test(text.charAt(at + PART - 1)) ? 1 : 0);
    parts.push(cipher.update(text.slice(at, end), 'utf8'));
    yield;
  }
  parts.push(cipher.final());
  return Buffer.concat([nonce, cipher.getAuthTag(), ...parts]);
}

/** The text that `sealed` encrypted. @throws Error when it was changed, or sealed with another key or for another push */
function* opened(text: string, boundTo: string, key: Buffer): Generator<void, string> {
  const first = Buffer.from(text.slice(0, PART), 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, first.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(first.subarray(NONCE, NONCE + TAG));
  const parts = [decipher.update(first.subarray(NONCE + TAG))];
  for (let at = PART; at < text.length; at += PART) {
    yield;
    parts.push(decipher.update(Buffer.from(text.slice(at, at + PART), 'base64')));
  }
  parts.push(decipher.final());
  return Buffer.concat(parts).toString('utf8');
}

/** Decrypts a text with the first key that fits. @throws the last failure, when none fits */
function openedWithAny(keys: readonly Buffer[], text: string, boundTo: string): string {
  let failure = new Error('It was encrypted with a secret key that is not known here.');
  for (const key of keys) {
    try {
      return atOnce(opened(text, boundTo, key));
    } catch (cause) {
      failure = cause as Error;
    }
  }
  throw failure;
}
