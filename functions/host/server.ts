import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type HttpMethod, HttpRequest, type HttpResponseInit } from '@azure/functions';
import { Problem } from '../../shared/problem.ts';
import { everyMethod, type HttpFunction } from '../http/definition.ts';
import { MAX_BODY } from '../http/json.ts';
import { withResponseDefaults } from '../http/responseDefaults.ts';
import { type Log, newContext } from './context.ts';

/**
 * How long a connection may lie idle, in milliseconds, as in Azure about. Node's own five seconds pass while the process
 * is busy with a large write: it would then end connections on which the next request is already under way.
 */
const IDLE = 120_000;

/**
 * An HTTP server over functions, which get real HttpRequest and InvocationContext objects: what Azure does with them, on
 * one's own machine. As there, functions are tried in alphabetical order of their names and the first route that fits
 * answers; routes know no case and no trailing slash.
 */
export function createHost(functions: readonly HttpFunction[], log: Log): Server {
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

  return createServer({ keepAliveTimeout: IDLE }, (message, response) => {
    answer(message, response).catch((failure) => {
      log(`A request was dropped: ${failure instanceof Error ? failure.message : failure}`);
      response.destroy();
    });
  });

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = message.method ?? 'GET';
    const address = addressOf(message.url ?? '/');
    const path = address && decoded(address.pathname);
    const found = path === undefined ? undefined : find(path, method);
    const known = everyMethod.includes(method as HttpMethod);
    const body = method === 'GET' || method === 'HEAD' ? undefined : await readBody(message);
    const one = body === 'too large' ? tooLarge : known ? (found?.one ?? noFunction) : noMethod;
    const request = new HttpRequest({
      // A request of fetch, which this is underneath, refuses some other methods.
      method: known ? method : 'GET',
      url: address?.href ?? 'http://localhost/',
      headers: headersOf(message),
      params: found?.params ?? {},
      ...(Buffer.isBuffer(body) ? { body: { bytes: body } } : {}),
    });
    const context = newContext(one.name, log);
    await send(await one.handler(request, context), method, response);
  }
}

/** A function that refuses whatever comes. */
const refusing = (problemOf: (path: string) => Problem): HttpFunction => {
  const handler: HttpFunction['handler'] = async (request) => {
    throw problemOf(new URL(request.url).pathname);
  };
  return withResponseDefaults([{ name: 'none', methods: [], route: '', handler }])[0]!;
};

const noFunction = refusing((path) => new Problem('NOT_FOUND', `There is nothing at ${path}.`));

const noMethod = refusing(
  () =>
    new Problem('METHOD_NOT_ALLOWED', `Expected one of the methods ${everyMethod.join(', ')}.`, {
      headers: { Allow: everyMethod.join(', ') },
    }),
);

const tooLarge = refusing(
  () =>
    new Problem('BODY_TOO_LARGE', `Expected a body of at most ${MAX_BODY} bytes.`, {
      headers: { Connection: 'close' },
    }),
);

/** Reads a route pattern: literal parts, `{name}` for one part, `{*name}` for all that follows. */
export function matcher(route: string): (path: string) => Record<string, string> | undefined {
  const names: string[] = [];
  const parts = route.split('/').filter((part) => part !== '');
  const pattern = parts.map((part) => {
    const named = /^\{(\*?)(\w+)\}$/.exec(part);
    if (named === null) return `/${part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
    names.push(named[2]!);
    return named[1] === '*' ? '(?:/(.*?))?' : '/([^/]+?)';
  });
  const expression = new RegExp(`^${pattern.join('')}/*$`, 'i');
  return (path) => {
    const match = expression.exec(path);
    if (match === null) return undefined;
    return Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']));
  };
}

/** The address a request line asks for; a path of two slashes is a path, and names no other host. */
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
  return headers;
}

async function readBody(message: IncomingMessage): Promise<Buffer | 'too large'> {
  if (Number(message.headers['content-length'] ?? 0) > MAX_BODY) return 'too large';
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not end the connection: the refusal still has to go out on it.
  for await (const chunk of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) return 'too large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function send(init: HttpResponseInit, method: string, response: ServerResponse): Promise<void> {
  const body = init.body ?? '';
  response.statusCode = init.status ?? 200;
  for (const [name, value] of Object.entries(init.headers ?? {})) response.setHeader(name, value);
  if (response.statusCode === 304) return void response.end();
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) {
    if (!(Symbol.asyncIterator in body)) throw new TypeError('The host sends text, buffers and streams only.');
    // Whoever leaves halfway ends the stream as well.
    return pipeline(body as AsyncIterable<Uint8Array>, response);
  }
  // The response to a HEAD says the length of the body it does not have.
  if (!response.hasHeader('Content-Length')) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(method === 'HEAD' ? undefined : body);
}
