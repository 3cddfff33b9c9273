import { setImmediate as otherWork } from 'node:timers/promises';
import type { HttpRequest } from '@azure/functions';
import { MEGABYTE } from '../../shared/api.ts';
import { Problem } from '../../shared/problem.ts';
import { heldBytes } from './heldBytes.ts';

/** Bodies that arrive at the same time: three of the largest for one key. */
const arriving = heldBytes({ ofKey: 48 * MEGABYTE, inAll: 256 * MEGABYTE });
/** Milliseconds without a byte after which a body no longer arrives. */
const STALLED_MS = 20_000;
const RETRY_SECONDS = 5;
/** Milliseconds of reading chunks after which other requests run. */
const TURN_MS = 10;

type BodyOptions = {
  /** A longer body is refused at once, and what is left of it is not kept. */
  maxBytes: number;
  /** The code of the problem when it ends too soon. */
  incomplete: 'INVALID_JSON' | 'INVALID_REQUEST';
  /** Called with each piece while it arrives; what it throws refuses the body. */
  onChunk?: (chunk: Buffer) => void;
};

/**
 * Does work with the bytes of a body, which count as held until it is done. Check the credential first: a body costs
 * memory.
 * @throws Problem 413, `incomplete`, RATE_LIMIT while other bodies of the key take too much memory
 */
export async function withBody<T>(
  request: HttpRequest,
  options: BodyOptions,
  work: (bytes: Buffer) => Promise<T>,
): Promise<T> {
  const key = request.headers.get('ApiKey') ?? '';
  let size = 0;
  const hold = (bytes: number) => {
    if (!arriving.take(key, bytes, size)) throw tooMuchAtOnce();
    size += bytes;
  };
  try {
    return await work(await readBody(request, { ...options, hold }));
  } finally {
    arriving.release(key, size);
  }
}

/** @param options.hold counts bytes that are kept; throws a Problem when they are too many */
async function readBody(
  request: HttpRequest,
  { maxBytes, incomplete, onChunk, hold }: BodyOptions & { hold: (bytes: number) => void },
): Promise<Buffer> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let since = performance.now();
  try {
    // Cancelling the stream would end the connection before the refusal is sent.
    for await (const chunk of withoutStalling(request.body?.values({ preventCancel: true }))) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      onChunk?.(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
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
    if (thrown instanceof Stalled) throw stalled(incomplete);
    if (!(thrown instanceof Problem)) {
      throw new Problem(incomplete, 'The body ended before it was complete.', { cause: thrown });
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

const stalled = (code: BodyOptions['incomplete']): Problem =>
  new Problem(code, `Nothing of the body arrived for ${STALLED_MS / 1000} seconds.`, {
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
