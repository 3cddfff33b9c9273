import { Zip, ZipDeflate } from 'fflate';
import { continuation, MAX_CHECKED_BYTES, partName } from '../../../../shared/resources/generalLedger/auditfileYear.ts';

/** Before these an audit file may be cut into texts; before an entry, also into files. */
const ENTRY = '<transaction>';
const beginnings = /(?=<(?:transaction|customerSupplier)>)/;
/** What is compressed at a time. */
const SLICE_BYTES = 250_000;

/**
 * Receives an audit file in parts that are cut between entries; together they are the whole file.
 * @param pieces of the file, in UTF-8
 * @param report gets the percentage of its lines that were received
 * @param maxBytes of a part with what a further file begins with. The first has all that comes before entries
 */
export async function receiveYear(
  pieces: AsyncIterable<Uint8Array>,
  report: (percent: number) => void,
  maxBytes = MAX_CHECKED_BYTES,
): Promise<Blob[]> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  const parts: Blob[] = [];
  let part: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const endPart = () => {
    parts.push(new Blob(part));
    part = [];
    bytes = continuation(0, 0).length;
  };
  let [lines, received] = [0, 0];
  const add = (text: string) => {
    const encoded = encoder.encode(text);
    if (text.startsWith(ENTRY)) {
      if (bytes + encoded.length > maxBytes) endPart();
      received += text.split('<trLine>').length - 1;
    }
    lines ||= Number(/<transactions>\s*<linesCount>(\d+)</.exec(text)?.[1] ?? 0);
    part.push(encoded);
    bytes += encoded.length;
  };
  let rest = '';
  for await (const piece of pieces) {
    const texts = (rest + decoder.decode(piece, { stream: true })).split(beginnings);
    rest = texts.pop()!;
    for (const text of texts) add(text);
    report(lines === 0 ? 0 : Math.floor((100 * received) / lines));
  }
  add(rest);
  endPart();
  return parts;
}

/** The files of an audit file that is sent in parts, in one: as they are called, each further one says which it is. */
export async function zippedParts(parts: readonly Blob[], fileName: string): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((failure, piece) => {
    if (failure !== null) throw failure;
    pieces.push(piece as Uint8Array<ArrayBuffer>);
  });
  for (const [index, part] of parts.entries()) {
    const file = new ZipDeflate(partName(fileName, index + 1));
    zip.add(file);
    if (index > 0) file.push(new TextEncoder().encode(continuation(index + 1, parts.length)));
    // A little at a time, so that the pane responds meanwhile.
    for (let start = 0; start < part.size; start += SLICE_BYTES) {
      file.push(new Uint8Array(await part.slice(start, start + SLICE_BYTES).arrayBuffer()));
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  return new Blob(pieces, { type: 'application/zip' });
}
