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
} from './cells/address.ts';
import { ExcelError } from './cells/error.ts';
import { type Shift, shiftFormula } from './cells/formulas/formula.ts';
import { assertWritable, forEachCell, isEmptyArea, putCell, rowOf, type Sheet } from './sheet.ts';
import { endHistory } from './sheets.ts';
import { followColumns, settleHeaders, type Table } from './table.ts';

const axisOf = (direction: 'Down' | 'Right' | 'Up' | 'Left'): 'row' | 'column' =>
  direction === 'Down' || direction === 'Up' ? 'row' : 'column';

/** Where an area lies after a shift; the same area when it is not in the band, undefined when it was deleted. */
export const shiftArea = (area: Area, shift: Shift): Area | undefined => {
  const [start, length, across, breadth] =
    shift.axis === 'row'
      ? [area.row, area.rows, area.column, area.columns]
      : [area.column, area.columns, area.row, area.rows];
  if (across < shift.band.start || across + breadth > shift.band.start + shift.band.length) return area;
  const most = shift.axis === 'row' ? MAX_ROWS : MAX_COLUMNS;
  if (length === most) return area;
  const moved = shiftSpan(start, length, shift.at, shift.count);
  if (!moved) return undefined;
  return shift.axis === 'row'
    ? { ...area, row: moved.start, rows: moved.length }
    : { ...area, column: moved.start, columns: moved.length };
};

