import { type Area, boundingArea, intersection, parseArea, sameName, splitAddress } from './cells/address.ts';
import { tokensOf } from './cells/formulas/formulaTokens.ts';
import { readStructured, type Structured } from './cells/formulas/structured.ts';
import { findName } from './names.ts';
import type { Sheet } from './sheet.ts';
import { findSheet } from './sheets.ts';
import { allTables, bodyArea, findTable, headerArea, type Table } from './table.ts';
import type { Workbook } from './workbook.ts';

/**
 * The area of an address, a name or a structured reference such as `Table1[Amount]`; undefined when there is none.
 * @param depth how many names led here: one that refers to itself is no area
 */
export const resolveReference = (
  workbook: Workbook,
  reference: string,
  home: Sheet,
  depth = 0,
): { sheet: Sheet; area: Area } | undefined => {
  const written = reference.replace(/^=/, '').trim();
  // The name of a column may have what parts a sheet from its cells.
  if (written.endsWith(']')) return tableReference(workbook, written);
  const { sheet: sheetName, local } = splitAddress(written);
  const sheet = sheetName === undefined ? home : findSheet(workbook, sheetName);
  if (!sheet) return undefined;
  const area = parseArea(local);
  if (area) return { sheet, area };
  const item = findName(sheet.names, local) ?? findName(workbook.names, local);
  if (item) return depth > 100 ? undefined : resolveReference(workbook, item.formula, item.scope ?? home, depth + 1);
  return tableReference(workbook, local);
};

/** A table by its name, or the cells of a structured reference. */
const tableReference = (workbook: Workbook, reference: string): { sheet: Sheet; area: Area } | undefined => {
  const [token] = tokensOf(reference);
  if (token?.text !== reference || (token.kind !== 'name' && token.kind !== 'structured')) return undefined;
  const table = findTable(allTables(workbook), token.table ?? token.name);
  const structured = token.part === undefined ? wholeTable : readStructured(token.part);
  const area = table && structured && structuredArea(table, structured);
  return area && { sheet: table.sheet, area };
};

const wholeTable: Structured = { items: [], isThisRow: false };

/**
 * The cells of a table that a structured reference names; undefined when there are none.
 * @param row of the cell that refers to its own row of the table
 */
export const structuredArea = (
  table: Table,
  { items, isThisRow, first, last }: Structured,
  row?: number,
): Area | undefined => {
  const named = items.map((item) => item.toLowerCase());
  const body = bodyArea(table);
  const ofItem: Record<string, Area | undefined> = {
    '#all': table.area,
    '#data': body,
    '#headers': headerArea(table),
    '#this row': row === undefined ? undefined : intersection(body, { ...body, row, rows: 1 }),
  };
  const [rows, ...more] = [...named, ...(isThisRow ? ['#this row'] : [])].map((item) => ofItem[item]);
  const isLost = (named.length > 0 || isThisRow) && rows === undefined;
  const lines = more.reduce((all, one) => (all && one ? boundingArea(all, one) : undefined), rows ?? body);
  if (isLost || lines === undefined) return undefined;
  if (first === undefined) return lines;
  const [one, other] = [first, last ?? first].map((name) =>
    table.columns.findIndex((column) => sameName(column.name, name)),
  ) as [number, number];
  if (one < 0 || other < 0) return undefined;
  return { ...lines, column: table.area.column + Math.min(one, other), columns: Math.abs(one - other) + 1 };
};
