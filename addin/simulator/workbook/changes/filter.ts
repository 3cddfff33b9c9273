import { type Area, intersection, MAX_COLUMNS, matrixOf } from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { record } from '../history.ts';
import {
  assertWritable,
  type Cell,
  cellAt,
  type FilterCriteria,
  isBlank,
  rowOf,
  type Sheet,
  textAt,
  valueAt,
} from '../sheet.ts';
import { bodyArea, type Table, type TableColumn } from '../table.ts';

type Test = (cell: Cell | undefined, text: string) => boolean;

const wildcard = (pattern: string): RegExp => {
  const source = pattern.replace(/~([*?~])|([.+^${}()|[\]\\])|(\*)|(\?)/g, (_, literal, special, star) => {
    if (literal) return `\\${literal}`;
    if (special) return `\\${special}`;
    return star ? '.*' : '.';
  });
  return new RegExp(`^${source}$`, 'is');
};

/** The operators by the order of two values: negative when the first is lower. */
const comparisons: Record<string, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** One criterion of a custom filter, such as `>=100`, `<>`, `=*text*`. */
const criterion = (source: string): Test => {
  const [, operator = '=', operand = ''] = /^(<=|>=|<>|<|>|=)?(.*)$/s.exec(source)!;
  const number = operand.trim() === '' ? Number.NaN : Number(operand);
  if (operator === '=' || operator === '<>') {
    const pattern = wildcard(operand);
    const equal: Test = (cell, text) => {
      if (operand === '') return isBlank(cell);
      if (!Number.isNaN(number) && typeof cell?.value === 'number') return cell.value === number;
      return pattern.test(text);
    };
    return operator === '=' ? equal : (cell, text) => !equal(cell, text);
  }
  const compare = comparisons[operator]!;
  return (cell) => {
    const value = cell?.value;
    if (Number.isNaN(number)) {
      const isText = typeof value === 'string' && value !== '';
      return isText && compare(value.localeCompare(operand, undefined, { sensitivity: 'accent' }));
    }
    return typeof value === 'number' && compare(value - number);
  };
};

const numbersIn = (sheet: Sheet, column: Area): number[] =>
  matrixOf(column, (row, at) => valueAt(sheet, row, at))
    .flat()
    .filter((value) => typeof value === 'number');

/** The filters for the largest or smallest numbers: a number of them, or a percentage. */
const extremes = ({ filterOn, criterion1 }: FilterCriteria, sheet: Sheet, column: Area): Test => {
  const numbers = numbersIn(sheet, column);
  const isTop = filterOn === 'TopItems' || filterOn === 'TopPercent';
  const isPercent = filterOn === 'TopPercent' || filterOn === 'BottomPercent';
  numbers.sort((a, b) => (isTop ? b - a : a - b));
  const wanted = Number(criterion1);
  const count = isPercent ? Math.max(1, Math.floor((numbers.length * wanted) / 100)) : wanted;
  const limit = numbers[Math.min(count, numbers.length) - 1] ?? 0;
  return (cell) => typeof cell?.value === 'number' && (isTop ? cell.value >= limit : cell.value <= limit);
};

/** Of the dynamic criteria, those that do not depend on a date. */
const besideAverage = ({ dynamicCriteria }: FilterCriteria, sheet: Sheet, column: Area): Test => {
  if (dynamicCriteria !== 'AboveAverage' && dynamicCriteria !== 'BelowAverage') {
    throw new ExcelError('InvalidArgument');
  }
  const numbers = numbersIn(sheet, column);
  const average = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return (cell) =>
    typeof cell?.value === 'number' &&
    (dynamicCriteria === 'AboveAverage' ? cell.value > average : cell.value < average);
};

/** The test of criteria: a row is shown when its cell meets them. InvalidArgument for unknown criteria. */
const testOf = (criteria: FilterCriteria, sheet: Sheet, column: Area): Test => {
  switch (criteria.filterOn) {
    case 'Values': {
      const wanted = (Array.isArray(criteria.values) ? criteria.values : []).map((value) =>
        String(value).toLowerCase(),
      );
      return (_, text) => wanted.includes(text.toLowerCase());
    }
    case 'Custom': {
      const tests = [criteria.criterion1, criteria.criterion2]
        .filter((source): source is string => typeof source === 'string' && source !== '')
        .map(criterion);
      return (cell, text) =>
        criteria.operator === 'Or' ? tests.some((test) => test(cell, text)) : tests.every((test) => test(cell, text));
    }
    case 'Dynamic':
      return besideAverage(criteria, sheet, column);
    case 'TopItems':
    case 'TopPercent':
    case 'BottomItems':
    case 'BottomPercent':
      return extremes(criteria, sheet, column);
    default:
      throw new ExcelError('InvalidArgument');
  }
};

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
  for (let row = body.row; row < body.row + body.rows; row += 1) {
    const shown = tests.every(({ test, at }) => test(cellAt(sheet, row, at), textAt(sheet, row, at)));
    setFiltered(sheet, row, !shown);
  }
};

const setFiltered = (sheet: Sheet, row: number, filtered: boolean): void => {
  if (Boolean(sheet.rows[row]?.filtered) === filtered) return;
  const line = rowOf(sheet, row);
  if (filtered) line.filtered = true;
  else delete line.filtered;
  const area = { row, column: 0, rows: 1, columns: MAX_COLUMNS };
  record(sheet.workbook, { sheet, area, restore: () => setFiltered(sheet, row, !filtered) });
};

/** The members of `Excel.FilterCriteria`. */
const members = [
  'color',
  'criterion1',
  'criterion2',
  'dynamicCriteria',
  'filterOn',
  'icon',
  'operator',
  'subField',
  'values',
];

/** Criteria as Excel returns them: with null for each member that is not set (OfficeDev/office-js#1226). */
export const withNulls = (criteria: FilterCriteria): FilterCriteria =>
  Object.fromEntries(members.map((member) => [member, criteria[member] ?? null]));

/** Criteria as arguments: InvalidArgument for a member that is null (OfficeDev/office-js#1226). */
export const criteriaArgument = (criteria: FilterCriteria): FilterCriteria => {
  if (Object.values(criteria).includes(null)) throw new ExcelError('InvalidArgument');
  return criteria;
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
