import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import type { OwnOperation } from '../../shared/openapi.ts';

/** A file that can be sent whole or in part. */
export type ServedFile = {
  bytes: number;
  /** Changes whenever the content does; without its quotes. */
  tag: string;
  headers: Readonly<Record<string, string>>;
  read: (start: number, count: number) => Promise<Buffer | AsyncIterable<Uint8Array>>;
};

/** What the OpenAPI document says of `fileResponse`. */
export const describedFile = {
  parameters: [
    { name: 'Range', in: 'header', description: 'The bytes to get' },
    { name: 'If-None-Match', in: 'header', description: 'The ETag of what the caller has' },
  ],
  further: {
    206: { description: 'The bytes of the range', hasContent: true },
    304: { description: 'The caller has it already', hasContent: false },
    416: { description: 'It has no such bytes', hasContent: false },
  },
} as const satisfies Partial<OwnOperation>;

/** Responds with a file or the requested part of it, or with 304 when the caller has it already (If-None-Match). */
export async function fileResponse(request: HttpRequest, file: ServedFile): Promise<HttpResponseInit> {
  const { bytes } = file;
  const etag = `"${file.tag}"`;
  const headers = { ...file.headers, 'Accept-Ranges': 'bytes', ETag: etag };
  if (isKnown(request, etag)) return { status: 304, headers };
  const range = rangeOf(request, etag, bytes);
  if (range === 'outside') return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${bytes}` } };
  const { start, count } = range ?? { start: 0, count: bytes };
  const part: Record<string, string> =
    range === undefined ? {} : { 'Content-Range': `bytes ${start}-${start + count - 1}/${bytes}` };
  const body = request.method === 'HEAD' || count === 0 ? undefined : await file.read(start, count);
  return {
    status: range === undefined ? 200 : 206,
    headers: { ...headers, ...part, 'Content-Length': String(count) },
    ...(body === undefined ? {} : { body }),
  };
}

/** Whether If-None-Match names an ETag. A proxy that compresses makes the ETag weak; a weak one matches too. */
const isKnown = (request: HttpRequest, etag: string): boolean =>
  request.headers
    .get('If-None-Match')
    ?.split(',')
    .some((known) => known.trim().replace(/^W\//, '') === etag) ?? false;

/** The range of bytes a request asks for; undefined for the whole file. Several ranges get the whole file too. */
function rangeOf(request: HttpRequest, etag: string, bytes: number) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.get('Range')?.trim() ?? '') ?? [];
  const condition = request.headers.get('If-Range');
  if (bytes === 0 || first === undefined || last === undefined) return undefined;
  if ((first === '' && last === '') || (condition !== null && condition !== etag)) return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start > end ? 'outside' : { start, count: end - start + 1 };
}
