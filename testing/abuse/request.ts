import { request } from 'node:http';
import type { Credential } from '../../shared/client/client.ts';

export type Sent = {
  method: string;
  path: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** Bytes of each chunk; left out: the body is sent at once, with its length. */
  chunk?: number;
};

/** `status` is 0 when the app closed the connection while the body was being sent. */
export type Received = { status: number; body: string };

/** Sends a request with a credential, on a connection of its own. */
export function send(url: string, { apiKey, username }: Credential, sent: Sent): Promise<Received> {
  const { method, path, body = '', chunk } = sent;
  const bytes = Buffer.from(body);
  const headers = {
    ApiKey: apiKey,
    Username: username,
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    ...(chunk === undefined ? { 'Content-Length': String(bytes.length) } : {}),
    ...sent.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (part: Buffer) => chunks.push(part))
        .on('close', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }));
    });
    const isClosed = ({ code }: NodeJS.ErrnoException) => code === 'EPIPE' || code === 'ECONNRESET';
    outgoing.on('error', (failure) => (isClosed(failure) ? resolve({ status: 0, body: '' }) : reject(failure)));
    for (let at = 0; chunk !== undefined && at < bytes.length; at += chunk) {
      outgoing.write(bytes.subarray(at, at + chunk));
    }
    outgoing.end(chunk === undefined ? bytes : undefined);
  });
}
