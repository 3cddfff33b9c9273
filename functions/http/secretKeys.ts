import { hkdfSync } from 'node:crypto';

/** The current secret key, and earlier ones that something stored may still depend on. 32 bytes each. */
export type SecretKeys = readonly [current: Buffer, ...previous: Buffer[]];

/** The key for one purpose, derived from a secret key. */
export const derivedKey = (secretKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `ledgerline: ${purpose}`, 32));
