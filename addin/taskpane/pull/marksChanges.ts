import * as z from 'zod/mini';
import type { Retry } from '../../excel/batch.ts';
import { readWorkbookSetting, storeWorkbookSetting } from '../../excel/workbookSetting.ts';

/* Whether refreshes of the workbook mark what they change: everybody who opens it sees the marks. */

const SETTING = 'Ledgerline marks changes';

export const readMarksChanges = async (retry?: Retry): Promise<boolean> =>
  (await readWorkbookSetting(SETTING, z.boolean(), retry)) ?? false;

export const storeMarksChanges = (marks: boolean, retry?: Retry): Promise<void> =>
  storeWorkbookSetting(SETTING, z.boolean(), marks, retry);
