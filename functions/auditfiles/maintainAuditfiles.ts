import { isRunning, wasImported } from './auditfileStore.ts';
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
    if (file !== undefined && isRunning(file)) idle.add(owner);
    else if (age > (file !== undefined && wasImported(file) ? days : 1) * DAY) await store.remove(owner, id);
    // The worker that imported it may have been killed before.
    else if (file !== undefined && wasImported(file)) await store.removeParts(owner, id);
  }
  for (const owner of idle) {
    if (!(await storage.isLeased(leaseOf(owner)))) await queue.send({ owner });
  }
}
