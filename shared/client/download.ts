import { Problem } from '../problem.ts';
import { type Service, send, Unreachable } from './client.ts';

/** Bytes of one range request: a response is limited to 100 MB. */
const RANGE = 16 * 1024 * 1024;
/** Consecutive responses without any bytes before the download fails. */
const MAX_EMPTY_RESPONSES = 3;

/**
 * The bytes of a file as they come in, part by part. A download that breaks off is continued from the last received
 * byte.
 * @param bytes of the whole file
 * @throws Unreachable when no more bytes arrive, Problem REMOTE_FAILED when the file has changed
 */
export async function* download(
  service: Service,
  target: string,
  bytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let at = 0;
  let tag: string | null | undefined;
  let empty = 0;
  while (at < bytes) {
    const before = at;
    const headers = { Range: `bytes=${at}-${Math.min(at + RANGE, bytes) - 1}` };
    const response = await send(service, { method: 'GET', target, headers, signal });
    tag ??= response.headers.get('ETag');
    if (response.headers.get('ETag') !== tag) throw new Problem('REMOTE_FAILED', 'The file was changed meanwhile.');
    // A response without a range is the whole file.
    let known = response.status === 206 ? 0 : at;
    let cause: unknown;
    try {
      for await (const piece of readAll(response.body)) {
        const unknown = piece.subarray(known);
        known = Math.max(0, known - piece.length);
        if (unknown.length === 0) continue;
        at += unknown.length;
        if (at > bytes) break;
        yield unknown;
      }
    } catch (failure) {
      if (signal?.aborted) throw failure;
      cause = failure;
    }
    if (at > bytes) throw new Problem('REMOTE_FAILED', 'The file is longer than it should be.');
    empty = at > before ? 0 : empty + 1;
    if (empty === MAX_EMPTY_RESPONSES) throw new Unreachable('The file breaks off.', { cause });
  }
}

/** Not every browser can iterate over a stream. */
async function* readAll(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}
