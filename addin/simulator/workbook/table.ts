import { type Area, contains, intersection, onSheet, parseArea } from './address.ts';
import { type CellValue, isErrorValue } from './entry.ts';
import { ExcelError } from './error.ts';
import { passes } from './filter.ts';
import { moveFormula } from './formula.ts';
import {
  assertWritable,
  type Cell,
  cellAt,
  clearArea,
  enterValues,
  type FilterCriteria,
  isBlank,
  isEmptyArea,
  numberFormatAt,
  putCell,
  rowOf,
  type Sheet,
  textAt,
} from './sheet.ts';
import { deleteCells, insertCells } from './shift.ts';
import { allTables, findName, type Workbook } from './workbook.ts';

export type TableColumn = { id: number; name: string };

export type SortField = { key: number; ascending: boolean };

export type Table = {
  readonly id: string;
  readonly sheet: Sheet;
  name: string;
  /** With the header row, when it is shown. */
  area: Area;
  columns: TableColumn[];
  style: string;
  showHeaders: boolean;
  showBandedRows: boolean;
  showBandedColumns: boolean;
  showFilterButton: boolean;
  highlightFirstColumn: boolean;
  highlightLastColumn: boolean;
  /** The one body row is only a place to start: the table has no rows yet. */
  awaitsFirstRow: boolean;
  /** By column id. */
  filters: Map<number, FilterCriteria>;
  sort: SortField[];
  lastColumnId: number;
};

const words = {
  en: { table: 'Table', column: 'Column' },
  nl: { table: 'Tabel', column: 'Kolom' },
};

export const headerArea = (table: Table): Area => {
  if (!table.showHeaders) throw new ExcelError('ItemNotFound');
  return { ...table.area, rows: 1 };
};

export const bodyArea = (table: Table): Area => {
  const headers = table.showHeaders ? 1 : 0;
  return { ...table.area, row: table.area.row + headers, rows: table.area.rows - headers };
};

export const rowCount = (table: Table): number => (table.awaitsFirstRow ? 0 : bodyArea(table).rows);

export const columnArea = (table: Table, column: TableColumn): Area => ({
  ...table.area,
  column: table.area.column + table.columns.indexOf(column),
  columns: 1,
});

/** A table by its name or id, without regard to case; undefined when there is none. */
export const findTable = (tables: Table[], key: unknown): Table | undefined => {
  const wanted = String(key).toLowerCase();
  return tables.find(({ name, id }) => name.toLowerCase() === wanted || id.toLowerCase() === wanted);
};

/** A column by its name (without regard to case) or its numeric id. */
export const findColumn = (table: Table, key: unknown): TableColumn | undefined =>
  typeof key === 'number'
    ? table.columns.find(({ id }) => id === key)
    : table.columns.find(({ name }) => name.toLowerCase() === String(key).toLowerCase());

