import { type Area, eachCell, matrixOf, onSheet, type Position, wholeSheet } from '../cells/address.ts';
import { followCells, moveFormula, transposeFormula } from '../cells/formulas/formula.ts';
import { assertWritable, type Cell, cellAt, forEachCell, isBlank, putCell, type Sheet, styleAt } from '../sheet.ts';
import { clearArea } from './enter.ts';

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
  if (what === 'Values' || skipBlanks) fromSheet.workbook.settle();
  // All cells are read first, since the two areas may overlap.
  const copied = matrixOf(from, (row, column) => {
    return { row, column, cell: cellAt(fromSheet, row, column), style: styleAt(fromSheet, row, column) };
  });
  const movedTo = (formula: string, from: Position, to: Position) =>
    transpose ? transposeFormula(formula, from, to) : moveFormula(formula, to.row - from.row, to.column - from.column);
  eachCell(area, (row, column) => {
    const [down, across] = [(row - area.row) % height, (column - area.column) % width];
    const source = transpose ? copied[across]![down]! : copied[down]![across]!;
    if (skipBlanks && isBlank(source.cell)) return;
    const old = cellAt(toSheet, row, column);
    if (what === 'Formats') return putCell(toSheet, row, column, { value: '', ...old, style: source.style });
    const style = what === 'All' ? source.style : old?.style;
    const note = what === 'All' ? source.cell?.note : old?.note;
    const {
      formula,
      style: _style,
      note: _note,
      spills: _spills,
      spilled: _spilled,
      ...content
    } = source.cell ?? { value: '' };
    const moved = formula && what !== 'Values' ? movedTo(formula, source, { row, column }) : undefined;
    putCell(toSheet, row, column, {
      ...content,
      ...(moved ? { formula: moved, value: moved } : {}),
      style,
      ...(note === undefined ? {} : { note }),
    });
  });
  toSheet.workbook.contentChanged(toSheet, area);
  return area;
};

/** Changes formulas on all sheets after cells moved on one of them. */
const followMoved = (sheet: Sheet, from: Area, to: Area): void => {
  for (const other of sheet.workbook.sheets) {
    if (other.formulas === 0) continue;
    const changed: Area[] = [];
    forEachCell(other, wholeSheet, (cell, row, column) => {
      if (!cell.formula) return;
      const formula = followCells(cell.formula, other.name, sheet.name, from, to);
      if (formula === cell.formula) return;
      putCell(other, row, column, { ...cell, formula, value: formula });
      changed.push({ row, column, rows: 1, columns: 1 });
    });
    for (const area of changed) other.workbook.contentChanged(other, area);
  }
};

/** Moves cells, with everything in them, to the first cell of the target. Formulas keep their references to them. */
export const cutCells = (fromSheet: Sheet, from: Area, toSheet: Sheet, to: Area): Area => {
  const area = onSheet({ ...to, rows: from.rows, columns: from.columns });
  assertWritable(fromSheet, from);
  assertWritable(toSheet, area);
  const moved: { row: number; column: number; cell: Cell }[] = [];
  forEachCell(fromSheet, from, (cell, row, column) => {
    moved.push({ row: row - from.row + area.row, column: column - from.column + area.column, cell });
  });
  clearArea(fromSheet, from, 'All');
  clearArea(toSheet, area, 'All');
  for (const { row, column, cell } of moved) putCell(toSheet, row, column, cell);
  if (toSheet === fromSheet) followMoved(fromSheet, from, area);
  toSheet.workbook.contentChanged(toSheet, area);
  return area;
};
