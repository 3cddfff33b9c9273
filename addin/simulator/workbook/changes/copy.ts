import {
  type Area,
  cellArea,
  contains,
  eachCell,
  intersection,
  matrixOf,
  onSheet,
  type Position,
} from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { followMove, moveFormula, transposeFormula } from '../cells/formulas/formula.ts';
import { withTable } from '../cells/formulas/structured.ts';
import { movedArea } from '../cells/movedArea.ts';
import { type Rewriting, rewriteCells, rewriteNames, rewriteRules } from '../rewrite.ts';
import { assertNotTorn, copyMerges, copyRules } from '../rules/copyRules.ts';
import { moveMerges, moveRules } from '../rules/moveRules.ts';
import {
  assertWritable,
  type Cell,
  cellAt,
  copiedContent,
  forEachCell,
  putCell,
  type Sheet,
  showsNothing,
  styleAt,
} from '../sheet.ts';
import { changed, type Table, tableAt } from '../table.ts';
import { clearArea } from './enter.ts';
import { applyFilters, showRows } from './filter.ts';

type CopyOptions = {
  what?: 'All' | 'Values' | 'Formulas' | 'Formats';
  skipBlanks?: boolean;
  transpose?: boolean;
};

/**
 * Copies cells as Excel does: relative references move along, and a target that is a multiple of the source is filled
 * with copies of it. @returns the area that was written
 */
export const copyCells = (
  fromSheet: Sheet,
  from: Area,
  toSheet: Sheet,
  to: Area,
  { what = 'All', skipBlanks = false, transpose = false }: CopyOptions = {},
): Area => {
  const [height, width] = transpose ? [from.columns, from.rows] : [from.rows, from.columns];
  const rows = to.rows % height === 0 ? to.rows : height;
  const columns = to.columns % width === 0 ? to.columns : width;
  const area = onSheet({ ...to, rows, columns });
  assertWritable(toSheet, area);
  const hasFormats = what === 'All' || what === 'Formats';
  if (hasFormats) assertNotTorn(toSheet, area);
  if (what === 'Values' || skipBlanks) fromSheet.workbook.settle();
  // All cells are read first, since the two areas may overlap.
  const copied = matrixOf(from, (row, column) => {
    return { row, column, cell: cellAt(fromSheet, row, column), style: styleAt(fromSheet, row, column) };
  });
  const movedTo = (formula: string, from: Position, to: Position) => {
    const named = namingTable(formula, tableAt(fromSheet, from.row, from.column), toSheet, to);
    return transpose
      ? transposeFormula(named, from, to)
      : moveFormula(named, to.row - from.row, to.column - from.column);
  };
  eachCell(area, (row, column) => {
    const [down, across] = [(row - area.row) % height, (column - area.column) % width];
    const source = transpose ? copied[across]![down]! : copied[down]![across]!;
    if (skipBlanks && showsNothing(source.cell)) return;
    const old = cellAt(toSheet, row, column);
    if (what === 'Formats') return putCell(toSheet, row, column, { value: '', ...old, style: source.style });
    const style = what === 'All' ? source.style : old?.style;
    const note = what === 'All' ? source.cell?.note : old?.note;
    const { formula, ...content } = copiedContent(source.cell);
    if (what !== 'All') delete content.hyperlink;
    const moved = formula && what !== 'Values' ? movedTo(formula, source, { row, column }) : undefined;
    putCell(toSheet, row, column, {
      ...content,
      ...(moved ? { formula: moved, value: moved } : {}),
      style,
      ...(note === undefined ? {} : { note }),
    });
  });
  if (hasFormats) {
    const copying = { fromSheet, from, toSheet, to: area, transpose };
    copyRules(copying, what);
    copyMerges(copying);
  }
  toSheet.workbook.contentChanged(toSheet, area);
  return area;
};

/** A formula in which the table that it stood in is named, when it stands elsewhere now. */
const namingTable = (formula: string, table: Table | undefined, sheet: Sheet, { row, column }: Position): string =>
  table === undefined || tableAt(sheet, row, column) === table ? formula : withTable(formula, table.name);

