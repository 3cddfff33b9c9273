import { dateIn } from '../../shared/wire/calendarDate.ts';
import { type ExportDependencies, type ExportLog, leaseOf } from './dependencies.ts';
import { outdated } from './run/run.ts';

/**
 * Removes old exports of an administration, and files of unfinished ones. Files that could not be removed are logged,
 * and are removed the next time.
 * @param isExported whether it is still exported: then its last published export stays
 * @param lost aborted when another worker may have begun
 */
export async function retain(
  { records, folderOf, settings, now }: ExportDependencies,
  { name, isExported, lost, log }: { name: string; isExported: boolean; lost: AbortSignal; log: ExportLog },
): Promise<void> {
  try {
    const runs = (await records.read(name, now())).runs.map(({ run }) => run);
    const old = new Set(outdated(runs, { days: settings.days, now: now(), isExported }));
    const left = runs.filter(({ date }) => !old.has(date));
    // The record first: without it nobody finds an export that lacks files.
    for (const date of old) {
      lost.throwIfAborted();
      await records.remove(name, date);
    }
    await folderOf(name).keepOnly(left, lost);
    if (!isExported && left.length === 0) await records.forget(name);
  } catch (failure) {
    log({ administration: name, event: 'not tidied up', message: (failure as Error).message });
  }
}

/**
 * Does this once a day for every administration with exports. An administration that is being exported is skipped: the
 * end of that export does the same.
 */
export async function retainDaily(dependencies: ExportDependencies, log: ExportLog): Promise<void> {
  const { storage, records, exported, timeZone, now } = dependencies;
  const day = dateIn(timeZone, new Date(now() * 1000));
  if ((await records.retainedOn()) === day) return;
  // Once a day all records are looked through, whatever was complete: somebody may have removed some.
  await records.recordIncomplete();
  const current = new Set((await exported.all()).map(({ name }) => name));
  // Recorded first, so that a failure is not repeated every minute.
  await records.recordRetained(day);
  for (const name of await records.administrations()) {
    const lease = await storage.lease(leaseOf(name));
    if (lease === undefined) continue;
    try {
      await retain(dependencies, { name, isExported: current.has(name), lost: lease.lost, log });
    } finally {
      await lease.release();
    }
  }
}
