import { hash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest } from '@azure/functions';
import type { Credential } from '../../shared/client/client.ts';
import { Problem } from '../../shared/problem.ts';

/** Requests whose credential a function has read. */
const read = new WeakSet<HttpRequest>();

/** Whether a function read the credential of a request: if it then gave a response, the credential was right. */
export const wasCredentialRead = (request: HttpRequest): boolean => read.has(request);

/** The credential in the two headers of a request. @throws Problem UNAUTHORIZED when one is missing */
export function credentialOf(request: HttpRequest): Credential {
  const apiKey = request.headers.get('ApiKey')?.trim();
  const username = request.headers.get('Username')?.trim();
  if (!apiKey || !username) throw new Problem('UNAUTHORIZED', 'Invalid authentication credentials');
  read.add(request);
  return { apiKey, username };
}

/** Whether two secrets are the same, compared in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
