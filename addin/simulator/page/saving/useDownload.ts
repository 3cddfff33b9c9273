import { useEffect, useEffectEvent, useState } from 'react';
import { writeInWorker } from '../../savedFile/inFileWorker.ts';
import type { Change, Workbook } from '../../workbook/workbook.ts';
import { addInId } from './addInId.ts';

/** Changes that are no part of the saved file. */
const kindsNotSaved: readonly Change['kind'][] = ['selection', 'editing', 'activated', 'opened', 'calculated'];

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
      saveAs(workbook.name, await writeInWorker(workbook, addInId));
    } catch (error) {
      setHasChanged(true);
      throw error;
    }
  };

  return { isUnsaved, download };
};

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function saveAs(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes], { type: XLSX }));
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
