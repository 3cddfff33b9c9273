import { strFromU8, strToU8, type Unzipped } from 'fflate';
import { type Area, columnName, parseArea } from '../workbook/cells/address.ts';
import {
  countedParts,
  type DateValue,
  dateValueOf,
  isDateValue,
  periodsOfEveryYear,
} from '../workbook/filters/dateCriteria.ts';
import { checkedCriteria } from '../workbook/filters/filterCriteria.ts';
import { type FilterCriteria, isEmptyArea, type Sheet } from '../workbook/sheet.ts';
import { allTables, bodyArea, findTable } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { change, changeBehindCells, elements, escaped, withContents } from './fileParts.ts';

/* What tables and sheets are filtered by, which the library knows nothing of. ECMA-376, SpreadsheetML, autoFilter. */

/** What columns are filtered by, by the index of the column. */
type Filters = ReadonlyMap<number, FilterCriteria>;

const operators = {
  '<>': 'notEqual',
  '>=': 'greaterThanOrEqual',
  '<=': 'lessThanOrEqual',
  '>': 'greaterThan',
  '<': 'lessThan',
  '=': 'equal',
} as const;

const customFilter = (criterion: string): string => {
  const operator = Object.keys(operators).find((one) => criterion.startsWith(one)) as
    | keyof typeof operators
    | undefined;
  // Excel writes a space for nothing.
  const operand = criterion.slice(operator?.length ?? 0) || ' ';
  return `<customFilter operator="${operators[operator ?? '=']}" val="${escaped(operand)}"/>`;
};

/** The parts of a date, by their names in a file. */
const dateParts = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

const dateGroup = (value: DateValue): string => {
  const parts = countedParts(value).map((part, index) => `${dateParts[index]}="${part}"`);
  return `<dateGroupItem ${parts.join(' ')} dateTimeGrouping="${dateParts[parts.length - 1]}"/>`;
};

/** The name of a dynamic criterion in a file: `M1` for January, `Q1` for the first quarter, others as in the API. */
const dynamicType = (criterion: string): string => {
  const index = periodsOfEveryYear.indexOf(criterion);
  if (index >= 12) return `Q${index - 11}`;
  return index >= 0 ? `M${index + 1}` : `${criterion[0]!.toLowerCase()}${criterion.slice(1)}`;
};

const dynamicCriterion = (type: string): string => {
  const [, kind, number] = /^([MQ])(\d+)$/.exec(type) ?? [];
  return kind === undefined
    ? `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`
    : periodsOfEveryYear[Number(number) + (kind === 'Q' ? 11 : -1)]!;
};

const criteriaToFile = (criteria: FilterCriteria): string => {
  const { filterOn, criterion1, criterion2, operator, dynamicCriteria } = criteria;
  if (filterOn === 'Custom') {
    const both = [criterion1, criterion2].filter((one) => typeof one === 'string').map(customFilter);
    return `<customFilters${operator === 'Or' ? '' : ' and="1"'}>${both.join('')}</customFilters>`;
  }
  if (filterOn === 'Dynamic') return `<dynamicFilter type="${dynamicType(dynamicCriteria as string)}"/>`;
  if (filterOn === 'Values') {
    const values = criteria.values as unknown[];
    const texts = values.filter((value) => typeof value === 'string' && value !== '') as string[];
    const listed = texts.map((value) => `<filter val="${escaped(value)}"/>`);
    const dates = values.filter(isDateValue).map(dateGroup);
    return `<filters${values.includes('') ? ' blank="1"' : ''}>${listed.join('')}${dates.join('')}</filters>`;
  }
  const isTop = String(filterOn).startsWith('Top');
  const isPercent = String(filterOn).endsWith('Percent');
  return `<top10${isTop ? '' : ' top="0"'}${isPercent ? ' percent="1"' : ''} val="${criterion1}"/>`;
};

/** Changes the part of a table. */
function changeTable(parts: Unzipped, table: string, by: (xml: string) => string): void {
  const path = Object.keys(parts).find(
    (one) =>
      /^xl\/tables\/table\d+\.xml$/.test(one) && elements(strFromU8(parts[one]!), 'table')[0]?.displayName === table,
  );
  if (path !== undefined) change(parts, path, by);
}

