import { dateIn } from '../../shared/wire/calendarDate.ts';
import { type ExportDependencies, type ExportLog, leaseOf } from './dependencies.ts';
import { outdated } from './run/run.ts';

/**
 * Removes what is too old of an administration, and what unfinished exports left behind. What could not be removed is logged, and
 * is found again the next time.
 * @param isExported whether there will be further ones: if so, the last good one stays
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
    // Nobody finds an export that is not recorded: what is left of its files then is half of nothing.
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
 * Does so once a day for every administration there ever was an export of. One that is worked on is left alone: the end of
 * that work does the same.
 */
export async function retainDaily(dependencies: ExportDependencies, log: ExportLog): Promise<void> {
  const { storage, records, exported, timeZone, now } = dependencies;
  const day = dateIn(timeZone, new Date(now() * 1000));
  if ((await records.retainedOn()) === day) return;
  const current = new Set((await exported.all()).map(({ name }) => name));
  // Recorded first: what fails is not tried again every minute.
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
