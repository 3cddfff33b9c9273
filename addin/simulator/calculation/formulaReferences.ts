import { type Area, cellArea, intersection, type Position, parseArea } from '../workbook/cells/address.ts';
import { findName } from '../workbook/names.ts';
import { resolveReference } from '../workbook/reference.ts';
import type { Sheet } from '../workbook/sheet.ts';
import { findSheet } from '../workbook/sheets.ts';
import { allTables, findColumn, findTable, tableAt } from '../workbook/table.ts';

/** Cells of a sheet. */
export type SheetArea = { sheet: Sheet; area: Area };

/** What the result of a formula depends on. */
export type FormulaReferences = {
  areas: SheetArea[];
  /** It may refer to any cell: which ones, its own calculation decides. */
  isOpen: boolean;
  /** It has another result at another time. */
  isVolatile: boolean;
  /**
   * The formula, in which each cell stands by how far it is away: formulas that were filled down have the same one.
   * Undefined for formulas that refer to more than single cells.
   */
  shape?: string | undefined;
};

/** A cell in the shape of a formula. */
export const PARAMETER = /‹[^›]*›/g;

const volatile = new Set(['NOW', 'TODAY', 'RAND', 'RANDBETWEEN', 'RANDARRAY']);
const open = new Set(['INDIRECT', 'OFFSET', 'CELL', 'INFO', 'SHEET', 'SHEETS', 'FORMULATEXT', 'ISFORMULA']);

const ADDRESS = String.raw`\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}|\$?\d{1,7}:\$?\d{1,7}`;
const SHEET_NAME = String.raw`'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*(?::[\p{L}_][\p{L}\p{N}_.]*)?`;
const NAME = String.raw`[\p{L}_\\][\p{L}\p{N}_.\\]*`;
const COLUMNS = String.raw`\[(?:[^[\]]|\[[^\]]*\])*\]`;
const parts = new RegExp(
  `"(?:[^"]|"")*"|(?:(${SHEET_NAME})!)?(${ADDRESS})(?![\\p{L}\\p{N}_(.!\\[])|(${NAME})?(${COLUMNS})|(?:(?:${SHEET_NAME})!)?(${NAME})(\\()?`,
  'giu',
);

/**
 * The cells that a formula in a cell refers to: those, or more.
 * @param depth how many names led here: a name that refers to itself ends
 */
export function referencesOf(formula: string, home: Sheet, cell: Position, depth = 0): FormulaReferences {
  const { workbook } = home;
  const found: FormulaReferences = { areas: [], isOpen: false, isVolatile: false };
  let shape: string | undefined = '';
  let end = 0;
  for (const match of formula.matchAll(parts)) {
    const [text, sheetName, address, tableName, columns, name, paren] = match;
    const count = found.areas.length;
    /** How the text refers to a cell, the same wherever a formula is filled down to. */
    let distance: string | undefined;
    if (address !== undefined) {
      const unquoted = sheetName?.replace(/^'(.*)'$/s, '$1').replaceAll("''", "'");
      const sheet = unquoted === undefined ? home : findSheet(workbook, unquoted);
      const area = parseArea(address);
      if (sheet !== undefined && area !== undefined) {
        found.areas.push({ sheet, area });
        if (!address.includes(':')) distance = `${sheetName ?? ''}!${distanceOf(address, area, cell)}`;
        // Several sheets, as Sheet1:Sheet3!A1.
      } else found.isOpen ||= unquoted?.includes(':') === true;
    } else if (columns !== undefined) {
      const area = tableArea(tableName, columns, home, cell);
      if (area !== undefined) found.areas.push(area);
      if (area?.isOfThisRow) distance = text;
    } else if (name !== undefined && paren !== undefined) {
      const upper = name.toUpperCase();
      found.isVolatile ||= volatile.has(upper);
      found.isOpen ||= open.has(upper);
    } else if (name !== undefined) {
      const item = findName(home.names, name) ?? findName(workbook.names, name);
      if (item !== undefined && depth < 10) {
        const named = referencesOf(item.formula, item.scope ?? home, cell, depth + 1);
        found.areas.push(...named.areas);
        found.isOpen ||= named.isOpen;
        found.isVolatile ||= named.isVolatile;
      }
      const table = findTable(allTables(workbook), name);
      if (table !== undefined) found.areas.push({ sheet: table.sheet, area: table.area });
    }
    if (distance !== undefined && shape !== undefined) {
      shape += `${formula.slice(end, match.index)}‹${distance}›`;
      end = match.index + text.length;
    } else if (found.areas.length > count) shape = undefined;
  }
  found.shape = shape === undefined ? undefined : shape + formula.slice(end);
  return found;
}

/** A cell by how many rows and columns it is away; `$` keeps a row or column as it is. */
function distanceOf(address: string, { row, column }: Position, from: Position): string {
  const isFixedColumn = address.startsWith('$');
  const isFixedRow = address.includes('$', 1);
  return `${isFixedColumn ? `C${column}` : `c${column - from.column}`}${isFixedRow ? `R${row}` : `r${row - from.row}`}`;
}

/** The cells of a structured reference: a column, a row of the table, or all of it. */
function tableArea(
  name: string | undefined,
  columns: string,
  home: Sheet,
  cell: Position,
): (SheetArea & { isOfThisRow?: true }) | undefined {
  const { workbook } = home;
  const table = name === undefined ? tableAt(home, cell.row, cell.column) : findTable(allTables(workbook), name);
  if (table === undefined) return undefined;
  const { sheet, area } = table;
  const isThisRow = /^\[@|#This Row/i.test(columns);
  const row = intersection(area, { ...cellArea(cell), column: area.column, columns: area.columns });
  if (isThisRow && sheet === home && row !== undefined) {
    const column = findColumn(table, columns.replace(/^\[@\[?|\]?\]$/g, ''));
    if (column === undefined) return { sheet, area: row };
    const only = { ...row, column: area.column + table.columns.indexOf(column), columns: 1 };
    return { sheet, area: only, isOfThisRow: true };
  }
  return resolveReference(workbook, `${table.name}${columns}`, home) ?? { sheet, area };
}
