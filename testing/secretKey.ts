import { createHash } from 'node:crypto';

/** A SECRET_KEY for tests and measurements: the same for the same seed. */
export const secretKeyOf = (seed: number | string): string =>
  createHash('sha256').update(String(seed)).digest('base64');
