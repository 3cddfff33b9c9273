import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy in front of a service. It can hold back requests that update products, and lose the responses of these and of
 * orders.
 */
export type ServiceProxy = {
  address: string;
  /** The updates that were forwarded. */
  updates: unknown[];
  /** The orders that were forwarded. */
  orders: unknown[];
  /** Forwards so many more updates; the others wait. */
  forward: (updates: number) => void;
  /** Forwards everything. */
  release: () => void;
  /** How many of the next responses to updates and orders get lost. */
  lostResponses: number;
  close: () => Promise<void>;
};

export async function startServiceProxy(service: string): Promise<ServiceProxy> {
  let allowed = Number.POSITIVE_INFINITY;
  let waiting: (() => void)[] = [];
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const isUpdate = request.url?.startsWith('/rest/updateproduct') ?? false;
    if (isUpdate) {
      if (allowed-- <= 0) await new Promise<void>((resolve) => waiting.push(resolve));
      proxy.updates.push(JSON.parse(body.toString()));
    }
    const isOrder = request.url?.startsWith('/rest/addorder') ?? false;
    if (isOrder) proxy.orders.push(JSON.parse(body.toString()));
    const { host, connection, 'content-length': length, 'transfer-encoding': coding, ...headers } = request.headers;
    const forwarded = await fetch(`${service}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body }),
    });
    const content = Buffer.from(await forwarded.arrayBuffer());
    if ((isUpdate || isOrder) && proxy.lostResponses > 0) {
      proxy.lostResponses--;
      return void response.destroy();
    }
    response.writeHead(forwarded.status, {
      'Content-Type': forwarded.headers.get('Content-Type') ?? 'application/json',
    });
    response.end(content);
  };
  const server = createServer((request, response) => {
    // The one before it or the one behind it has ended meanwhile.
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const proxy: ServiceProxy = {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    updates: [],
    orders: [],
    forward: (updates) => {
      allowed = updates;
      for (const resume of waiting.splice(0, updates)) {
        allowed--;
        resume();
      }
    },
    release: () => {
      allowed = Number.POSITIVE_INFINITY;
      for (const resume of waiting) resume();
      waiting = [];
    },
    lostResponses: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