/** Says that the only row of a table is the place of the first one: ECMA-376, SpreadsheetML 18.5.1.2, insertRow. */
export const addFirstRow = (parts: Unzipped, table: string): void =>
  changeTable(parts, table, (xml) => xml.replace(/<table\b/, '$& insertRow="1"'));

/** Adds what the columns of a table are filtered by. */
export function addTableFilters(parts: Unzipped, table: string, filters: Filters): void {
  changeTable(parts, table, (xml) =>
    xml.replace(/(<filterColumn colId="(\d+)"[^>]*)\/>/g, (whole, start, column) => {
      const criteria = filters.get(Number(column));
      return criteria === undefined ? whole : `${start}>${criteriaToFile(criteria)}</filterColumn>`;
    }),
  );
}

/** Adds what the columns of the filter of a sheet are filtered by. @param sheet its number, from 1 */
export function addSheetFilters(parts: Unzipped, sheet: number, filters: Filters): void {
  const columns = [...filters]
    .toSorted(([a], [b]) => a - b)
    .map(([column, criteria]) => `<filterColumn colId="${column}">${criteriaToFile(criteria)}</filterColumn>`);
  changeBehindCells(parts, `xl/worksheets/sheet${sheet}.xml`, (xml) =>
    xml.replace(/(<autoFilter\b[^>]*)\/>/, (_, start) => `${start}>${columns.join('')}</autoFilter>`),
  );
}

const isSet = (value: string | undefined, byDefault: boolean): boolean =>
  value === undefined ? byDefault : value === '1' || value === 'true';

const topCriteria = (xml: string): FilterCriteria | undefined => {
  const [own] = elements(xml, 'top10');
  if (own === undefined) return undefined;
  const end = isSet(own.top, true) ? 'Top' : 'Bottom';
  return { filterOn: `${end}${isSet(own.percent, false) ? 'Percent' : 'Items'}`, criterion1: String(Number(own.val)) };
};

const dynamicCriteria = (xml: string): FilterCriteria | undefined => {
  const [own] = elements(xml, 'dynamicFilter');
  return own && { filterOn: 'Dynamic', dynamicCriteria: dynamicCriterion(own.type ?? '') };
};

const customCriteria = (xml: string): FilterCriteria | undefined => {
  const [first, second] = elements(xml, 'customFilter').map(({ operator, val }) => {
    const sign = Object.entries(operators).find(([, name]) => name === (operator ?? 'equal'))?.[0] ?? '=';
    return `${sign}${val === undefined || val === ' ' ? '' : val}`;
  });
  if (first === undefined) return undefined;
  const isAnd = isSet(elements(xml, 'customFilters')[0]?.and, false);
  const both = second === undefined ? {} : { criterion2: second, operator: isAnd ? 'And' : 'Or' };
  return { filterOn: 'Custom', criterion1: first, ...both };
};

const listCriteria = (xml: string): FilterCriteria | undefined => {
  const own = elements(xml, 'filters')[0];
  if (own === undefined) return undefined;
  const texts = elements(xml, 'filter').flatMap(({ val }) => val ?? []);
  const dates = elements(xml, 'dateGroupItem').map((item) => {
    const last = dateParts.indexOf(item.dateTimeGrouping as (typeof dateParts)[number]);
    return dateValueOf(dateParts.slice(0, last + 1).map((part) => Number(item[part])));
  });
  return { filterOn: 'Values', values: [...texts, ...(isSet(own.blank, false) ? [''] : []), ...dates] };
};

/** Of the contents of a column's filter; undefined for one by colour or icon, or that Excel would not take. */
const criteriaFromFile = (xml: string): FilterCriteria | undefined => {
  try {
    return checkedCriteria(dynamicCriteria(xml) ?? topCriteria(xml) ?? customCriteria(xml) ?? listCriteria(xml));
  } catch {
    return undefined;
  }
};

type FiltersInFile = {
  /** Undefined without an autofilter. */
  area: Area | undefined;
  filters: [number, FilterCriteria][];
  /** Some columns are filtered by what the page does not have, such as a colour. */
  hasOthers: boolean;
  hasButtons: boolean;
};

