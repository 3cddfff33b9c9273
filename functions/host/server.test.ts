import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectByTls } from 'node:tls';
import type { HttpResponseInit } from '@azure/functions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../shared/problem.ts';
import { send } from '../../testing/app.ts';
import { listen } from '../../testing/listen.ts';
import { testCertificate } from '../../testing/testCertificate.ts';
import type { HttpFunction } from '../http/definition.ts';
import { readJsonBody } from '../http/json.ts';
import { withMiddleware } from '../http/middleware.ts';
import { responseDefaults } from '../http/responseDefaults.ts';
import { connectionsOf, createHost, matcher } from './server.ts';

const one = (name: string, route: string, more: Partial<HttpFunction> = {}): HttpFunction => ({
  name,
  route,
  methods: ['GET'],
  handler: async (request) => ({ body: JSON.stringify({ name, params: request.params }) }),
  ...more,
});

const MAX_BODY = 1024 * 1024;

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (const piece of ['one', 'two']) yield Buffer.from(piece);
}

const functions: HttpFunction[] = withMiddleware(
  [
    one('zebra', 'animals/zebra'),
    one('animal', 'animals/{kind}'),
    one('aardvark', 'animals/aardvark'),
    one('files', 'files/{*file}'),
    one('root', '/'),
    one('echo', 'echo', {
      methods: ['GET', 'POST', 'PUT', 'HEAD'],
      handler: async (request) => {
        const response: HttpResponseInit = {
          status: 201,
          headers: { 'X-Test': request.headers.get('X-Test') ?? '', 'Content-Type': 'text/plain' },
          body: `${request.method} ${request.query.get('q')} ${await request.text()}`,
        };
        return response;
      },
    }),
    one('stream', 'stream', {
      methods: ['GET', 'HEAD'],
      handler: async (request) => ({
        headers: { 'Content-Length': '6' },
        ...(request.method === 'HEAD' ? {} : { body: pieces() }),
      }),
    }),
    one('limited', 'limited', {
      methods: ['POST'],
      handler: async (request) => ({ body: JSON.stringify(await readJsonBody(request, MAX_BODY)) }),
    }),
    one('refusing', 'refusing', {
      methods: ['POST'],
      handler: async () => {
        throw new Problem('UNAUTHORIZED', 'Invalid.');
      },
    }),
    one('talk', 'talk', {
      handler: async (_request, context) => {
        context.debug('detail');
        context.log('information');
        context.warn('warned', 12);
        context.error(new Error('failure'));
        return {};
      },
    }),
  ],
  responseDefaults,
);

const broken = one('broken', 'broken', {
  handler: async () => {
    throw new Error('nothing catches it');
  },
});

let server: Server;
let url: string;
let close: () => void;
let logged: string[];

beforeAll(async () => {
  server = createHost([...functions, broken], (line) => logged.push(line));
  ({ url, close } = await listen(server));
});
beforeEach(() => {
  logged = [];
});
afterAll(() => close());

const get = (target: string) => send(url, 'GET', target);

/** Sends raw bytes, and returns everything received until the connection ends. */
async function raw(...writes: (string | Buffer)[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.on('error', () => {});
  for (const bytes of writes) {
    if (socket.destroyed) break;
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), ended]);
  }
  await ended;
  return response;
}

describe('a connection', () => {
  it('stays open for a request that arrives while the host is busy', async () => {
    const agent = new Agent({ keepAlive: true });
    const ask = async () => {
      const [response] = await once(request(`${url}/animals/zebra`, { agent }).end(), 'response');
      for await (const _ of response);
      return response.statusCode;
    };
    expect(await ask()).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
    // Longer than Node's default timeout of idle connections, five seconds and one more.
    for (const till = Date.now() + 6500; Date.now() < till; );
    expect(await ask()).toBe(200);
    agent.destroy();
  });
});

describe.each([
  ['HTTP', undefined],
  ['HTTPS', testCertificate],
])('the connections of a host over %s that stops', (_name, certificate) => {
  /** A host that answers when it is told to, and connections to it. */
  async function stopping() {
    const answer = Promise.withResolvers<void>();
    const slow = one('slow', 'slow', { handler: () => answer.promise.then(() => ({ body: 'done' })) });
    const host = createHost([slow], () => {}, certificate);
    const connections = connectionsOf(host);
    const port = Number(new URL((await listen(host)).url).port);
    const accepted: Socket[] = [];
    host.on('connection', (socket) => accepted.push(socket));
    /** @returns what it received, once it has ended */
    const opened = async (isSecure = certificate !== undefined) => {
      const known = once(host, isSecure ? 'secureConnection' : 'connection');
      const socket = isSecure
        ? connectByTls({ port, host: '127.0.0.1', ca: testCertificate.cert })
        : connect(port, '127.0.0.1');
      await known;
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk;
      });
      socket.on('error', () => {});
      const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
      return { socket, ended };
    };
    const asking = async () => {
      const connection = await opened();
      const asked = once(host, 'request');
      connection.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
      await asked;
      return connection;
    };
    return { host, connections, accepted, answer: answer.resolve, opened, asking };
  }

  it('end at once where no request came yet, and after its response where one did', async () => {
    const { host, connections, answer, opened, asking } = await stopping();
    const [unused, asked] = [await opened(), await asking()];
    const closed = once(host, 'close');
    host.close();
    connections.endIdle();
    expect(await unused.ended).toBe('');
    answer();
    const ending = setInterval(connections.endIdle, 20);
    expect(await asked.ended).toMatch(/^HTTP\/1\.1 200 .*done$/s);
    await closed;
    clearInterval(ending);
  });

  it('end all where that is asked for, also before they agreed on TLS', async () => {
    const { host, connections, accepted, opened, asking } = await stopping();
    const [mute, asked] = [await opened(false), await asking()];
    const closed = once(host, 'close');
    host.close();
    connections.endAll();
    expect(accepted.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    expect(await Promise.all([mute.ended, asked.ended])).toEqual(['', '']);
    await closed;
  });
});

