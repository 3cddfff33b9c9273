import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { MEGABYTE } from '../../../shared/api.ts';
import { rest } from '../../../shared/inSteps.ts';
import type { IncomingResponse } from './transport.ts';

const unpackers = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  inflate: promisify(inflate),
  inflateRaw: promisify(inflateRaw),
};

/**
 * The text of a response, decompressed and decoded. The headers of services may be wrong: where the bytes show the
 * format, they decide.
 * @param maxBytes of the text
 * @throws when it cannot be decompressed, or is too long
 */
export async function textOf({ headers, body }: IncomingResponse, maxBytes: number): Promise<string> {
  let bytes = body;
  const encodings = headerOf(headers, 'content-encoding').toLowerCase().split(',').reverse();
  for (const encoding of encodings.map((one) => one.trim())) {
    const unpack = unpackerOf(encoding, bytes);
    if (unpack !== undefined) bytes = await unpackers[unpack](bytes, { maxOutputLength: maxBytes });
  }
  // Its parts were just joined, which takes half a millisecond of each megabyte, as decoding does.
  if (bytes.length > 10 * MEGABYTE) await rest();
  return decoded(bytes, headerOf(headers, 'content-type'));
}

function unpackerOf(encoding: string, bytes: Buffer): keyof typeof unpackers | undefined {
  if (bytes.length < 2) return undefined;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (encoding === 'br') return 'br';
  // With zlib's header, as documented, or without, as some send it.
  if (encoding === 'deflate')
    return (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0 ? 'inflate' : 'inflateRaw';
  return undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * By its byte order mark; else UTF-16 when the header says so and the bytes agree; else UTF-8 when it is valid; else the
 * charset of the header; else Windows-1252.
 */
function decoded(bytes: Buffer, contentType: string): string {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? '';
  const utf16 = utf16Of(bytes, /^utf-?16/i.test(charset));
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    return decoderOf(charset).decode(bytes);
  }
}

function utf16Of([first, second]: Buffer, isNamed: boolean): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // JSON begins with a character of ASCII, of which one half is 0.
  if (isNamed && second === 0) return 'utf-16le';
  return isNamed && first === 0 ? 'utf-16be' : undefined;
}

function decoderOf(charset: string): TextDecoder {
  try {
    const decoder = new TextDecoder(charset);
    // UTF-8 was found to be invalid already.
    if (decoder.encoding !== 'utf-8') return decoder;
  } catch {
    // The charset is unknown.
  }
  return new TextDecoder('windows-1252');
}

/** A header's value, the first when there are several; "" without one. */
export function headerOf(headers: IncomingResponse['headers'], name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}
