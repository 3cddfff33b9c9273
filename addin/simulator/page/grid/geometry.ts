import { type Area, cellArea, MAX_COLUMNS, MAX_ROWS, type Position } from '../../workbook/cells/address.ts';
import {
  isHiddenRow,
  PIXELS_PER_POINT,
  type Sheet,
  STANDARD_COLUMN_WIDTH,
  STANDARD_ROW_HEIGHT,
} from '../../workbook/sheet.ts';

export const ROW_HEADER_WIDTH = 56;
export const COLUMN_HEADER_HEIGHT = 24;

/** Where each row and column of a sheet begins, in pixels, and one number more for the end of the last one. */
export type Geometry = { rows: Float64Array; columns: Float64Array };

const offsets = (count: number, sizeAt: (index: number) => number): Float64Array => {
  const starts = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) starts[index + 1] = starts[index]! + sizeAt(index);
  return starts;
};

/** How many rows and columns the grid shows. */
type Extent = { rows: number; columns: number };

const roundedUp = (count: number, step: number, max: number): number => Math.min(max, Math.ceil(count / step) * step);

/**
 * The cells in use and the active cell, and some more. All million rows would be taller than browsers can scroll.
 */
export const extentOf = (used: Area = cellArea({ row: 0, column: 0 }), activeCell: Position): Extent => ({
  rows: roundedUp(Math.max(used.row + used.rows, activeCell.row) + 100, 1000, MAX_ROWS),
  columns: roundedUp(Math.max(used.column + used.columns, activeCell.column) + 10, 26, MAX_COLUMNS),
});

export const geometryOf = (sheet: Sheet, extent: Extent): Geometry => ({
  rows: offsets(extent.rows, (row) =>
    isHiddenRow(sheet, row) ? 0 : Math.round((sheet.rows[row]?.height ?? STANDARD_ROW_HEIGHT) * PIXELS_PER_POINT),
  ),
  columns: offsets(extent.columns, (column) => {
    const { hidden, width = STANDARD_COLUMN_WIDTH } = sheet.columns[column] ?? {};
    return hidden ? 0 : Math.round(width * PIXELS_PER_POINT);
  }),
});

export const pointsOf = (pixels: number): number => pixels / PIXELS_PER_POINT;

/** The row or column at a distance from the start. */
export const indexAt = (starts: Float64Array, distance: number): number => {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= distance) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** The first and the last row or column between two distances. */
export const span = (starts: Float64Array, from: number, to: number): { first: number; last: number } => ({
  first: indexAt(starts, Math.max(0, from)),
  last: indexAt(starts, Math.max(0, to)),
});
