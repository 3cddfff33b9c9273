import type { InvocationContext } from '@azure/functions';
import { describeSchema } from '../../shared/openapi.ts';
import { type ExportFile, relationExportList, requestedExport } from '../../shared/resources/relationExport.ts';
import { encode } from '../../shared/wire/encode.ts';
import { credentialOf } from '../http/credential.ts';
import type { AppFunctions } from '../http/definition.ts';
import { describedFile, fileResponse } from '../http/fileResponse.ts';
import { jsonResponse } from '../http/json.ts';
import { languageOf } from '../http/language.ts';
import { asRead } from '../http/readers.ts';
import { isTelemetryOn, metrics } from '../telemetry/telemetry.ts';
import { type ExportLog, QUEUE } from './dependencies.ts';
import type { RelationExports } from './relationExports.ts';

/** @param exports opened when a function first needs them */
export function exportFunctions(exports: () => Promise<RelationExports>): AppFunctions {
  return {
    timers: [
      {
        // The handler reads the schedule of the settings, so a late or repeated call of the timer does no harm.
        name: 'relationExportTimer',
        schedule: '0 */15 * * * *',
        atStart: true,
        handler: async (_timer, context) => {
          const { enqueueDue, retainDaily, lateness } = await exports();
          try {
            await enqueueDue(logOf(context));
            if (isTelemetryOn()) {
              for (const { name, late } of await lateness()) metrics.exportLateness(name, late);
            }
          } finally {
            await retainDaily(logOf(context));
          }
        },
      },
    ],
    queues: [
      {
        name: 'relationExport',
        queue: QUEUE,
        handler: async (message, context) => (await exports()).work(message, logOf(context)),
      },
    ],
    http: [
      {
        name: 'exports',
        methods: ['GET'],
        route: 'exports',
        described: () => [
          {
            path: '/exports',
            method: 'GET',
            summary: 'The exports of relations, the latest first',
            parameters: [{ name: 'Accept-Language', in: 'header', description: 'The language of the workbooks' }],
            response: { 'application/json': describeSchema(relationExportList) },
          },
        ],
        async handler(request) {
          const found = await (await exports()).list(credentialOf(request), languageOf(request));
          return jsonResponse(encode(relationExportList, { exports: found }));
        },
      },
      {
        name: 'exportRequest',
        methods: ['POST'],
        route: 'exports',
        described: () => [
          {
            path: '/exports',
            method: 'POST',
            summary: 'Exports the relations now, unless an export is running',
            response: { 'application/json': describeSchema(requestedExport) },
            status: 202,
          },
        ],
        async handler(request, context) {
          const scheduledOn = await (await exports()).request(credentialOf(request), logOf(context));
          const requested = encode(requestedExport, { scheduledOn: String(scheduledOn) });
          return jsonResponse(requested, { status: 202 });
        },
      },
      {
        name: 'exportFile',
        methods: ['GET', 'HEAD'],
        route: 'exports/{administration}/{date}/{file}',
        described: () => [
          {
            path: '/exports/{administration}/{date}/{file}',
            method: 'GET',
            summary: 'A file of an export, whole or a range of its bytes',
            parameters: [
              ...describedFile.parameters,
              { name: 'Accept-Language', in: 'header', description: 'The language of the workbook: en, nl or fr' },
            ],
            response: Object.fromEntries(Object.values(contentTypes).map((type) => [type, {}])),
            further: describedFile.further,
          },
        ],
        async handler(request, { invocationId }) {
          const { administration = '', date = '', file = '' } = request.params;
          const { bytes, tag, language, read } = await (await exports()).file(
            credentialOf(request),
            administration,
            date,
            file,
            languageOf(request),
          );
          const headers = {
            'Content-Type': contentTypes[file as ExportFile],
            'Content-Disposition': `attachment; filename="relations-${date}-${file}"`,
            ...(language === undefined ? {} : { 'Content-Language': language }),
          };
          return fileResponse(request, {
            bytes,
            tag,
            headers,
            read: async (start, count) => asRead(await read(start, count), invocationId),
          });
        },
      },
    ],
  };
}

/** Logs each event as a line of JSON. */
const logOf =
  (context: InvocationContext): ExportLog =>
  (event) =>
    context.log(JSON.stringify({ export: event }));

const contentTypes: Record<ExportFile, string> = {
  'relations.jsonl': 'application/jsonl; charset=utf-8',
  'changes.jsonl': 'application/jsonl; charset=utf-8',
  'relations.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'manifest.json': 'application/json; charset=utf-8',
};
