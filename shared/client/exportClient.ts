import { Problem } from '../problem.ts';
import { type Relation, relation } from '../resources/relation.ts';
import {
  type ExportFile,
  type RelationExport,
  relationExportList,
  requestedExport,
} from '../resources/relationExport.ts';
import { ask, readResponse, type Service } from './client.ts';
import { download } from './download.ts';

/** Relations in one batch. */
const BATCH_SIZE = 1000;

/** Which export: its administration and date as the list has them. */
type ExportName = Pick<RelationExport, 'administration' | 'date'>;

/** An export with its files, as the list has it. */
export type ListedExport = ExportName & Pick<RelationExport, 'files'>;

export type ExportClient = ReturnType<typeof createExportClient>;

/** The path of a file of an export, relative to the base. */
export const exportPath = ({ administration, date }: ExportName, file: ExportFile): string =>
  `/exports/${encodeURIComponent(administration)}/${encodeURIComponent(date)}/${file}`;

/**
 * Relation exports as functions. They throw a Problem for every refusal.
 * @param service whose base is the address of the app
 */
export function createExportClient(service: Service) {
  return {
    /** The exports of the credential's administration, the latest first. */
    list: async (signal?: AbortSignal): Promise<RelationExport[]> =>
      (await ask(service, { method: 'GET', target: '/exports', signal }, relationExportList)).exports,
    /**
     * Requests an export now.
     * @returns the moment, in UNIX seconds, that a published export must be for
     * @throws Problem NOT_FOUND when the administration is not exported
     */
    async request(signal?: AbortSignal): Promise<number> {
      const question = { method: 'POST', target: '/exports', body: {}, signal };
      return Number((await ask(service, question, requestedExport)).scheduledOn);
    },
    /**
     * The relations of a published export by RelationGUID, in batches while they are downloaded.
     * @throws Problem REMOTE_FAILED for a line that is no relation, and what `exportBytes` throws
     */
    async *relations(one: ListedExport, signal?: AbortSignal): AsyncGenerator<Relation[], void> {
      let some: Relation[] = [];
      for await (const line of linesOf(exportBytes(service, one, 'relations.jsonl', signal))) {
        some.push(readResponse(relation, line));
        if (some.length < BATCH_SIZE) continue;
        yield some;
        some = [];
      }
      if (some.length > 0) yield some;
    },
  };
}

/**
 * The bytes of a file of a published export while they are downloaded.
 * @throws Problem NOT_FOUND when it has no such file, REMOTE_FAILED when it was changed; Unreachable when no more bytes
 *   arrive
 */
export async function* exportBytes(
  service: Service,
  one: ListedExport,
  file: ExportFile,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const found = one.files.find(({ name }) => name === file);
  if (found?.bytes == null) throw new Problem('NOT_FOUND', `The export ${one.date} has no file ${file}.`);
  yield* download(service, exportPath(one, file), found.bytes, signal);
}

/**
 * The lines of a text in UTF-8 that comes in pieces, without line feeds. A line feed at the end begins no empty line.
 */
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
