import { createReadStream } from 'node:fs';
import { UnreadableFile } from './source.ts';

const PIECE = 256 * 1024;

/**
 * The text of a file, in pieces; of several files, as if they were one.
 * @param refusal the message when a byte, counted from 1, is not of that encoding
 * @param onRead called with the bytes of each piece before it is read; what it throws ends the reading
 * @throws UnreadableFile naming the line
 */
export async function* decodedText(
  file: string | readonly string[],
  encoding: string,
  refusal: (byte: number) => string,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let bytes = 0;
  let lines = 1;
  let endsInReturn = false;
  for await (const chunk of chunksOf([file].flat())) {
    onRead(chunk.length);
    let piece: string;
    try {
      piece = decoder.decode(chunk, { stream: true });
    } catch (cause) {
      const wrong = encoding === 'utf-8' ? firstWrongByte(chunk) : 0;
      const line = lines + lineEnds(chunk.subarray(0, wrong).toString('latin1'));
      throw new UnreadableFile(line, refusal(bytes + wrong + 1), { cause });
    }
    bytes += chunk.length;
    lines += lineEnds(piece);
    // A line end of two characters may be split between two pieces.
    if (endsInReturn && piece.startsWith('\n')) lines--;
    if (piece !== '') endsInReturn = piece.endsWith('\r');
    if (piece !== '') yield piece;
  }
  try {
    decoder.decode();
  } catch (cause) {
    throw new UnreadableFile(lines, refusal(bytes), { cause });
  }
}

/** The bytes of files behind each other, without the byte order marks of those after the first. */
async function* chunksOf(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const [index, file] of files.entries()) {
    let isStart = index > 0;
    for await (const chunk of createReadStream(file, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
      yield isStart ? chunk.subarray(markLength(chunk)) : chunk;
      isStart = false;
    }
  }
}

const marks = [
  [0xef, 0xbb, 0xbf],
  [0xff, 0xfe],
  [0xfe, 0xff],
];
const markLength = (start: Buffer): number =>
  marks.find((mark) => mark.every((byte, at) => start[at] === byte))?.length ?? 0;

/** Text in pieces with every line end a line feed. */
export async function* withLineFeeds(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let carry = '';
  for await (const piece of pieces) {
    const text = carry + piece;
    carry = text.endsWith('\r') ? '\r' : '';
    yield (carry === '' ? text : text.slice(0, -1)).replace(/\r\n?/g, '\n');
  }
  if (carry !== '') yield '\n';
}

const lineEnds = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0;

/** The first byte of a piece that is not UTF-8, by bisection. The piece may begin inside a character. */
function firstWrongByte(chunk: Buffer): number {
  // Bytes that continue a character of the previous piece.
  let begin = 0;
  while (begin < 3 && begin < chunk.length && (chunk[begin]! & 0xc0) === 0x80) begin++;
  let sound = begin;
  let wrong = chunk.length;
  while (sound < wrong) {
    const middle = Math.floor((sound + wrong) / 2);
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(chunk.subarray(begin, middle + 1), { stream: true });
      sound = middle + 1;
    } catch {
      wrong = middle;
    }
  }
  const found = Math.min(sound, chunk.length - 1);
  // The error may be in the first byte of an incomplete character.
  for (let back = 1; back <= Math.min(3, found); back++) {
    const byte = chunk[found - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? found - back : found;
  }
  return found;
}
