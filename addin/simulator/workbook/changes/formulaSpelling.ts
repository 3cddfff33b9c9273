import { cellArea, contains, type Position, quotedSheetName, sameName } from '../cells/address.ts';
import { isFunctionName } from '../cells/formulas/formulaLanguage.ts';
import { namedSheets, rewriteTokens, type Token } from '../cells/formulas/formulaTokens.ts';
import { readStructured, showStructured } from '../cells/formulas/structured.ts';
import { findName } from '../names.ts';
import type { Sheet } from '../sheet.ts';
import { findSheet } from '../sheets.ts';
import { allTables, findTable, type Table } from '../table.ts';

/* Excel writes functions, cells and constants in capitals, and sheets, names, tables and their columns as they are called. */

/** The sheet in front of a reference as it is called; as it was typed when there is none. */
const spelledSheet = ({ workbook }: Sheet, prefix: string): string => {
  const named = namedSheets(prefix);
  const found = named?.last === undefined && named ? findSheet(workbook, named.name) : undefined;
  return found && sameName(found.name, named!.name) ? `${quotedSheetName(found.name)}!` : prefix;
};

const spelledColumns = (table: Table, part: string): string => {
  const structured = readStructured(part);
  if (!structured) return part;
  const own = (name: string | undefined) =>
    name && (table.columns.find((column) => sameName(column.name, name))?.name ?? name);
  const [first, last] = [own(structured.first), own(structured.last)];
  return first === structured.first && last === structured.last ? part : showStructured({ ...structured, first, last });
};

const spelledToken = (token: Token, sheet: Sheet, cell: Position): string | undefined => {
  const { kind, text, sheet: prefix = '', name = '', table, part } = token;
  const { workbook } = sheet;
  const before = prefix === '' ? '' : spelledSheet(sheet, prefix);
  if (kind === 'cells') {
    const corners = text.slice(prefix.length);
    // The sheet may stand in front of the last cell too.
    const parts = prefix === '' ? [corners] : corners.split(prefix);
    return `${before}${parts.map((corner) => corner.toUpperCase()).join(before)}`;
  }
  if (kind === 'structured') {
    const known =
      table === undefined
        ? sheet.tables.find(({ area }) => contains(area, cellArea(cell)))
        : findTable(allTables(workbook), table);
    return known && `${prefix}${table === undefined ? '' : known.name}${spelledColumns(known, part!)}`;
  }
  if (kind === 'error') return prefix === '' ? text.toUpperCase() : undefined;
  if (kind !== 'call' && kind !== 'name') return undefined;
  const capitals = name.toUpperCase();
  const isOwn = prefix === '' && (kind === 'call' ? isFunctionName(capitals) : /^(?:TRUE|FALSE)$/.test(capitals));
  const item = findName(sheet.names, name) ?? findName(workbook.names, name);
  const known = isOwn ? capitals : (item?.name ?? findTable(allTables(workbook), name)?.name);
  return known && sameName(known, name) ? `${before}${known}${text.slice(prefix.length + name.length)}` : undefined;
};

/** A formula that was entered in a cell as Excel writes it. */
export const spelled = (formula: string, sheet: Sheet, cell: Position): string =>
  /\p{Ll}/u.test(formula) ? rewriteTokens(formula, (token) => spelledToken(token, sheet, cell)) : formula;
