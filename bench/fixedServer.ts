import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/* The simplest server: it sends the same prepared bytes for every request, at once or after so many milliseconds. */

const bytes = readFileSync(process.argv[2]!);
const latency = Number(process.argv[3] ?? 0);
const server = createServer((request, response) => {
  request.resume();
  const respond = () => {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  };
  if (latency === 0) respond();
  else setTimeout(respond, latency);
});
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
