import { operationOf, type PushedName, pushedNames } from '../../shared/api.ts';
import { describeSchema, type OwnOperation } from '../../shared/openapi.ts';
import { confirmations } from '../../shared/pushRules.ts';
import {
  earlierForms,
  MAX_PUSH_ROWS,
  pushChanges,
  pushList,
  pushResponse,
  pushRows,
} from '../../shared/resources/push.ts';

const after = { name: 'after', in: 'query', description: 'The cursor of an earlier response' } as const;

const rowNumber = { type: 'integer', minimum: 0 } as const;

const row = (endpoint: PushedName) => ({
  type: 'object',
  required: ['row', 'endpoint', 'request'],
  properties: {
    row: rowNumber,
    endpoint: { type: 'string', enum: [endpoint] },
    request: describeSchema(operationOf(endpoint).request),
  },
});

/** A row as clients of earlier versions write it: the endpoint follows from the member. */
const earlierRow = ([part, endpoint]: [string, PushedName]) => ({
  type: 'object',
  required: ['row', part],
  properties: { row: rowNumber, [part]: describeSchema(operationOf(endpoint).request) },
});

/** How the OpenAPI document describes the functions of pushes. */
export const describedPushes = {
  begin: (): OwnOperation => ({
    path: '/pushes',
    method: 'POST',
    summary: 'Accept many writes, each as its endpoint takes it, and carry them out in the background',
    parameters: [{ name: 'Idempotency-Key', in: 'header', description: 'The same key again gets the same push' }],
    body: {
      type: 'object',
      required: ['rows'],
      properties: {
        rows: {
          type: 'array',
          minItems: 1,
          maxItems: MAX_PUSH_ROWS,
          items: { oneOf: [...pushedNames.map(row), ...Object.entries(earlierForms).map(earlierRow)] },
        },
        inOrder: {
          type: 'boolean',
          default: true,
          description: 'Whether documents go to a remote administration one after the other; false is faster',
        },
        references: {
          type: 'boolean',
          default: false,
          description: 'Whether documents without a reference get one, by which a lost one is found',
        },
        confirmed: {
          type: 'object',
          description: 'How many rows send mail to customers, and begin periodic invoices; needed when some do',
          properties: Object.fromEntries(confirmations.map((one) => [one, rowNumber])),
        },
      },
    },
    status: 202,
    response: { 'application/json': describeSchema(pushResponse) },
  }),

  list: (): OwnOperation => ({
    path: '/pushes',
    method: 'GET',
    summary: 'The pushes of an administration, of a remote one those of the credential, the latest first',
    parameters: [after],
    response: { 'application/json': describeSchema(pushList) },
  }),

  changes: (): OwnOperation => ({
    path: '/pushes/{id}',
    method: 'GET',
    summary: 'A push with its rows, or those that changed since a cursor',
    parameters: [after],
    response: { 'application/json': describeSchema(pushChanges) },
  }),

  rows: (): OwnOperation => ({
    path: '/pushes/{id}/rows',
    method: 'GET',
    summary: 'The rows of a push as they were pushed, with what became of each, in their order',
    parameters: [after],
    response: { 'application/json': describeSchema(pushRows) },
  }),

  cancel: (): OwnOperation => ({
    path: '/pushes/{id}/cancel',
    method: 'POST',
    summary: 'Stop a push before its next row',
    status: 202,
    response: { 'application/json': describeSchema(pushResponse) },
  }),

  lookAgain: (): OwnOperation => ({
    path: '/pushes/{id}/look-again',
    method: 'POST',
    summary: 'Look once more for the documents of an ended push whose outcome is unknown, at most once a minute',
    response: { 'application/json': describeSchema(pushResponse) },
  }),
};
