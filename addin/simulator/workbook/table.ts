import { type Area, cellArea, indexes, intersection, parseArea, sameName } from './cells/address.ts';
import { ExcelError } from './cells/error.ts';
import { findName, firstFree } from './names.ts';
import { cellAt, type FilterCriteria, isEmptyArea, putCell, type Sheet, textAt, withoutContent } from './sheet.ts';
import { followColumnNames, followCopiedTable, followTableName } from './tableReferences.ts';
import type { Workbook } from './workbook.ts';

export type TableColumn = { id: number; name: string };

/** One condition of a sort. With a data option, text that is a number is sorted as one. */
export type SortField = { key: number; ascending: boolean; dataOption?: 'TextAsNumber' };

export class Table {
  readonly id: string;
  sheet: Sheet;
  name: string;
  /** With the header row, which every table has. */
  area: Area;
  columns: TableColumn[];
  lastColumnId: number;
  style = 'TableStyleMedium2';
  showBandedRows = true;
  showBandedColumns = false;
  showFilterButton = true;
  /** Only a test turns it off, for what the add-in says of such a table: the cells stay as they are. */
  showHeaders = true;
  highlightFirstColumn = false;
  highlightLastColumn = false;
  /** The table has no rows yet: its only body row is empty, and the first new row goes there. */
  awaitsFirstRow = false;
  /** By column id. */
  filters = new Map<number, FilterCriteria>();
  sort: SortField[] = [];
  sortMatchesCase = false;

  constructor(sheet: Sheet, area: Area, name: string) {
    this.id = newTableId(sheet.workbook);
    this.sheet = sheet;
    this.name = name;
    this.area = area;
    this.columns = indexes(1, area.columns).map((id) => ({ id, name: '' }));
    this.lastColumnId = area.columns;
  }
}

export const headerArea = ({ area }: Table): Area => ({ ...area, rows: 1 });

export const bodyArea = ({ area }: Table): Area => ({ ...area, row: area.row + 1, rows: area.rows - 1 });

export const rowCount = (table: Table): number => (table.awaitsFirstRow ? 0 : bodyArea(table).rows);

export const columnArea = (table: Table, column: TableColumn): Area => ({
  ...table.area,
  column: table.area.column + table.columns.indexOf(column),
  columns: 1,
});

export const allTables = (workbook: Workbook): Table[] => workbook.sheets.flatMap(({ tables }) => tables);

export const tableAt = (sheet: Sheet, row: number, column: number): Table | undefined =>
  sheet.tables.find(({ area }) => intersection(area, cellArea({ row, column })));

/** A table by its name or id, without regard to case; undefined when there is none. */
export const findTable = (tables: Table[], key: unknown): Table | undefined => {
  const wanted = String(key);
  return tables.find(({ name, id }) => sameName(name, wanted) || sameName(id, wanted));
};

/** A column by its name (without regard to case) or its numeric id. */
export const findColumn = (table: Table, key: unknown): TableColumn | undefined =>
  typeof key === 'number'
    ? table.columns.find(({ id }) => id === key)
    : table.columns.find(({ name }) => sameName(name, String(key)));

/** The first free name of `Table1`, `Table2`, ... */
export const freeTableName = (workbook: Workbook): string => {
  const stem = workbook.locale.names.table;
  const isTaken = (name: string) => Boolean(findTable(allTables(workbook), name) ?? findName(workbook.names, name));
  return firstFree(1, (number) => `${stem}${number}`, isTaken);
};

/** InvalidArgument for a name that is invalid for a table, or taken. */
const assertTableName = (workbook: Workbook, name: unknown, self: Table): string => {
  const fits =
    typeof name === 'string' &&
    name.length <= 255 &&
    /^[\p{L}_\\][\p{L}\p{N}_.\\]*$/u.test(name) &&
    !/^[rc]$/i.test(name) &&
    !parseArea(name) &&
    !/^r\d*c\d*$/i.test(name);
  if (!fits) throw new ExcelError('InvalidArgument');
  const taken = allTables(workbook).some((table) => table !== self && sameName(table.name, name));
  if (taken || findName(workbook.names, name)) throw new ExcelError('InvalidArgument');
  return name;
};

/** A free header: an empty header becomes a numbered one, and a duplicate gets a number. */
const freeHeader = (table: Table, wanted: string, index: number): string => {
  const taken = (name: string) => table.columns.some((column, other) => other !== index && sameName(column.name, name));
  if (wanted !== '' && !taken(wanted)) return wanted;
  const stem = wanted === '' ? table.sheet.workbook.locale.names.column : wanted;
  return firstFree(wanted === '' ? index + 1 : 2, (number) => `${stem}${number}`, taken);
};

/** Header cells are always text, and each is different. */
export const settleHeaders = (table: Table): void => {
  const renamed = new Map<string, string>();
  table.columns.forEach((column, index) => {
    const at = table.area.column + index;
    const shown = textAt(table.sheet, table.area.row, at);
    const name = freeHeader(table, shown, index);
    if (column.name !== '' && column.name !== name) renamed.set(column.name.toLowerCase(), name);
    column.name = name;
    const cell = cellAt(table.sheet, table.area.row, at);
    if (cell?.value === name && !cell.formula) return;
    putCell(table.sheet, table.area.row, at, { value: name, ...withoutContent(cell) });
  });
  if (renamed.size > 0) followColumnNames(table, renamed);
};

/** Columns of the sheet were inserted into the table, or deleted for a negative count, at the sheet's column `at`. */
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

/** Updates tables after cells changed: their headers, and whether they have rows. */
export const afterContentChange = (sheet: Sheet, area: Area): void => {
  for (const table of sheet.tables) {
    if (intersection(headerArea(table), area)) settleHeaders(table);
    if (table.awaitsFirstRow && intersection(bodyArea(table), area) && !isEmptyArea(sheet, bodyArea(table))) {
      table.awaitsFirstRow = false;
    }
  }
};

/** A new id for a table. */
const newTableId = (workbook: Workbook): string =>
  `{${workbook.nextId().toString(16).toUpperCase().padStart(8, '0')}-7A0B-4C00-9D00-000000000000}`;

/** The table as it is now, with its own columns and filters. */
export const snapshotOf = (table: Table): Table => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column })),
  filters: new Map(table.filters),
});

/** Copies a table onto the copy of its sheet. */
export const copyTable = (table: Table, sheet: Sheet): void => {
  const { workbook } = sheet;
  const own = { id: newTableId(workbook), sheet, name: freeTableName(workbook) };
  sheet.tables.push({ ...snapshotOf(table), ...own });
  followCopiedTable(sheet, table.name, own.name);
};

/** Whether none of the cells belong to a table, or to another table than `self`. */
export const isFree = (sheet: Sheet, area: Area, self?: Table): boolean =>
  !sheet.tables.some((table) => table !== self && intersection(table.area, area));

/** InvalidArgument when the area is not free. */
export const assertFree = (sheet: Sheet, area: Area, self?: Table): void => {
  if (!isFree(sheet, area, self)) {
    throw new ExcelError('InvalidArgument', "A table can't overlap another table.");
  }
};

/** Emits that a table changed. */
export const changed = (table: Table): void =>
  table.sheet.workbook.emit({ kind: 'table', sheet: table.sheet, table, change: 'changed' });

export const renameTable = (table: Table, name: unknown): void => {
  const before = table.name;
  table.name = assertTableName(table.sheet.workbook, name, table);
  if (before !== table.name) followTableName(table, before);
  changed(table);
};
