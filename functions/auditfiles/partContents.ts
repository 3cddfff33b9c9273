import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Problem } from '../../shared/problem.ts';

const unpack = promisify(gunzip);

/**
 * What a compressed part holds, and its SHA-256 in hexadecimal. No more is unpacked than it may hold.
 * @param bytes what it must hold
 * @throws Problem INVALID_REQUEST
 */
export async function partContents(compressed: Uint8Array, bytes: number): Promise<{ held: Buffer; sha256: string }> {
  const expected = `Expected a part that holds ${bytes} bytes, compressed as gzip`;
  let held: Buffer;
  try {
    held = await unpack(compressed, { maxOutputLength: bytes });
  } catch (cause) {
    const isMore = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new Problem('INVALID_REQUEST', `${expected}, got ${isMore ? 'more' : 'something else'}.`, { cause });
  }
  if (held.length !== bytes) throw new Problem('INVALID_REQUEST', `${expected}, got ${held.length}.`);
  return { held, sha256: hash('sha256', held) };
}
