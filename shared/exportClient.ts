import { ask, readAnswer, type Service, send } from './client.ts';
import { type Relation, relation } from './resources/relation.ts';
import { type ExportFile, type RelationExport, relationExportList } from './resources/relationExport.ts';

/** Relations handed over at a time. */
const AT_A_TIME = 1000;

/** Which export: its administration and date as the list has them. */
export type ExportName = Pick<RelationExport, 'administration' | 'date'>;

/** Relation exports as functions. They throw a Problem for every refusal. */
export type ExportClient = {
  /** The exports of the credential's administration, the latest first. */
  list(signal?: AbortSignal): Promise<RelationExport[]>;
  /**
   * The relations of a published export by RelationGUID, some at a time while they come in.
   * @throws Problem REMOTE_FAILED for a line that is no relation
   */
  relations(name: ExportName, signal?: AbortSignal): AsyncGenerator<Relation[], void>;
};

/** Where a file of an export is, below the base. */
export const exportPath = ({ administration, date }: ExportName, file: ExportFile): string =>
  `/exports/${encodeURIComponent(administration)}/${encodeURIComponent(date)}/${file}`;

/** @param service whose base is the address of the app */
export function createExportClient(service: Service): ExportClient {
  const read = (target: string, signal: AbortSignal | undefined) => ({
    method: 'GET',
    target,
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    list: async (signal) => (await ask(service, read('/exports', signal), relationExportList)).exports,
    async *relations(name, signal) {
      let some: Relation[] = [];
      for await (const line of linesOf(piecesOf(service, exportPath(name, 'relations.jsonl'), signal))) {
        some.push(readAnswer(relation, line));
        if (some.length < AT_A_TIME) continue;
        yield some;
        some = [];
      }
      if (some.length > 0) yield some;
    },
  };
}

/** Bytes asked for at a time: an answer is limited to 100 MB. */
const RANGE = 16 * 1024 * 1024;

/** The bytes of a file as they come in. */
async function* piecesOf(
  service: Service,
  target: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  for (let start = 0, total = 1; start < total; start += RANGE) {
    const headers = { Range: `bytes=${start}-${start + RANGE - 1}` };
    const response = await send(service, {
      method: 'GET',
      target,
      headers,
      ...(signal === undefined ? {} : { signal }),
    });
    // Without a range in the answer, it is the whole file.
    total = response.status === 206 ? Number(response.headers.get('Content-Range')?.split('/')[1]) : 0;
    if (response.body !== null) yield* readAll(response.body);
  }
}

/** Not every browser takes a stream in a loop. */
async function* readAll(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

/** The lines of a text in UTF-8 that comes in pieces; the line feeds are left out, and so is what follows the last one when it is empty. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
