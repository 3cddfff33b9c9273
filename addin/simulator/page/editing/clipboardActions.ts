import { type Area, contains, MAX_COLUMNS, MAX_ROWS, matrixOf } from '../../workbook/cells/address.ts';
import { shiftArea } from '../../workbook/cells/movedArea.ts';
import { copyCells, cutCells } from '../../workbook/changes/copy.ts';
import { clipToEnd } from '../../workbook/changes/enter.ts';
import { shownParts } from '../../workbook/changes/filter.ts';
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
type Copied = { sheet: Sheet; parts: Area[]; text: string; isCut: boolean };

/** Browsers and systems change line ends on the clipboard. */
const withoutLineEnds = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n$/, '');

/** A selection that is a multiple of a copied block is filled with copies of it, but no entire rows and columns. */
const fill = (size: number, selected: number, max: number): number =>
  selected % size === 0 && selected < max ? selected : size;

const heightOf = (parts: readonly Area[]): number => parts.reduce((sum, { rows }) => sum + rows, 0);

/** Copies the rows of several parts below each other, as often as they fit. */
const copyParts = (source: Sheet, parts: readonly Area[], sheet: Sheet, target: Area): void => {
  const [first] = parts as [Area];
  if (parts.length === 1) {
    // One cell goes into those that are in sight.
    const isOne = first.rows * first.columns === 1;
    for (const part of isOne ? shownParts(sheet, target) : [target]) copyCells(source, first, sheet, part);
    return;
  }
  const block = { ...target, rows: heightOf(parts), columns: first.columns };
  let { row } = block;
  const steps = parts.map((from) => {
    const to = { ...from, row, column: block.column };
    row += from.rows;
    return { from, to };
  });
  // No part is written to before it is copied: those that move down go from the last to the first.
  const down = steps.filter(({ from, to }) => from.row < to.row).reverse();
  const up = steps.filter(({ from, to }) => from.row >= to.row);
  for (const { from, to } of [...down, ...up]) copyCells(source, from, sheet, to);
  if (target.rows > block.rows || target.columns > block.columns) copyCells(sheet, block, sheet, target);
};

export const clipboardActions = ({ workbook, messages, report, refuse, attempt, onProgress }: Dependencies) => {
  let copied: Copied | undefined;

  // The copied cells move when others are inserted or deleted; without some of them there is their text only.
  workbook.subscribe((change) => {
    if (copied === undefined || change.kind !== 'structure' || change.sheet !== copied.sheet) return;
    const parts = copied.parts.map((part) => {
      const moved = shiftArea(part, change.shift);
      return moved?.rows === part.rows && moved.columns === part.columns ? moved : undefined;
    });
    copied = parts.every((part) => part !== undefined) ? { ...copied, parts } : undefined;
  });

  const pasteCopied = ({ sheet: source, parts, isCut }: Copied, sheet: Sheet, target: Area): void => {
    assertWritable(sheet, target);
    // A table that moves gets no cells of its own.
    const movesTable = isCut && source.tables.some(({ area }) => contains(parts[0]!, area));
    if (!movesTable) growByTyping(sheet, target);
    if (isCut) cutCells(source, parts[0]!, sheet, target);
    else copyParts(source, parts, sheet, target);
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
      const parts = isCut ? [area] : shownParts(sheet, area);
      const texts = parts.flatMap((part) => matrixOf(part, (row, column) => textAt(sheet, row, column)));
      const text = toClipboard(texts);
      clipboard.setData('text/plain', text);
      copied = { sheet, parts, text, isCut };
    },

    /** Pastes what this page copied with formulas and formats, and text from elsewhere as if it were typed. */
    paste: (clipboard: DataTransfer): void => {
      const sheet = workbook.active;
      const text = clipboard.getData('text/plain');
      if (text === '') return;
      const own = copied && withoutLineEnds(copied.text) === withoutLineEnds(text) ? copied : undefined;
      const texts = own ? [] : fromClipboard(text);
      const height = own ? heightOf(own.parts) : texts.length;
      const width = own ? own.parts[0]!.columns : texts.reduce((most, row) => Math.max(most, row.length), 0);
      const { row: top, column: left, rows, columns } = sheet.selection;
      const size = own?.isCut
        ? { rows: height, columns: width }
        : { rows: fill(height, rows, MAX_ROWS), columns: fill(width, columns, MAX_COLUMNS) };
      const target = { row: top, column: left, ...size };
      if (top + target.rows > MAX_ROWS || left + target.columns > MAX_COLUMNS) {
        report(messages.blockOffSheet);
        return;
      }
      // One value goes into the cells that are in sight.
      const leaves = (row: number) => height * width === 1 && target.rows > 1 && sheet.rows[row]?.filtered;
      const textOf = (row: number, column: number) =>
        leaves(row) ? null : (texts[(row - top) % height]![(column - left) % width] ?? null);
      if (!own && target.rows * target.columns > PART_CELLS) return void pasteLarge(sheet, target, textOf);
      const isPasted = attempt(() =>
        own ? pasteCopied(own, sheet, target) : enterAsTyped(sheet, target, matrixOf(target, textOf)),
      );
      if (isPasted) select(sheet, target);
    },
  };
};
