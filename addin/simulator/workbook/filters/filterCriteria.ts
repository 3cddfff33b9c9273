import { type Area, matrixOf } from '../cells/address.ts';
import { isError, readEntry } from '../cells/entry.ts';
import { ExcelError } from '../cells/error.ts';
import { english } from '../cells/locale.ts';
import { likeness } from '../cells/wildcards.ts';
import { type Cell, type FilterCriteria, type Sheet, showsNothing, valueAt } from '../sheet.ts';
import { datesWithin, isDateCriterion, isDateValue, matchesDate } from './dateCriteria.ts';

/** Whether a cell meets a criterion. @param text what the cell shows: it is read where a criterion needs it */
export type Test = (cell: Cell | undefined, text: () => string) => boolean;

const hasWildcard = (pattern: string): boolean => /[*?]/.test(pattern.replace(/~[*?~]/g, ''));

/** The operators by the order of two values: negative when the first is lower. */
const comparisons: Record<string, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Whether a cell equals an operand: by its number or by what it shows. Wildcards find text only, as in Excel. */
const equalTo = (operand: string, number: number | undefined): Test => {
  if (operand === '') return showsNothing;
  const isLike = likeness(operand);
  if (hasWildcard(operand)) return (cell) => typeof cell?.value === 'string' && isLike(cell.value);
  return (cell, text) =>
    // Files and the API name errors in English, whatever the language that shows them.
    (number !== undefined && cell?.value === number) || isLike(text()) || (isError(cell) && isLike(cell.value));
};

/** One criterion of a custom filter, such as `>=100`, `<>`, `=*text*`, with its operand in the spelling of the API. */
const criterion = (source: string): Test => {
  const [, operator = '=', operand = ''] = /^(<=|>=|<>|<|>|=)?(.*)$/s.exec(source)!;
  const { value: read } = readEntry(operand, 'General', english);
  const number = typeof read === 'number' ? read : undefined;
  if (operator === '=' || operator === '<>') {
    const equal = equalTo(operand, number);
    return operator === '=' ? equal : (cell, text) => !equal(cell, text);
  }
  const compare = comparisons[operator]!;
  return (cell) => {
    const value = cell?.value;
    if (number !== undefined) return typeof value === 'number' && compare(value - number);
    const isText = typeof value === 'string' && value !== '';
    return isText && compare(value.localeCompare(operand, undefined, { sensitivity: 'accent' }));
  };
};

const numbersIn = (sheet: Sheet, column: Area): number[] =>
  matrixOf(column, (row, at) => valueAt(sheet, row, at))
    .flat()
    .filter((value) => typeof value === 'number');

/** The filters for the largest or smallest numbers: a number of them, or a percentage. Equal numbers are all shown. */
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

const dynamic = ({ dynamicCriteria }: FilterCriteria, sheet: Sheet, column: Area): Test => {
  if (dynamicCriteria !== 'AboveAverage' && dynamicCriteria !== 'BelowAverage') {
    const isWithin = datesWithin(dynamicCriteria as string, sheet.workbook.now());
    return (cell) => typeof cell?.value === 'number' && isWithin(cell.value);
  }
  const numbers = numbersIn(sheet, column);
  const average = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return (cell) =>
    typeof cell?.value === 'number' &&
    (dynamicCriteria === 'AboveAverage' ? cell.value > average : cell.value < average);
};

/** Of the values of a list: texts as cells show them, and dates. */
const listed = ({ values }: FilterCriteria): Test => {
  const list = values as unknown[];
  const texts = new Set(list.filter((value) => typeof value === 'string').map((value) => value.toLowerCase()));
  const dates = list.filter(isDateValue).map(matchesDate);
  return (cell, text) => {
    const { value } = cell ?? {};
    if (isError(cell) && texts.has(cell.value.toLowerCase())) return true;
    return texts.has(text().toLowerCase()) || (typeof value === 'number' && dates.some((matches) => matches(value)));
  };
};

/** The test of criteria that `checkedCriteria` returned: a row is shown when its cell meets them. */
export const testOf = (criteria: FilterCriteria, sheet: Sheet, column: Area): Test => {
  switch (criteria.filterOn) {
    case 'Values':
      return listed(criteria);
    case 'Custom': {
      const tests = [criteria.criterion1, criteria.criterion2]
        .filter((source): source is string => typeof source === 'string' && source !== '')
        .map(criterion);
      return (cell, text) =>
        criteria.operator === 'Or' ? tests.some((test) => test(cell, text)) : tests.every((test) => test(cell, text));
    }
    case 'Dynamic':
      return dynamic(criteria, sheet, column);
    default:
      return extremes(criteria, sheet, column);
  }
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

/** Excel shows at most so many items, and percents. */
const largest: Readonly<Record<string, number>> = { Items: 500, Percent: 100 };

const isCount = (criterion1: unknown, most: number): boolean =>
  typeof criterion1 === 'string' &&
  /^\d{1,3}$/.test(criterion1) &&
  Number(criterion1) >= 1 &&
  Number(criterion1) <= most;

/** What each kind of filter needs: whether the criteria have it. */
const requirements: Readonly<Record<string, (criteria: FilterCriteria) => boolean>> = {
  Values: ({ values }) =>
    Array.isArray(values) && values.every((value) => typeof value === 'string' || isDateValue(value)),
  Custom: ({ criterion1, criterion2, operator }) =>
    typeof criterion1 === 'string' &&
    (criterion2 === undefined || typeof criterion2 === 'string') &&
    (operator === undefined || operator === 'And' || operator === 'Or'),
  Dynamic: ({ dynamicCriteria: name }) =>
    name === 'AboveAverage' || name === 'BelowAverage' || (typeof name === 'string' && isDateCriterion(name)),
  ...Object.fromEntries(
    ['Top', 'Bottom'].flatMap((end) =>
      Object.entries(largest).map(([what, most]) => [
        `${end}${what}`,
        ({ criterion1 }: FilterCriteria) => isCount(criterion1, most),
      ]),
    ),
  ),
};

const notSimulated = ['CellColor', 'FontColor', 'Icon'];

/**
 * Criteria as arguments. InvalidArgument for a member that is unknown, missing or null (OfficeDev/office-js#1226), and
 * ApiNotFound for those that need what the simulated workbook does not have.
 */
export const checkedCriteria = (criteria: unknown): FilterCriteria => {
  if (typeof criteria !== 'object' || criteria === null) throw new ExcelError('InvalidArgument');
  const given = criteria as FilterCriteria;
  if (Object.values(given).includes(null)) throw new ExcelError('InvalidArgument');
  if (notSimulated.includes(String(given.filterOn)) || given.subField !== undefined) {
    const what = given.subField === undefined ? `filter by ${given.filterOn}` : 'fields of rich values';
    throw new ExcelError('ApiNotFound', `The simulated workbook has no ${what}.`);
  }
  const isKnown = Object.keys(given).every((member) => members.includes(member));
  const kind = String(given.filterOn);
  if (!isKnown || !Object.hasOwn(requirements, kind) || !requirements[kind]!(given)) {
    throw new ExcelError('InvalidArgument');
  }
  return given;
};
