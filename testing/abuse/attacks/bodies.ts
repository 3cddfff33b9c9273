import { match, ok } from 'node:assert/strict';
import { filledBodies } from '../bodies/filled.ts';
import { hostileBodies } from '../bodies/hostile.ts';
import { type Operation, operations } from '../bodies/operations.ts';
import type { Received, Sent } from '../request.ts';
import type { Attack } from './attack.ts';

/* Every body to every operation that may have one, by a key that may write and by one that may only read. */

export function bodyAttacks(): Attack[] {
  return [
    ...operations.flatMap((operation) => [
      ...[...filledBodies(operation)].flatMap(({ name, body }) => byEachKey(operation, name, () => ({ body: body() }))),
      ...hostileBodies(operation).flatMap(({ name, sent }) => byEachKey(operation, name, sent)),
    ]),
  ];
}

function byEachKey(operation: Operation, name: string, sent: () => Pick<Sent, 'body' | 'headers' | 'chunk'>): Attack[] {
  const { method, path, isEndpoint } = operation;
  const title = `${operation.name} with a body ${name}`;
  return [
    {
      name: title,
      prepare({ write }) {
        const body = sent();
        return async () => {
          const received = await write({ method, path, ...body });
          refusedOrDone(received);
          if (name.startsWith('valid')) {
            // A push that mails customers is refused until somebody confirms it.
            ok(
              [200, 202].includes(received.status) || /NOT_CONFIRMED/.test(received.body),
              received.body.slice(0, 1000),
            );
          }
          return String(received.status);
        };
      },
    },
    {
      name: `${title}, by a key for reading`,
      prepare({ read }) {
        const body = sent();
        return async () => {
          const received = await read({ method, path, ...body });
          refusedOrDone(received);
          if (isEndpoint) match(String(received.status), /^(403|0)$/);
          return String(received.status);
        };
      },
    },
  ];
}

/** 0: the connection was closed before all of it was sent. */
const refusedOrDone = ({ status, body }: Received) =>
  ok(status === 0 || (status >= 200 && status < 500), `${status} ${body.slice(0, 1000)}`);
