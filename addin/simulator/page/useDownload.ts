import { useEffect, useState } from 'react';
import { chartsFeature } from '../charts/xlsxCharts.ts';
import type { Change, Workbook } from '../workbook/workbook.ts';
import { xlsxSheets } from '../xlsx.ts';

/** Changes that are not saved in a file. */
const kindsNotSaved: readonly Change['kind'][] = ['selection', 'editing', 'activated', 'opened'];

/**
 * Downloads the whole workbook as an .xlsx file, and tells whether anything in it, or in the cell being edited, is in no
 * file yet. Leaving the page asks first then.
 */
export const useDownload = (workbook: Workbook, isTyping: boolean) => {
  const [hasChanged, setHasChanged] = useState(false);
  const isUnsaved = hasChanged || isTyping;

  useEffect(
    () =>
      workbook.subscribe(({ kind }) => {
        if (!kindsNotSaved.includes(kind)) setHasChanged(true);
      }),
    [workbook],
  );

  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);

  /** Changes made meanwhile are unsaved again; after a failure everything is. */
  const download = async (): Promise<void> => {
    setHasChanged(false);
    try {
      const { default: writeExcelFile } = await import('write-excel-file/browser');
      await writeExcelFile(xlsxSheets(workbook), { features: [chartsFeature(workbook)] }).toFile(workbook.name);
    } catch (error) {
      setHasChanged(true);
      throw error;
    }
  };

  return { isUnsaved, download };
};
