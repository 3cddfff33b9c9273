import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import { afterEach } from 'vitest';
import { type DownloadOptions, downloadFile } from '../../functions/administrations/builtin/attachments/download.ts';
import { invoiceFiles } from '../../functions/administrations/builtin/attachments/fileKind.ts';
import { testCertificate } from '../testCertificate.ts';

/* Servers on this machine for tests of downloads. They are closed after each test. */

export const MEGABYTE = 1024 * 1024;
export const NOT_PUBLIC = { failure: 'the address does not lead to the public internet' };
export const TOO_LARGE = { failure: 'the file is larger than 10 MB' };
export const now = new Date('2026-08-05T14:30:12.345Z');

export const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) (server as http.Server).closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

export async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A server on this machine, with its requests and a promise for the end of each connection. */
export async function serve(listener: RequestListener, { secure = false } = {}) {
  const asked: http.IncomingMessage[] = [];
  const closed: Promise<unknown>[] = [];
  const handler: RequestListener = (request, response) => {
    asked.push(request);
    closed.push(new Promise((close) => request.socket.on('close', close)));
    listener(request, response);
  };
  const server = secure ? https.createServer(testCertificate, handler) : http.createServer(handler);
  const port = await listening(server);
  return { port, at: `http://127.0.0.1:${port}`, asked, closed };
}

export const file = (bytes: Uint8Array, headers: http.OutgoingHttpHeaders = {}): RequestListener => {
  return (_request, response) => response.writeHead(200, { 'content-length': bytes.length, ...headers }).end(bytes);
};

const anyPort = Array.from({ length: 65_536 }, (_, port) => port);

/** A download that may connect to 127.0.0.1 only: the file, or why there is none. */
export async function download(address: string, options: Partial<DownloadOptions> = {}) {
  const downloaded = await downloadFile(address, {
    allowed: invoiceFiles,
    now,
    allowAddress: (ip) => ip === '127.0.0.1',
    ports: anyPort,
    lookup: () => Promise.reject(new Error('nothing was to be looked up')),
    ...options,
  });
  return downloaded.kind === 'refused' ? { failure: downloaded.reason } : downloaded.value;
}

/** A download with the restrictions of the app. */
export const strictly = (address: string, options: Partial<DownloadOptions> = {}) =>
  download(address, { allowAddress: () => false, ...options });

export const responding =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: net.isIP(address) })));

/** A server that closes and counts its connections. */
export async function privateServer() {
  let connections = 0;
  const port = await listening(net.createServer((socket) => socket.destroy(void connections++)));
  return { port, connections: () => connections };
}
