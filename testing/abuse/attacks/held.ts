import { equal, ok } from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { MEGABYTE } from '../../../shared/api.ts';
import type { Credential } from '../../../shared/client/client.ts';
import type { Attack } from './attack.ts';

/* Callers that hold memory: they do not read their responses, or send a part of a body and no more. */

/** Bytes that one key may hold by responses that it does not read. */
const MAX_UNREAD = 200 * MEGABYTE;
const LIST = '/rest/listsalesinvoices?InlcudeInvoiceLinesInResponse=true&Limit=50';
/** Bodies that arrive at the same time, and those of them that fit in the memory of a key. */
const [BODIES, MAX_BODIES] = [40, 3];

function begin(url: string, { apiKey, username }: Credential, method: string, path: string, bytes = 0): ClientRequest {
  const headers = { ApiKey: apiKey, Username: username, 'Content-Type': 'application/json', 'Content-Length': bytes };
  const sent = request(url + path, {
    method,
    agent: false,
    headers: bytes === 0 ? { ...headers, 'Content-Length': 0 } : headers,
  });
  return sent.on('error', () => {});
}

/** The status of a response, which is not read; 0 when its connection was closed before it. */
const statusOf = (sent: ClientRequest): Promise<{ status: number; response?: IncomingMessage }> =>
  new Promise((resolve) => {
    sent.on('response', (response) => {
      response.on('error', () => {});
      resolve({ status: response.statusCode!, response });
    });
    sent.on('close', () => resolve({ status: 0 }));
  });

const counted = (statuses: readonly number[]): string => {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
};

export const heldAttacks: readonly Attack[] = [
  {
    name: 'lists of which nothing is read',
    prepare:
      ({ url, reader, read }) =>
      async () => {
        const size = (await read({ method: 'GET', path: LIST })).body.length;
        const fitting = Math.floor(MAX_UNREAD / size);
        const found: Awaited<ReturnType<typeof statusOf>>[] = [];
        for (let count = 0; count < fitting + 10; count++)
          found.push(await statusOf(begin(url, reader, 'GET', LIST).end()));
        const statuses = found.map(({ status }) => status);
        ok(statuses.filter((status) => status === 200).length <= fitting, counted(statuses));
        ok(statuses.includes(429), counted(statuses));
        // The app drops them by itself.
        const held = found.flatMap(({ status, response }) =>
          status === 200 && response !== undefined ? [response] : [],
        );
        await Promise.all(held.map((response) => (response.destroyed ? undefined : dropped(response))));
        equal((await read({ method: 'GET', path: LIST })).status, 200);
        return counted(statuses);
      },
    maxMemory: 700,
  },
  ...(['writing', 'reading'] as const).map(
    (use): Attack => ({
      name: `${BODIES} bodies of which the end never comes, by a key for ${use}`,
      prepare:
        ({ url, writer, reader }) =>
        async () => {
          const part = Buffer.alloc(15 * MEGABYTE, ' ');
          const all = Array.from({ length: BODIES }, () => {
            const sent = begin(
              url,
              use === 'writing' ? writer : reader,
              'POST',
              '/rest/addsalesinvoice',
              16 * MEGABYTE,
            );
            sent.write(part);
            return sent;
          });
          const statuses = (await Promise.all(all.map(statusOf))).map(({ status }) => status);
          for (const sent of all) sent.destroy();
          const arrived = statuses.filter((status) => status === 400).length;
          ok(arrived <= (use === 'writing' ? MAX_BODIES : 0), counted(statuses));
          for (const status of statuses)
            ok((use === 'writing' ? [0, 400, 429] : [0, 403]).includes(status), counted(statuses));
          return counted(statuses);
        },
      maxMemory: 400,
    }),
  ),
];

/** Waits until the app has closed the connection of a response: what is left of it does not come. */
async function dropped(response: IncomingMessage): Promise<void> {
  const { socket } = response;
  await new Promise((resolve) => setTimeout(resolve, 33_000));
  response.resume();
  if (!socket.destroyed) await new Promise((resolve) => response.once('close', resolve));
  ok(!response.complete, 'A response was kept that nobody read.');
}
