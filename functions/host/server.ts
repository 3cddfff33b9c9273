import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadableStream as WebStream } from 'node:stream/web';
import { Server as TlsServer } from 'node:tls';
import { type HttpMethod, HttpRequest, type HttpResponseInit } from '@azure/functions';
import { MEGABYTE } from '../../shared/api.ts';
import { Problem } from '../../shared/problem.ts';
import { everyMethod, type HttpFunction } from '../http/definition.ts';
import { heldBytes } from '../http/heldBytes.ts';
import { withMiddleware } from '../http/middleware.ts';
import { responseDefaults } from '../http/responseDefaults.ts';
import type { Certificate } from './certificate.ts';
import { type Log, newContext } from './context.ts';

/**
 * How long a connection may be idle, in milliseconds, about as in Azure. Node's default of five seconds passes while
 * the process is busy with a large write. It would then close connections on which the next request is already under
 * way.
 */
const IDLE_MS = 120_000;

/** Milliseconds after which a response is dropped that its caller does not read any more; Node may wait twice. */
const UNREAD_MS = 15_000;
const RETRY_SECONDS = 30;

/**
 * An HTTP server for functions, which get real HttpRequest and InvocationContext objects: what Azure does with them, on
 * a local machine. As there, functions are tried in alphabetical order of their names and the first matching route
 * is used; case and a trailing slash do not matter.
 * @param certificate for HTTPS; left out: HTTP
 */
export function createHost(functions: readonly HttpFunction[], log: Log, certificate?: Certificate): Server {
  const unread = heldBytes({ ofKey: 200 * MEGABYTE, inAll: 600 * MEGABYTE });
  const ordered = [...functions].sort((a, b) => (a.name < b.name ? -1 : 1));
  const routes = ordered.map((one) => ({ one, match: matcher(one.route) }));

  const find = (path: string, method: string) => {
    for (const { one, match } of routes) {
      if (!one.methods.includes(method as HttpMethod)) continue;
      const params = match(path);
      if (params !== undefined) return { one, params };
    }
    return undefined;
  };

  const listener = (message: IncomingMessage, response: ServerResponse) => {
    respond(message, response).catch((failure) => {
      log(`A request was dropped: ${failure instanceof Error ? failure.message : failure}`);
      response.destroy();
    });
  };
  const options = { keepAliveTimeout: IDLE_MS };
  return certificate === undefined
    ? createServer(options, listener)
    : createHttpsServer({ ...options, ...certificate }, listener);

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = message.method ?? 'GET';
    const known = everyMethod.includes(method as HttpMethod);
    const address = addressOf(message.url ?? '/');
    const path = address && address.pathname.length <= MAX_PATH ? decoded(address.pathname) : undefined;
    const found = path === undefined ? undefined : find(path, method);
    const one = known ? (found?.one ?? noFunction) : noMethod;
    const init = {
      // The Request class refuses some other methods.
      method: known ? method : 'GET',
      headers: headersOf(message),
      // Nothing of it is read before the function reads it, which knows its limit. Node discards one that nobody reads;
      // what `Readable.toWeb` makes would read its beginning, and keep the rest and the next request from being read.
      ...(known && hasBody(message) ? { body: WebStream.from(message) as ReadableStream, duplex: 'half' } : {}),
    };
    const request = {
      nativeRequest: nativeRequestOf(address?.href ?? 'http://localhost/', init),
      // Left out, it is read from the URL.
      ...(address?.search ? {} : { query: {} }),
      params: found?.params ?? {},
    };
    const made = await one.handler(new HttpRequest(request), newContext(one.name, log));
    const key = String(message.headers.apikey ?? message.socket.remoteAddress);
    const { body } = made;
    const bytes = Buffer.isBuffer(body) || typeof body === 'string' ? body.length : 0;
    if (bytes === 0 || unread.take(key, bytes)) {
      finished(response, () => unread.release(key, bytes));
      return send(made, method, response);
    }
    const refusal = await tooMuchUnread.handler(new HttpRequest(request), newContext(one.name, log));
    return send(refusal, method, response);
  }
}

/**
 * The connections of a server, so that it can stop. To be called before it listens. Node knows neither those that are
 * still to agree on TLS nor, as idle ones, those without a request so far, which browsers open ahead and keep for
 * minutes.
 */
