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

/* Heights of rows and widths of columns, in points, and whether they are hidden. */

const axes = {
  row: {
    spanOf: ({ row, rows }: Area) => ({ start: row, count: rows }),
    countStored: ({ rows }: Sheet) => rows.length,
    standardSize: STANDARD_ROW_HEIGHT,
    sizeAt: ({ rows }: Sheet, row: number) => rows[row]?.height ?? STANDARD_ROW_HEIGHT,
    isHidden: isHiddenRow,
  },
  column: {
    spanOf: ({ column, columns }: Area) => ({ start: column, count: columns }),
    countStored: ({ columns }: Sheet) => columns.length,
    standardSize: STANDARD_COLUMN_WIDTH,
    sizeAt: ({ columns }: Sheet, column: number) => columns[column]?.width ?? STANDARD_COLUMN_WIDTH,
    isHidden: ({ columns }: Sheet, column: number) => Boolean(columns[column]?.hidden),
  },
};

type Axis = keyof typeof axes;

/** The common value of all rows or columns of a range; null when they differ. Rows that are not stored are alike. */
const commonValue = <Value>(
  { sheet, area }: RangeTarget,
  axis: Axis,
  read: (sheet: Sheet, index: number) => Value,
): Value | null => {
  const { spanOf, countStored } = axes[axis];
  const { start, count } = spanOf(area);
  const end = Math.min(start + count, Math.max(countStored(sheet), start) + 1);
  const values = new Set<Value>();
  for (let index = start; index < end; index += 1) values.add(read(sheet, index));
  return values.size === 1 ? [...values][0]! : null;
};

/** The size of each row or column, also where it is hidden; null when they differ. */
export const size = (target: RangeTarget, axis: Axis): number | null => commonValue(target, axis, axes[axis].sizeAt);

/** Whether all are hidden (true) or none (false); null when they differ. */
export const hidden = (target: RangeTarget, axis: Axis): boolean | null =>
  commonValue(target, axis, axes[axis].isHidden);

/** The total size of some rows or columns. */
export const extent = (sheet: Sheet, axis: Axis, start: number, count: number): number => {
  const { countStored, standardSize, sizeAt, isHidden } = axes[axis];
  const end = start + count;
  const stored = Math.min(end, countStored(sheet));
  let total = Math.max(0, end - Math.max(stored, start)) * standardSize;
  for (let index = start; index < stored; index += 1) total += isHidden(sheet, index) ? 0 : sizeAt(sheet, index);
  return total;
};

/** @param width undefined for the standard width */
export const setWidth = (sheet: Sheet, area: Area, width: number | undefined): void => {
  for (let column = area.column; column < area.column + area.columns; column += 1) {
    if (width !== undefined || sheet.columns[column]) columnOf(sheet, column).width = width;
  }
  sheet.workbook.emit({ kind: 'layout', sheet });
};

/** @param height undefined for the standard height */
export const setHeight = (sheet: Sheet, area: Area, height: number | undefined): void => {
  const end = area.rows === MAX_ROWS ? sheet.rows.length : area.row + area.rows;
  for (let row = area.row; row < end; row += 1) {
    if (height !== undefined || sheet.rows[row]) rowOf(sheet, row).height = height;
  }
  sheet.workbook.emit({ kind: 'layout', sheet });
};
