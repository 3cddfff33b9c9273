import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MEGABYTE } from '../../shared/api.ts';
import { turnsDuring } from '../../testing/turnsDuring.ts';
import { pushSecrets } from './pushSecrets.ts';

const credential = { apiKey: 'sécrèt', username: 'Anna@example.com' };
const secretKey = randomBytes(32);
const secrets = pushSecrets([secretKey]);
const text = secrets.encrypted(credential, 'push 1');
const [version, id, content] = text.split('.') as [string, string, string];

describe('an encrypted credential', () => {
  it('is decrypted with its secret key for its push, and contains no plain text', () => {
    expect(secrets.decrypted(text, 'push 1')).toEqual(credential);
    expect(secrets.encrypted(credential, 'push 1')).not.toBe(text);
    expect(Buffer.from(content, 'base64').toString('latin1')).not.toContain('Anna');
  });

  it('contains its version and an id of its secret key, not the key', () => {
    expect(version).toBe('2');
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(secretKey.toString('hex')).not.toContain(id);
  });

  it('is decrypted with the key that encrypted it, also when that is a previous one', () => {
    const another = randomBytes(32);
    expect(pushSecrets([another, secretKey]).decrypted(text, 'push 1')).toEqual(credential);
    const later = pushSecrets([another, secretKey]).encrypted(credential, 'push 1');
    expect(pushSecrets([another]).decrypted(later, 'push 1')).toEqual(credential);
    expect(() => secrets.decrypted(later, 'push 1')).toThrow('a secret key that is not known here');
  });

  it('of version 1 is decrypted as well', () => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', secretKey, nonce).setAAD(Buffer.from('push 1'));
    const encrypted = Buffer.concat([cipher.update(JSON.stringify(credential), 'utf8'), cipher.final()]);
    const old = Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
    expect(secrets.decrypted(old, 'push 1')).toEqual(credential);
    expect(pushSecrets([randomBytes(32), secretKey]).decrypted(old, 'push 1')).toEqual(credential);
    expect(() => pushSecrets([randomBytes(32)]).decrypted(old, 'push 1')).toThrow();
    expect(() => secrets.decrypted(old, 'push 2')).toThrow();
  });

  const changed = (change: (bytes: Buffer) => Buffer) =>
    `${version}.${id}.${change(Buffer.from(content, 'base64')).toString('base64')}`;
  it.each([
    ['for another push', () => secrets.decrypted(text, 'push 2')],
    ['with another key', () => pushSecrets([randomBytes(32)]).decrypted(text, 'push 1')],
    ['without its version', () => secrets.decrypted(content, 'push 1')],
    [
      'with a byte changed',
      () =>
        secrets.decrypted(
          changed((bytes) => {
            bytes[bytes.length - 1]! ^= 1;
            return bytes;
          }),
          'push 1',
        ),
    ],
    [
      'with a tag cut short',
      () =>
        secrets.decrypted(
          changed((bytes) => bytes.subarray(0, 20)),
          'push 1',
        ),
    ],
  ])('is not decrypted %s', (_, open) => {
    expect(open).toThrow();
  });
});

describe('an owner', () => {
  it('is the same for a credential in any case of its user name, for each secret key', () => {
    const another = randomBytes(32);
    const [first, second] = pushSecrets([another, secretKey]).ownersOf(credential);
    expect(second).toBe(secrets.ownersOf({ ...credential, username: 'ANNA@example.com' })[0]);
    expect(first).not.toBe(second);
    expect(secrets.ownersOf({ ...credential, apiKey: 'other' })).not.toEqual(secrets.ownersOf(credential));
  });

  it('is computed with a key that HKDF derives', () => {
    const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'ledgerline: owner of pushes', 32));
    const expected = createHmac('sha256', key).update('anna@example.com\nsécrèt').digest('hex');
    // The names of version 1 are still among them.
    const before = createHmac('sha256', secretKey).update('owner\nanna@example.com\nsécrèt').digest('hex');
    expect(secrets.ownersOf(credential)).toEqual([expected, before]);
  });
});

describe('a text of many megabytes about rows', () => {
  const large = JSON.stringify('é'.repeat(40 * MEGABYTE));

  it('is what it is at once, and gives others their turns while it is encrypted and decrypted', async () => {
    let [encrypted, decrypted] = ['', ''];
    const ofEncrypting = await turnsDuring(async () => {
      const parts = await Array.fromAsync(secrets.encryptedInParts(large, 'push 1'));
      encrypted = Buffer.concat(parts).toString('latin1');
    });
    const ofDecrypting = await turnsDuring(async () => {
      decrypted = await secrets.rowsInSteps(encrypted, 'push 1');
    });
    expect(decrypted === large && secrets.rowsIn(encrypted, 'push 1') === large).toBe(true);
    // Some fifteen here, fewer on a faster machine; all at once would be one.
    expect(Math.min(ofEncrypting, ofDecrypting)).toBeGreaterThanOrEqual(3);
  });
});
