import { recordStep } from '../../workbook/changes/undo.ts';
import type { Workbook } from '../../workbook/workbook.ts';

/** Milliseconds of work after which the page is drawn and takes clicks. */
const PART_MS = 15;

/** Work on many cells, as its dialog shows it. `part`: which part of it is done, from 0 to 1. */
export type Progress = { title: string; text: string; part: number; cancel: () => void };

/** Lets the browser draw the page. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Has add-ins wait until a change of many cells is done. */
export const setBusy = (workbook: Workbook, busy: boolean): void => {
  workbook.busy = busy;
  workbook.emit({ kind: 'editing' });
};

/** Does as much as fits into one part. */
const nextPart = <Result>(work: Generator<number, Result>): IteratorResult<number, Result> => {
  const end = performance.now() + PART_MS;
  for (;;) {
    const step = work.next();
    if (step.done || performance.now() >= end) return step;
  }
};

/**
 * Changes many cells, as one step of undo: how is found in parts, between which the page is drawn, and the change is
 * made at once. Add-ins wait until it is made. What fits into one part is done before it returns.
 * @param work yields which part of it is done, and returns what changes the workbook
 * @param onProgress shows a dialog, so that the user changes nothing meanwhile; undefined closes it
 * @returns false when it was cancelled; then, and after an error, nothing has changed
 * @throws ExcelError when Excel refuses it
 */
export const changeInParts = async (
  workbook: Workbook,
  work: Generator<number, () => void>,
  onProgress: (progress: Pick<Progress, 'part' | 'cancel'> | undefined) => void,
): Promise<boolean> => {
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
  };
  try {
    let step = nextPart(work);
    while (!step.done) {
      if (!workbook.busy) setBusy(workbook, true);
      onProgress({ part: step.value, cancel });
      await nextTask();
      if (isCancelled) return false;
      step = nextPart(work);
    }
    // The change takes a task of its own.
    if (workbook.busy) await nextTask();
    if (isCancelled) return false;
    recordStep(workbook, step.value);
    return true;
  } finally {
    if (workbook.busy) {
      setBusy(workbook, false);
      onProgress(undefined);
    }
  }
};