const freeTableName = (workbook: Workbook): string => {
  const stem = words[workbook.locale.language].table;
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number}`;
    if (!findTable(allTables(workbook), name) && !findName(workbook.names, name)) return name;
  }
};

/** InvalidArgument for a name Excel does not take for a table, or which something else has. */
export const assertTableName = (workbook: Workbook, name: unknown, self?: Table): string => {
  const fits =
    typeof name === 'string' &&
    name.length <= 255 &&
    /^[\p{L}_\\][\p{L}\p{N}_.\\]*$/u.test(name) &&
    !/^[rc]$/i.test(name) &&
    !parseArea(name) &&
    !/^r\d*c\d*$/i.test(name);
  if (!fits) throw new ExcelError('InvalidArgument');
  const taken = allTables(workbook).some((table) => table !== self && table.name.toLowerCase() === name.toLowerCase());
  if (taken || findName(workbook.names, name)) throw new ExcelError('InvalidArgument');
  return name;
};

/** A header that is free: an empty one gets a number, a second one of the same name too. */
const freeHeader = (table: Pick<Table, 'columns' | 'sheet'>, wanted: string, index: number): string => {
  const taken = (name: string) =>
    table.columns.some((column, other) => other !== index && column.name.toLowerCase() === name.toLowerCase());
  if (wanted !== '' && !taken(wanted)) return wanted;
  const stem = wanted === '' ? words[table.sheet.workbook.locale.language].column : wanted;
  for (let number = wanted === '' ? index + 1 : 2; ; number += 1) {
    if (!taken(`${stem}${number}`)) return `${stem}${number}`;
  }
};

/** Header cells are always text, and each is different. */
export const settleHeaders = (table: Table): void => {
  if (!table.showHeaders) return;
  table.columns.forEach((column, index) => {
    const at = table.area.column + index;
    const shown = textAt(table.sheet, table.area.row, at);
    const name = freeHeader(table, shown, index);
    column.name = name;
    const cell = cellAt(table.sheet, table.area.row, at);
    if (cell?.value === name && !cell.formula) return;
    putCell(table.sheet, table.area.row, at, { value: name, ...(cell?.style ? { style: cell.style } : {}) });
  });
};

/** Columns of the sheet came into the table, or went from it: `count` of them at the sheet's column `at`. */
export const followColumns = (table: Table, at: number, count: number): void => {
  const index = at - table.area.column;
  if (count > 0) {
    if (index <= 0 || index >= table.columns.length) return;
    const fresh = Array.from({ length: count }, (_, offset) => ({ id: table.lastColumnId + offset + 1, name: '' }));
    table.lastColumnId += count;
    table.columns.splice(index, 0, ...fresh);
    return;
  }
  table.columns = table.columns.filter((column, position) => {
    const gone = position >= index && position < index - count;
    if (gone) table.filters.delete(column.id);
    return !gone;
  });
};

/** Keeps tables true to the cells after content changed: headers, and whether the first row was begun. */
export const afterContentChange = (sheet: Sheet, area: Area): void => {
  for (const table of sheet.tables) {
    if (table.showHeaders && intersection(headerArea(table), area)) settleHeaders(table);
    if (table.awaitsFirstRow && intersection(bodyArea(table), area) && !isEmptyArea(sheet, bodyArea(table))) {
      table.awaitsFirstRow = false;
    }
  }
};

const assertFree = (sheet: Sheet, area: Area, self?: Table): void => {
  if (sheet.tables.some((table) => table !== self && intersection(table.area, area))) {
    throw new ExcelError('InvalidArgument', "A table can't overlap another table.");
  }
};

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
    id: `{${workbook.nextId().toString(16).toUpperCase().padStart(8, '0')}-7A0B-4C00-9D00-000000000000}`,
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

const changed = (table: Table): void =>
  table.sheet.workbook.emit({ kind: 'table', sheet: table.sheet, table, change: 'changed' });

export const renameTable = (table: Table, name: unknown): void => {
  table.name = assertTableName(table.sheet.workbook, name, table);
  changed(table);
};

/** Sets one of the switches of a table's look. */
export const setTableOption = <
  Name extends
    | 'style'
    | 'showBandedRows'
    | 'showBandedColumns'
    | 'showFilterButton'
    | 'highlightFirstColumn'
    | 'highlightLastColumn',
>(
  table: Table,
  name: Name,
  value: Table[Name],
): void => {
  table[name] = value;
  changed(table);
};

/** A heading is text whatever it looks like; a cell formatted as text would keep the apostrophe that makes it so elsewhere. */
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
  const before = new Map(table.columns.map((column, index) => [table.area.column + index, column]));
  table.area = area;
  table.columns = Array.from({ length: area.columns }, (_, index) => {
    const kept = before.get(area.column + index);
    if (kept) return kept;
    table.lastColumnId += 1;
    return { id: table.lastColumnId, name: '' };
  });
  table.awaitsFirstRow = bodyArea(table).rows === 1 && isEmptyArea(table.sheet, bodyArea(table));
  settleHeaders(table);
  changed(table);
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

const rank = (value: CellValue): number => {
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return 2;
  return isErrorValue(value) ? 3 : 1;
};

const compareValues = (a: CellValue, b: CellValue, matchCase: boolean): number => {
  const difference = rank(a) - rank(b);
  if (difference !== 0) return difference;
  if (typeof a === 'number') return a - (b as number);
  return String(a).localeCompare(String(b), undefined, { sensitivity: matchCase ? 'variant' : 'accent' });
};

/**
 * Sorts rows of an area by columns relative to it, as Excel does: numbers, then text, then truth values, blanks last in
 * either direction; rows that are equal keep their order; hidden rows stay where they are; formulas follow their row.
 */
export const sortRows = (sheet: Sheet, area: Area, fields: SortField[], matchCase = false): void => {
  assertWritable(sheet, area, 'allowSort');
  if (fields.length === 0 || fields.some(({ key }) => !Number.isInteger(key) || key < 0 || key >= area.columns)) {
    throw new ExcelError('InvalidArgument');
  }
  const places = Array.from({ length: area.rows }, (_, index) => area.row + index).filter(
    (row) => !sheet.rows[row]?.filtered,
  );
  const lines = places.map((row) => ({
    row,
    cells: Array.from({ length: area.columns }, (_, index): Cell | undefined =>
      cellAt(sheet, row, area.column + index),
    ),
  }));
  lines.sort((a, b) => {
    for (const { key, ascending } of fields) {
      const [left, right] = [a.cells[key], b.cells[key]];
      if (isBlank(left) || isBlank(right)) {
        if (isBlank(left) !== isBlank(right)) return isBlank(left) ? 1 : -1;
        continue;
      }
      const order = compareValues(left!.value, right!.value, matchCase);
      if (order !== 0) return ascending ? order : -order;
    }
    return 0;
  });
  lines.forEach(({ row, cells }, index) => {
    const target = places[index]!;
    if (target === row) return;
    rowOf(sheet, target);
    cells.forEach((cell, offset) => {
      const moved = cell?.formula ? moveFormula(cell.formula, target - row, 0) : undefined;
      putCell(sheet, target, area.column + offset, cell && moved ? { ...cell, formula: moved, value: moved } : cell);
    });
  });
  sheet.workbook.emit({ kind: 'sorted', sheet, area });
};

export const sortTable = (table: Table, fields: SortField[], matchCase = false): void => {
  sortRows(table.sheet, bodyArea(table), fields, matchCase);
  table.sort = fields;
  changed(table);
};

/** Hides the body rows that do not pass every filter of the table. */
export const applyFilters = (table: Table): void => {
  const { sheet } = table;
  const body = bodyArea(table);
  const active = table.columns.flatMap((column, index) => {
    const criteria = table.filters.get(column.id);
    return criteria ? [{ criteria, at: body.column + index }] : [];
  });
  filterRows(sheet, body, active);
  sheet.workbook.emit({ kind: 'filtered', sheet, area: body, table });
};

/** Hides the rows of an area that do not pass; without criteria all of them show again. */
export const filterRows = (sheet: Sheet, body: Area, active: { criteria: FilterCriteria; at: number }[]): void => {
  const tests = active.map(({ criteria, at }) => ({
    at,
    test: passes(criteria, sheet, { ...body, column: at, columns: 1 }),
  }));
  for (let row = body.row; row < body.row + body.rows; row += 1) {
    const shown = tests.every(({ test, at }) => test(cellAt(sheet, row, at), textAt(sheet, row, at)));
    if (shown) {
      const line = sheet.rows[row];
      if (line?.filtered) delete line.filtered;
    } else rowOf(sheet, row).filtered = true;
  }
};

/** Filters a table by one column; undefined takes the column's filter away. */
export const filterTable = (table: Table, column: TableColumn, criteria: FilterCriteria | undefined): void => {
  assertWritable(table.sheet, table.area, 'allowAutoFilter');
  if (criteria) table.filters.set(column.id, criteria);
  else table.filters.delete(column.id);
  applyFilters(table);
};

export const clearFilters = (table: Table): void => {
  if (table.filters.size === 0) return;
  table.filters.clear();
  applyFilters(table);
};

/** Typing right below a table or right of its headers makes it larger, as Excel does for people. */
export const growByTyping = (sheet: Sheet, area: Area): void => {
  for (const table of sheet.tables) {
    const below = { ...table.area, row: table.area.row + table.area.rows };
    if (area.row === below.row && contains({ ...below, rows: area.rows }, area)) {
      const grown = { ...table.area, rows: table.area.rows + area.rows };
      const free = !sheet.tables.some((other) => other !== table && intersection(other.area, grown));
      const row = table.area.row + table.area.rows;
      if (!free || table.awaitsFirstRow) continue;
      table.area = grown;
      inheritStyles(table, row, area.rows);
      changed(table);
    }
    const beside = { ...table.area, column: table.area.column + table.area.columns };
    if (area.column === beside.column && contains({ ...beside, columns: area.columns }, area)) {
      const grown = { ...table.area, columns: table.area.columns + area.columns };
      const free = !sheet.tables.some((other) => other !== table && intersection(other.area, grown));
      if (free) resizeTable(table, grown);
    }
  }
};
