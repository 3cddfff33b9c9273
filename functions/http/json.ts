import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import { Problem } from '../../shared/problem.ts';
import { parseJson } from '../../shared/wire/json.ts';

/** Bytes of a body: as many as Azure accepts. */
export const MAX_BODY = 100 * 1024 * 1024;

/** The JSON in a body. @throws Problem 413, 415, INVALID_JSON */
export async function readJsonBody(request: HttpRequest): Promise<unknown> {
  const type = request.headers.get('Content-Type');
  if (type !== null && !/^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `Expected a body of type application/json, got ${type.slice(0, 100)}.`);
  }
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MAX_BODY) throw new Problem('BODY_TOO_LARGE', `Expected a body of at most ${MAX_BODY} bytes.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('INVALID_JSON', 'The body is not valid JSON: it is not text in UTF-8.', { cause });
  }
  return parseJson(text);
}

/** A response whose body is JSON text. */
export const jsonResponse = (
  body: string,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): HttpResponseInit => ({ status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers }, body });
