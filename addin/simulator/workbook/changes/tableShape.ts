import { type Area, contains, intersection, MAX_ROWS, onSheet } from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { moveFormula } from '../cells/formulas/formula.ts';
import { assertWritable, cellAt, isBlank, isEmptyArea, numberFormatAt, putCell, type Sheet } from '../sheet.ts';
import {
  assertFree,
  assertTableName,
  bodyArea,
  changed,
  columnArea,
  freeHeader,
  freeTableName,
  newTableId,
  rowCount,
  settleHeaders,
  type Table,
  type TableColumn,
} from '../table.ts';
import { clearArea, enterValues } from './enter.ts';
import { clearFilters } from './filter.ts';
import { deleteCells, insertCells } from './shift.ts';

/** Makes a table of an area. Without headers of its own a header row is inserted above the data. */
export const addTable = (sheet: Sheet, given: Area, hasHeaders: boolean, name?: string): Table => {
  const { workbook } = sheet;
  onSheet(given);
  assertWritable(sheet, given);
  assertFree(sheet, given);
  let area = given;
  if (!hasHeaders) {
    insertCells(sheet, { ...area, rows: 1 }, 'Down');
    area = { ...area, rows: area.rows + 1 };
  } else if (area.rows === 1) {
    area = { ...area, rows: 2 };
    assertFree(sheet, area);
  }
  const table: Table = {
    id: newTableId(workbook),
    sheet,
    name: name === undefined ? freeTableName(workbook) : assertTableName(workbook, name),
    area,
    columns: Array.from({ length: area.columns }, (_, index) => ({ id: index + 1, name: '' })),
    style: 'TableStyleMedium2',
    showHeaders: true,
    showBandedRows: true,
    showBandedColumns: false,
    showFilterButton: true,
    highlightFirstColumn: false,
    highlightLastColumn: false,
    awaitsFirstRow: hasHeaders && given.rows === 1,
    filters: new Map(),
    sort: [],
    lastColumnId: area.columns,
  };
  if (table.awaitsFirstRow && !isEmptyArea(sheet, bodyArea(table))) table.awaitsFirstRow = false;
  sheet.tables.push(table);
  settleHeaders(table);
  workbook.emit({ kind: 'table', sheet, table, change: 'added' });
  return table;
};

const remove = (table: Table): void => {
  clearFilters(table);
  table.sheet.tables = table.sheet.tables.filter((other) => other !== table);
  table.sheet.workbook.emit({ kind: 'table', sheet: table.sheet, table, change: 'deleted' });
};

/** The table is gone, its cells stay. */
export const convertToRange = (table: Table): Area => {
  remove(table);
  return table.area;
};

/** The table is gone with its cells. */
export const deleteTable = (table: Table): void => {
  remove(table);
  clearArea(table.sheet, table.area, 'All');
};

/**
 * A heading is text whatever it looks like; a cell formatted as text would keep the apostrophe that makes it so
 * elsewhere.
 */
const enterHeading = (sheet: Sheet, { row, column }: Area, name: string): void => {
  const literal = numberFormatAt(sheet, row, column) === '@' ? name : `'${name}`;
  enterValues(sheet, { row, column, rows: 1, columns: 1 }, literal);
};

export const renameColumn = (table: Table, column: TableColumn, name: unknown): void => {
  if (typeof name !== 'string') throw new ExcelError('InvalidArgument');
  if (table.showHeaders) enterHeading(table.sheet, columnArea(table, column), name);
  else column.name = freeHeader(table, name, table.columns.indexOf(column));
};

const asMatrix = (values: unknown, rows: number): unknown[][] => {
  if (Array.isArray(values) && values.every(Array.isArray)) return values as unknown[][];
  return Array.from({ length: rows }, () => [values]);
};

