import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `stall`: nothing passes any more, and nobody is told, as when packets are dropped. `lose the response to a PUT`: of the
 * next one, then it forwards. `hold back ends`: a client is not told that the server has ended its connection.
 */
type ProxyMode =
  | 'forward'
  | 'refuse'
  | 'stall'
  | 'hold back ends'
  | 'lose responses to commits'
  | 'lose the response to a PUT';

/** A proxy in front of the database server or a storage service, which fails as its mode says. */
export async function proxyTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let proxyMode: ProxyMode = 'forward';
  let dropped = 0;
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    if (proxyMode === 'refuse') return void client.destroy();
    const upstream = connect({ host: hostname, port: Number(port) });
    upstream.on('error', () => client.destroy());
    let committing = false;
    let putting = false;
    client.on('data', (chunk) => {
      if (proxyMode === 'stall') return void dropped++;
      committing = proxyMode === 'lose responses to commits' && chunk.includes('commit');
      if (proxyMode === 'lose the response to a PUT' && chunk.includes('PUT ')) {
        putting = true;
        proxyMode = 'forward';
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (committing || putting) client.destroy();
      else if (proxyMode !== 'stall') client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => {
      if (proxyMode !== 'stall' && proxyMode !== 'hold back ends') client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = { hostname: '127.0.0.1', port: String((server.address() as AddressInfo).port) };
  return {
    url: Object.assign(new URL(url), at).href,
    setMode(next: ProxyMode) {
      proxyMode = next;
      if (next === 'refuse') for (const socket of sockets) socket.destroy();
    },
    /** How often something of a client was dropped. */
    dropped: () => dropped,
    close: () => void server.close(),
  };
}
