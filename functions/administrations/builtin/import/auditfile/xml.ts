import { open } from 'node:fs/promises';
import { SaxesParser } from 'saxes';
import { decodedText } from '../../files/decode.ts';
import { UnreadableFile } from '../../files/source.ts';

/** An element that begins, or one that ended, with its own text; where it is, is where its opening tag ends. */
export type XmlEvent = { kind: 'open' | 'close'; name: string; uri: string; text: string; line: number };

/** More than a text or a tag of any file of books holds: what comes then is no such file, or is meant to fill the memory. */
const MAX_PIECE_LENGTH = 1_000_000;
const MAX_DEPTH = 100;
/** Of a message of the parser, which may quote what it read. */
const MAX_SHOWN = 120;

/**
 * The elements of an XML file, some at a time, while it is read. Entities other than XML's own five and characters by
 * number are refused, and so is a document type, the only place that could define or fetch more.
 * @throws UnreadableFile where it is not well-formed, with line and column
 */
export async function* readXml(file: string): AsyncGenerator<XmlEvent[]> {
  const { encoding, isDeclared } = await encodingOf(file);
  const parser = new SaxesParser({ xmlns: true, position: true });
  let events: XmlEvent[] = [];
  const opened: { name: string; text: string; line: number }[] = [];
  let lastTag = 0;
  // What is thrown in here ends the parser's `write` with it.
  const refuse = (message: string): never => {
    // A mistake such as a bare & is noticed only later: the element around it says where to look.
    const within = opened.at(-1);
    const context = within === undefined ? '' : ` (within <${within.name}>, which begins on line ${within.line})`;
    throw new UnreadableFile(parser.line, `${message}${context}`, { column: parser.columnIndex + 1 });
  };
  parser.on('error', ({ message }) => {
    refuse(`is no sound XML: ${message.replace(/^\d+:\d+: /, '').slice(0, MAX_SHOWN)}`);
  });
  parser.on('doctype', () => refuse('expected no document type (<!DOCTYPE ...>)'));
  parser.on('opentag', ({ local, uri }) => {
    lastTag = parser.position;
    if (opened.length === MAX_DEPTH) refuse(`expected at most ${MAX_DEPTH} elements within each other`);
    opened.push({ name: local, text: '', line: parser.line });
    events.push({ kind: 'open', name: local, uri, text: '', line: parser.line });
  });
  const take = (text: string) => {
    const innermost = opened.at(-1);
    if (innermost !== undefined) innermost.text += text;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', ({ local, uri }) => {
    lastTag = parser.position;
    const { text, line } = opened.pop()!;
    events.push({ kind: 'close', name: local, uri, text: text.trim(), line });
  });
  const notDecoded = (byte: number) =>
    isDeclared
      ? `expected ${encoding}, as the file declares; byte ${byte} is not`
      : `expected ${encoding}, as the file declares nothing else; byte ${byte} is not`;
  for await (const piece of decodedText(file, encoding, notDecoded)) {
    parser.write(piece);
    if (parser.position - lastTag > MAX_PIECE_LENGTH + piece.length) refuse('expected a tag before so much text');
    yield events;
    events = [];
  }
  parser.close();
  yield events;
}

/** How the file is encoded: by its byte order mark, by how its first character is written, or as it declares. */
async function encodingOf(file: string): Promise<{ encoding: string; isDeclared: boolean }> {
  const start = await firstBytes(file);
  const begins = (...bytes: number[]) => bytes.every((byte, index) => start[index] === byte);
  const utf16 =
    begins(0xff, 0xfe) || begins(0x3c, 0x00)
      ? 'utf-16le'
      : begins(0xfe, 0xff) || begins(0x00, 0x3c)
        ? 'utf-16be'
        : undefined;
  const text = new TextDecoder(utf16 ?? 'latin1').decode(start);
  const declared = /^[^<]{0,3}<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(text)?.[1];
  if (declared === undefined) return { encoding: utf16 ?? 'utf-8', isDeclared: false };
  if (utf16 !== undefined) {
    if (/^utf-?16/i.test(declared)) return { encoding: utf16, isDeclared: true };
    throw new UnreadableFile(1, `declares the encoding ${declared}, but is ${utf16.toUpperCase()}`);
  }
  const encoding = known(declared);
  if (encoding === undefined || encoding.startsWith('utf-16')) {
    throw new UnreadableFile(1, `declares the encoding ${declared}, which it does not have or which is not known here`);
  }
  return { encoding, isDeclared: true };
}

function known(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1024), 0, 1024, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