export function connectionsOf(server: Server) {
  const open = new Set<Socket>();
  const unused = new Set<Socket>();
  const keepIn = (sockets: Set<Socket>) => (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', keepIn(open));
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', keepIn(unused));
  server.on('request', ({ socket }) => unused.delete(socket));
  return {
    /** Ends those without a request under way. */
    endIdle(): void {
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
    },
    endAll(): void {
      for (const socket of open) socket.destroy();
    },
  };
}

const hasBody = ({ method, headers }: IncomingMessage): boolean =>
  method !== 'GET' && method !== 'HEAD' && ('content-length' in headers || 'transfer-encoding' in headers);

/**
 * The request inside an HttpRequest. Without a body it has only what functions read: a Request takes longer than all
 * else here, and the HttpRequest keeps it until V8 collects the whole heap.
 */
const nativeRequestOf = (url: string, init: RequestInit) =>
  init.body === undefined
    ? { url, method: init.method, headers: new Headers(init.headers), body: null, text: async () => '' }
    : new Request(url, init);

/** A function that refuses every request. */
const refusing = (problemOf: (path: string) => Problem): HttpFunction => {
  const handler: HttpFunction['handler'] = async (request) => {
    throw problemOf(new URL(request.url).pathname);
  };
  return withMiddleware([{ name: 'none', methods: [], route: '', handler }], responseDefaults)[0]!;
};

const tooMuchUnread = refusing(
  () =>
    new Problem('RATE_LIMIT', 'Expected the responses before this one to be read first.', {
      headers: { 'Retry-After': String(RETRY_SECONDS) },
    }),
);

const noFunction = refusing((path) => new Problem('NOT_FOUND', `There is nothing at ${path}.`));

const noMethod = refusing(
  () =>
    new Problem('METHOD_NOT_ALLOWED', `Expected one of the methods ${everyMethod.join(', ')}.`, {
      headers: { Allow: everyMethod.join(', ') },
    }),
);

/** The longest path of a request, in characters as they were sent: far above any path of the app. */
const MAX_PATH = 2048;

/**
 * Reads a route pattern: literal parts, `{name}` for one part, `{*name}` for all that follows. A path is compared part
 * by part, since a regular expression would take quadratic time on a path of many slashes.
 */
export function matcher(route: string): (path: string) => Record<string, string> | undefined {
  const parts = route
    .split('/')
    .filter((part) => part !== '')
    .map((part) => ({ text: part.toLowerCase(), named: /^\{(\*?)(\w+)\}$/.exec(part) }));
  return (path) => {
    const given = withoutSlashesAtEnd(path).split('/').slice(1);
    const params: Record<string, string> = {};
    for (const [index, { text, named }] of parts.entries()) {
      const part = given[index];
      if (named?.[1] === '*') return { ...params, [named[2]!]: given.slice(index).join('/') };
      if (part === undefined || part === '') return undefined;
      if (named !== null) params[named[2]!] = part;
      else if (part.toLowerCase() !== text) return undefined;
    }
    return given.length === parts.length ? params : undefined;
  };
}

function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** The URL of a request line; a path that begins with two slashes names no other host. */
const addressOf = (target: string): URL | undefined =>
  URL.parse(target.startsWith('/') ? `http://localhost${target}` : target, 'http://localhost') ?? undefined;

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function headersOf(message: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  // As a proxy does, unless one on this machine did: others could name any address.
  const { remoteAddress = '' } = message.socket;
  const isLocal = /^(?:127\.|::1$|::ffff:127\.)/.test(remoteAddress);
  if (!isLocal) headers['x-forwarded-for'] = [headers['x-forwarded-for'], remoteAddress].filter(Boolean).join(', ');
  return headers;
}

async function send(init: HttpResponseInit, method: string, response: ServerResponse): Promise<void> {
  const body = init.body ?? '';
  const status = init.status ?? 200;
  // Every byte that its caller reads begins the time again.
  response.setTimeout(UNREAD_MS, () => response.destroy());
  // It would go on for a request that came before this response was sent. Then Node begins the time of an idle connection.
  response.prependOnceListener('finish', () => response.socket?.setTimeout(0));
  const headers = init.headers as Record<string, string | number>;
  if (status === 304) return void response.writeHead(status, headers).end();
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) {
    if (!(Symbol.asyncIterator in body)) throw new TypeError('The host sends text, buffers and streams only.');
    // A caller that disconnects ends the stream too.
    return pipeline(body as AsyncIterable<Uint8Array>, response.writeHead(status, headers));
  }
  // Node would join text and headers, and encode both as UTF-8, which takes twice as long as sending bytes.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  // The response to a HEAD says the length of the body it does not have.
  response.writeHead(status, { 'Content-Length': bytes.length, ...headers });
  response.end(method === 'HEAD' ? undefined : bytes);
}
