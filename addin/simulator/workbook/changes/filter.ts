import { type Area, intersection, MAX_COLUMNS } from '../cells/address.ts';
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
  return (cell) => {
    if (isBlank(cell) || typeof cell!.value === 'boolean') return false;
    const order =
      Number.isNaN(number) || typeof cell!.value === 'string'
        ? typeof cell!.value === 'string' && Number.isNaN(number)
          ? cell!.value.localeCompare(operand, undefined, { sensitivity: 'accent' })
          : Number.NaN
        : cell!.value - number;
    switch (operator) {
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '>':
        return order > 0;
      default:
        return order >= 0;
    }
  };
};

const numbersIn = (sheet: Sheet, column: Area): number[] => {
  const numbers: number[] = [];
  for (let row = column.row; row < column.row + column.rows; row += 1) {
    const value = cellAt(sheet, row, column.column)?.value;
    if (typeof value === 'number') numbers.push(value);
  }
  return numbers;
};

const extremes = (criteria: FilterCriteria, sheet: Sheet, column: Area, largest: boolean, percent: boolean): Test => {
  const numbers = numbersIn(sheet, column);
  numbers.sort((a, b) => (largest ? b - a : a - b));
  const asked = Number(criteria.criterion1);
  const count = percent ? Math.max(1, Math.floor((numbers.length * asked) / 100)) : asked;
  const limit = numbers[Math.min(count, numbers.length) - 1] ?? 0;
  return (cell) => typeof cell?.value === 'number' && (largest ? cell.value >= limit : cell.value <= limit);
};

/** The dynamic criteria that need no calendar. */
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

/** The test a cell must pass for its row to be shown; InvalidArgument for criteria this workbook does not know. */
const passes = (criteria: FilterCriteria, sheet: Sheet, column: Area): Test => {
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
      return extremes(criteria, sheet, column, true, false);
    case 'TopPercent':
      return extremes(criteria, sheet, column, true, true);
    case 'BottomItems':
      return extremes(criteria, sheet, column, false, false);
    case 'BottomPercent':
      return extremes(criteria, sheet, column, false, true);
    default:
      throw new ExcelError('InvalidArgument');
  }
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

/** Whether a filter is in force over cells of the area. */
export const isFiltered = (sheet: Sheet, area: Area): boolean =>
  sheet.tables.some((table) => table.filters.size > 0 && intersection(bodyArea(table), area)) ||
  Boolean(sheet.filter?.criteria.size && intersection(sheet.filter.area, area));

/** Hides the rows of an area that do not pass; without criteria all of them show again. */
export const filterRows = (sheet: Sheet, body: Area, active: { criteria: FilterCriteria; at: number }[]): void => {
  const tests = active.map(({ criteria, at }) => ({
    at,
    test: passes(criteria, sheet, { ...body, column: at, columns: 1 }),
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
] as const;

/** Criteria as Excel returns them: with null for each member that is not set (OfficeDev/office-js#1226). */
export const shownCriteria = (criteria: FilterCriteria): FilterCriteria =>
  Object.fromEntries(members.map((member) => [member, criteria[member] ?? null]));

/** Criteria as Excel takes them: InvalidArgument for a member that is null (OfficeDev/office-js#1226). */
export const givenCriteria = (criteria: FilterCriteria): FilterCriteria => {
  if (Object.values(criteria).includes(null)) throw new ExcelError('InvalidArgument');
  return criteria;
};

/**
 * Filters a table again. InvalidOperation when its filter buttons were taken away, as Excel for Mac says
 * (OfficeDev/office-js#3086).
 */
export const reapplyFilters = (table: Table): void => {
  if (!table.showFilterButton) throw new ExcelError('InvalidOperation');
  applyFilters(table);
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
