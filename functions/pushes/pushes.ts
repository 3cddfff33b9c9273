import type { HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import { MEGABYTE } from '../../shared/api.ts';
import { refuseField } from '../../shared/problem.ts';
import { credentialOf } from '../http/credential.ts';
import type { AppFunctions } from '../http/definition.ts';
import { jsonResponse, readJsonBody } from '../http/json.ts';
import { parametersOf } from '../http/parameters.ts';
import { readWorkMessage } from '../storage/takeover.ts';
import { PUSH_QUEUE } from './dependencies.ts';
import { describedPushes } from './describedPushes.ts';
import type { Pushes } from './openPushes.ts';

/** Bytes of a body with a push. */
const MAX_BODY = 16 * MEGABYTE;
/** Values in it: a hundred for each of ten thousand rows. */
const MAX_VALUES = 1_000_000;
/** Characters of an Idempotency-Key at the most. */
const MAX_KEY_LENGTH = 200;

/**
 * Many writes in one request, sent in the background: functions that accept and report pushes, a queue whose messages
 * start the work, and a timer that restarts interrupted pushes.
 */
export const pushFunctions = (pushes: () => Promise<Pushes>): AppFunctions => ({
  http: [
    {
      name: 'pushBegin',
      methods: ['POST'],
      route: 'pushes',
      described: () => [describedPushes.begin()],
      async handler(request, context) {
        const credential = credentialOf(request);
        const key = keyOf(request);
        const { authorize, begin } = await pushes();
        // The rows of an unauthenticated caller are not read.
        await authorize(credential);
        const body = await readJsonBody(request, MAX_BODY, MAX_VALUES);
        return response(await begin(credential, key, body, logOf(context)), 202);
      },
    },
    {
      name: 'pushList',
      methods: ['GET'],
      route: 'pushes',
      described: () => [describedPushes.list()],
      handler: async (request) => response(await (await pushes()).list(credentialOf(request), cursorIn(request))),
    },
    {
      name: 'pushChanges',
      methods: ['GET'],
      route: 'pushes/{id}',
      described: () => [describedPushes.changes()],
      async handler(request) {
        return response(await (await pushes()).changes(credentialOf(request), idOf(request), cursorIn(request)));
      },
    },
    {
      name: 'pushRows',
      methods: ['GET'],
      route: 'pushes/{id}/rows',
      described: () => [describedPushes.rows()],
      handler: async (request) =>
        response(await (await pushes()).rows(credentialOf(request), idOf(request), cursorIn(request))),
    },
    {
      name: 'pushCancel',
      methods: ['POST'],
      route: 'pushes/{id}/cancel',
      described: () => [describedPushes.cancel()],
      handler: async (request, context) =>
        response(await (await pushes()).cancel(credentialOf(request), idOf(request), logOf(context)), 202),
    },
    {
      name: 'pushLookAgain',
      methods: ['POST'],
      route: 'pushes/{id}/look-again',
      described: () => [describedPushes.lookAgain()],
      handler: async (request) => response(await (await pushes()).lookAgain(credentialOf(request), idOf(request))),
    },
  ],
  queues: [
    {
      name: 'pushWork',
      queue: PUSH_QUEUE,
      handler: async (message, context) => (await pushes()).work(readWorkMessage(message, PUSH_QUEUE), logOf(context)),
    },
  ],
  timers: [
    {
      name: 'pushMaintenance',
      schedule: '0 */15 * * * *',
      atStart: true,
      handler: async () => (await pushes()).maintain(),
    },
  ],
});

const logOf =
  (context: InvocationContext) =>
  (line: string): void =>
    context.log(line);

const response = (body: string, status = 200): HttpResponseInit => jsonResponse(body, { status });

const cursorIn = (request: HttpRequest): string => parametersOf(request, ['after']).after?.trim() ?? '';

const idOf = (request: HttpRequest): string => request.params.id?.toLowerCase() ?? '';

function keyOf(request: HttpRequest): string | undefined {
  const key = request.headers.get('Idempotency-Key')?.trim();
  if (!key) return undefined;
  if (key.length <= MAX_KEY_LENGTH) return key;
  throw refuseField('Idempotency-Key', 'TEXT_TOO_LONG', { max: MAX_KEY_LENGTH, length: key.length });
}
