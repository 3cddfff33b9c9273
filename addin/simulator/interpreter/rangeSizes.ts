import { type Area, MAX_ROWS } from '../workbook/cells/address.ts';
import {
  columnOf,
  isHiddenRow,
  rowOf,
  type Sheet,
  STANDARD_COLUMN_WIDTH,
  STANDARD_ROW_HEIGHT,
} from '../workbook/sheet.ts';
import type { RangeTarget } from './targets.ts';

/* How high rows and how wide columns are, in points, and whether they are hidden. */

/** True or false when all agree, null when they differ. */
export const commonValue = (answers: Iterable<boolean>): boolean | null => {
  let first: boolean | undefined;
  for (const answer of answers) {
    if (first === undefined) first = answer;
    else if (first !== answer) return null;
  }
  return first ?? false;
};

export function* rowsHidden({ sheet, area }: RangeTarget): Generator<boolean> {
  const end = Math.min(area.row + area.rows, Math.max(sheet.rows.length + 1, area.row + 1));
  for (let row = area.row; row < end; row += 1) yield isHiddenRow(sheet, row);
}

export function* columnsHidden({ sheet, area }: RangeTarget): Generator<boolean> {
  const end = Math.min(area.column + area.columns, Math.max(sheet.columns.length + 1, area.column + 1));
  for (let column = area.column; column < end; column += 1) yield Boolean(sheet.columns[column]?.hidden);
}

const sum = (
  from: number,
  count: number,
  length: number,
  sizeAt: (index: number) => number,
  standard: number,
): number => {
  let total = 0;
  const stored = Math.min(from + count, length);
  for (let index = from; index < stored; index += 1) total += sizeAt(index);
  return total + Math.max(0, from + count - Math.max(stored, from)) * standard;
};

export const widthOf = (sheet: Sheet, column: number, columns: number): number =>
  sum(
    column,
    columns,
    sheet.columns.length,
    (index) => (sheet.columns[index]?.hidden ? 0 : (sheet.columns[index]?.width ?? STANDARD_COLUMN_WIDTH)),
    STANDARD_COLUMN_WIDTH,
  );

export const heightOf = (sheet: Sheet, row: number, rows: number): number =>
  sum(
    row,
    rows,
    sheet.rows.length,
    (index) => (isHiddenRow(sheet, index) ? 0 : (sheet.rows[index]?.height ?? STANDARD_ROW_HEIGHT)),
    STANDARD_ROW_HEIGHT,
  );

export const size = ({ area, sheet }: RangeTarget, axis: 'row' | 'column'): number | null => {
  const sizes = new Set<number>();
  const [start, count] = axis === 'row' ? [area.row, area.rows] : [area.column, area.columns];
  const stored = axis === 'row' ? sheet.rows.length : sheet.columns.length;
  for (let index = start; index < start + count && index <= Math.max(stored, start); index += 1) {
    sizes.add(
      axis === 'row'
        ? (sheet.rows[index]?.height ?? STANDARD_ROW_HEIGHT)
        : (sheet.columns[index]?.width ?? STANDARD_COLUMN_WIDTH),
    );
  }
  return sizes.size === 1 ? [...sizes][0]! : null;
};

export const setWidth = (sheet: Sheet, area: Area, width: number | undefined): void => {
  for (let column = area.column; column < area.column + area.columns; column += 1) {
    if (width !== undefined) columnOf(sheet, column).width = width;
    else delete sheet.columns[column]?.width;
  }
  sheet.workbook.emit({ kind: 'layout', sheet });
};

export const setHeight = (sheet: Sheet, area: Area, height: number | undefined): void => {
  const end = area.rows === MAX_ROWS ? sheet.rows.length : area.row + area.rows;
  for (let row = area.row; row < end; row += 1) {
    if (height !== undefined) rowOf(sheet, row).height = height;
    else delete sheet.rows[row]?.height;
  }
  sheet.workbook.emit({ kind: 'layout', sheet });
};
