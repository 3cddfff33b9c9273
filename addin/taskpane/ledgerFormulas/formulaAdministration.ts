import type { Retry } from '../../excel/batch.ts';
import { type Administration, administration } from '../../excel/tables/tableMemory.ts';
import { readWorkbookSetting, storeWorkbookSetting } from '../../excel/workbookSetting.ts';
import { readWorkbookAdministration } from '../connections/workbookAdministration.ts';

const SETTING = 'Ledgerline formulas';

/**
 * Whose books the formulas of the workbook are of: at the first formula the workbook's own, and from then on the same,
 * whatever the pane is connected to.
 */
export function formulaAdministration() {
  let known: Administration | undefined;
  const listeners = new Set<() => void>();
  const note = (next: Administration | undefined) => {
    known = next;
    for (const listener of listeners) listener();
  };
  return {
    /** @throws WorkbookProblem */
    async read(retry: Retry): Promise<Administration | undefined> {
      let found = await readWorkbookSetting(SETTING, administration, retry);
      if (found === undefined) {
        found = await readWorkbookAdministration(retry);
        // A workbook that cannot store it is read again with the next formulas.
        if (found !== undefined) await storeWorkbookSetting(SETTING, administration, found, retry).catch(() => {});
      }
      note(found);
      return found;
    },
    /** The user chooses other books for the formulas. @throws WorkbookProblem */
    async choose(next: Administration, retry: Retry): Promise<void> {
      await storeWorkbookSetting(SETTING, administration, next, retry);
      note(next);
    },
    /** The latest that was read or chosen; undefined when no formula asked for it, or the workbook has none. */
    known: () => known,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
