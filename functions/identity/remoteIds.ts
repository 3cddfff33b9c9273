import { createHmac, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Credential } from '../../shared/client/client.ts';
import { derivedKey, type SecretKeys } from '../http/secretKeys.ts';

/** Characters of an id: 128 bits in hexadecimal. */
const LENGTH = 32;

/**
 * The ids of a remote administration, under each secret key: the same for the same credential of the same service, and
 * no one without a secret key can check a guess of the API key against them. Without any secret key a slow hash stands
 * in: a guess then costs some ten milliseconds and 16 MB.
 * @param service its address
 */
export async function remoteIds(
  service: string,
  { apiKey, username }: Credential,
  secretKeys: SecretKeys | undefined,
): Promise<[current: string, ...previous: string[]]> {
  const place = [service, username.toLowerCase()];
  if (secretKeys === undefined) {
    const salt = `ledgerline: remote administration\n${JSON.stringify(place)}`;
    return [(await slowHash(apiKey, salt, LENGTH / 2)).toString('hex')];
  }
  const named = JSON.stringify([...place, apiKey]);
  const ids = secretKeys.map((secretKey) =>
    createHmac('sha256', derivedKey(secretKey, 'id of a remote administration'))
      .update(named)
      .digest('hex')
      .slice(0, LENGTH),
  );
  return ids as [string, ...string[]];
}

const slowHash = promisify<string, string, number, Buffer>(scrypt);
