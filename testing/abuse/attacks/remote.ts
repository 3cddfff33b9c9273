import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { MEGABYTE } from '../../../shared/api.ts';
import { listen } from '../../listen.ts';
import { secretKeyOf } from '../../secretKey.ts';
import { send } from '../request.ts';
import { startApp } from '../target.ts';
import type { Attack } from './attack.ts';

/* A remote service that answers far more than it was asked for, while it answers others as it should. */

export type RemoteTarget = Awaited<ReturnType<typeof startRemoteTarget>>;

type Respond = { body: string | Buffer; status?: number; headers?: Record<string, string> };

const other = { apiKey: 'other', username: 'other@example.com' };

/** Starts an app whose administration is a service of this process. */
export async function startRemoteTarget(storage: string) {
  let hostile: Respond = { body: '[]' };
  const service = createServer((request, response) => {
    const { body, status = 200, headers }: Respond = request.headers.apikey === other.apiKey ? { body: '[]' } : hostile;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  });
  const { url, close } = await listen(service);
  const app = await startApp(
    {
      ADMINISTRATION_URL: url,
      AzureWebJobsStorage: storage,
      SECRET_KEY: secretKeyOf('abuse'),
      REMOTE_PER_SECOND: '0',
      REMOTE_PER_MINUTE: '0',
    },
    other,
  );
  return {
    ...app,
    /** The response to a list while the service answers this. */
    listed(path: string, next: Respond) {
      hostile = next;
      // The circuit breaker of a key that failed would let nothing through.
      const attacker = { apiKey: randomUUID(), username: 'attacker@example.com' };
      return send(app.url, attacker, { method: 'GET', path });
    },
    async stop() {
      await app.stop();
      close();
    },
  };
}

const relations = (count: number, more: object) =>
  `[${Array.from({ length: count }, (_, index) => JSON.stringify({ RelationGUID: index + 1, ...more })).join(',')}]`;
const RELATIONS = '/rest/listrelations';
const PDFS = '/rest/listsalesinvoices?IncludeBase64PDF=true';
/** A list of values, of about so many bytes. */
const values = (value: string, bytes: number) => `[${`${value},`.repeat(bytes / (value.length + 1))}0]`;

const pdfOf = (megabytes: number) => `[{"InvoicePDFBase64":"${'A'.repeat(megabytes * MEGABYTE)}"}]`;

const answered = (
  name: string,
  path: string,
  response: () => Respond,
  { status = 502, maxMemory = 400 } = {},
): Attack<RemoteTarget> => ({
  name: `a service that answers ${name}`,
  prepare({ listed }) {
    const { body, ...rest } = response();
    const given = { ...rest, body: Buffer.from(body) };
    return async () => {
      const received = await listed(path, given);
      equal(received.status, status, received.body.slice(0, 1000));
      return String(received.status);
    };
  },
  maxMemory,
});

export const remoteAttacks: readonly Attack<RemoteTarget>[] = [
  answered('90,000 relations to one page', RELATIONS, () => ({ body: relations(90_000, { Notes: 'x'.repeat(300) }) })),
  answered('90,000 small relations', RELATIONS, () => ({ body: relations(90_000, {}) })),
  answered('numbers', RELATIONS, () => ({ body: values('1', 4 * MEGABYTE) })),
  answered('a relation of many values', RELATIONS, () => ({ body: `[{"x":${values('{}', 4 * MEGABYTE)}}]` })),
  answered('relations of many lists of values', RELATIONS, () => ({
    body: `[{"RelationGUID":1,"x":[${Array(20).fill(values('1', 180_000))}]}]`,
  })),
  answered('a PDF of 60 MB', PDFS, () => ({ body: pdfOf(60) }), { status: 200 }),
  answered('a PDF as large as a page may be', PDFS, () => ({ body: pdfOf(99) }), { status: 200, maxMemory: 700 }),
  answered('nested lists', RELATIONS, () => ({ body: `${'['.repeat(2 * MEGABYTE)}${']'.repeat(2 * MEGABYTE)}` })),
  answered('tax codes of many values', '/rest/listtaxcodes', () => ({ body: `[{"x":${values('1', 15 * MEGABYTE)}}]` })),
  answered('an invoice of many values', PDFS, () => ({ body: `[{"x":${values('1', 90 * MEGABYTE)}}]` })),
  answered('an error of many values', RELATIONS, () => ({
    body: `{"errorCode":"X","errors":${values('{}', 4 * MEGABYTE)}}`,
    status: 500,
  })),
  answered('what unpacks to much', RELATIONS, () => ({
    body: gzipSync(Buffer.alloc(200 * MEGABYTE, ' ')),
    headers: { 'Content-Encoding': 'gzip' },
  })),
];
