import { type Area, intersection, MAX_COLUMNS } from '../cells/address.ts';
import { isError } from '../cells/entry.ts';
import { ExcelError } from '../cells/error.ts';
import { testOf } from '../filters/filterCriteria.ts';
import { record } from '../history.ts';
import { partOf, resultOf } from '../parts.ts';
import { assertWritable, cellAt, type FilterCriteria, rowOf, type Sheet, textAt } from '../sheet.ts';
import { bodyArea, columnArea, type Table, type TableColumn } from '../table.ts';

/** How many rows are read before others have a turn. */
const ROWS_AT_ONCE = 1000;

/** The texts of a column, by rows: each is read once. */
type Texts = (row: number) => string;

const textsOf = (sheet: Sheet, column: number): Texts => {
  const known = new Map<number, string>();
  return (row) => {
    const text = known.get(row) ?? textAt(sheet, row, column);
    known.set(row, text);
    return text;
  };
};

/** A filter of a column of a sheet. */
type ColumnFilter = { criteria: FilterCriteria; at: number; texts?: Texts };

/** Hides the rows of a table that do not meet the criteria of all its filters. */
export const applyFilters = (table: Table): void => resultOf(filteredTable(table, table.filters))();

/** @returns what filters the table at once */
function* filteredTable(
  table: Table,
  filters: Table['filters'],
  textsAt: (at: number) => Texts | undefined = () => undefined,
): Generator<number, () => void> {
  const { sheet } = table;
  const body = bodyArea(table);
  const active = table.columns.flatMap((column, index): ColumnFilter[] => {
    const criteria = filters.get(column.id);
    const at = body.column + index;
    const texts = textsAt(at);
    return criteria ? [{ criteria, at, ...(texts && { texts }) }] : [];
  });
  const others = yield* otherRows(sheet, body, active);
  return () => {
    table.filters = filters;
    if (others.length > 0) turnFiltered(sheet, others);
    sheet.workbook.emit({ kind: 'filtered', sheet, area: body, table });
  };
}

/** Whether a filter applies to cells of the area. */
export const isFiltered = (sheet: Sheet, area: Area): boolean =>
  sheet.tables.some((table) => table.filters.size > 0 && intersection(bodyArea(table), area)) ||
  Boolean(sheet.filter?.criteria.size && intersection(sheet.filter.area, area));

/**
 * The parts of an area that filters leave in sight: what Excel copies, clears, fills and deletes of what a user selected.
 * Where all rows are hidden it is the whole area.
 */
export const shownParts = (sheet: Sheet, area: Area): Area[] => {
  const parts: Area[] = [];
  const end = area.row + area.rows;
  let start = area.row;
  for (let row = area.row; row < Math.min(end, sheet.rows.length); row += 1) {
    if (!sheet.rows[row]?.filtered) continue;
    if (row > start) parts.push({ ...area, row: start, rows: row - start });
    start = row + 1;
  }
  if (start < end) parts.push({ ...area, row: start, rows: end - start });
  return parts.length === 0 ? [area] : parts;
};

/** Hides the rows of an area that do not meet the criteria; without criteria all rows are shown. */
const filterRows = (sheet: Sheet, body: Area, active: ColumnFilter[]): void => {
  const others = resultOf(otherRows(sheet, body, active));
  if (others.length > 0) turnFiltered(sheet, others);
};

/** Shows the rows below the headings of cells that no filter is of any more. */
export const showRows = (sheet: Sheet, area: Area): void =>
  filterRows(sheet, { ...area, row: area.row + 1, rows: area.rows - 1 }, []);

/** Hides the rows of a sheet that do not meet the criteria of its own filter. */
export const applySheetFilter = (sheet: Sheet): void => {
  const { filter } = sheet;
  if (!filter) return;
  const body = { ...filter.area, row: filter.area.row + 1, rows: filter.area.rows - 1 };
  const active = [...filter.criteria].map(([index, criteria]) => ({ criteria, at: body.column + index }));
  if (body.rows > 0) filterRows(sheet, body, active);
  sheet.workbook.emit({ kind: 'filtered', sheet, area: filter.area, table: undefined });
};

