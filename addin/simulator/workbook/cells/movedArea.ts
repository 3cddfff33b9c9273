import { type Area, contains, MAX_COLUMNS, MAX_ROWS, shiftSpan } from './address.ts';

/* Where the cells of an area are, after others were inserted, deleted or moved. */

/** Cells inserted or deleted on a sheet: which rows (or columns), and in which band across. */
export type Shift = {
  axis: 'row' | 'column';
  at: number;
  count: number;
  band: { start: number; length: number };
};

const sizes = { row: 'rows', column: 'columns' } as const;
const most = { row: MAX_ROWS, column: MAX_COLUMNS };

/** An area by its extent along an axis and across it. */
export const alongAxis = ({ row, column, rows, columns }: Area, axis: Shift['axis']) =>
  axis === 'row'
    ? { start: row, length: rows, across: column, breadth: columns }
    : { start: column, length: columns, across: row, breadth: rows };

/** An area after a shift: the same one when it stays where it is, undefined when it was deleted or pushed off. */
export const shiftArea = (area: Area, { axis, at, count, band }: Shift): Area | undefined => {
  const { start, length, across, breadth } = alongAxis(area, axis);
  if (across < band.start || across + breadth > band.start + band.length) return area;
  if (length === most[axis]) return area;
  const moved = shiftSpan(start, length, at, count);
  if (!moved || moved.start >= most[axis]) return undefined;
  if (moved.start === start && moved.length === length) return area;
  return { ...area, [axis]: moved.start, [sizes[axis]]: Math.min(moved.length, most[axis] - moved.start) };
};

/**
 * An area after cells were moved from one area to another of the same size; undefined when it was moved over.
 * @param isSource whether it is on the sheet from which they were moved
 * @param isTarget whether it is on the sheet to which they were moved
 * @returns the area, the same one when it stays where it is; and whether it is on the target now
 */
export const movedArea = (
  area: Area,
  { isSource, isTarget }: { isSource: boolean; isTarget: boolean },
  from: Area,
  to: Area,
): { area: Area; isMoved: boolean } | undefined => {
  const [down, across] = [to.row - from.row, to.column - from.column];
  if (isSource && contains(from, area)) {
    return { area: { ...area, row: area.row + down, column: area.column + across }, isMoved: true };
  }
  if (isTarget && contains(to, area)) return undefined;
  const stays = { area, isMoved: false };
  // The first or last rows of a range take its edge along if they are moved down or up, and columns likewise.
  if (!isSource || !isTarget || (down !== 0 && across !== 0)) return stays;
  const axis = down === 0 ? 'column' : 'row';
  const [span, moved] = [alongAxis(area, axis), alongAxis(from, axis)];
  const isWhole = moved.across <= span.across && moved.across + moved.breadth >= span.across + span.breadth;
  if (!isWhole || span.length === most[axis]) return stays;
  const follow = (at: number) => (at >= moved.start && at < moved.start + moved.length ? at + down + across : at);
  const ends = [follow(span.start), follow(span.start + span.length - 1)];
  const [start, end] = [Math.min(...ends), Math.max(...ends)];
  if (start === span.start && end === span.start + span.length - 1) return stays;
  return { area: { ...area, [axis]: start, [sizes[axis]]: end - start + 1 }, isMoved: false };
};
