import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CountingProxy = { url: string; behind: string; readonly requests: number; close(): void };

/** Hands every request on to the server at an address, as it is, and counts them. */
export async function startCountingProxy(behind: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  let requests = 0;
  const server = createServer((incoming, response) => {
    requests++;
    const { method, url, headers } = incoming;
    const outgoing = httpRequest(behind + url, { agent, method, headers }, (received) => {
      response.writeHead(received.statusCode!, received.headers);
      received.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behind,
    get requests() {
      return requests;
    },
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
