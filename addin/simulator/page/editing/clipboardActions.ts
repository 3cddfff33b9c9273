import { type Area, MAX_COLUMNS, MAX_ROWS, matrixOf } from '../../workbook/cells/address.ts';
import { copyCells, cutCells } from '../../workbook/changes/copy.ts';
import { clipToEnd } from '../../workbook/changes/enter.ts';
import { enterAsTyped, growByTyping } from '../../workbook/changes/tableShape.ts';
import { assertWritable, type Sheet, textAt } from '../../workbook/sheet.ts';
import { select } from '../../workbook/sheets.ts';
import type { Workbook } from '../../workbook/workbook.ts';
import type { PageMessages } from '../pageMessages.ts';
import { fromClipboard, toClipboard } from './clipboard.ts';
import type { Progress } from './inParts.ts';
import { PART_CELLS, pasteInParts } from './pasteInParts.ts';

type Dependencies = {
  workbook: Workbook;
  messages: PageMessages;
  report: (message: string) => void;
  /** Reports an error of Excel. */
  refuse: (error: unknown) => void;
  attempt: (work: () => void) => boolean;
  onProgress: (progress: Progress | undefined) => void;
};

/** What this page put on the clipboard last: cells with their formulas and formats, and their text. */
type Copied = { sheet: Sheet; area: Area; text: string; isCut: boolean };

/** Browsers and systems change line ends on the clipboard. */
const withoutLineEnds = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '');

/** A selection that is a multiple of the block is filled with copies of it, but no entire rows and columns. */
const fill = (size: number, selected: number, max: number): number =>
  selected % size === 0 && selected < max ? selected : size;

export const clipboardActions = ({ workbook, messages, report, refuse, attempt, onProgress }: Dependencies) => {
  let copied: Copied | undefined;

  const pasteCopied = ({ sheet: source, area, isCut }: Copied, sheet: Sheet, target: Area): void => {
    assertWritable(sheet, target);
    growByTyping(sheet, target);
    if (isCut) cutCells(source, area, sheet, target);
    else copyCells(source, area, sheet, target);
    if (isCut) copied = undefined;
  };

  const pasteLarge = async (
    sheet: Sheet,
    target: Area,
    textOf: (row: number, column: number) => string | null,
  ): Promise<void> => {
    try {
      const isPasted = await pasteInParts(sheet, target, textOf, (progress) => {
        if (progress === undefined) return onProgress(undefined);
        const { done, total, cancel } = progress;
        onProgress({ title: messages.pasteTitle, text: messages.pasting(done, total), part: done / total, cancel });
      });
      if (isPasted) select(sheet, target);
      report(isPasted ? '' : messages.pasteCancelled);
    } catch (error) {
      refuse(error);
    }
  };

  return {
    /** Puts the selection on the clipboard. */
    copy: (clipboard: DataTransfer, isCut = false): void => {
      const sheet = workbook.active;
      const area = clipToEnd(sheet, sheet.selection);
      const text = toClipboard(matrixOf(area, (row, column) => textAt(sheet, row, column)));
      clipboard.setData('text/plain', text);
      copied = { sheet, area, text, isCut };
    },

    /** Pastes what this page copied with formulas and formats, and text from elsewhere as if it were typed. */
    paste: (clipboard: DataTransfer): void => {
      const sheet = workbook.active;
      const text = clipboard.getData('text/plain');
      if (text === '') return;
      const own = copied && withoutLineEnds(copied.text) === withoutLineEnds(text) ? copied : undefined;
      const texts = own ? [] : fromClipboard(text);
      const height = own?.area.rows ?? texts.length;
      const width = own?.area.columns ?? texts.reduce((most, row) => Math.max(most, row.length), 0);
      const { row: top, column: left, rows, columns } = sheet.selection;
      const target = {
        row: top,
        column: left,
        rows: fill(height, rows, MAX_ROWS),
        columns: fill(width, columns, MAX_COLUMNS),
      };
      if (top + target.rows > MAX_ROWS || left + target.columns > MAX_COLUMNS) {
        report(messages.blockOffSheet);
        return;
      }
      const textOf = (row: number, column: number) => texts[(row - top) % height]![(column - left) % width] ?? null;
      if (!own && target.rows * target.columns > PART_CELLS) return void pasteLarge(sheet, target, textOf);
      const isPasted = attempt(() =>
        own ? pasteCopied(own, sheet, target) : enterAsTyped(sheet, target, matrixOf(target, textOf)),
      );
      if (isPasted) select(sheet, target);
    },
  };
};
