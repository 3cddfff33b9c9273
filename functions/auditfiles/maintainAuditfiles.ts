import { Problem } from '../../shared/problem.ts';
import { isRunning, type StoredAuditfile, wasImported } from './auditfileStore.ts';
import { type AuditfileDependencies, leaseOf } from './dependencies.ts';
import { removeOldFiles } from './unpackedFile.ts';

const DAY = 86_400_000;

/**
 * Restarts the work that no worker does, and erases files that nobody imported within a day, and what was stored long
 * enough.
 */
export async function maintainAuditfiles({ store, queue, storage, days }: AuditfileDependencies): Promise<void> {
  await removeOldFiles();
  const idle = new Set<string>();
  for await (const { owner, id, updatedOn, file } of store.all()) {
    const age = Date.now() - updatedOn;
    // A file that nobody can read is not changed either.
    if (file === undefined) {
      if (age > DAY) await store.remove(owner, id);
    } else if (file.isErased) await store.remove(owner, id);
    else if (isRunning(file)) idle.add(owner);
    else if (age > (wasImported(file) ? days : 1) * DAY) await eraseUnchanged(store, file);
    // The worker that imported it may have been killed before.
    else if (wasImported(file)) await store.removeParts(owner, id);
  }
  for (const owner of idle) {
    if (!(await storage.isLeased(leaseOf(owner)))) await queue.send({ owner });
  }
}

class Changed extends Error {}

/** Erases a file, unless somebody has worked with it or erased it since it was read. */
async function eraseUnchanged(
  store: AuditfileDependencies['store'],
  { owner, id, updatedOn }: StoredAuditfile,
): Promise<void> {
  try {
    await store.erase(owner, id, (now) => {
      if (now.updatedOn !== updatedOn) throw new Changed();
    });
  } catch (failure) {
    if (!(failure instanceof Changed || (failure instanceof Problem && failure.code === 'NOT_FOUND'))) throw failure;
  }
}
