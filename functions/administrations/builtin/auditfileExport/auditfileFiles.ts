import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { continuation, partName } from '../../../../shared/resources/generalLedger/auditfileYear.ts';
import { incompleteName, removeLeft } from '../archive/incomplete.ts';
import { CommandError, writingTo } from '../files/commandError.ts';
import type { Database } from '../sql/database.ts';
import type { Row } from '../sql/schema.ts';
import { atOneMoment } from '../sql/transaction.ts';
import { type AuditfileContents, type AuditfileOptions, writeAuditfile } from './writeAuditfile.ts';

/** Characters that are written at once. */
const BLOCK = 65_536;

/** A file that is being written; it gets its name when all are complete. */
type Part = { file: string; begun: string; handle: FileHandle; bytes: number };

const isThere = (file: string) => new CommandError(`${file} cannot be made: it is there already.`);

async function beginPart(file: string): Promise<Part> {
  if (existsSync(file)) throw isThere(file);
  await removeLeft(file);
  const begun = incompleteName(file);
  return { file, begun, handle: await writingTo(file, open(begun, 'wx')), bytes: 0 };
}

/**
 * Gives complete files their names: all or none. A name is taken by an empty file first, since of several commands that
 * find it free at once one may have it.
 * @throws CommandError when a file is there already
 */
async function giveNames(parts: readonly Part[]): Promise<void> {
  const taken: string[] = [];
  try {
    for (const { file } of parts) {
      const empty = await open(file, 'wx').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? isThere(file) : error;
      });
      taken.push(file);
      await empty.close();
    }
    for (const { begun, file } of parts) await rename(begun, file);
  } catch (error) {
    for (const file of taken) await rm(file, { force: true });
    throw error;
  }
}

/**
 * Writes a fiscal year, as it is at one moment, to a file that is not there yet. Files appear when all are complete.
 * @param maxBytes of a file: then a further one begins before the next entry. Together they are one document.
 * @returns with the size of each file
 * @throws CommandError as `writeAuditfile` does, and when a file is there already or cannot be written
 */
export async function auditfileFiles(
  db: Database,
  administration: Row<'administration'>,
  options: AuditfileOptions,
  file: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<AuditfileContents & { files: { file: string; bytes: number }[] }> {
  const parts = [await beginPart(file)];
  try {
    let part = parts[0]!;
    let block = '';
    const flush = async () => {
      await writingTo(part.file, part.handle.writeFile(block));
      block = '';
    };
    const add = (text: string, bytes: number) => {
      block += text;
      part.bytes += bytes;
    };
    const contents = await atOneMoment(db, (snapshot) =>
      writeAuditfile(snapshot, administration, options, async (text, piece) => {
        const bytes = Buffer.byteLength(text);
        if (piece === 'entry' && part.bytes + bytes > maxBytes) {
          await flush();
          part = await beginPart(partName(file, parts.length + 1));
          parts.push(part);
          const start = continuation(parts.length, '');
          add(start, start.length);
        }
        add(text, bytes);
        if (block.length >= BLOCK) await flush();
      }),
    );
    await flush();
    for (const [index, { handle, file: name }] of parts.entries()) {
      if (index > 0) await writingTo(name, handle.write(continuation(index + 1, parts.length), 0));
      await handle.close();
    }
    await giveNames(parts);
    return { ...contents, files: parts.map((one) => ({ file: one.file, bytes: one.bytes })) };
  } finally {
    for (const { handle, begun } of parts) {
      await handle.close();
      await rm(begun, { force: true });
    }
  }
}
