import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/* The simplest server: it sends the same prepared bytes for every request. */

const bytes = readFileSync(process.argv[2]!);
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
});
server.listen(0, () => console.log(`port ${(server.address() as AddressInfo).port}`));
