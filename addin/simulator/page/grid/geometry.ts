import { type Area, MAX_COLUMNS, MAX_ROWS } from '../../workbook/cells/address.ts';
import { isHiddenRow, type Sheet, STANDARD_COLUMN_WIDTH, STANDARD_ROW_HEIGHT } from '../../workbook/sheet.ts';

/** Screens have 96 dots where print has 72 points. */
const PIXELS_PER_POINT = 96 / 72;

export const ROW_HEADER_WIDTH = 56;
export const COLUMN_HEADER_HEIGHT = 24;

/** Where each row and column of a sheet begins, in pixels; one number more than there are rows, for the end. */
type Geometry = { rows: Float64Array; columns: Float64Array };

const offsets = (count: number, sizeAt: (index: number) => number): Float64Array => {
  const starts = new Float64Array(count + 1);
  for (let index = 0; index < count; index += 1) starts[index + 1] = starts[index]! + sizeAt(index);
  return starts;
};

/** How many rows and columns the grid shows. */
type Extent = { rows: number; columns: number };

const roundedUp = (count: number, step: number, most: number): number => Math.min(most, Math.ceil(count / step) * step);

/**
 * What is in use and some room, more when the active cell is further out. (All million rows would be taller than
 * browsers can scroll.)
 */
export const extentOf = (used: Area | undefined, activeCell: { row: number; column: number }): Extent => ({
  rows: roundedUp(Math.max((used?.row ?? 0) + (used?.rows ?? 0), activeCell.row) + 100, 1000, MAX_ROWS),
  columns: roundedUp(Math.max((used?.column ?? 0) + (used?.columns ?? 0), activeCell.column) + 10, 26, MAX_COLUMNS),
});

export const geometryOf = (sheet: Sheet, extent: Extent): Geometry => {
  const standardRow = STANDARD_ROW_HEIGHT * PIXELS_PER_POINT;
  const standardColumn = STANDARD_COLUMN_WIDTH * PIXELS_PER_POINT;
  return {
    rows: offsets(extent.rows, (row) => {
      if (isHiddenRow(sheet, row)) return 0;
      const height = sheet.rows[row]?.height;
      return height === undefined ? standardRow : Math.round(height * PIXELS_PER_POINT);
    }),
    columns: offsets(extent.columns, (column) => {
      const found = sheet.columns[column];
      if (found?.hidden) return 0;
      return found?.width === undefined ? standardColumn : Math.round(found.width * PIXELS_PER_POINT);
    }),
  };
};

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

/** The rows or columns with some part between two distances. */
export const span = (starts: Float64Array, from: number, to: number): { first: number; last: number } => ({
  first: indexAt(starts, Math.max(0, from)),
  last: indexAt(starts, Math.max(0, to)),
});
