import { match, ok } from 'node:assert/strict';
import { filledBodies } from '../bodies/filled.ts';
import { hostileBodies } from '../bodies/hostile.ts';
import { type Operation, operations } from '../bodies/operations.ts';
import type { Received, Sent } from '../request.ts';
import type { Target } from '../target.ts';
import type { Attack } from './attack.ts';
import { eraseAuditfiles, receivedAuditfile } from './auditfiles.ts';
import { cancelPush } from './pushes.ts';

/* Every body to every operation that may have one, by a key that may write and by one that may only read. */

export function bodyAttacks(): Attack[] {
  return [
    ...operations.flatMap((operation) => [
      ...[...filledBodies(operation)].flatMap(({ name, body }) => byEachKey(operation, name, () => ({ body: body() }))),
      ...hostileBodies(operation).flatMap(({ name, sent }) => byEachKey(operation, name, sent)),
    ]),
  ];
}

/** What operations need beside a body: what the path names, or a file. */
const needed: Readonly<Record<string, (target: Target) => Promise<Partial<Sent>>>> = {
  auditfileReceive: async (target) => {
    await eraseAuditfiles(target);
    return {};
  },
  auditfilePart: async (target) => {
    const { id, part } = await receivedAuditfile(target);
    return { path: `/auditfiles/${id}/parts/1`, ...part };
  },
  auditfileImport: async (target) => {
    const { id, part } = await receivedAuditfile(target);
    await target.write({ method: 'POST', path: `/auditfiles/${id}/parts/1`, ...part });
    return { path: `/auditfiles/${id}/import` };
  },
};

function byEachKey(operation: Operation, name: string, sent: () => Pick<Sent, 'body' | 'headers' | 'chunk'>): Attack[] {
  const { method, path, isEndpoint } = operation;
  const title = `${operation.name} with a body ${name}`;
  return [
    {
      name: title,
      async prepare(target) {
        const { write } = target;
        const isValid = name.startsWith('valid');
        const body = { ...sent(), ...(isValid ? await needed[operation.name]?.(target) : {}) };
        return async () => {
          const received = await write({ method, path, ...body });
          refusedOrDone(received);
          if (isValid) {
            // A push that mails customers is refused until somebody confirms it.
            ok(
              [200, 201, 202].includes(received.status) || /NOT_CONFIRMED/.test(received.body),
              received.body.slice(0, 1000),
            );
          }
          if (operation.name === 'pushBegin' && received.status === 202) {
            await cancelPush(target, JSON.parse(received.body).push.id);
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
