import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/*
 * Whether the caller of a function still reads. The Functions worker reads a streamed body to its end: it does not look
 * whether the caller has gone, or reads slowly. It answers by node:http, whose responses know, and which it finds by the
 * id of the invocation.
 */

const INVOCATION_ID = 'x-ms-invocation-id';

const responses = new Map<string, ServerResponse>();

subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const id = request.headers[INVOCATION_ID];
  if (typeof id !== 'string') return;
  responses.set(id, response);
  response.once('close', () => responses.delete(id));
});

/**
 * The bytes of a response, as fast as its caller reads them; the source is closed when the caller has gone. Other hosts
 * than the worker do that themselves.
 */
export async function* asRead(source: AsyncIterable<Uint8Array>, invocationId: string): AsyncGenerator<Uint8Array> {
  const response = responses.get(invocationId);
  for await (const bytes of source) {
    if (response?.destroyed) return;
    yield bytes;
    if (response?.writableNeedDrain && !response.destroyed) {
      const settled = new AbortController();
      const options = { signal: settled.signal };
      // Rejected when the other one settles it.
      const ends = ['drain', 'close'].map((event) => once(response, event, options).catch(() => {}));
      await Promise.race(ends);
      settled.abort();
    }
  }
}