/** Adds a column before the index, or as the last one; the values may begin with the header. */
export const addColumn = (
  table: Table,
  index: number | null | undefined,
  values: unknown,
  name?: string | null,
): TableColumn => {
  const { sheet } = table;
  const at = index === null || index === undefined || index === -1 ? table.columns.length : index;
  if (!Number.isInteger(at) || at < 0 || at > table.columns.length) throw new ExcelError('InvalidArgument');
  const matrix = values === null || values === undefined ? undefined : asMatrix(values, table.area.rows);
  if (matrix && (matrix.some((row) => row.length !== 1) || matrix.length !== table.area.rows)) {
    throw new ExcelError('InvalidArgument');
  }
  const room = { ...table.area, column: table.area.column + at, columns: 1 };
  const grown = { ...table.area, columns: table.area.columns + 1 };
  if (at < table.columns.length) insertCells(sheet, room, 'Right', table.id);
  else {
    onSheet(room);
    const free =
      isEmptyArea(sheet, room) && !sheet.tables.some((other) => other !== table && intersection(other.area, room));
    if (!free) insertCells(sheet, room, 'Right', table.id);
  }
  table.area = grown;
  table.lastColumnId += 1;
  const column = { id: table.lastColumnId, name: '' };
  table.columns.splice(at, 0, column);
  if (matrix) enterValues(sheet, room, matrix);
  if (name) enterHeading(sheet, room, name);
  settleHeaders(table);
  changed(table);
  return column;
};

export const deleteColumn = (table: Table, column: TableColumn): void => {
  if (table.columns.length === 1) throw new ExcelError('InvalidOperation');
  const area = columnArea(table, column);
  table.columns = table.columns.filter((other) => other !== column);
  table.filters.delete(column.id);
  deleteCells(table.sheet, area, 'Left', table.id);
  changed(table);
};

/** Gives the table another area with the same header row. */
export const resizeTable = (table: Table, area: Area): void => {
  onSheet(area);
  assertFree(table.sheet, area, table);
  const minimum = table.showHeaders ? 2 : 1;
  if (area.row !== table.area.row || !intersection(area, table.area) || area.rows < minimum) {
    throw new ExcelError('InvalidArgument');
  }
  const bottom = table.area.row + table.area.rows;
  const before = new Map(table.columns.map((column, index) => [table.area.column + index, column]));
  table.area = area;
  table.columns = Array.from({ length: area.columns }, (_, index) => {
    const kept = before.get(area.column + index);
    if (kept) return kept;
    table.lastColumnId += 1;
    return { id: table.lastColumnId, name: '' };
  });
  const fresh = area.row + area.rows - bottom;
  if (fresh > 0) {
    inheritStyles(table, bottom, fresh);
    continueFormulas(table, bottom, fresh);
  }
  table.awaitsFirstRow = bodyArea(table).rows === 1 && isEmptyArea(table.sheet, bodyArea(table));
  settleHeaders(table);
  changed(table);
};

/** Adds rows at an index, at the end without one, and gives the index of the first. */
export const addRows = (table: Table, index: number | null | undefined, values: unknown): number => {
  const { sheet } = table;
  const matrix = values === null || values === undefined ? [[]] : asMatrix(values, 1);
  const shaped = matrix.every((row) => row.length === 0 || row.length === table.area.columns || row.length === 1);
  if (!shaped || matrix.length === 0) {
    throw new ExcelError('InvalidArgument');
  }
  const count = rowCount(table);
  const at = index === null || index === undefined || index === -1 ? count : index;
  if (!Number.isInteger(at) || at < 0 || at > count) throw new ExcelError('InvalidArgument');
  const fresh = table.awaitsFirstRow ? matrix.length - 1 : matrix.length;
  const body = bodyArea(table);
  if (fresh > 0) growRows(table, table.awaitsFirstRow ? 1 : at, fresh);
  table.awaitsFirstRow = false;
  const target = { ...body, row: body.row + at, rows: matrix.length };
  if (matrix.some((row) => row.length > 0)) {
    const filled = matrix.map((row) =>
      row.length === table.area.columns ? row : Array.from({ length: table.area.columns }, () => row[0] ?? null),
    );
    enterValues(sheet, target, filled);
  }
  changed(table);
  return at;
};

/** Makes room for body rows before the row at the index; what lies below the table moves down. */
const growRows = (table: Table, at: number, count: number): void => {
  const { sheet } = table;
  const body = bodyArea(table);
  const room = { ...body, row: body.row + at, rows: count };
  const grown = { ...table.area, rows: table.area.rows + count };
  if (at < body.rows) {
    insertCells(sheet, room, 'Down', table.id);
  } else {
    const below = { ...room, row: table.area.row + table.area.rows };
    onSheet(below);
    const free = isEmptyArea(sheet, below) && !sheet.tables.some(({ area }) => intersection(area, below));
    if (!free) {
      try {
        insertCells(sheet, below, 'Down', table.id);
      } catch {
        throw new ExcelError(
          'InsertDeleteConflict',
          "This won't work because it would move cells in a table on your worksheet.",
        );
      }
    }
  }
  table.area = grown;
  inheritStyles(table, body.row + at, count);
  if (at >= body.rows) continueFormulas(table, body.row + at, count);
};

