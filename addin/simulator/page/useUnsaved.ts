import { useCallback, useEffect, useState } from 'react';
import type { Change, Workbook } from '../workbook/workbook.ts';

/** What happens to a workbook without making it another one. */
const leavesItAsItIs: readonly Change['kind'][] = ['selection', 'editing', 'activated', 'opened'];

/**
 * Whether anything in the workbook, or in the cell being typed in, is in no file yet. Leaving the page then asks first.
 */
export const useUnsaved = (workbook: Workbook, isTyping: boolean) => {
  const [hasChanged, setHasChanged] = useState(false);
  const isUnsaved = hasChanged || isTyping;

  useEffect(
    () =>
      workbook.subscribe(({ kind }) => {
        if (!leavesItAsItIs.includes(kind)) setHasChanged(true);
      }),
    [workbook],
  );

  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);

  /** Saves what there is by now; what changes meanwhile is unsaved again, and so is everything when it fails. */
  const saving = useCallback(async (save: () => Promise<void>) => {
    setHasChanged(false);
    try {
      await save();
    } catch (error) {
      setHasChanged(true);
      throw error;
    }
  }, []);

  return { isUnsaved, saving };
};
