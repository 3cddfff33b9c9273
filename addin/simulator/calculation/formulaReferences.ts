import { type Area, boundingArea, type Position, parseArea } from '../workbook/cells/address.ts';
import { namedSheets, tokensOf } from '../workbook/cells/formulas/formulaTokens.ts';
import { isOfThisRow, readStructured } from '../workbook/cells/formulas/structured.ts';
import { findName } from '../workbook/names.ts';
import { structuredArea } from '../workbook/reference.ts';
import type { Sheet } from '../workbook/sheet.ts';
import { findSheet } from '../workbook/sheets.ts';
import { allTables, findTable, tableAt } from '../workbook/table.ts';

/** Cells of a sheet. */
export type SheetArea = { sheet: Sheet; area: Area };

/** What the result of a formula depends on. */
export type FormulaReferences = {
  areas: SheetArea[];
  /** It may refer to any cell: which ones, its own calculation decides. */
  isOpen: boolean;
  /** It has another result at another time. */
  isVolatile: boolean;
  /** It leaves out rows that are hidden. */
  isOfShownRows: boolean;
  hasNames: boolean;
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

const ofShownRows = new Set(['SUBTOTAL', 'AGGREGATE']);

/**
 * The cells that a formula in a cell refers to: those, or more.
 * @param depth how many names led here: a name that refers to itself ends
 */
export function referencesOf(formula: string, home: Sheet, cell: Position, depth = 0): FormulaReferences {
  const { workbook } = home;
  const found: FormulaReferences = {
    areas: [],
    isOpen: false,
    isVolatile: false,
    isOfShownRows: false,
    hasNames: false,
  };
  const hasColon = formula.includes(':');
  let shape: string | undefined = '';
  let end = 0;
  let read = 0;
  let hasRange = false;
  for (const token of tokensOf(formula)) {
    const count = found.areas.length;
    /** How the text refers to a cell, the same wherever a formula is filled down to. */
    let distance: string | undefined;
    const sheets = token.sheet === undefined ? undefined : namedSheets(token.sheet);
    const isElsewhere = token.sheet !== undefined && sheets === undefined;
    const sheet = sheets === undefined ? home : findSheet(workbook, sheets.name);
    hasRange ||= hasColon && formula.slice(read, token.index).includes(':');
    read = token.index + token.text.length;
    if (token.kind === 'cells') {
      const { first, last } = token;
      const area = parseArea(last === undefined ? first! : `${first}:${last}`);
      if (sheets?.last !== undefined) found.isOpen = true;
      else if (sheet !== undefined && area !== undefined && !isElsewhere) {
        found.areas.push({ sheet, area });
        if (last === undefined) distance = `${token.sheet ?? ''}!${distanceOf(first!, area, cell)}`;
      }
    } else if (token.kind === 'structured') {
      const area = tableArea(token.table, token.part!, home, cell);
      if (area !== undefined) found.areas.push(area);
      if (area?.isOfThisRow) distance = token.text;
    } else if (token.kind === 'call') {
      const upper = token.name!.toUpperCase();
      found.isVolatile ||= volatile.has(upper);
      found.isOpen ||= open.has(upper);
      found.isOfShownRows ||= ofShownRows.has(upper);
    } else if (token.kind === 'name' && !isElsewhere && sheet !== undefined) {
      found.hasNames ||= !/^(?:TRUE|FALSE)$/i.test(token.name!);
      const item = findName(sheet.names, token.name) ?? findName(workbook.names, token.name);
      if (item !== undefined && depth < 10) {
        const named = referencesOf(item.formula, item.scope ?? home, cell, depth + 1);
        found.areas.push(...named.areas);
        found.isOpen ||= named.isOpen;
        found.isVolatile ||= named.isVolatile;
        found.isOfShownRows ||= named.isOfShownRows;
      }
      const table = findTable(allTables(workbook), token.name);
      if (table !== undefined) found.areas.push({ sheet: table.sheet, area: table.area });
    }
    if (distance !== undefined && shape !== undefined) {
      shape += `${formula.slice(end, token.index)}‹${distance}›`;
      end = token.index + token.text.length;
    } else if (found.areas.length > count) shape = undefined;
  }
  if (hasRange) found.areas.push(...between(found.areas));
  found.shape = shape === undefined || hasRange ? undefined : shape + formula.slice(end);
  return found;
}

/** The cells that a range operator may add, as in `A1:INDEX(C:C,3)`: all between those that are named. */
function between(areas: readonly SheetArea[]): SheetArea[] {
  const bounds = new Map<Sheet, Area>();
  for (const { sheet, area } of areas) bounds.set(sheet, boundingArea(bounds.get(sheet) ?? area, area));
  return [...bounds].map(([sheet, area]) => ({ sheet, area }));
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
  part: string,
  home: Sheet,
  cell: Position,
): (SheetArea & { isOfThisRow?: true }) | undefined {
  const table = name === undefined ? tableAt(home, cell.row, cell.column) : findTable(allTables(home.workbook), name);
  if (table === undefined) return undefined;
  const { sheet, area } = table;
  const structured = readStructured(part);
  if (structured === undefined) return { sheet, area };
  if (!isOfThisRow(structured)) return { sheet, area: structuredArea(table, structured) ?? area };
  const row = sheet === home ? structuredArea(table, structured, cell.row) : undefined;
  if (row === undefined) return { sheet, area };
  return row.columns === 1 && row.rows === 1 ? { sheet, area: row, isOfThisRow: true } : { sheet, area: row };
}
