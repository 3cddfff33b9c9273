import {
  type Area,
  cellArea,
  contains,
  fixedAddress,
  intersection,
  MAX_ROWS,
  onSheet,
  type Position,
  sameName,
} from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { mapTable, type Structured } from '../cells/formulas/structured.ts';
import { structuredArea } from '../reference.ts';
import { rewriteFormulas } from '../rewrite.ts';
import { assertWritable, isEmptyArea, numberFormatAt, type Sheet } from '../sheet.ts';
import {
  assertFree,
  bodyArea,
  changed,
  columnArea,
  freeTableName,
  isFree,
  settleHeaders,
  Table,
  type TableColumn,
} from '../table.ts';
import { loseColumns, loseTable, namedIn } from '../tableReferences.ts';
import { calculateColumns, clearArea, enterValues } from './enter.ts';
import { applyFilters, clearFilters } from './filter.ts';
import { deleteCells, insertCells } from './shift.ts';
import { asMatrix, continueFormulas, indexOrEnd, inheritStyles } from './tableRows.ts';

/** Makes a table of an area. Without headers in its first row, a header row is inserted above. */
export const addTable = (sheet: Sheet, chosen: Area, hasHeaders: boolean): Table => {
  const { workbook } = sheet;
  onSheet(chosen);
  assertWritable(sheet, chosen);
  assertFree(sheet, chosen);
  // A formula among the headings becomes its result.
  workbook.settle();
  let area = chosen;
  if (!hasHeaders) {
    insertCells(sheet, { ...area, rows: 1 }, 'Down');
    area = { ...area, rows: area.rows + 1 };
  } else if (area.rows === 1) {
    area = { ...area, rows: 2 };
    assertFree(sheet, area);
  }
  const table = new Table(sheet, area, freeTableName(workbook));
  table.awaitsFirstRow = hasHeaders && chosen.rows === 1 && isEmptyArea(sheet, bodyArea(table));
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

/**
 * A reference to a table as one to its cells, with their sheet and absolute columns, as Excel writes it when a table
 * becomes cells.
 */
export const asCells = (table: Table, structured: Structured, home: Sheet, cell: Position | undefined): string => {
  const { sheet } = table;
  const area = structuredArea(table, structured, home === sheet ? cell?.row : undefined);
  if (area === undefined) return structured.isThisRow ? '#VALUE!' : '#REF!';
  const address = fixedAddress(sheet.name, area);
  const isThisRow = structured.isThisRow || structured.items.some((item) => sameName(item, '#This Row'));
  return isThisRow ? address.replace(/\$(?=\d+(?::|$))/g, '') : address;
};

/** Removes the table, and leaves its cells. Formulas refer to those. */
export const convertToRange = (table: Table): Area => {
  rewriteFormulas(table.sheet.workbook, (formula, home, cell) =>
    mapTable(formula, namedIn(table, home, cell), (structured) => asCells(table, structured, home, cell)),
  );
  remove(table);
  return table.area;
};

/** Removes the table with its cells. */
export const deleteTable = (table: Table): void => {
  loseTable(table);
  remove(table);
  clearArea(table.sheet, table.area, 'All');
};

/** Enters a heading as text: behind an apostrophe, except in a cell formatted as text, where that would stay. */
const enterHeading = (sheet: Sheet, { row, column }: Area, name: string): void => {
  const literal = numberFormatAt(sheet, row, column) === '@' ? name : `'${name}`;
  enterValues(sheet, cellArea({ row, column }), literal);
};

export const renameColumn = (table: Table, column: TableColumn, name: unknown): void => {
  if (typeof name !== 'string') throw new ExcelError('InvalidArgument');
  enterHeading(table.sheet, columnArea(table, column), name);
};

/** Adds a column before the index, or as the last one; the values may begin with the header. */
export const addColumn = (
  table: Table,
  index: number | null | undefined,
  values: unknown,
  name?: string | null,
): TableColumn => {
  const { sheet } = table;
  const at = indexOrEnd(index, table.columns.length);
  const matrix = values === null || values === undefined ? undefined : asMatrix(values, table.area.rows);
  if (matrix && (matrix.some((row) => row.length !== 1) || matrix.length !== table.area.rows)) {
    throw new ExcelError('InvalidArgument');
  }
  const room = { ...table.area, column: table.area.column + at, columns: 1 };
  const grown = { ...table.area, columns: table.area.columns + 1 };
  if (at < table.columns.length) insertCells(sheet, room, 'Right', table.id);
  else {
    onSheet(room);
    if (!isEmptyArea(sheet, room) || !isFree(sheet, room, table)) insertCells(sheet, room, 'Right', table.id);
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
  const before = table.columns;
  table.columns = before.filter((other) => other !== column);
  const wasFiltered = table.filters.delete(column.id);
  deleteCells(table.sheet, area, 'Left', table.id);
  loseColumns(table, before);
  if (wasFiltered) applyFilters(table);
  changed(table);
};

/** Changes the area of a table. The header row stays in its row. */
export const resizeTable = (table: Table, area: Area): void => {
  onSheet(area);
  assertFree(table.sheet, area, table);
  if (area.row !== table.area.row || !intersection(area, table.area) || area.rows < 2) {
    throw new ExcelError('InvalidArgument');
  }
  const bottom = table.area.row + table.area.rows;
  const before = new Map(table.columns.map((column, index) => [table.area.column + index, column]));
  const columns = table.columns;
  table.area = area;
  table.columns = Array.from({ length: area.columns }, (_, index) => {
    const column = before.get(area.column + index);
    if (column) return column;
    table.lastColumnId += 1;
    return { id: table.lastColumnId, name: '' };
  });
  const fresh = area.row + area.rows - bottom;
  if (fresh > 0) {
    inheritStyles(table, bottom, fresh);
    continueFormulas(table, bottom, fresh);
  }
  table.awaitsFirstRow = bodyArea(table).rows === 1 && isEmptyArea(table.sheet, bodyArea(table));
  loseColumns(table, columns);
  settleHeaders(table);
  changed(table);
};

/**
 * Enlarges tables as Excel does when a user types or pastes: below a table, beyond its last row, or to the right of its
 * headers.
 */
export const growByTyping = (sheet: Sheet, area: Area): void => {
  for (const table of sheet.tables) {
    const bottom = table.area.row + table.area.rows;
    const extra = area.row + area.rows - bottom;
    const touches = area.row >= bodyArea(table).row && area.row <= bottom && extra > 0;
    const isWithin = contains({ ...table.area, row: 0, rows: MAX_ROWS }, area);
    if (touches && isWithin && !(table.awaitsFirstRow && area.row === bottom)) {
      const grown = { ...table.area, rows: table.area.rows + extra };
      if (isFree(sheet, grown, table)) {
        table.area = grown;
        inheritStyles(table, bottom, extra);
        continueFormulas(table, bottom, extra);
        changed(table);
      }
    }
    const beside = { ...table.area, column: table.area.column + table.area.columns };
    if (area.column === beside.column && contains({ ...beside, columns: area.columns }, area)) {
      const grown = { ...table.area, columns: table.area.columns + area.columns };
      if (isFree(sheet, grown, table)) resizeTable(table, grown);
    }
  }
};

/**
 * Enters values as a user types them: in the language of the workbook. They enlarge a table above or beside them, and a
 * formula fills its column where that is empty.
 */
export const enterAsTyped = (sheet: Sheet, area: Area, values: unknown): void => {
  assertWritable(sheet, area);
  if (values !== '') growByTyping(sheet, area);
  enterValues(sheet, area, values, sheet.workbook.locale);
  calculateColumns(sheet, area);
};
