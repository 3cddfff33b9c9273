import { strToU8, type Zippable, zipSync } from 'fflate';
import { MEGABYTE } from '../../../shared/api.ts';
import type { Service } from '../../../shared/client/client.ts';
import { type DocumentForm, readDocument } from '../../../shared/client/documentClient.ts';
import { Problem, type ProblemCode } from '../../../shared/problem.ts';

/** The documents of one zip: how many, and their bytes, which the pane holds in memory. */
export const zipLimits = { documents: 500, bytes: 100 * MEGABYTE };
/** Documents that are asked for at the same time: the app makes them in threads of its own. */
const TOGETHER = 3;

/** Why a document is not in the zip: an error, or one of the limits. */
type Reason = { error: unknown } | keyof typeof zipLimits;
export type NotIncluded = { number: string; why: Reason };

/** The files of a zip by their names, and what is not among them, in the order of the selection. */
export type CollectedDocuments = { files: ReadonlyMap<string, Uint8Array>; notIncluded: readonly NotIncluded[] };

/** What concerns the service or its key, not one document: the next request would meet it too. */
const ofAll: ReadonlySet<ProblemCode> = new Set(['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMIT', 'NOT_IMPLEMENTED']);

/**
 * Fetches the documents of several invoices. One that cannot be made leaves the others. When the service fails, the ones
 * that follow have its error as their reason.
 * @param numbers without leading zeros, each once, so that no two have one file name
 * @param report the documents that were asked for
 * @throws Problem and Unreachable when the service failed before there was a document; the reason of the signal
 */
export async function collectDocuments(
  service: Service,
  numbers: readonly string[],
  form: DocumentForm,
  {
    signal,
    report,
    limits = zipLimits,
  }: { signal: AbortSignal; report: (done: number) => void; limits?: typeof zipLimits },
): Promise<CollectedDocuments> {
  const found = new Map<string, Uint8Array>();
  const missing = new Map<string, Reason>();
  let bytes = 0;
  let isFull = false;
  let failure: { error: unknown } | undefined;
  const fetchOne = async (number: string): Promise<void> => {
    if (isFull) return void missing.set(number, 'bytes');
    if (failure !== undefined) return void missing.set(number, failure);
    try {
      const content = new Uint8Array(await (await readDocument(service, number, form, signal)).arrayBuffer());
      isFull ||= bytes + content.length > limits.bytes;
      if (isFull) return void missing.set(number, 'bytes');
      bytes += content.length;
      found.set(number, content);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem) || ofAll.has(error.code)) failure ??= { error };
      missing.set(number, { error });
    }
  };
  const wanted = numbers.slice(0, limits.documents);
  const waiting = [...wanted];
  let done = 0;
  report(done);
  const work = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      await fetchOne(number);
      signal.throwIfAborted();
      report(++done);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  if (failure !== undefined && found.size === 0) throw failure.error;
  for (const number of numbers.slice(limits.documents)) missing.set(number, 'documents');
  return {
    files: new Map(wanted.flatMap((number) => (found.has(number) ? [[`${number}.${form}`, found.get(number)!]] : []))),
    notIncluded: numbers.flatMap((number) => {
      const why = missing.get(number);
      return why === undefined ? [] : { number, why };
    }),
  };
}

/** A zip of documents with a text that lists them. */
export function zipOf(files: CollectedDocuments['files'], list: { name: string; text: string }): Blob {
  // A PDF is compressed already. The mark says to old editors on Windows that the text is UTF-8.
  const zippable: Zippable = { [list.name]: strToU8(`\ufeff${list.text.replaceAll('\n', '\r\n')}`) };
  for (const [name, content] of files) zippable[name] = [content, { level: name.endsWith('.pdf') ? 0 : 6 }];
  return new Blob([zipSync(zippable)], { type: 'application/zip' });
}
