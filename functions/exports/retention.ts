import type { Lease } from '../storage/lease.ts';
import type { ExportFolders } from './folders.ts';
import type { ExportRecords } from './records.ts';
import type { ExportLog } from './relationExports.ts';
import { outdated } from './run.ts';

/** What removing old exports works with. */
export type Shelves = {
  /** Takes the lease under which one worker at a time touches an administration's exports; undefined while another has it. */
  take(name: string): Promise<Lease | undefined>;
  records: ExportRecords;
  folders: ExportFolders;
  /** Days an export is kept. */
  days: number;
  /** Seconds since 1970. */
  now: () => number;
};

/**
 * Removes what is too old of an administration, and what unfinished exports left behind. What could not be removed is logged, and
 * is found again the next time.
 * @param isExported whether there will be further ones: if so, the last good one stays
 * @param lost aborted when another worker may have begun
 */
export async function retain(
  { records, folders, days, now }: Shelves,
  { name, isExported, lost, log }: { name: string; isExported: boolean; lost: AbortSignal; log: ExportLog },
): Promise<void> {
  try {
    const runs = (await records.read(name, now())).runs.map(({ run }) => run);
    const old = new Set(outdated(runs, { days, now: now(), isExported }));
    const left = runs.filter(({ date }) => !old.has(date));
    // Nobody finds an export that is not recorded: what is left of its files then is half of nothing.
    for (const date of old) {
      lost.throwIfAborted();
      await records.remove(name, date);
    }
    await folders.of(name).keepOnly(left, lost);
    if (!isExported && left.length === 0) await records.forget(name);
  } catch (failure) {
    log({ administration: name, event: 'not tidied up', message: (failure as Error).message });
  }
}

/**
 * Does so once a day for every administration there ever was an export of. One that is worked on is left alone: the end of
 * that work does the same.
 * @param exported names of those that are exported now
 */
export async function retainDaily(
  shelves: Shelves,
  { day, exported, log }: { day: string; exported: () => Promise<readonly string[]>; log: ExportLog },
): Promise<void> {
  const { take, records } = shelves;
  if ((await records.tidiedOn()) === day) return;
  const current = new Set(await exported());
  // Noted first: what fails is not tried again every minute.
  await records.noteTidied(day);
  for (const name of await records.administrations()) {
    const lease = await take(name);
    if (lease === undefined) continue;
    try {
      await retain(shelves, { name, isExported: current.has(name), lost: lease.lost, log });
    } finally {
      await lease.release();
    }
  }
}
