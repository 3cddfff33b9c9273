import * as z from 'zod/mini';
import type { Retry } from '../../excel/batch.ts';
import type { Written } from '../../excel/tables/table.ts';
import { type Administration, administration } from '../../excel/tables/tableMemory.ts';
import { readWorkbookSetting, storeWorkbookSetting } from '../../excel/workbookSetting.ts';

/*
 * What was pulled into this workbook: the service does not record it. Everybody who opens the workbook sees it, so it
 * has no user name.
 */

const SETTING = 'Ledgerline pulls';
/** Pulls that are remembered. */
const MAX_PULLS = 100;

const recordedPull = z.object({
  at: z.string(),
  sheetName: z.string(),
  work: z.enum(['made', 'refreshed']),
  rows: z.number(),
  added: z.number(),
  changed: z.number(),
  removed: z.number(),
  administration,
});
export type RecordedPull = z.infer<typeof recordedPull>;

/** The latest first. */
export const readPulls = async (retry?: Retry): Promise<readonly RecordedPull[]> =>
  (await readWorkbookSetting(SETTING, z.array(recordedPull), retry)) ?? [];

/** Remembers what a pull wrote. */
export async function recordPulls(
  written: readonly Written[],
  of: Administration,
  retry?: Retry,
  now = new Date(),
): Promise<void> {
  const pulls = written.flatMap(({ work, ...one }) =>
    work === 'none' ? [] : { ...one, work, at: now.toISOString(), administration: of },
  );
  if (pulls.length === 0) return;
  const all = [...pulls, ...(await readPulls(retry))].slice(0, MAX_PULLS);
  await storeWorkbookSetting(SETTING, z.array(recordedPull), all, retry);
}
