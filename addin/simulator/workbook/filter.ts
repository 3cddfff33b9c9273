import type { Area } from './address.ts';
import { ExcelError } from './error.ts';
import { type Cell, cellAt, type FilterCriteria, isBlank, type Sheet } from './sheet.ts';

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

const extremes = (criteria: FilterCriteria, sheet: Sheet, column: Area, largest: boolean, percent: boolean): Test => {
  const numbers: number[] = [];
  for (let row = column.row; row < column.row + column.rows; row += 1) {
    const value = cellAt(sheet, row, column.column)?.value;
    if (typeof value === 'number') numbers.push(value);
  }
  numbers.sort((a, b) => (largest ? b - a : a - b));
  const asked = Number(criteria.criterion1);
  const count = percent ? Math.max(1, Math.floor((numbers.length * asked) / 100)) : asked;
  const limit = numbers[Math.min(count, numbers.length) - 1] ?? 0;
  return (cell) => typeof cell?.value === 'number' && (largest ? cell.value >= limit : cell.value <= limit);
};

/** The test a cell must pass for its row to be shown; InvalidArgument for criteria this workbook does not know. */
export const passes = (criteria: FilterCriteria, sheet: Sheet, column: Area): Test => {
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
