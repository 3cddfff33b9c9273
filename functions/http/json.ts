import { setImmediate as otherWork } from 'node:timers/promises';
import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import { MEGABYTE } from '../../shared/api.ts';
import { inSteps, rest } from '../../shared/inSteps.ts';
import { Problem } from '../../shared/problem.ts';
import { parseJsonInSteps } from '../../shared/wire/json.ts';
import { withBody } from './body.ts';
import { jsonValues } from './jsonValues.ts';

/** Bytes above which a body is long. */
const LONG_BYTES = 100_000;

/** Values in a body, unless it may have more. */
const MAX_VALUES = 100_000;

/**
 * The JSON in a body. Check the credential first: a body costs memory, and parsing it time.
 * @param maxBytes of the body; a longer one is refused at once, and what is left of it is not kept
 * @param maxValues counted while it arrives: a value takes more memory than its text
 * @throws Problem 413, 415, INVALID_JSON, RATE_LIMIT while other bodies of the key take too much memory
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
  const tooManyAt = jsonValues(maxValues);
  const onChunk = (chunk: Buffer) => {
    const position = tooManyAt(chunk);
    if (position !== undefined) throw tooMany(maxValues, position);
  };
  return withBody(request, { maxBytes, incomplete: 'INVALID_JSON', onChunk }, (bytes) =>
    inSteps(valueInSteps(bytes), otherWork),
  );
}

/** Counting a long text, decoding and parsing it take some tens of milliseconds each; a short one takes no turn. */
function* valueInSteps(bytes: Buffer): Generator<void, unknown> {
  const isLong = bytes.length > LONG_BYTES;
  if (isLong) yield;
  const text = textOf(bytes);
  if (isLong) yield;
  return yield* parseJsonInSteps(text);
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem('INVALID_JSON', 'The body is not valid JSON: it is not text in UTF-8.', { cause });
  }
}

const tooMany = (maxValues: number, position: number): Problem =>
  new Problem('INVALID_JSON', `Expected a body of at most ${maxValues} values, got more at position ${position}.`, {
    headers: { Connection: 'close' },
  });

const [OPEN_LIST, COMMA, CLOSE_LIST] = [91, 44, 93];

/**
 * The bytes of a JSON array of these elements: half the work of joining them into a text first. Others are served before
 * a long one.
 */
export async function bytesOfList(elements: readonly string[]): Promise<Buffer> {
  if (elements.length === 0) return Buffer.from('[]');
  // Its elements were just made, and to measure them is long too.
  if (elements.reduce((sum, element) => sum + element.length, 0) > MEGABYTE) await rest();
  return inSteps(listInSteps(elements), otherWork);
}

function* listInSteps(elements: readonly string[]): Generator<void, Buffer> {
  const size = elements.reduce((sum, element) => sum + Buffer.byteLength(element) + 1, 1);
  yield;
  const bytes = Buffer.allocUnsafe(size);
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
