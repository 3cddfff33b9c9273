import { setImmediate as otherWork } from 'node:timers/promises';
import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import { MEGABYTE } from '../../shared/api.ts';
import { inSteps, rest } from '../../shared/inSteps.ts';
import { Problem } from '../../shared/problem.ts';
import { parseJsonInSteps } from '../../shared/wire/json.ts';
import { heldBytes } from './heldBytes.ts';
import { jsonValues } from './jsonValues.ts';

/** Bodies that arrive at the same time: three of the largest for one key. */
const arriving = heldBytes({ ofKey: 48 * MEGABYTE, inAll: 256 * MEGABYTE });
/** Milliseconds without a byte after which a body no longer arrives. */
const STALLED_MS = 20_000;
const RETRY_SECONDS = 5;
/** Bytes above which a body is long. */
const LONG_BYTES = 100_000;
/** Milliseconds of reading chunks after which other requests run. */
const TURN_MS = 10;

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
  const key = request.headers.get('ApiKey') ?? '';
  let size = 0;
  const hold = (bytes: number) => {
    if (!arriving.take(key, bytes, size)) throw tooMuchAtOnce();
    size += bytes;
  };
  try {
    const bytes = await readBody(request, { maxBytes, maxValues, hold });
    return await inSteps(valueInSteps(bytes), otherWork);
  } finally {
    arriving.release(key, size);
  }
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

type BodyLimits = {
  maxBytes: number;
  maxValues: number;
  /** Counts bytes that are kept. @throws Problem when they are too many */
  hold: (bytes: number) => void;
};

async function readBody(request: HttpRequest, { maxBytes, maxValues, hold }: BodyLimits): Promise<Buffer> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  const tooManyAt = jsonValues(maxValues);
  let size = 0;
  let since = performance.now();
  try {
    // Cancelling the stream would end the connection before the refusal is sent.
    for await (const chunk of withoutStalling(request.body?.values({ preventCancel: true }))) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      const position = tooManyAt(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (position !== undefined) throw tooMany(maxValues, position);
      hold(chunk.byteLength);
      chunks.push(chunk);
      // Many small chunks may be there at once.
      if (performance.now() - since > TURN_MS) {
        await otherWork();
        since = performance.now();
      }
    }
  } catch (thrown) {
    // Nothing more is read of it: its connection is closed.
    if (thrown instanceof Stalled) throw stalled();
    if (!(thrown instanceof Problem)) {
      throw new Problem('INVALID_JSON', 'The body ended before it was complete.', { cause: thrown });
    }
    // In Azure other requests use the same connection, and its host sends the whole body before it reads a response.
    request.body?.pipeTo(new WritableStream()).catch(() => {});
    throw thrown;
  }
  return Buffer.concat(chunks, size);
}

class Stalled extends Error {}

/** Passes bytes on. @throws Stalled when the next ones take too long */
async function* withoutStalling(bytes: AsyncIterator<Uint8Array> | undefined): AsyncGenerator<Uint8Array> {
  if (bytes === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  let isStalled = false;
  try {
    for (;;) {
      const limit = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          isStalled = true;
          reject(new Stalled());
        }, STALLED_MS);
      });
      const next = await Promise.race([bytes.next(), limit]);
      clearTimeout(timer);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    clearTimeout(timer);
    if (!isStalled) await bytes.return?.();
  }
}

const stalled = (): Problem =>
  new Problem('INVALID_JSON', `Nothing of the body arrived for ${STALLED_MS / 1000} seconds.`, {
    headers: { Connection: 'close' },
  });

const tooMuchAtOnce = (): Problem =>
  new Problem('RATE_LIMIT', 'Expected fewer large bodies at the same time. Try again when the others have arrived.', {
    headers: { Connection: 'close', 'Retry-After': String(RETRY_SECONDS) },
  });

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

/**
 * The bytes of a JSON array of these elements: half the work of joining them into a text first. Others are served before
 * a long one.
 */
export async function bytesOfList(elements: readonly string[]): Promise<Buffer> {
  if (elements.length === 0) return Buffer.from('[]');
  // Its elements were just made, and to measure and write them is long too.
  const characters = elements.reduce((sum, element) => sum + element.length, 0);
  if (characters > MEGABYTE) await rest();
  const size = elements.reduce((sum, element) => sum + Buffer.byteLength(element) + 1, 1);
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
