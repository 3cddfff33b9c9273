import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';

/* The simplest proxy in front of a service: it forwards requests and responses unchanged. */

const pool = new Pool(process.argv[2]!, { connections: 128 });
const server = createServer(async (request, response) => {
  const { apikey, username } = request.headers;
  const received = await pool.request({
    method: 'GET',
    path: request.url!,
    headers: { apikey: String(apikey), username: String(username) },
  });
  const bytes = Buffer.from(await received.body.arrayBuffer());
  response.writeHead(received.statusCode, {
    'Content-Type': String(received.headers['content-type']),
    'Content-Length': bytes.length,
  });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
