import { useEffect, useEffectEvent, useState } from 'react';
import { chartsFeature } from '../sheetCharts/xlsxCharts.ts';
import type { Change, Workbook } from '../workbook/workbook.ts';
import { xlsxSheets } from '../xlsx.ts';

/** Changes that are no part of the saved file. */
const kindsNotSaved: readonly Change['kind'][] = ['selection', 'editing', 'activated', 'opened'];

/**
 * The download of the workbook as an .xlsx file, and whether there are changes since the last one. With such changes
 * the browser asks before it leaves the page.
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

  const ask = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isUnsaved) event.preventDefault();
  });
  // The browser hears of a listener some time later. One that came and went with each cell would be missed by a close.
  useEffect(() => {
    const listener = (event: BeforeUnloadEvent) => ask(event);
    window.addEventListener('beforeunload', listener);
    return () => window.removeEventListener('beforeunload', listener);
  }, []);

  /** Changes during a download are unsaved, and so is everything after a failed download. */
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
