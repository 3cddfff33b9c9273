import type { Area } from '../../workbook/cells/address.ts';
import { enterValues } from '../../workbook/changes/enter.ts';
import { growByTyping } from '../../workbook/changes/tableShape.ts';
import { beginLongStep } from '../../workbook/changes/undo.ts';
import { assertWritable, type Sheet } from '../../workbook/sheet.ts';

/** Cells that are entered at once; after so many the screen is drawn, and a click is heard. */
export const PART_CELLS = 20_000;

/** How far a paste in parts is. */
export type PasteProgress = { done: number; total: number; cancel: () => void };

/** Lets the screen be drawn. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Enters a block that is too large for one go, part by part, as one step of undo. Add-ins wait until it is done.
 * @param textAt the text of a cell, counted from the first of the block
 * @returns false when it was cancelled: then, and when it fails, everything is as it was
 * @throws ExcelError for what Excel refuses
 */
export const pasteInParts = async (
  sheet: Sheet,
  target: Area,
  textAt: (row: number, column: number) => string | null,
  onProgress: (progress: PasteProgress | undefined) => void,
): Promise<boolean> => {
  const { workbook } = sheet;
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
  };
  const setBusy = (busy: boolean) => {
    workbook.busy = busy;
    workbook.emit({ kind: 'editing' });
  };

  const step = beginLongStep(workbook);
  const total = target.rows * target.columns;
  const partRows = Math.max(1, Math.floor(PART_CELLS / target.columns));
  setBusy(true);
  try {
    step.part(() => {
      assertWritable(sheet, target);
      growByTyping(sheet, target);
    });
    for (let first = 0; first < target.rows && !isCancelled; first += partRows) {
      onProgress({ done: first * target.columns, total, cancel });
      await nextTask();
      const rows = Math.min(partRows, target.rows - first);
      const texts = Array.from({ length: rows }, (_, row) =>
        Array.from({ length: target.columns }, (_unused, column) => textAt(first + row, column)),
      );
      step.part(() => enterValues(sheet, { ...target, row: target.row + first, rows }, texts, workbook.locale));
    }
    if (isCancelled) step.takeBack();
    else step.end();
    return !isCancelled;
  } catch (error) {
    step.takeBack();
    throw error;
  } finally {
    setBusy(false);
    onProgress(undefined);
  }
};
