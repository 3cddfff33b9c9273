import type { HttpRequest, HttpResponseInit, InvocationContext } from '@azure/functions';
import { type ExportFile, relationExportList } from '../../shared/resources/relationExport.ts';
import { encode } from '../../shared/wire/encode.ts';
import { credentialOf } from '../http/credential.ts';
import type { AppFunctions } from '../http/definition.ts';
import { guarded } from '../http/guarded.ts';
import { type ExportLog, QUEUE } from './dependencies.ts';
import type { FoundFile, RelationExports } from './relationExports.ts';

/** @param exports opened when a function first needs them */
export function exportFunctions(exports: () => Promise<RelationExports>): AppFunctions {
  return {
    timers: [
      {
        // The schedule of the settings is looked at here, where it is known: what fires is late or early nowhere.
        name: 'relationExportTimer',
        schedule: '0 * * * * *',
        atStart: true,
        handler: async (_timer, context) => {
          const { enqueueDue, retainDaily } = await exports();
          try {
            await enqueueDue(logOf(context));
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
        handler: guarded(async (request) => {
          const found = await (await exports()).list(credentialOf(request));
          return {
            headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
            body: encode(relationExportList, { exports: found }),
          };
        }),
      },
      {
        name: 'exportFile',
        methods: ['GET', 'HEAD'],
        route: 'exports/{administration}/{date}/{file}',
        handler: guarded(async (request) => {
          const { administration = '', date = '', file = '' } = request.params;
          const found = await (await exports()).file(credentialOf(request), administration, date, file);
          return fileAnswer(request, found, file, `relations-${date}`);
        }),
      },
    ],
  };
}

/** One line of JSON for each thing that happened. */
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

/** A file, or the part of it a request asks for. What is published never changes, so whoever has it need not get it again. */
async function fileAnswer(
  request: HttpRequest,
  { bytes, sha256, read }: FoundFile,
  file: string,
  name: string,
): Promise<HttpResponseInit> {
  const tag = `"${sha256}"`;
  const headers = {
    'Content-Type': contentTypes[file as ExportFile],
    'Content-Disposition': `attachment; filename="${name}-${file}"`,
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    ETag: tag,
  };
  const known = request.headers.get('If-None-Match')?.split(',') ?? [];
  if (known.some((one) => one.trim().replace(/^W\//, '') === tag)) return { status: 304, headers };
  const range = bytes === 0 ? undefined : rangeOf(request, tag, bytes);
  if (range === 'outside') {
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${bytes}` } };
  }
  const { start, count } = range ?? { start: 0, count: bytes };
  const part: Record<string, string> =
    range === undefined ? {} : { 'Content-Range': `bytes ${start}-${start + count - 1}/${bytes}` };
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, ...part, 'Content-Length': String(count) },
    ...(request.method === 'HEAD' || count === 0
      ? {}
      : { body: (await read(start, count)) as AsyncIterable<Uint8Array> }),
  };
}

/** The one range of bytes a request asks for; undefined for the whole file, which several ranges get too. */
function rangeOf(request: HttpRequest, tag: string, bytes: number) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get('Range')?.trim() ?? '') ?? [];
  const condition = request.headers.get('If-Range');
  if (first === undefined || last === undefined || (condition !== null && condition !== tag)) return undefined;
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start > end ? ('outside' as const) : { start, count: end - start + 1 };
}
