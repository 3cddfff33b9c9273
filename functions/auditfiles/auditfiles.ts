import type { HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import { Problem } from '../../shared/problem.ts';
import { credentialOf } from '../http/credential.ts';
import type { AppFunctions } from '../http/definition.ts';
import { jsonResponse, readJsonBody } from '../http/json.ts';
import { readWorkMessage } from '../storage/takeover.ts';
import { AUDITFILE_QUEUE } from './dependencies.ts';
import { describedAuditfiles } from './describedAuditfiles.ts';
import type { Auditfiles } from './openAuditfiles.ts';

/** Bytes of a body that says what is to be done. */
const MAX_BODY = 10_000;

/**
 * Audit files that are brought in: functions that receive them in parts and report them, a queue whose messages start
 * the work, and a timer that starts it again after an interruption and erases what nobody imports.
 */
export const auditfileFunctions = (auditfiles: () => Promise<Auditfiles>): AppFunctions => ({
  http: [
    {
      name: 'auditfileReceive',
      methods: ['POST'],
      route: 'auditfiles',
      described: () => [describedAuditfiles.receive()],
      async handler(request) {
        const { receive, authorize } = await auditfiles();
        const credential = credentialOf(request);
        await authorize(credential);
        return response({ auditfile: await receive(credential, await readJsonBody(request, MAX_BODY)) }, 201);
      },
    },
    {
      name: 'auditfileList',
      methods: ['GET'],
      route: 'auditfiles',
      described: () => [describedAuditfiles.list()],
      handler: async (request) => response({ auditfiles: await (await auditfiles()).list(credentialOf(request)) }),
    },
    {
      name: 'auditfileState',
      methods: ['GET'],
      route: 'auditfiles/{id}',
      described: () => [describedAuditfiles.state()],
      handler: async (request) =>
        response({ auditfile: await (await auditfiles()).state(credentialOf(request), idOf(request)) }),
    },
    {
      name: 'auditfilePart',
      methods: ['POST'],
      route: 'auditfiles/{id}/parts/{part}',
      described: () => [describedAuditfiles.receivePart()],
      async handler(request) {
        const credential = credentialOf(request);
        requireGzip(request);
        const part = Number(/^\d{1,4}$/.exec(request.params.part ?? '')?.[0] ?? 0);
        return response({
          auditfile: await (await auditfiles()).receivePart(credential, idOf(request), part, request),
        });
      },
    },
    {
      name: 'auditfileCheck',
      methods: ['POST'],
      route: 'auditfiles/{id}/check',
      described: () => [describedAuditfiles.check()],
      handler: async (request) =>
        response({ auditfile: await (await auditfiles()).check(credentialOf(request), idOf(request)) }, 202),
    },
    {
      name: 'auditfileImport',
      methods: ['POST'],
      route: 'auditfiles/{id}/import',
      described: () => [describedAuditfiles.import()],
      async handler(request) {
        const opened = await auditfiles();
        const credential = credentialOf(request);
        await opened.authorize(credential);
        const body = await readJsonBody(request, MAX_BODY);
        return response({ auditfile: await opened.import(credential, idOf(request), body) }, 202);
      },
    },
    {
      name: 'auditfileWithdraw',
      methods: ['POST'],
      route: 'auditfiles/{id}/withdraw',
      described: () => [describedAuditfiles.withdraw()],
      handler: async (request) =>
        response({ auditfile: await (await auditfiles()).withdraw(credentialOf(request), idOf(request)) }, 202),
    },
    {
      name: 'auditfileCancel',
      methods: ['POST'],
      route: 'auditfiles/{id}/cancel',
      described: () => [describedAuditfiles.cancel()],
      handler: async (request) =>
        response({ auditfile: await (await auditfiles()).cancel(credentialOf(request), idOf(request)) }, 202),
    },
    {
      name: 'auditfileErase',
      methods: ['POST'],
      route: 'auditfiles/{id}/erase',
      described: () => [describedAuditfiles.erase()],
      async handler(request) {
        await (await auditfiles()).erase(credentialOf(request), idOf(request));
        return response({});
      },
    },
  ],
  queues: [
    {
      name: 'auditfileWork',
      queue: AUDITFILE_QUEUE,
      handler: async (message, context) =>
        (await auditfiles()).work(readWorkMessage(message, AUDITFILE_QUEUE), logOf(context)),
    },
  ],
  timers: [
    {
      name: 'auditfileMaintenance',
      schedule: '0 */15 * * * *',
      atStart: true,
      handler: async () => (await auditfiles()).maintain(),
    },
  ],
});

const logOf =
  (context: InvocationContext) =>
  (line: string): void =>
    context.log(line);

const response = (body: object, status = 200): HttpResponseInit => jsonResponse(JSON.stringify(body), { status });

const idOf = (request: HttpRequest): string => request.params.id?.toLowerCase() ?? '';

/** @throws Problem UNSUPPORTED_MEDIA_TYPE */
function requireGzip(request: HttpRequest): void {
  const type = request.headers.get('Content-Type') ?? '';
  if (/^\s*application\/gzip\s*(?:;|$)/i.test(type)) return;
  throw new Problem('UNSUPPORTED_MEDIA_TYPE', `Expected a body of type application/gzip, got ${type.slice(0, 100)}.`);
}