/** Moves the tables in some cells to others. They are off their sheet while those cells are emptied. */
const takeTables = (sheet: Sheet, from: Area, toSheet: Sheet, to: Area): { tables: Table[]; put: () => void } => {
  const tables = sheet.tables.filter(({ area }) => contains(from, area));
  const movedTo = ({ area }: Table): Area => ({
    ...area,
    row: area.row + to.row - from.row,
    column: area.column + to.column - from.column,
  });
  for (const table of tables) {
    const isFree = toSheet.tables.every((other) => tables.includes(other) || !intersection(other.area, movedTo(table)));
    if (!isFree) throw new ExcelError('InvalidArgument', "A table can't overlap another table.");
  }
  sheet.tables = sheet.tables.filter((table) => !tables.includes(table));
  const put = () => {
    for (const table of tables) Object.assign(table, { sheet: toSheet, area: movedTo(table) });
    toSheet.tables = [...toSheet.tables, ...tables];
  };
  return { tables, put };
};

/** Formulas, names, rules and charts follow cells that were moved. @param tables those that were moved with them */
const followMoved = (fromSheet: Sheet, from: Area, toSheet: Sheet, to: Area, tables: readonly Table[]): void => {
  const { workbook } = toSheet;
  const move = { sheet: fromSheet.name, from, toSheet: toSheet.name, to };
  const follow: Rewriting = (formula, home, cell) => {
    const isMoved = cell !== undefined && home === toSheet && contains(to, cellArea(cell));
    if (!isMoved) return followMove(formula, home.name, move);
    const origin = { row: cell.row - to.row + from.row, column: cell.column - to.column + from.column };
    const table = tableAt(fromSheet, origin.row, origin.column);
    const named = table && tables.includes(table) ? formula : namingTable(formula, table, toSheet, cell);
    return followMove(named, fromSheet.name, move, home.name);
  };
  const inCells = rewriteCells(workbook, follow);
  const inNames = rewriteNames(workbook, (formula, home) => followMove(formula, home.name, move));
  const stay = (formula: string, home: Sheet) => followMove(formula, home.name, move);
  for (const sheet of workbook.sheets) if (sheet !== fromSheet && sheet !== toSheet) rewriteRules(sheet, stay);
  const moving = { fromSheet, from, toSheet, to };
  moveRules(moving, stay, (formula) => followMove(formula, fromSheet.name, move, toSheet.name));
  moveMerges(moving);
  if (inCells || inNames) workbook.emit({ kind: 'references' });
  for (const chart of workbook.sheets.flatMap(({ charts }) => charts)) {
    if (chart.source === undefined) continue;
    const { sheetId, area } = chart.source;
    const sides = { isSource: sheetId === fromSheet.id, isTarget: sheetId === toSheet.id };
    const moved = movedArea(area, sides, from, to);
    chart.source = moved && { sheetId: moved.isMoved ? toSheet.id : sheetId, area: moved.area };
  }
};

/**
 * Moves cells, with everything in them and the tables among them, to the first cell of the target. What refers to them
 * follows, and their own formulas keep their references.
 */
export const cutCells = (fromSheet: Sheet, from: Area, toSheet: Sheet, to: Area): Area => {
  const area = onSheet({ ...to, rows: from.rows, columns: from.columns });
  assertWritable(fromSheet, from);
  assertWritable(toSheet, area);
  assertNotTorn(fromSheet, from);
  assertNotTorn(toSheet, area);
  if (fromSheet === toSheet && from.row === area.row && from.column === area.column) return area;
  const moved: { row: number; column: number; cell: Cell }[] = [];
  forEachCell(fromSheet, from, (cell, row, column) => {
    moved.push({ row: row - from.row + area.row, column: column - from.column + area.column, cell });
  });
  const { tables, put } = takeTables(fromSheet, from, toSheet, area);
  const filtered = tables.filter(({ filters }) => filters.size > 0);
  for (const table of filtered) showRows(fromSheet, table.area);
  clearArea(fromSheet, from, 'All');
  clearArea(toSheet, area, 'All');
  for (const { row, column, cell } of moved) putCell(toSheet, row, column, cell);
  put();
  followMoved(fromSheet, from, toSheet, area, tables);
  toSheet.workbook.contentChanged(toSheet, area);
  for (const table of filtered) applyFilters(table);
  for (const table of tables) changed(table);
  return area;
};
