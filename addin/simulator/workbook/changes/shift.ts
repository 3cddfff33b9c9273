import {
  type Area,
  cellArea,
  contains,
  intersection,
  isEntireColumn,
  isEntireRow,
  MAX_COLUMNS,
  MAX_ROWS,
  onSheet,
} from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { shiftFormula } from '../cells/formulas/formula.ts';
import { alongAxis, type Shift, shiftArea } from '../cells/movedArea.ts';
import { rewriteCells, rewriteNames, rewriteRules } from '../rewrite.ts';
import { shiftMerges, shiftRules } from '../rules/shiftRules.ts';
import { assertWritable, cellAt, columnOf, isEmptyArea, putCell, rowOf, type Sheet } from '../sheet.ts';
import { followColumns, headerArea, settleHeaders, type Table, type TableColumn } from '../table.ts';
import { loseColumns, loseTable } from '../tableReferences.ts';
import { applyFilters, applySheetFilter, showRows } from './filter.ts';
import { moveCells } from './moveCells.ts';

/** InsertDeleteConflict for a shift that would move only some columns or rows of a table. */
const assertTablesHold = (sheet: Sheet, shift: Shift, inside: string | undefined): void => {
  for (const table of sheet.tables) {
    if (table.id === inside) continue;
    const { area } = table;
    const { start, length, across, breadth } = alongAxis(area, shift.axis);
    if (start + length <= shift.at) continue;
    const bandEnd = shift.band.start + shift.band.length;
    if (across >= bandEnd || across + breadth <= shift.band.start) continue;
    if (across >= shift.band.start && across + breadth <= bandEnd) continue;
    throw new ExcelError(
      'InsertDeleteConflict',
      'This operation is not allowed. The operation is attempting to shift cells in a table on your worksheet.',
    );
  }
};

/** The filter of a sheet after a shift: its criteria stay with their columns. */
const shiftFilter = (filter: NonNullable<Sheet['filter']>, shift: Shift): Sheet['filter'] => {
  const area = shiftArea(filter.area, shift);
  if (area === undefined || area === filter.area) return area && filter;
  const criteria = [...filter.criteria].flatMap(([index, one]) => {
    const column = shiftArea({ ...filter.area, column: filter.area.column + index, columns: 1 }, shift);
    return column ? [[column.column - area.column, one] as const] : [];
  });
  return { area, criteria: new Map(criteria) };
};

/** @returns what filters rows again, once the shift was told: those of columns that are gone are hidden no longer */
const followShift = (sheet: Sheet, shift: Shift, inside: string | undefined): (() => void) => {
  shiftRules(sheet, shift);
  sheet.merges = shiftMerges(sheet.merges, shift);
  const { filter } = sheet;
  sheet.filter = filter && shiftFilter(filter, shift);
  const hasFewer = filter !== undefined && (sheet.filter?.criteria.size ?? 0) < filter.criteria.size;
  const filtered = sheet.tables.filter(({ filters }) => filters.size > 0);
  const sizes = filtered.map(({ filters }) => filters.size);
  const deleted: Table[] = [];
  const narrowed: { table: Table; before: TableColumn[] }[] = [];
  sheet.tables = sheet.tables.filter((table) => {
    const area = shiftArea(table.area, shift);
    if (!area) {
      deleted.push(table);
      return false;
    }
    // The table is outside of the shift.
    if (area === table.area) return true;
    // A table that grows or shrinks sets its columns itself.
    if (shift.axis === 'column' && table.id !== inside) {
      narrowed.push({ table, before: [...table.columns] });
      followColumns(table, shift.at, shift.count);
    }
    table.area = area;
    return true;
  });
  for (const chart of sheet.workbook.sheets.flatMap(({ charts }) => charts)) {
    if (chart.source?.sheetId !== sheet.id) continue;
    const area = shiftArea(chart.source.area, shift);
    chart.source = area && { ...chart.source, area };
  }
  const follow = (formula: string, home: Sheet) => shiftFormula(formula, home.name, sheet.name, shift);
  rewriteCells(sheet.workbook, follow);
  rewriteNames(sheet.workbook, follow);
  for (const other of sheet.workbook.sheets) if (other !== sheet) rewriteRules(other, follow);
  for (const table of deleted) loseTable(table);
  for (const { table, before } of narrowed) loseColumns(table, before);
  return () => {
    // Without their rows there is nothing to show.
    const hasRows = shift.axis === 'column' || shift.band.length < MAX_COLUMNS;
    for (const [index, table] of filtered.entries()) {
      if (deleted.includes(table)) {
        if (hasRows) showRows(sheet, table.area);
      } else if (table.filters.size < sizes[index]!) applyFilters(table);
    }
    if (!hasFewer) return;
    if (sheet.filter) applySheetFilter(sheet);
    else if (hasRows) showRows(sheet, filter.area);
  };
};

/** The shift that inserts an area (1) or deletes it (-1). For entire rows and columns the direction does not matter. */
const shiftFor = (area: Area, direction: 'Down' | 'Right' | 'Up' | 'Left', sign: 1 | -1): Shift => {
  const isVertical = isEntireRow(area) || (!isEntireColumn(area) && (direction === 'Down' || direction === 'Up'));
  const axis = isVertical ? 'row' : 'column';
  const { start, length, across, breadth } = alongAxis(area, axis);
  return { axis, at: start, count: sign * length, band: { start: across, length: breadth } };
};

