import { match, ok } from 'node:assert/strict';
import { MAX_PUSH_ROWS } from '../../../shared/resources/push.ts';
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
    ...pushes(),
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
            // A row of a push has a limit of its own.
            ok(
              [200, 202].includes(received.status) || /ROW_TOO_LARGE/.test(received.body),
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

function pushes(): Attack[] {
  const push = (name: string, row: (index: number) => unknown): Attack => ({
    name: `a push of ${name}`,
    prepare({ write }) {
      const body = JSON.stringify({ rows: Array.from({ length: MAX_PUSH_ROWS }, (_, index) => row(index)) });
      return async () => {
        const received = await write({ method: 'POST', path: '/pushes', body });
        refusedOrDone(received);
        return String(received.status);
      };
    },
  });
  const items = (count: number, item: (index: number) => unknown) => Array.from({ length: count }, (_, at) => item(at));
  return [
    push('one product', (row) => ({ row, update: { ArticleNumber: 'A', NewStockQty: 1 } })),
    push('wrong rows', (row) => ({ row, update: { ArticleNumber: `A-${row}`, Product_Batch: items(90, () => 1) } })),
    push('full rows', (row) => ({
      row,
      update: {
        ArticleNumber: `P-${row}`,
        NewDescription: 'x'.repeat(400),
        NewStockQty: '1234567890.12345678',
        Product_CustomField: items(8, (index) => ({ Label: `L${index}`, StringValue: 'x'.repeat(40) })),
      },
    })),
  ];
}