/** New rows look like the row above them (or below, for the first). */
const inheritStyles = (table: Table, row: number, count: number): void => {
  const body = bodyArea(table);
  const model = row > body.row ? row - 1 : row + count;
  if (model >= body.row + body.rows) return;
  for (let column = body.column; column < body.column + body.columns; column += 1) {
    const style = cellAt(table.sheet, model, column)?.style;
    if (!style) continue;
    for (let fresh = row; fresh < row + count; fresh += 1) {
      const cell = cellAt(table.sheet, fresh, column);
      if (!cell?.style) putCell(table.sheet, fresh, column, { value: '', ...cell, style });
    }
  }
};

/** Deletes body rows; what lies below the table moves up. The last row leaves an empty one to start again. */
export const deleteRows = (table: Table, indexes: number[]): void => {
  const count = rowCount(table);
  const unique = [...new Set(indexes)].sort((a, b) => b - a);
  if (
    unique.length !== indexes.length ||
    unique.some((index) => !Number.isInteger(index) || index < 0 || index >= count)
  ) {
    throw new ExcelError('InvalidArgument');
  }
  const rest = count - unique.length;
  for (const index of unique) {
    const body = bodyArea(table);
    const line = { ...body, row: body.row + index, rows: 1 };
    if (body.rows === 1) clearArea(table.sheet, line, 'Contents');
    else deleteCells(table.sheet, line, 'Up', table.id);
  }
  if (rest === 0 && count > 0) table.awaitsFirstRow = true;
  changed(table);
};

/** Columns of formulas go on in new rows, as calculated columns do. */
const continueFormulas = (table: Table, row: number, count: number): void => {
  const { sheet } = table;
  const body = bodyArea(table);
  if (sheet.formulas === 0 || row <= body.row) return;
  for (let column = body.column; column < body.column + body.columns; column += 1) {
    const last = cellAt(sheet, row - 1, column)?.formula;
    const before = cellAt(sheet, row - 2, column)?.formula;
    const isCalculated = last && (row - 1 === body.row || (before && moveFormula(before, 1, 0) === last));
    if (!isCalculated) continue;
    for (let fresh = row; fresh < row + count; fresh += 1) {
      const cell = cellAt(sheet, fresh, column);
      const formula = moveFormula(last, fresh - row + 1, 0);
      if (isBlank(cell)) putCell(sheet, fresh, column, { ...cell, value: formula, formula });
    }
  }
};

/**
 * What is typed or pasted right below a table, or runs out of it at its bottom, makes it larger, as Excel does for
 * people; so does what stands right of its headers.
 */
export const growByTyping = (sheet: Sheet, area: Area): void => {
  for (const table of sheet.tables) {
    const bottom = table.area.row + table.area.rows;
    const extra = area.row + area.rows - bottom;
    const touches = area.row >= bodyArea(table).row && area.row <= bottom && extra > 0;
    const isWithin = contains({ ...table.area, row: 0, rows: MAX_ROWS }, area);
    if (touches && isWithin && !(table.awaitsFirstRow && area.row === bottom)) {
      const grown = { ...table.area, rows: table.area.rows + extra };
      if (isFree(table, grown)) {
        table.area = grown;
        inheritStyles(table, bottom, extra);
        continueFormulas(table, bottom, extra);
        changed(table);
      }
    }
    const beside = { ...table.area, column: table.area.column + table.area.columns };
    if (area.column === beside.column && contains({ ...beside, columns: area.columns }, area)) {
      const grown = { ...table.area, columns: table.area.columns + area.columns };
      if (isFree(table, grown)) resizeTable(table, grown);
    }
  }
};

const isFree = (table: Table, area: Area): boolean =>
  !table.sheet.tables.some((other) => other !== table && intersection(other.area, area));