/** A table whose rows were all deleted keeps an empty one. */
const ensureBodyRow = (table: Table): void => {
  const { area, sheet } = table;
  if (area.rows > 1) return;
  insertCells(sheet, { ...area, row: area.row + 1 }, 'Down', table.id);
  table.area = { ...area, rows: 2 };
  table.awaitsFirstRow = true;
};

/**
 * Inserts an area; the cells there move down or right, and formulas on all sheets follow them. InsertDeleteConflict
 * when part of a table would move, NonBlankCellOffSheet when content would leave the sheet.
 * @param growing the id of the table that the cells are for
 */
export const insertCells = (sheet: Sheet, area: Area, direction: 'Down' | 'Right', growing?: string): void => {
  onSheet(area);
  const shift = shiftFor(area, direction, 1);
  assertWritable(sheet, area, shift.axis === 'row' ? 'allowInsertRows' : 'allowInsertColumns');
  assertTablesHold(sheet, shift, growing);
  const pushedOff =
    shift.axis === 'row' ? { ...area, row: MAX_ROWS - area.rows } : { ...area, column: MAX_COLUMNS - area.columns };
  if (!isEmptyArea(sheet, pushedOff)) throw new ExcelError('NonBlankCellOffSheet');
  moveCells(sheet, shift);
  followShift(sheet, shift, growing);
  for (const table of sheet.tables) if (table.id !== growing) settleHeaders(table);
  sheet.workbook.emit({ kind: 'structure', sheet, area, shift });
};

/** Gives inserted rows the styles and the height of the row above them; below the headings of a table, of the row below. */
const styleRows = (sheet: Sheet, { row, rows, column, columns }: Area): void => {
  const modelAt = (at: number): number => {
    const headed = sheet.tables.some((table) => contains(headerArea(table), cellArea({ row: row - 1, column: at })));
    return headed ? row + rows : row - 1;
  };
  const above = sheet.rows[row - 1];
  const isWhole = columns === MAX_COLUMNS;
  const width = Math.max(above?.cells.length ?? 0, sheet.rows[row + rows]?.cells.length ?? 0);
  for (let fresh = row; fresh < row + rows; fresh += 1) {
    if (isWhole && (above?.style || above?.height !== undefined)) {
      Object.assign(rowOf(sheet, fresh), { style: above.style, height: above.height });
    }
    for (let at = column; at < Math.min(column + columns, width); at += 1) copyStyle(sheet, modelAt(at), at, fresh, at);
  }
};

/** Gives inserted columns the styles and the width of the column to their left. */
const styleColumns = (sheet: Sheet, { row, rows, column, columns }: Area): void => {
  const left = sheet.columns[column - 1];
  for (let fresh = column; fresh < column + columns; fresh += 1) {
    if (rows === MAX_ROWS && (left?.style || left?.width !== undefined)) {
      Object.assign(columnOf(sheet, fresh), { style: left.style, width: left.width });
    }
    for (let at = row; at < Math.min(row + rows, sheet.rows.length); at += 1) {
      copyStyle(sheet, at, column - 1, at, fresh);
    }
  }
};

const copyStyle = (sheet: Sheet, row: number, column: number, toRow: number, toColumn: number): void => {
  const style = cellAt(sheet, row, column)?.style;
  if (style) putCell(sheet, toRow, toColumn, { value: '', ...cellAt(sheet, toRow, toColumn), style });
};

/**
 * Inserts an area as a user or an add-in does: its cells look like those above or to the left, as in Excel
 * (ONLYOFFICE/DesktopEditors#1673).
 */
export const insertStyled = (sheet: Sheet, area: Area, direction: 'Down' | 'Right'): void => {
  insertCells(sheet, area, direction);
  const { axis } = shiftFor(area, direction, 1);
  if (axis === 'row' && area.row > 0) styleRows(sheet, area);
  if (axis === 'column' && area.column > 0) styleColumns(sheet, area);
};

/** Deletes cells; those below move up, or those to the right move left, and formulas on all sheets follow them. */
export const deleteCells = (sheet: Sheet, area: Area, direction: 'Up' | 'Left', shrinking?: string): void => {
  onSheet(area);
  const shift = shiftFor(area, direction, -1);
  assertWritable(sheet, area, shift.axis === 'row' ? 'allowDeleteRows' : 'allowDeleteColumns');
  assertTablesHold(sheet, shift, shrinking);
  for (const table of sheet.tables) {
    // The header row is deleted only with its whole table.
    const isTouched = intersection(headerArea(table), area) !== undefined;
    if (shift.axis === 'row' && isTouched && !contains(area, table.area)) {
      throw new ExcelError('InsertDeleteConflict');
    }
  }
  moveCells(sheet, shift);
  const filterAgain = followShift(sheet, shift, shrinking);
  sheet.workbook.emit({ kind: 'structure', sheet, area, shift });
  filterAgain();
  for (const table of sheet.tables) if (table.id !== shrinking) ensureBodyRow(table);
};
