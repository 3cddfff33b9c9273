import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { auditfilePartBytes } from '../../shared/resources/generalLedger/auditfile.ts';
import type { AuditfileStore, StoredAuditfile } from './auditfileStore.ts';
import { partContents } from './partContents.ts';

const PREFIX = 'ledgerline-auditfile-';
/** Milliseconds after which nobody works with a folder any more: no work takes that long. */
const MAX_AGE = 3600_000;

/** Parts of a file are gone or were changed: it has to be sent again. */
export class PartsGone extends Error {}

/**
 * Does work with a file that is unpacked on disk, and removes it afterwards.
 * @throws PartsGone
 */
export async function withUnpackedFile<T>(
  store: AuditfileStore,
  { owner, id, bytes }: StoredAuditfile,
  signal: AbortSignal,
  work: (file: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), PREFIX));
  try {
    const file = path.join(folder, 'file.xaf');
    const handle = await open(file, 'w', 0o600);
    try {
      for (const { part, sha256 } of await store.parts(owner, id)) {
        signal.throwIfAborted();
        const compressed = await store.part(owner, id, part);
        const contents = compressed && (await partContents(compressed, auditfilePartBytes(bytes, part)));
        if (contents?.sha256 !== sha256) throw new PartsGone(`Part ${part} is gone.`);
        await handle.writeFile(contents.held);
        // Part by part: commits of others would wait for a whole file that the system writes at once.
        await handle.datasync();
      }
      if ((await handle.stat()).size !== bytes) throw new PartsGone('Parts are gone.');
    } finally {
      await handle.close();
    }
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the files of workers that were killed. */
export async function removeOldFiles(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = path.join(tmpdir(), name);
    const found = await stat(folder).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > MAX_AGE) await rm(folder, { recursive: true, force: true });
  }
}
