import { open } from 'node:fs/promises';
import { SaxesParser } from 'saxes';
import { decodedText } from '../../files/decode.ts';
import { UnreadableFile } from '../../files/source.ts';

/** What is called with the begin of an element, and with its end; the line is that of the end of its opening tag. */
export type XmlHandlers = {
  opened: (name: string, uri: string, line: number) => void;
  closed: (text: string, line: number) => void;
};

/** The encoding of a file, and whether it declares one. */
export type Encoding = { encoding: string; isDeclared: boolean };

/** The path of a file, or of the files that it was split into, in their order: they are read as one. */
export type Files = string | readonly string[];

/** Called with the bytes of each piece before it is read. What it throws ends the reading. */
export type OnRead = (bytes: number) => void;

/** Characters of one text or tag: a longer one is no auditfile, or an attack on the memory. */
const MAX_PIECE_LENGTH = 1_000_000;
const MAX_DEPTH = 100;
/** Characters of a message of the parser, which may quote the file. */
const MAX_SHOWN = 120;

/**
 * Reads the elements of an XML file. Entities are refused, except those of XML itself and character numbers; so is a
 * document type, which could define others.
 * @returns after each piece of the file
 * @throws UnreadableFile with line and column, when it is not well-formed
 */
export async function* readXml(
  file: Files,
  { encoding, isDeclared }: Encoding,
  handlers: XmlHandlers,
  onRead: OnRead = () => {},
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const opened: { name: string; text: string; line: number }[] = [];
  let lastTag = 0;
  // An error that is thrown here ends `write` of the parser.
  const refuse = (message: string): never => {
    // The parser notices a mistake such as a bare & late: the element around it helps to find it.
    const within = opened.at(-1);
    const context = within === undefined ? '' : ` (within <${within.name}>, which begins on line ${within.line})`;
    throw new UnreadableFile(parser.line, `${message}${context}`, { column: parser.columnIndex + 1 });
  };
  parser.on('error', ({ message }) => {
    refuse(`is not well-formed XML: ${message.replace(/^\d+:\d+: /, '').slice(0, MAX_SHOWN)}`);
  });
  parser.on('doctype', () => refuse('expected no document type (<!DOCTYPE ...>)'));
  parser.on('opentag', ({ local, uri }) => {
    lastTag = parser.position;
    if (opened.length === MAX_DEPTH) refuse(`expected at most ${MAX_DEPTH} elements within each other`);
    opened.push({ name: local, text: '', line: parser.line });
    handlers.opened(local, uri, parser.line);
  });
  const take = (text: string) => {
    const innermost = opened.at(-1);
    if (innermost === undefined) return;
    // Before each element of a large one is white space, which would add up to as much text as there may be.
    if (innermost.text === '' && text.trimStart() === '') return;
    if (innermost.text.length + text.length > MAX_PIECE_LENGTH) refuse('expected an element with less text');
    innermost.text += text;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => {
    lastTag = parser.position;
    const { text, line } = opened.pop()!;
    handlers.closed(text.trim(), line);
  });
  for await (const piece of decodedText(file, encoding, notDecoded({ encoding, isDeclared }), onRead)) {
    parser.write(piece);
    if (parser.position - lastTag > MAX_PIECE_LENGTH + piece.length) refuse('expected a tag before so much text');
    yield;
  }
  parser.close();
  yield;
}

const notDecoded =
  ({ encoding, isDeclared }: Encoding) =>
  (byte: number) =>
    isDeclared
      ? `expected ${encoding}, as the file declares; byte ${byte} is not`
      : `expected ${encoding}, as the file declares nothing else; byte ${byte} is not`;

/**
 * The encoding by the byte order mark, by the first character, or by the declaration.
 * @param wrong called when the file is not in the encoding that it declares, with what it is read as; left out: it is
 *   refused
 * @throws UnreadableFile
 */
export async function encodingOf(file: Files, wrong?: (line: number, message: string) => void): Promise<Encoding> {
  const found = await declaredEncoding([file].flat()[0]!, (message, instead) => {
    if (wrong === undefined) throw new UnreadableFile(1, message);
    wrong(1, `${message}: it is read as ${instead}`);
  });
  if (wrong === undefined || found.encoding !== 'utf-8') return found;
  try {
    for await (const _ of decodedText(file, found.encoding, notDecoded(found)));
    return found;
  } catch (failure) {
    if (!(failure instanceof UnreadableFile)) throw failure;
    // Programs on Windows write its characters whatever they declare.
    const encoding = 'windows-1252';
    wrong(failure.line, `${failure.message}: it is read as ${encoding}`);
    return { encoding, isDeclared: true };
  }
}

async function declaredEncoding(file: string, wrong: (message: string, instead: string) => void): Promise<Encoding> {
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
    wrong(`declares the encoding ${declared}, but is ${utf16.toUpperCase()}`, utf16);
    return { encoding: utf16, isDeclared: true };
  }
  const encoding = known(declared);
  if (encoding !== undefined && !encoding.startsWith('utf-16')) return { encoding, isDeclared: true };
  wrong(`declares the encoding ${declared}, which it does not have or which is not known here`, 'utf-8');
  return { encoding: 'utf-8', isDeclared: true };
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