describe('a route', () => {
  it.each([
    ['rest/listrelations', '/rest/listrelations', {}],
    ['rest/listrelations', '/rest/listrelations/', {}],
    ['rest/listrelations', '/rest/listrelations//', {}],
    ['rest/listrelations', '/REST/ListRelations', {}],
    ['rest/listrelations', '/rest/listrelations/1', undefined],
    ['rest/listrelations', '/x/rest/listrelations', undefined],
    ['rest/openapi.json', '/rest/openapi.json', {}],
    ['rest/openapi.json', '/rest/openapiXjson', undefined],
    ['products/{id}', '/products/A-1', { id: 'A-1' }],
    ['products/{id}', '/products/', undefined],
    ['products/{id}', '/products/A/1', undefined],
    ['products/{id}/stock', '/products/A-1/stock', { id: 'A-1' }],
    ['files/{*file}', '/files', { file: '' }],
    ['files/{*file}', '/files/', { file: '' }],
    ['files/{*file}', '/files/a/b.js', { file: 'a/b.js' }],
    ['files/{*file}', '/filesystem', undefined],
    ['/', '/', {}],
    ['/', '/x', undefined],
    ['/', '///', {}],
    ['files/{*file}', '/files//a//', { file: '/a' }],
    ['products/{id}', '//products/1', undefined],
    ['products/{id}', 'products/1', undefined],
    ['products/{id}/stock', '/products//stock', undefined],
  ])('%s matches %s with %j', (route, path, params) => {
    expect(matcher(route)(path)).toEqual(params);
  });
});