/** The autofilter of a table, or of a sheet from its cells on. */
function filtersIn(xml: string): FiltersInFile {
  const [own] = withContents(xml, 'autoFilter');
  const columns = own === undefined ? [] : withContents(own.contents, 'filterColumn');
  const found = columns
    .filter(({ contents }) => contents !== '')
    .map(({ attributes, contents }) => [Number(attributes.colId), criteriaFromFile(contents)] as const);
  const filters = found.flatMap(([column, criteria]): [number, FilterCriteria][] =>
    criteria === undefined ? [] : [[column, criteria]],
  );
  const isHidden = columns.some(({ attributes }) => attributes.hiddenButton === '1');
  return {
    area: own && parseArea(own.attributes.ref ?? ''),
    filters,
    hasOthers: filters.length < found.length,
    hasButtons: own !== undefined && !isHidden,
  };
}

/** Rows that a filter hides are shown again when it is cleared. */
function markFiltered({ rows }: Sheet, area: Area): void {
  for (const row of rows.slice(area.row + 1, area.row + area.rows)) {
    if (!row?.hidden) continue;
    delete row.hidden;
    row.filtered = true;
  }
}

/** A table of a file: its XML, its name and its cells. */
export type TableInFile = { xml: string; name: string; area: Area };

/**
 * Takes from the tables of a file what they are filtered by, and all rows but the first two. The library takes some of
 * the one for a broken file, and makes a cell for each place of the other.
 */
export const takeTables = (parts: Unzipped): TableInFile[] =>
  Object.keys(parts)
    .filter((path) => /^xl\/tables\/[^/]+\.xml$/.test(path))
    .flatMap((path) => {
      const xml = strFromU8(parts[path]!);
      const bare = xml.replace(/(<(?:\w+:)?filterColumn\b[^>]*[^/])>.*?<\/(?:\w+:)?filterColumn>/gs, '$1/>');
      const [start = ''] = /<(?:\w+:)?table\b[^>]*>/.exec(bare) ?? [];
      const area = parseArea(attributeOf(start, 'ref') ?? '');
      const short = area && cornersOf({ ...area, rows: Math.min(area.rows, 2) });
      const shortened = short === undefined ? start : start.replace(attribute('ref'), ` ref="${short}"`);
      parts[path] = strToU8(bare.replace(start, () => shortened));
      return area === undefined ? [] : [{ xml, name: attributeOf(start, 'displayName') ?? '', area }];
    });

/** An area by its first and last cell, also one of entire rows. */
export const cornersOf = ({ row, column, rows, columns }: Area): string =>
  `${columnName(column)}${row + 1}:${columnName(column + columns - 1)}${row + rows}`;

const attribute = (name: string): RegExp => new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);

function attributeOf(start: string, name: string): string | undefined {
  const [, double, single] = attribute(name).exec(start) ?? [];
  return double ?? single;
}

/** Reads what a table is filtered by, and whether it has rows. @returns whether some of it is left out */
export function readTableFilters(workbook: Workbook, { xml, name }: TableInFile): boolean {
  const { filters, hasButtons, hasOthers } = filtersIn(xml);
  const table = findTable(allTables(workbook), name);
  if (table === undefined) return hasOthers;
  table.showFilterButton = hasButtons;
  const body = bodyArea(table);
  table.awaitsFirstRow =
    isSet(elements(xml, 'table')[0]?.insertRow, false) && body.rows === 1 && isEmptyArea(table.sheet, body);
  for (const [column, criteria] of filters) {
    const found = table.columns[column];
    if (found !== undefined) table.filters.set(found.id, criteria);
  }
  if (table.filters.size > 0) markFiltered(table.sheet, table.area);
  return hasOthers;
}

/** Reads what a sheet is filtered by. @param xml of it, from its cells on @returns whether some of it is left out */
export function readSheetFilter(sheet: Sheet, xml: string): boolean {
  const { area, filters, hasOthers } = filtersIn(xml);
  if (area === undefined) return hasOthers;
  sheet.filter = { area, criteria: new Map(filters.filter(([column]) => column < area.columns)) };
  if (filters.length > 0) markFiltered(sheet, area);
  return hasOthers;
}