/** The rows that filters hide and that are shown, or the other way round. @yields the part of them that is read */
function* otherRows(sheet: Sheet, body: Area, active: ColumnFilter[]): Generator<number, number[]> {
  if (active.length > 0) sheet.workbook.settle();
  const tests = active.map(({ criteria, at, texts = (row: number) => textAt(sheet, row, at) }) => ({
    at,
    texts,
    test: testOf(criteria, sheet, { ...body, column: at, columns: 1 }),
  }));
  const others: number[] = [];
  for (let row = body.row; row < body.row + body.rows; row += 1) {
    const shown = tests.every(({ test, texts, at }) => test(cellAt(sheet, row, at), () => texts(row)));
    if (shown === Boolean(sheet.rows[row]?.filtered)) others.push(row);
    if (row % ROWS_AT_ONCE === 0) yield (row - body.row) / body.rows;
  }
  return others;
}

/** Hides rows that are shown, and shows those that a filter hides. @param rows in ascending order, at least one */
const turnFiltered = (sheet: Sheet, rows: readonly number[]): void => {
  for (const row of rows) {
    const line = rowOf(sheet, row);
    if (line.filtered) delete line.filtered;
    else line.filtered = true;
  }
  const area = { row: rows[0]!, column: 0, rows: rows.at(-1)! - rows[0]! + 1, columns: MAX_COLUMNS };
  record(sheet.workbook, { sheet, area, restore: () => turnFiltered(sheet, rows) });
};

/** Filters a table again. InvalidOperation without filter buttons, as in Excel for Mac (OfficeDev/office-js#3086). */
export const reapplyFilters = (table: Table): void => {
  if (!table.showFilterButton) throw new ExcelError('InvalidOperation');
  applyFilters(table);
};

/** Filters a table by one column. @param criteria undefined removes the filter of the column */
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

/**
 * Finds which rows of a table have a text in a column that contains this, also that of a number, which a wildcard would
 * not find. It changes nothing.
 * @param text an empty one shows all rows
 * @yields the part of the rows that is read, often enough for a page to be drawn
 * @returns what filters the table at once, as long as nothing else changed since the beginning
 */
export function* filteredByText(table: Table, column: TableColumn, text: string): Generator<number, () => void> {
  const { sheet, area } = table;
  assertWritable(sheet, area, 'allowAutoFilter');
  sheet.workbook.settle();
  const filters = new Map(table.filters);
  const at = columnArea(table, column).column;
  const texts = textsOf(sheet, at);
  if (text === '') filters.delete(column.id);
  else filters.set(column.id, yield* partOf(0, 0.5, containing(sheet, bodyArea(table), at, texts, text)));
  return yield* partOf(
    0.5,
    1,
    filteredTable(table, filters, (other) => (other === at ? texts : undefined)),
  );
}

function* containing(
  sheet: Sheet,
  { row, rows }: Area,
  at: number,
  texts: Texts,
  text: string,
): Generator<number, FilterCriteria> {
  const sought = text.toLowerCase();
  const values = new Set<string>();
  let areTexts = true;
  for (let line = row; line < row + rows; line += 1) {
    if (line % ROWS_AT_ONCE === 0) yield (line - row) / rows;
    const shown = texts(line);
    if (!shown.toLowerCase().includes(sought)) continue;
    const cell = cellAt(sheet, line, at);
    const value = cell?.value ?? '';
    // A wildcard would look for the English name of an error, which a list has in every language.
    const hasError = isError(cell);
    values.add(hasError ? String(value) : shown);
    areTexts &&= typeof value === 'string' && !hasError;
  }
  return areTexts
    ? { filterOn: 'Custom', criterion1: `=*${text.replace(/[~*?]/g, '~$&')}*` }
    : { filterOn: 'Values', values: [...values] };
}
