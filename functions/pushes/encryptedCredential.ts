import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Credential } from '../../shared/client/client.ts';

/*
 * Credentials of pushes. Someone who reads the storage but has no secret key learns no API key, and cannot use the
 * credential of one push for another.
 */

const NONCE = 12;
const TAG = 16;

/** The name of a credential in storage: the same for the same credential, and it reveals nothing about it. */
export const ownerOf = ({ apiKey, username }: Credential, secretKey: Buffer): string =>
  createHmac('sha256', secretKey).update(`owner\n${username.toLowerCase()}\n${apiKey}`).digest('hex');

/** A credential, encrypted (AES-256-GCM) and bound to one push. @param push what it is bound to */
export function encrypted(credential: Credential, push: string, secretKey: Buffer): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', secretKey, nonce).setAAD(Buffer.from(push));
  const { apiKey, username } = credential;
  const text = Buffer.concat([cipher.update(JSON.stringify({ apiKey, username }), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

/**
 * The credential in an encrypted text.
 * @throws when it was encrypted with another key, for another push, or was changed
 */
export function decrypted(text: string, push: string, secretKey: Buffer): Credential {
  const bytes = Buffer.from(text, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', secretKey, bytes.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(push))
    .setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8'));
}