/** A shift may move a whole table or cut straight through it; it may not tear it. */
const assertTablesHold = (sheet: Sheet, shift: Shift, inside: string | undefined): void => {
  for (const table of sheet.tables) {
    if (table.id === inside) continue;
    const { area } = table;
    const [start, length, across, breadth] =
      shift.axis === 'row'
        ? [area.row, area.rows, area.column, area.columns]
        : [area.column, area.columns, area.row, area.rows];
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
  sheet.conditionalFormats = keep(sheet.conditionalFormats);
  sheet.merges = keep(sheet.merges.map((area) => ({ area }))).map(({ area }) => area);
  if (sheet.filter) {
    const area = shiftArea(sheet.filter.area, shift);
    sheet.filter = area && { ...sheet.filter, area };
  }
  sheet.tables = sheet.tables.filter((table) => {
    const area = shiftArea(table.area, shift);
    if (!area) return false;
    // The table the cells are for looks after its columns itself.
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
    for (const row of other.rows) {
      row?.cells.forEach((cell) => {
        if (!cell?.formula) return;
        cell.formula = shiftFormula(cell.formula, other.name, sheet.name, shift);
        cell.value = cell.formula;
      });
    }
  }
  for (const name of [...sheet.workbook.names, ...sheet.workbook.sheets.flatMap((other) => other.names)]) {
    name.formula = shiftFormula(name.formula, sheet.name, sheet.name, shift);
  }
  sheet.workbook.shifted(sheet, shift);
};

const forgetFormulas = (sheet: Sheet, area: Area): void =>
  forEachCell(sheet, area, (_, row, column) => putCell(sheet, row, column, undefined));

/** Moves the cells of a band, row by row or cell by cell; `count` is negative when cells go. */
const moveCells = (sheet: Sheet, shift: Shift): void => {
  const { axis, at, count, band } = shift;
  endHistory(sheet.workbook);
  if (count < 0) {
    const gone =
      axis === 'row'
        ? { row: at, rows: -count, column: band.start, columns: band.length }
        : { column: at, columns: -count, row: band.start, rows: band.length };
    forgetFormulas(sheet, gone);
  }
  const whole = axis === 'row' ? band.length === MAX_COLUMNS : band.length === MAX_ROWS;
  if (axis === 'row' && whole) {
    if (count < 0) sheet.rows.splice(at, -count);
    else if (at < sheet.rows.length) sheet.rows.splice(at, 0, ...Array.from({ length: count }, () => undefined));
    return;
  }
  if (axis === 'column') {
    if (whole) {
      if (count < 0) sheet.columns.splice(at, -count);
      else if (at < sheet.columns.length)
        sheet.columns.splice(at, 0, ...Array.from({ length: count }, () => undefined));
    }
    const last = Math.min(band.start + band.length, sheet.rows.length);
    for (let row = band.start; row < last; row += 1) {
      const cells = sheet.rows[row]?.cells;
      if (!cells || at >= cells.length) continue;
      if (count < 0) cells.splice(at, -count);
      else cells.splice(at, 0, ...Array.from({ length: count }, () => undefined));
    }
    return;
  }
  // A band of some columns moves up or down: each row takes the cells of another row.
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
  if (count > 0) {
    for (let row = bottom - 1; row >= at; row -= 1) take(row + count, row);
    for (let row = at; row < Math.min(at + count, bottom); row += 1) {
      const cells = sheet.rows[row]?.cells;
      for (let column = band.start; cells && column < Math.min(band.start + band.length, cells.length); column += 1)
        cells[column] = undefined;
    }
  } else {
    for (let row = at; row < bottom; row += 1) take(row, row - count);
  }
};

const shiftFor = (area: Area, axis: 'row' | 'column', sign: 1 | -1): Shift =>
  axis === 'row'
    ? { axis, at: area.row, count: sign * area.rows, band: { start: area.column, length: area.columns } }
    : { axis, at: area.column, count: sign * area.columns, band: { start: area.row, length: area.rows } };

/** A table whose rows are all gone keeps an empty one, to start again. */
const ensureBodyRow = (table: Table): void => {
  const { area, sheet } = table;
  if (!table.showHeaders || area.rows > 1) return;
  insertCells(sheet, { ...area, row: area.row + 1 }, 'Down', table.id);
  table.area = { ...area, rows: 2 };
  table.awaitsFirstRow = true;
};

/**
 * Makes room for an area; the cells there move down or right. Formulas everywhere follow. InsertDeleteConflict when a
 * table would be torn, NonBlankCellOffSheet when content would fall off. `growing` names the table the cells are for.
 */
export const insertCells = (sheet: Sheet, area: Area, direction: 'Down' | 'Right', growing?: string): void => {
  onSheet(area);
  const axis = isEntireRow(area) ? 'row' : isEntireColumn(area) ? 'column' : axisOf(direction);
  const shift = shiftFor(area, axis, 1);
  assertWritable(sheet, area, axis === 'row' ? 'allowInsertRows' : 'allowInsertColumns');
  assertTablesHold(sheet, shift, growing);
  const pushedOff =
    axis === 'row' ? { ...area, row: MAX_ROWS - area.rows } : { ...area, column: MAX_COLUMNS - area.columns };
  if (!isEmptyArea(sheet, pushedOff)) throw new ExcelError('NonBlankCellOffSheet');
  moveCells(sheet, shift);
  followShift(sheet, shift, growing);
  for (const table of sheet.tables) if (table.id !== growing) settleHeaders(table);
  sheet.workbook.emit({ kind: 'structure', sheet, area, change: axis === 'row' ? 'RowInserted' : 'ColumnInserted' });
};

/** Deletes cells; what is below moves up, or what is right moves left. Formulas everywhere follow. */
export const deleteCells = (sheet: Sheet, area: Area, direction: 'Up' | 'Left', shrinking?: string): void => {
  onSheet(area);
  const axis = isEntireRow(area) ? 'row' : isEntireColumn(area) ? 'column' : axisOf(direction);
  const shift = shiftFor(area, axis, -1);
  assertWritable(sheet, area, axis === 'row' ? 'allowDeleteRows' : 'allowDeleteColumns');
  assertTablesHold(sheet, shift, shrinking);
  for (const table of sheet.tables) {
    // The header row goes only with its whole table.
    const header = { ...table.area, rows: 1 };
    const touched = intersection(header, area);
    if (table.showHeaders && axis === 'row' && touched && !contains(area, table.area)) {
      throw new ExcelError('InsertDeleteConflict');
    }
  }
  moveCells(sheet, shift);
  followShift(sheet, shift, shrinking);
  for (const table of sheet.tables) if (table.id !== shrinking) ensureBodyRow(table);
  sheet.workbook.emit({ kind: 'structure', sheet, area, change: axis === 'row' ? 'RowDeleted' : 'ColumnDeleted' });
};
