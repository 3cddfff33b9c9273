import {
  type Area,
  boundingArea,
  cellArea,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
} from '../../workbook/cells/address.ts';
import { edgeFrom } from '../../workbook/changes/edge.ts';
import { isHiddenRow, type Sheet, usedArea } from '../../workbook/sheet.ts';

export type Step = {
  key: string;
  ctrl: boolean;
  shift: boolean;
  /** How many rows fit on a page. */
  page: number;
};

/** The corner of the selection opposite the active cell. Shift and an arrow move this corner. */
const farCorner = ({ selection, activeCell }: Sheet): Position => ({
  row: selection.row === activeCell.row ? selection.row + selection.rows - 1 : selection.row,
  column: selection.column === activeCell.column ? selection.column + selection.columns - 1 : selection.column,
});

const clamp = ({ row, column }: Position): Position => ({
  row: Math.max(0, Math.min(MAX_ROWS - 1, row)),
  column: Math.max(0, Math.min(MAX_COLUMNS - 1, column)),
});

/** The next cell in a direction, past hidden rows and columns. */
const next = (sheet: Sheet, from: Position, down: number, across: number): Position => {
  let at = from;
  for (;;) {
    at = { row: at.row + down, column: at.column + across };
    const onSheet = clamp(at);
    if (onSheet.row !== at.row || onSheet.column !== at.column) return from;
    if (!isHiddenRow(sheet, at.row) && !sheet.columns[at.column]?.hidden) return at;
  }
};

/** A cell, or the next one in sight towards another: what is typed into a hidden one would not be seen. */
const inSight = (sheet: Sheet, { row, column }: Position, towards: Position): Position => {
  const at = { row, column };
  while (at.row !== towards.row && isHiddenRow(sheet, at.row)) at.row += Math.sign(towards.row - at.row);
  while (at.column !== towards.column && sheet.columns[at.column]?.hidden) {
    at.column += Math.sign(towards.column - at.column);
  }
  return at;
};

const firstCell: Position = { row: 0, column: 0 };
const lastCell: Position = { row: MAX_ROWS - 1, column: MAX_COLUMNS - 1 };

const arrows: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const lastUsed = (sheet: Sheet): Position => {
  const used = usedArea(sheet, false);
  return used ? { row: used.row + used.rows - 1, column: used.column + used.columns - 1 } : firstCell;
};

const destination = (sheet: Sheet, from: Position, { key, ctrl, page, shift }: Step): Position | undefined => {
  const arrow = arrows[key];
  if (arrow) {
    return ctrl
      ? inSight(sheet, edgeFrom(sheet, from, arrow[0], arrow[1]), from)
      : next(sheet, from, arrow[0], arrow[1]);
  }
  switch (key) {
    case 'Enter':
      return next(sheet, from, shift ? -1 : 1, 0);
    case 'Tab':
      return next(sheet, from, 0, shift ? -1 : 1);
    case 'Home':
      return inSight(
        sheet,
        { row: ctrl ? sheet.frozen.rows : from.row, column: sheet.frozen.columns },
        ctrl ? lastCell : { ...lastCell, row: from.row },
      );
    case 'End':
      return ctrl
        ? inSight(sheet, lastUsed(sheet), firstCell)
        : inSight(sheet, { row: from.row, column: Math.max(from.column, lastUsed(sheet).column) }, from);
    case 'PageDown':
      return inSight(sheet, next(sheet, clamp({ row: from.row + page - 1, column: from.column }), 1, 0), from);
    case 'PageUp':
      return inSight(sheet, next(sheet, clamp({ row: from.row - page + 1, column: from.column }), -1, 0), from);
    default:
      return undefined;
  }
};

/** The next place in sight of some that follow each other; behind the last one is the first, and the other way round. */
const nextAmong = (from: number, first: number, count: number, step: number, isHidden: (at: number) => boolean) => {
  let [at, isRound] = [from, false];
  do {
    const to = at + step;
    at = first + ((to - first + count) % count);
    isRound ||= at !== to;
  } while (at !== from && isHidden(at));
  return { at, isRound };
};

/** The next cell of the selection: Tab goes through it row by row, and Enter column by column. */
const nextSelected = (sheet: Sheet, isByRows: boolean, step: number): Position => {
  const { selection, activeCell } = sheet;
  const alongRows = () =>
    nextAmong(activeCell.row, selection.row, selection.rows, step, (row) => isHiddenRow(sheet, row));
  const alongColumns = () =>
    nextAmong(activeCell.column, selection.column, selection.columns, step, (column) =>
      Boolean(sheet.columns[column]?.hidden),
    );
  if (isByRows) {
    const { at: column, isRound } = alongColumns();
    return { row: isRound ? alongRows().at : activeCell.row, column };
  }
  const { at: row, isRound } = alongRows();
  return { row, column: isRound ? alongColumns().at : activeCell.column };
};

/** The selection after a key; undefined for a key that does not move it. */
export const moveSelection = (sheet: Sheet, step: Step): { selection: Area; activeCell: Position } | undefined => {
  const endsEntry = step.key === 'Enter' || step.key === 'Tab';
  const { selection } = sheet;
  if (endsEntry && selection.rows * selection.columns > 1) {
    return { selection, activeCell: nextSelected(sheet, step.key === 'Tab', step.shift ? -1 : 1) };
  }
  const extends_ = step.shift && !endsEntry;
  const target = destination(sheet, extends_ ? farCorner(sheet) : sheet.activeCell, step);
  if (!target) return undefined;
  if (!extends_) return { selection: cellArea(target), activeCell: target };
  const { activeCell } = sheet;
  return { selection: boundingArea(cellArea(activeCell), cellArea(target)), activeCell };
};
