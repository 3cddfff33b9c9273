import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MEGABYTE } from '../../shared/api.ts';
import { startApp, type TestApp } from '../../testing/app.ts';
import { listen } from '../../testing/listen.ts';
import { createHost } from '../host/server.ts';

/* Callers that hold memory: they send a part of a body, or do not read their response. */

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Sent = { status: number | undefined; errorCode: string };

/** Sends the begin of a body with a file of so many megabytes. */
function begin(megabytes: number): { sent: ClientRequest; response: Promise<Sent> } {
  const { apiKey, username } = app.credential;
  const headers = { ApiKey: apiKey, Username: username, 'Content-Type': 'application/json' };
  const sent = request(`${app.url}/rest/addsalesinvoice`, { method: 'POST', agent: false, headers });
  const received = once(sent, 'response').then(async ([response]: IncomingMessage[]) => {
    const { errorCode } = (await json(response!)) as { errorCode: string };
    return { status: response!.statusCode, errorCode };
  });
  sent.on('error', () => {});
  sent.write(`{"FileContent":"${'x'.repeat(megabytes * MEGABYTE)}`);
  return { sent, response: received };
}

it('bodies of one key that arrive at the same time have a limit, and end when nothing more arrives', async () => {
  const start = performance.now();
  const all = [begin(15), begin(15), begin(15), begin(15)];
  const responses = await Promise.all(all.map(({ response }) => response));
  expect(responses.map(({ status, errorCode }) => `${status} ${errorCode}`).sort()).toEqual([
    ...Array(3).fill('400 INVALID_JSON'),
    '429 RATE_LIMIT',
  ]);
  for (const { sent } of all) sent.destroy();
  expect(performance.now() - start).toBeGreaterThan(19_000);
  const next = begin(15);
  next.sent.end('"}');
  expect(await next.response).toMatchObject({ errorCode: 'INVALID_REQUEST' });
});

it('responses that one key does not read have a limit, and are dropped', async () => {
  const body = Buffer.alloc(90 * MEGABYTE, ' ');
  const large = {
    name: 'large',
    methods: ['GET' as const],
    route: 'large',
    handler: async () => ({ body, headers: {} }),
  };
  const host = createHost([large], () => {});
  const { url, close } = await listen(host);
  const connections: Promise<unknown>[] = [];
  host.on('connection', (socket: Socket) => connections.push(new Promise((resolve) => socket.once('close', resolve))));
  const get = async (apiKey: string) => {
    const sent = request(`${url}/large`, { agent: false, headers: { ApiKey: apiKey } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    return response;
  };
  const unread = [await get('one'), await get('one')];
  const dropped = Promise.all(connections);
  expect((await get('one')).statusCode).toBe(429);
  const other = await get('other');
  expect(other.statusCode).toBe(200);
  let read = 0;
  for await (const chunk of other) read += chunk.length;
  expect(read).toBe(body.length);
  await dropped;
  await Promise.all(
    unread.map(async (response) => {
      response.resume();
      await new Promise((resolve) => response.once('close', resolve));
      expect(response.complete).toBe(false);
    }),
  );
  const again = await get('one');
  expect(again.statusCode).toBe(200);
  again.destroy();
  close();
});
