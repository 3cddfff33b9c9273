import { type Area, MAX_COLUMNS, MAX_ROWS } from '../cells/address.ts';
import type { Shift } from '../cells/movedArea.ts';
import { record } from '../history.ts';
import { type Column, forEachCell, putCell, type Row, rowOf, type Sheet } from '../sheet.ts';

/** The rows or columns that were deleted, with their sizes and whether they are hidden. */
type Deleted = { rows?: (Row | undefined)[]; columns?: (Column | undefined)[] };

/** The items with others, or with so many gaps, at an index. They may be more than a function takes arguments. */
const withItems = <Item>(
  items: readonly (Item | undefined)[],
  at: number,
  inserted: readonly (Item | undefined)[] | number,
): (Item | undefined)[] => {
  const fresh = typeof inserted === 'number' ? Array.from({ length: inserted }, () => undefined) : inserted;
  return items.slice(0, at).concat(fresh, items.slice(at));
};

const moveRows = (sheet: Sheet, { at, count }: Shift, back: Deleted): Deleted => {
  if (count < 0) return { rows: sheet.rows.splice(at, -count) };
  if (at < sheet.rows.length || back.rows) sheet.rows = withItems(sheet.rows, at, back.rows ?? count);
  return {};
};

const moveColumns = (sheet: Sheet, { at, count, band }: Shift, back: Deleted): Deleted => {
  const gone: Deleted = {};
  if (band.length === MAX_ROWS) {
    if (count < 0) gone.columns = sheet.columns.splice(at, -count);
    else if (at < sheet.columns.length || back.columns)
      sheet.columns = withItems(sheet.columns, at, back.columns ?? count);
  }
  const last = Math.min(band.start + band.length, sheet.rows.length);
  for (let row = band.start; row < last; row += 1) {
    const line = sheet.rows[row];
    if (!line || at >= line.cells.length) continue;
    if (count < 0) line.cells.splice(at, -count);
    else line.cells = withItems(line.cells, at, count);
  }
  return gone;
};

/** Moves a band of columns up or down: each row takes the cells of another row. */
const moveBand = (sheet: Sheet, { at, count, band }: Shift): Deleted => {
  const bottom = sheet.rows.length;
  const take = (to: number, from: number) => {
    for (let column = band.start; column < band.start + band.length; column += 1) {
      const cell = sheet.rows[from]?.cells[column];
      if (!cell && !sheet.rows[to]?.cells[column]) continue;
      const { cells } = rowOf(sheet, to);
      while (cells.length <= column) cells.push(undefined);
      cells[column] = cell;
    }
  };
  if (count < 0) {
    for (let row = at; row < bottom; row += 1) take(row, row - count);
    return {};
  }
  for (let row = bottom - 1; row >= at; row -= 1) take(row + count, row);
  for (let row = at; row < Math.min(at + count, bottom); row += 1) {
    const cells = sheet.rows[row]?.cells;
    for (let column = band.start; cells && column < Math.min(band.start + band.length, cells.length); column += 1) {
      cells[column] = undefined;
    }
  }
  return {};
};

const areaOf = ({ axis, at, count, band }: Shift): Area =>
  axis === 'row'
    ? { row: at, rows: Math.abs(count), column: band.start, columns: band.length }
    : { column: at, columns: Math.abs(count), row: band.start, rows: band.length };

/** Moves cells, and records how to move them back. */
const move = (sheet: Sheet, shift: Shift, back: Deleted): void => {
  const isRows = shift.axis === 'row' && shift.band.length === MAX_COLUMNS;
  const gone = isRows
    ? moveRows(sheet, shift, back)
    : shift.axis === 'column'
      ? moveColumns(sheet, shift, back)
      : moveBand(sheet, shift);
  const area = areaOf(shift);
  const reverse = { ...shift, count: -shift.count };
  record(sheet.workbook, {
    sheet,
    area,
    restore: () => {
      move(sheet, reverse, gone);
      sheet.workbook.emit({ kind: 'structure', sheet, area, shift: reverse });
    },
  });
};

/** Moves the cells of a band of rows or columns. A negative count deletes cells. */
export const moveCells = (sheet: Sheet, shift: Shift): void => {
  // Deleted cells are emptied one by one, so that undo restores each.
  if (shift.count < 0) forEachCell(sheet, areaOf(shift), (_, row, column) => putCell(sheet, row, column, undefined));
  move(sheet, shift, {});
};
