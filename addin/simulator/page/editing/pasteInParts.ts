import { type Area, matrixOf } from '../../workbook/cells/address.ts';
import { enterValues } from '../../workbook/changes/enter.ts';
import { growByTyping } from '../../workbook/changes/tableShape.ts';
import { beginLongStep } from '../../workbook/changes/undo.ts';
import { assertWritable, type Sheet } from '../../workbook/sheet.ts';
import { nextTask, setBusy } from './inParts.ts';

/** How many cells are entered at once. After each part the page is drawn and takes clicks. */
export const PART_CELLS = 20_000;

/** The progress of a paste in parts, in cells. */
type PasteProgress = { done: number; total: number; cancel: () => void };

/**
 * Enters a large block part by part, as one step of undo. Add-ins wait until it is done.
 * @param textOf the text for a cell of the sheet; null leaves the cell as it is
 * @returns false when it was cancelled; then, and after an error, everything is as it was before
 * @throws ExcelError when Excel refuses the paste
 */
export const pasteInParts = async (
  sheet: Sheet,
  target: Area,
  textOf: (row: number, column: number) => string | null,
  onProgress: (progress: PasteProgress | undefined) => void,
): Promise<boolean> => {
  const { workbook } = sheet;
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
  };
  const step = beginLongStep(workbook);
  const total = target.rows * target.columns;
  const partRows = Math.max(1, Math.floor(PART_CELLS / target.columns));
  setBusy(workbook, true);
  try {
    step.part(() => {
      assertWritable(sheet, target);
      growByTyping(sheet, target);
    });
    for (let first = 0; first < target.rows && !isCancelled; first += partRows) {
      onProgress({ done: first * target.columns, total, cancel });
      await nextTask();
      const rows = Math.min(partRows, target.rows - first);
      const part = { ...target, row: target.row + first, rows };
      step.part(() => enterValues(sheet, part, matrixOf(part, textOf), workbook.locale));
    }
    if (isCancelled) step.cancel();
    else step.end();
    return !isCancelled;
  } catch (error) {
    step.cancel();
    throw error;
  } finally {
    setBusy(workbook, false);
    onProgress(undefined);
  }
};
