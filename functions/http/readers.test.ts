import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRead } from './readers.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const CHUNKS = 2000;

let read = 0;
let isClosed = false;
async function* source(): AsyncGenerator<Uint8Array> {
  try {
    for (; read < CHUNKS; read++) yield CHUNK;
  } finally {
    isClosed = true;
  }
}

/** Sends a body as the Functions worker does: to the end, whoever reads it. */
const server = createServer(async (incoming, response) => {
  const id = String(incoming.headers['x-ms-invocation-id']);
  for await (const bytes of asRead(source(), id)) response.write(bytes);
  response.end();
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

async function download(): Promise<IncomingMessage> {
  read = 0;
  isClosed = false;
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, headers: { 'x-ms-invocation-id': 'one' } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

it('a file is no longer read when its caller has gone', async () => {
  const response = await download();
  await once(response, 'data');
  response.destroy();
  await expect.poll(() => isClosed).toBe(true);
  expect(read).toBeLessThan(CHUNKS / 2);
});

it('a file is read as fast as its caller reads it, and whole', async () => {
  const response = await download();
  let before = -1;
  const stands = () => {
    const isSame = before === read;
    before = read;
    return isSame;
  };
  // Until the buffers between them are full.
  await expect.poll(stands, { interval: 300 }).toBe(true);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(CHUNKS / 2);
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  expect([bytes, isClosed]).toEqual([CHUNKS * CHUNK.length, true]);
});
