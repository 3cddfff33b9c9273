import {
  type Area,
  contains,
  intersection,
  isEntireColumn,
  isEntireRow,
  MAX_COLUMNS,
  MAX_ROWS,
  onSheet,
  shiftSpan,
} from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { type Shift, shiftFormula } from '../cells/formulas/formula.ts';
import { assertWritable, isEmptyArea, putCell, type Sheet } from '../sheet.ts';
import { followColumns, headerArea, settleHeaders, type Table } from '../table.ts';
import { moveCells } from './moveCells.ts';
import { shiftFormat } from './shiftFormat.ts';

/** An area by its extent along an axis and across it. */
const alongAxis = ({ row, column, rows, columns }: Area, axis: Shift['axis']) =>
  axis === 'row'
    ? { start: row, length: rows, across: column, breadth: columns }
    : { start: column, length: columns, across: row, breadth: rows };

/** An area after a shift: the same one when it is outside of the band, undefined when it was deleted. */
export const shiftArea = (area: Area, shift: Shift): Area | undefined => {
  const { start, length, across, breadth } = alongAxis(area, shift.axis);
  if (across < shift.band.start || across + breadth > shift.band.start + shift.band.length) return area;
  const most = shift.axis === 'row' ? MAX_ROWS : MAX_COLUMNS;
  if (length === most) return area;
  const moved = shiftSpan(start, length, shift.at, shift.count);
  if (!moved) return undefined;
  return shift.axis === 'row'
    ? { ...area, row: moved.start, rows: moved.length }
    : { ...area, column: moved.start, columns: moved.length };
};

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

const followShift = (sheet: Sheet, shift: Shift, inside: string | undefined): void => {
  const keep = <Item extends { area: Area }>(items: Item[]): Item[] =>
    items.flatMap((item) => {
      const area = shiftArea(item.area, shift);
      return area ? [{ ...item, area }] : [];
    });
  sheet.validations = keep(sheet.validations);
  sheet.conditionalFormats = sheet.conditionalFormats.flatMap((format) => {
    const kept = format.areas.flatMap((before) => {
      const after = shiftArea(before, shift);
      return after ? [{ before, after }] : [];
    });
    return kept.length > 0 ? [shiftFormat(format, kept, sheet, shift)] : [];
  });
  sheet.merges = keep(sheet.merges.map((area) => ({ area }))).map(({ area }) => area);
  if (sheet.filter) {
    const area = shiftArea(sheet.filter.area, shift);
    sheet.filter = area && { ...sheet.filter, area };
  }
  sheet.tables = sheet.tables.filter((table) => {
    const area = shiftArea(table.area, shift);
    if (!area) return false;
    // The table is outside of the shift.
    if (area === table.area) return true;
    // A table that grows or shrinks sets its columns itself.
    if (shift.axis === 'column' && table.id !== inside) followColumns(table, shift.at, shift.count);
    table.area = area;
    return true;
  });
  for (const chart of sheet.workbook.sheets.flatMap(({ charts }) => charts)) {
    if (chart.source?.sheetId !== sheet.id) continue;
    const area = shiftArea(chart.source.area, shift);
    chart.source = area && { ...chart.source, area };
  }
  for (const other of sheet.workbook.sheets) {
    if (other.formulas === 0) continue;
    other.rows.forEach((line, row) => {
      line?.cells.forEach((cell, column) => {
        if (!cell?.formula) return;
        const formula = shiftFormula(cell.formula, other.name, sheet.name, shift);
        if (formula !== cell.formula) putCell(other, row, column, { ...cell, formula, value: formula });
      });
    });
  }
  for (const name of [...sheet.workbook.names, ...sheet.workbook.sheets.flatMap((other) => other.names)]) {
    name.formula = shiftFormula(name.formula, sheet.name, sheet.name, shift);
  }
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
  followShift(sheet, shift, shrinking);
  sheet.workbook.emit({ kind: 'structure', sheet, area, shift });
  for (const table of sheet.tables) if (table.id !== shrinking) ensureBodyRow(table);
};
