import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Credential } from '../../shared/client/client.ts';

/*
 * Credentials of pushes. Whoever can read the storage but has no secret key learns no key from it, and cannot hand the
 * credential of one push to another.
 *
 * Of a secret key nothing is used but keys derived from it, one for each purpose. An encrypted text is `2.`, the id of the
 * secret key, a dot, and in base64 nonce, tag and ciphertext (AES-256-GCM). Before version 2 it was that base64 alone, under
 * the secret key itself.
 */

const NONCE = 12;
const TAG = 16;

/** The current secret key, and those before it under which something may still be stored. 32 bytes each. */
export type SecretKeys = readonly [current: Buffer, ...previous: Buffer[]];

/** What pushes do with secret keys. */
export type CredentialSecrets = {
  /**
   * What a credential is known by in storage, under each of the secret keys: the same for the same credential, and nothing
   * can be told from it.
   */
  ownersOf(credential: Credential): [current: string, ...previous: string[]];
  /** A credential, encrypted under the current secret key and bound to one push. @param push what it is bound to */
  encrypted(credential: Credential, push: string): string;
  /** The credential in an encrypted text. @throws when its secret key is not among these, it is for another push, or changed */
  decrypted(text: string, push: string): Credential;
};

export function credentialSecrets(secretKeys: SecretKeys): CredentialSecrets {
  const derived = secretKeys.map(derivedKeys) as [DerivedKeys, ...DerivedKeys[]];
  const [current] = derived;
  return {
    ownersOf: ({ apiKey, username }) =>
      derived.map(({ owner }) =>
        createHmac('sha256', owner).update(`${username.toLowerCase()}\n${apiKey}`).digest('hex'),
      ) as [string, ...string[]],
    encrypted: ({ apiKey, username }, push) =>
      `2.${current.id}.${sealed(JSON.stringify({ apiKey, username }), push, current.credential)}`,
    decrypted(text, push) {
      const [, id, content] = /^2\.([0-9a-f]{8})\.(.*)$/.exec(text) ?? [];
      const keys =
        id === undefined ? secretKeys : derived.filter((one) => one.id === id).map(({ credential }) => credential);
      return JSON.parse(openedWithOne(keys, content ?? text, push));
    },
  };
}

type DerivedKeys = { id: string; owner: Buffer; credential: Buffer };

/** The keys of each purpose. The id tells secret keys apart, and nothing else. */
const derivedKeys = (secretKey: Buffer): DerivedKeys => ({
  id: derive(secretKey, 'id of the secret key').toString('hex', 0, 4),
  owner: derive(secretKey, 'owner of pushes'),
  credential: derive(secretKey, 'credential of a push'),
});

const derive = (secretKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `ledgerline: ${purpose}`, 32));

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

/** What one of the keys opens. @throws the last failure, when none does */
function openedWithOne(keys: readonly Buffer[], text: string, boundTo: string): string {
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