describe('the host', () => {
  it.each([
    // In the order of the names: aardvark is before animal, zebra after it.
    ['/animals/aardvark', { name: 'aardvark', params: {} }],
    ['/animals/zebra', { name: 'animal', params: { kind: 'zebra' } }],
    ['/Animals/Zebra/', { name: 'animal', params: { kind: 'Zebra' } }],
    ['/animals/%C3%A9l%C3%A9phant%20rose', { name: 'animal', params: { kind: 'éléphant rose' } }],
    ['/files/a%2Fb', { name: 'files', params: { file: 'a/b' } }],
    ['/', { name: 'root', params: {} }],
    ['//', { name: 'root', params: {} }],
    ['/?q=1', { name: 'root', params: {} }],
  ])('calls the first matching function for %s', async (target, expected) => {
    const { status, json } = await get(target);
    expect([status, json]).toEqual([200, expected]);
  });

  it.each(['/nowhere', '/animals', '/%zz', '/animals/%E0%A4%A', '//animals.example.com/x/y'])(
    'responds to the unknown path %s with 404 and the usual error body',
    async (target) => {
      const { status, headers, json } = await get(target);
      expect(status).toBe(404);
      expect(headers['content-type']).toMatch(/json/);
      expect(json).toMatchObject({ errorCode: 'NOT_FOUND', status: 404, errorMessage: expect.any(String) });
    },
  );

  it('finds nothing at paths of many slashes, and at a path above 2048 characters', async () => {
    const path = `/files${'/'.repeat(16_200)}`;
    const lines = Array.from({ length: 20 }, () => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    lines.push('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const responses = await raw(lines.join(''));
    expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual([...Array(20).fill('HTTP/1.1 404'), 'HTTP/1.1 200']);
    expect((await get(`/files/${'a'.repeat(2041)}`)).status).toBe(200);
    expect((await get(`/files/${'a'.repeat(2042)}`)).status).toBe(404);
  });

  it('passes method, query, headers and body, and returns status and headers', async () => {
    const response = await send(url, 'PUT', '/echo?q=%C3%A9%26', { headers: { 'X-Test': 'value' }, body: 'bödy' });
    expect([response.status, response.text]).toEqual([201, 'PUT é& bödy']);
    expect(response.headers).toMatchObject({
      'x-test': 'value',
      'content-type': 'text/plain',
      'content-length': '13',
    });
  });

  it('responds to HEAD as to GET, without the body', async () => {
    const { status, headers, text } = await send(url, 'HEAD', '/echo');
    expect([status, text]).toEqual([201, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });

  it('sends a stream with the length in its headers', async () => {
    const { headers, text } = await get('/stream');
    expect([headers['content-length'], text]).toEqual(['6', 'onetwo']);
    const head = await send(url, 'HEAD', '/stream');
    expect([head.headers['content-length'], head.text]).toEqual(['6', '']);
  });

  it('responds 404 to a method that no function accepts, and 405 to an unknown method', async () => {
    expect((await send(url, 'DELETE', '/echo')).status).toBe(404);
    for (const method of ['TRACE', 'PROPFIND']) {
      const { status, headers, json } = await send(url, method, '/echo');
      expect(status).toBe(405);
      expect(headers.allow).toContain('PUT');
      expect(json.errorCode).toBe('METHOD_NOT_ALLOWED');
    }
  });

  it('logs information, warnings and errors with their stack, and nothing else', async () => {
    await get('/talk');
    expect(logged).toEqual(['information', 'warned 12', expect.stringMatching(/^Error: failure\n.*server\.test\.ts/s)]);
  });

  it('closes the connection of a handler that throws, and continues to serve others', async () => {
    await expect(get('/broken')).rejects.toThrow();
    expect(logged).toEqual([expect.stringContaining('nothing catches it')]);
    expect((await get('/')).status).toBe(200);
  });

  it('continues to serve others when a caller disconnects', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf');
    socket.resetAndDestroy();
    expect((await get('/')).status).toBe(200);
  });
});

it('a request that was sent before the response to another may take as long as any', async () => {
  const held = Promise.withResolvers<HttpResponseInit>();
  const begun = Promise.withResolvers<void>();
  const host = createHost(
    [
      one('now', 'now', { handler: async () => ({ headers: {}, body: 'now' }) }),
      one('later', 'later', {
        handler: async () => {
          begun.resolve();
          return held.promise;
        },
      }),
    ],
    () => {},
  );
  const { url: address, close: end } = await listen(host);
  const connected = once(host, 'connection');
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.write('GET /now HTTP/1.1\r\nHost: x\r\n\r\nGET /later HTTP/1.1\r\nHost: x\r\n\r\n');
  const [atHost] = (await connected) as [Socket];
  let received = '';
  for await (const bytes of socket) {
    received += bytes;
    if (received.endsWith('later')) break;
    if (!received.endsWith('now')) continue;
    await begun.promise;
    // Milliseconds without a byte after which Node ends the connection.
    expect(atHost.timeout).toBe(0);
    held.resolve({ headers: {}, body: 'later' });
  }
  expect(received).toMatch(/now.*later$/s);
  end();
});

describe('a body', () => {
  const post = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`;
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, ' '), Buffer.from('\r\n')]);

  it('with a length above the limit is refused with 413 before it is sent', async () => {
    const received = await raw(post('/limited', `Content-Type: application/json\r\nContent-Length: ${MAX_BODY + 1}`));
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toContain('"errorCode":"BODY_TOO_LARGE"');
    expect(received).toContain('Expected a body of at most 1 MB (1048576 bytes).');
  });

  it('without a length is refused with 413 once it is above the limit', async () => {
    const received = await raw(
      post('/limited', 'Transfer-Encoding: chunked'),
      ...Array.from({ length: MAX_BODY / 0x10000 }, () => chunk),
      '1\r\n \r\n',
    );
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toContain('"errorCode":"BODY_TOO_LARGE"');
    expect((await get('/')).status).toBe(200);
  });

  it('of exactly the limit is accepted', async () => {
    const text = JSON.stringify('x'.repeat(MAX_BODY - 2));
    const { status, text: echoed } = await send(url, 'POST', '/limited', { body: text });
    expect([status, echoed === text]).toEqual([200, true]);
    expect((await send(url, 'POST', '/limited', { body: `${text} ` })).status).toBe(413);
  });

  // The second is larger than all buffers on its way.
  it.each([100_000, 5_000_000])(
    'of %i bytes that a function does not read leaves its connection to the next request',
    async (bytes) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const sockets = new Set();
      for (let turn = 0; turn < 3; turn++) {
        const sent = request(`${url}/refusing`, { agent, method: 'POST' });
        sent.on('socket', (socket) => sockets.add(socket)).end('x'.repeat(bytes));
        const [response] = await once(sent, 'response');
        expect(response.statusCode).toBe(401);
        for await (const _ of response);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(sockets.size).toBe(1);
      agent.destroy();
    },
  );

  it('that its caller aborts is not logged as an error', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const arrived = once(server, 'request');
    socket.write(`${post('/limited', 'Content-Length: 100')}{"half":`);
    const [message, response] = (await arrived) as [IncomingMessage, ServerResponse];
    socket.resetAndDestroy();
    const closed = (one: Socket | ServerResponse) => new Promise((resolve) => one.once('close', resolve));
    await Promise.all([closed(message.socket), closed(response)]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(logged).toEqual([]);
    expect((await get('/')).status).toBe(200);
  });

  it('may be sent in chunks', async () => {
    const received = await raw(
      'POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
      '3\r\nabc\r\n',
      '2\r\nde\r\n0\r\n\r\n',
    );
    expect(received).toMatch(/POST null abcde$/);
  });
});
