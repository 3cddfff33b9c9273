import {
  type Area,
  boundingArea,
  cellArea,
  isUnbounded,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
  parseArea,
} from '../workbook/cells/address.ts';
import { namedSheets, tokensOf } from '../workbook/cells/formulas/formulaTokens.ts';
import { formulaTree, type Part, within } from '../workbook/cells/formulas/formulaTree.ts';
import { isOfThisRow, readStructured } from '../workbook/cells/formulas/structured.ts';
import { findName } from '../workbook/names.ts';
import { resolveReference, structuredArea } from '../workbook/reference.ts';
import { type Sheet, usedArea } from '../workbook/sheet.ts';
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
  if (withSumRange.test(formula)) found.areas.push(...besideSumRanges(formula, home));
  found.shape = shape === undefined || hasRange ? undefined : shape + formula.slice(end);
  return found;
}

/** The cells that a range operator may add, as in `A1:INDEX(C:C,3)`: all between those that are named. */
function between(areas: readonly SheetArea[]): SheetArea[] {
  const bounds = new Map<Sheet, Area>();
  for (const { sheet, area } of areas) bounds.set(sheet, boundingArea(bounds.get(sheet) ?? area, area));
  return [...bounds].map(([sheet, area]) => ({ sheet, area }));
}

const withSumRange = /(?:SUM|AVERAGE)IF\s*\(/i;

/** The cells of the calls of a formula that add up more or less than the range that they name. */
function besideSumRanges(formula: string, home: Sheet): SheetArea[] {
  const text = formula.slice(1);
  const tree = formulaTree(text);
  const areasIn = (part: Part): SheetArea[] => [
    ...(part.kind === 'call' && areasWithCriteria[part.name] === ofSum ? alikeAreas(part, text, home).values() : []),
    ...within(part).flatMap(areasIn),
  ];
  return tree === undefined ? [] : areasIn(tree);
}

const ofSum = (index: number): boolean => index === 0 || index === 2;
const beforeCriteria = (index: number): boolean => index === 0 || index % 2 === 1;

/** Functions with criteria, and which of their arguments are cells. */
const areasWithCriteria: Readonly<Record<string, ((index: number) => boolean) | undefined>> = {
  SUMIF: ofSum,
  AVERAGEIF: ofSum,
  SUMIFS: beforeCriteria,
  AVERAGEIFS: beforeCriteria,
  MINIFS: beforeCriteria,
  MAXIFS: beforeCriteria,
};

/**
 * The cells that a function with criteria takes where they are others than the engine would take, by the numbers of its
 * arguments. SUMIF and AVERAGEIF add up as many cells as they compare, from the first cell of the range on that they
 * name; and entire columns of two sheets begin and end at the same row.
 */
export function alikeAreas(
  { name, args }: Part & { kind: 'call' },
  text: string,
  home: Sheet,
): ReadonlyMap<number, SheetArea> {
  const isOfCells = areasWithCriteria[name];
  const none = new Map<number, SheetArea>();
  if (isOfCells === undefined) return none;
  const found = new Map<number, SheetArea>();
  for (const [index, { start, end }] of args.entries()) {
    const one = isOfCells(index) ? resolveReference(home.workbook, text.slice(start, end), home) : undefined;
    if (one !== undefined) found.set(index, one);
    else if (isOfCells(index)) return none;
  }
  const [first, ...others] = [...found.values()];
  if (first === undefined) return none;
  const isOfOtherSize = others.some(({ area }) => area.rows !== first.area.rows || area.columns !== first.area.columns);
  const isOfOtherSheet = isUnbounded(first.area) && others.some(({ sheet }) => sheet !== first.sheet);
  if (isOfOtherSize ? isOfCells !== ofSum : !isOfOtherSheet) return none;
  const all = [first, ...others];
  const size = {
    rows: Math.min(first.area.rows, ...all.map(({ area }) => MAX_ROWS - area.row)),
    columns: Math.min(first.area.columns, ...all.map(({ area }) => MAX_COLUMNS - area.column)),
  };
  if (isUnbounded(first.area)) {
    const ends = all.map(({ sheet, area }) => {
      const used = usedArea(sheet, true) ?? cellArea(area);
      return { rows: used.row + used.rows - area.row, columns: used.column + used.columns - area.column };
    });
    size.rows = Math.min(size.rows, Math.max(1, ...ends.map(({ rows }) => rows)));
    size.columns = Math.min(size.columns, Math.max(1, ...ends.map(({ columns }) => columns)));
  }
  return new Map([...found].map(([index, { sheet, area }]) => [index, { sheet, area: { ...area, ...size } }]));
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
