import { type Area, indexes, intersection, MAX_COLUMNS } from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { testOf } from '../filters/filterCriteria.ts';
import { record } from '../history.ts';
import { assertWritable, cellAt, type FilterCriteria, rowOf, type Sheet, textAt } from '../sheet.ts';
import { bodyArea, columnArea, type Table, type TableColumn } from '../table.ts';

/** Hides the rows of a table that do not meet the criteria of all its filters. */
const applyFilters = (table: Table): void => {
  const { sheet } = table;
  const body = bodyArea(table);
  const active = table.columns.flatMap((column, index) => {
    const criteria = table.filters.get(column.id);
    return criteria ? [{ criteria, at: body.column + index }] : [];
  });
  filterRows(sheet, body, active);
  sheet.workbook.emit({ kind: 'filtered', sheet, area: body, table });
};

/** Whether a filter applies to cells of the area. */
export const isFiltered = (sheet: Sheet, area: Area): boolean =>
  sheet.tables.some((table) => table.filters.size > 0 && intersection(bodyArea(table), area)) ||
  Boolean(sheet.filter?.criteria.size && intersection(sheet.filter.area, area));

/** Hides the rows of an area that do not meet the criteria; without criteria all rows are shown. */
export const filterRows = (sheet: Sheet, body: Area, active: { criteria: FilterCriteria; at: number }[]): void => {
  if (active.length > 0) sheet.workbook.settle();
  const tests = active.map(({ criteria, at }) => ({
    at,
    test: testOf(criteria, sheet, { ...body, column: at, columns: 1 }),
  }));
  const others: number[] = [];
  for (let row = body.row; row < body.row + body.rows; row += 1) {
    const shown = tests.every(({ test, at }) => test(cellAt(sheet, row, at), textAt(sheet, row, at)));
    if (shown === Boolean(sheet.rows[row]?.filtered)) others.push(row);
  }
  if (others.length > 0) turnFiltered(sheet, others);
};

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

/** The criteria for rows whose text in a column contains this, also of numbers, which a wildcard would not find. */
export const containing = (table: Table, column: TableColumn, text: string): FilterCriteria => {
  const { sheet } = table;
  const { row, rows } = bodyArea(table);
  const at = columnArea(table, column).column;
  const sought = text.toLowerCase();
  const found = indexes(row, rows).filter((line) => textAt(sheet, line, at).toLowerCase().includes(sought));
  return found.every((line) => typeof cellAt(sheet, line, at)?.value === 'string')
    ? { filterOn: 'Custom', criterion1: `=*${text.replace(/[~*?]/g, '~$&')}*` }
    : { filterOn: 'Values', values: [...new Set(found.map((line) => textAt(sheet, line, at)))] };
};
