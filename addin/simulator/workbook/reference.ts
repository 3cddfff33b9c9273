import { type Area, parseArea, splitAddress } from './cells/address.ts';
import { findName, sameName } from './names.ts';
import type { Sheet } from './sheet.ts';
import { findSheet } from './sheets.ts';
import { allTables, bodyArea, headerArea } from './table.ts';
import type { Workbook } from './workbook.ts';

/** The area of an address, a name or a structured reference such as `Table1[Amount]`; undefined when there is none. */
export const resolveReference = (
  workbook: Workbook,
  reference: string,
  home: Sheet,
): { sheet: Sheet; area: Area } | undefined => {
  const { sheet: sheetName, local } = splitAddress(reference.replace(/^=/, ''));
  const sheet = sheetName === undefined ? home : findSheet(workbook, sheetName);
  if (!sheet) return undefined;
  const area = parseArea(local);
  if (area) return { sheet, area };
  const item = findName(sheet.names, local) ?? findName(workbook.names, local);
  if (item) return resolveReference(workbook, item.formula, item.scope ?? home);
  return tableReference(workbook, local);
};

const tableReference = (workbook: Workbook, reference: string): { sheet: Sheet; area: Area } | undefined => {
  const match = /^([\p{L}_\\][\p{L}\p{N}_.]*)(?:\[(#All|#Data|#Headers|[^#[\]]+)?\])?$/iu.exec(reference);
  const table = match && allTables(workbook).find(({ name }) => sameName(name, match[1]!));
  if (!table) return undefined;
  const { area, sheet } = table;
  const body = bodyArea(table);
  const part = match[2]?.toLowerCase();
  if (part === '#all') return { sheet, area };
  if (part === '#headers') return { sheet, area: headerArea(table) };
  if (!part || part === '#data') return { sheet, area: body };
  const index = table.columns.findIndex(({ name }) => sameName(name, part));
  return index < 0 ? undefined : { sheet, area: { ...body, column: area.column + index, columns: 1 } };
};
