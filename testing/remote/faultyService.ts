import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The faults of a service. */
export const faults = [
  'resets before the request',
  'resets during the request',
  'resets after the request',
  'hangs up after the request',
  'answers half a body',
  'answers half a head',
  'waits forever',
  'answers garbage',
  'answers a web page',
  'answers an error page',
  'answers a slow drip',
  'answers without end',
] as const;
export type Fault = (typeof faults)[number];

export type FaultyService = Awaited<ReturnType<typeof startFaultyService>>;

const head = (length: number | string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const page = '<html><body>Oops</body></html>';

/** A service that responds with the faults of real networks. */
export async function startFaultyService() {
  const sockets = new Set<Socket>();
  const arrived: string[] = [];
  let fault: Fault = 'waits forever';

  const server = createServer((socket) => {
    sockets.add(socket);
    let drip: NodeJS.Timeout | undefined;
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(drip);
      sockets.delete(socket);
    });
    if (fault === 'resets before the request') return void socket.resetAndDestroy();
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (fault === 'resets during the request') {
        arrived.push(text);
        return void socket.resetAndDestroy();
      }
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      arrived.push(text.slice(0, end + 4 + length));
      text = '';
      response();
    });
    const response = () => {
      switch (fault) {
        case 'resets after the request':
          return void socket.resetAndDestroy();
        case 'hangs up after the request':
          return void socket.end();
        case 'answers half a body':
          return void socket.end(`${head(100)}[{"Name":"Ha`);
        case 'answers half a head':
          return void socket.end('HTTP/1.1 200 OK\r\nContent-Ty');
        case 'answers garbage':
          return void socket.end('\u0000\u0001\u0002 garbage \r\n\r\n');
        case 'answers a web page':
          return void socket.write(`${head(page.length)}${page}`);
        case 'answers an error page':
          return void socket.write(
            `HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`,
          );
        case 'answers a slow drip':
          socket.write(head(100_000));
          drip = setInterval(() => socket.write(' '), 10);
          return;
        case 'answers without end':
          socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
          drip = setInterval(() => socket.write(`400\r\n${' '.repeat(1024)}\r\n`), 10);
      }
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The requests of which at least a part arrived. */
    arrived,
    /** The number of open connections. */
    get open(): number {
      return sockets.size;
    },
    set fault(next: Fault) {
      fault = next;
    },
    async close(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
