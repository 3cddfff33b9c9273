import type { HttpRequest } from '@azure/functions';
import { Problem } from '../../shared/problem.ts';
import { parseJson } from '../../shared/wire/json.ts';

/** Bytes of a body at the most: what Azure lets through. */
export const MOST_BODY = 100 * 1024 * 1024;

/** The header of every answer in JSON. */
export const json = { 'Content-Type': 'application/json; charset=utf-8' };

/** The JSON in a body. @throws Problem 413, 415, INVALID_JSON */
export async function jsonBodyOf(request: HttpRequest): Promise<unknown> {
  const type = request.headers.get('Content-Type');
  if (type !== null && !/^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `Expected a body of type application/json, got ${type.slice(0, 100)}.`);
  }
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > MOST_BODY)
    throw new Problem('BODY_TOO_LARGE', `Expected a body of at most ${MOST_BODY} bytes.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('INVALID_JSON', 'The body is not valid JSON: it is not text in UTF-8.', { cause });
  }
  return parseJson(text);
}
