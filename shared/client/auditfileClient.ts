import {
  AUDITFILE_PART_BYTES,
  type Auditfile,
  type AuditfileChoices,
  auditfileList,
  auditfileParts,
  auditfileResponse,
} from '../resources/generalLedger/auditfile.ts';
import { ask, type Service, send } from './client.ts';

/** A file as a browser has it. */
export type NamedFile = Pick<Blob, 'size' | 'slice'> & { name: string };

/** A browser cannot read a file: it was changed, moved or removed after it was chosen. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** What a part of a file holds. @throws UnreadableFile */
export const bytesOf = async (part: Blob): Promise<Uint8Array<ArrayBuffer>> => {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch (cause) {
    throw new UnreadableFile(String(cause), { cause });
  }
};

export type AuditfileClient = ReturnType<typeof createAuditfileClient>;

/**
 * Audit files that are brought in, as functions. They throw a Problem for every refusal, and UnreadableFile.
 * @param service whose base is the address of the app
 */
export function createAuditfileClient(service: Service) {
  const pathOf = (id: string) => `/auditfiles/${encodeURIComponent(id)}`;
  const post = async (target: string, body: object, signal?: AbortSignal): Promise<Auditfile> =>
    (await ask(service, { method: 'POST', target, body, signal }, auditfileResponse)).auditfile;

  async function sendPart(id: string, part: number, held: Blob, signal?: AbortSignal): Promise<void> {
    const compressed = new Blob([await bytesOf(held)]).stream().pipeThrough(new CompressionStream('gzip'));
    const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
    const headers = { 'Content-Type': 'application/gzip' };
    await send(service, { method: 'POST', target: `${pathOf(id)}/parts/${part}`, headers, bytes, signal });
  }

  return {
    /** Begins to send a file. @throws Problem RATE_LIMIT while too many others are not imported */
    receive: ({ name, size: bytes }: Pick<NamedFile, 'name' | 'size'>, signal?: AbortSignal): Promise<Auditfile> =>
      post('/auditfiles', { name, bytes }, signal),
    /** The audit files of the administration, the latest first. */
    list: async (signal?: AbortSignal): Promise<Auditfile[]> =>
      (await ask(service, { method: 'GET', target: '/auditfiles', signal }, auditfileList)).auditfiles,
    state: async (id: string, signal?: AbortSignal): Promise<Auditfile> =>
      (await ask(service, { method: 'GET', target: pathOf(id), signal }, auditfileResponse)).auditfile,
    /** Finds out in the background what a file holds. */
    check: (id: string, signal?: AbortSignal): Promise<Auditfile> => post(`${pathOf(id)}/check`, {}, signal),
    /** Imports a file in the background. */
    import: (id: string, choices: AuditfileChoices, signal?: AbortSignal): Promise<Auditfile> =>
      post(`${pathOf(id)}/import`, choices, signal),
    /** Removes in the background what audit files brought into the year of an imported one. */
    withdraw: (id: string, signal?: AbortSignal): Promise<Auditfile> => post(`${pathOf(id)}/withdraw`, {}, signal),
    cancel: (id: string, signal?: AbortSignal): Promise<Auditfile> => post(`${pathOf(id)}/cancel`, {}, signal),
    async erase(id: string, signal?: AbortSignal): Promise<void> {
      await send(service, { method: 'POST', target: `${pathOf(id)}/erase`, body: {}, signal });
    },

    /** Whether all parts of a file were received as it has them. */
    async hasReceived({ parts, bytes }: Pick<Auditfile, 'parts' | 'bytes'>, file: NamedFile): Promise<boolean> {
      if (bytes !== file.size || parts.length !== auditfileParts(file.size)) return false;
      for (const { part, sha256 } of parts) if (sha256 !== (await sha256Of(partOf(file, part!)))) return false;
      return true;
    },

    /**
     * Sends the parts of a file that were not received, and those that hold something else.
     * @param onProgress gets the number of bytes that are there
     */
    async sendParts(
      { id, parts }: Pick<Auditfile, 'id' | 'parts'>,
      file: NamedFile,
      onProgress: (bytes: number) => void,
      signal?: AbortSignal,
    ): Promise<void> {
      const received = new Map(parts.map(({ part, sha256 }) => [part, sha256]));
      for (let part = 1; part <= auditfileParts(file.size); part++) {
        signal?.throwIfAborted();
        const held = partOf(file, part);
        if (received.get(part) === undefined || received.get(part) !== (await sha256Of(held))) {
          await sendPart(id, part, held, signal);
        }
        onProgress(Math.min(file.size, part * AUDITFILE_PART_BYTES));
      }
    },
  };
}

/** A part of a file, counted from 1. */
const partOf = (file: NamedFile, part: number): Blob =>
  file.slice((part - 1) * AUDITFILE_PART_BYTES, part * AUDITFILE_PART_BYTES);

async function sha256Of(held: Blob): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await bytesOf(held)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
