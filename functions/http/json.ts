import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import { MEGABYTE } from '../../shared/api.ts';
import { Problem } from '../../shared/problem.ts';
import { parseJson } from '../../shared/wire/json.ts';
import { jsonValues } from './jsonValues.ts';

/** Values in a body, unless it may have more. */
const MAX_VALUES = 100_000;

/**
 * The JSON in a body. Check the credential first: a body costs memory, and parsing it time.
 * @param maxBytes of the body; a longer one is refused at once, and what is left of it is not kept
 * @param maxValues counted while it arrives: a value takes more memory than its text
 * @throws Problem 413, 415, INVALID_JSON
 */
export async function readJsonBody(
  request: HttpRequest,
  maxBytes: number,
  maxValues: number = MAX_VALUES,
): Promise<unknown> {
  const type = request.headers.get('Content-Type');
  if (type !== null && !/^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `Expected a body of type application/json, got ${type.slice(0, 100)}.`);
  }
  const encoding = request.headers.get('Content-Encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      `Expected a body that is not compressed, got ${encoding.slice(0, 100)}.`,
    );
  }
  const bytes = await readBody(request, maxBytes, maxValues);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('INVALID_JSON', 'The body is not valid JSON: it is not text in UTF-8.', { cause });
  }
  return parseJson(text);
}

async function readBody(request: HttpRequest, maxBytes: number, maxValues: number): Promise<Buffer> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  const tooManyAt = jsonValues(maxValues);
  let size = 0;
  try {
    // Cancelling the stream would end the connection before the refusal is sent.
    for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      const position = tooManyAt(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (position !== undefined) throw tooMany(maxValues, position);
      chunks.push(chunk);
    }
  } catch (thrown) {
    if (!(thrown instanceof Problem)) {
      throw new Problem('INVALID_JSON', 'The body ended before it was complete.', { cause: thrown });
    }
    // In Azure other requests use the same connection, and its host sends the whole body before it reads a response.
    request.body?.pipeTo(new WritableStream()).catch(() => {});
    throw thrown;
  }
  return Buffer.concat(chunks, size);
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem('BODY_TOO_LARGE', `Expected a body of at most ${maxBytes / MEGABYTE} MB (${maxBytes} bytes).`, {
    // The rest of the body is not waited for.
    headers: { Connection: 'close' },
  });

const tooMany = (maxValues: number, position: number): Problem =>
  new Problem('INVALID_JSON', `Expected a body of at most ${maxValues} values, got more at position ${position}.`, {
    headers: { Connection: 'close' },
  });

const [OPEN_LIST, COMMA, CLOSE_LIST] = [91, 44, 93];

/** The bytes of a JSON array of these elements: half the work of joining them into a text first. */
export function bytesOfList(elements: readonly string[]): Buffer {
  if (elements.length === 0) return Buffer.from('[]');
  const bytes = Buffer.allocUnsafe(elements.reduce((sum, element) => sum + Buffer.byteLength(element) + 1, 1));
  let at = 0;
  for (const element of elements) {
    bytes[at] = at === 0 ? OPEN_LIST : COMMA;
    at += 1 + bytes.write(element, at + 1);
  }
  bytes[at] = CLOSE_LIST;
  return bytes;
}

/** A response whose body is JSON text. */
export const jsonResponse = (
  body: string | Buffer,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): HttpResponseInit => ({ status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers }, body });
