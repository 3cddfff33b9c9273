import { type Area, onSheet, wholeSheet } from '../cells/address.ts';
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
 * with copies of it. Gives the area that was written.
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
  // Read before writing: the two may overlap.
  const copied = Array.from({ length: height }, (_, down) =>
    Array.from({ length: width }, (_unused, across) => {
      const row = from.row + (transpose ? across : down);
      const column = from.column + (transpose ? down : across);
      return { row, column, cell: cellAt(fromSheet, row, column), style: styleAt(fromSheet, row, column) };
    }),
  );
  const movedTo = (
    formula: string,
    source: { row: number; column: number },
    target: { row: number; column: number },
  ) =>
    transpose
      ? transposeFormula(formula, source, target)
      : moveFormula(formula, target.row - source.row, target.column - source.column);
  for (let row = area.row; row < area.row + rows; row += 1) {
    for (let column = area.column; column < area.column + columns; column += 1) {
      const source = copied[(row - area.row) % height]![(column - area.column) % width]!;
      if (skipBlanks && isBlank(source.cell)) continue;
      const old = cellAt(toSheet, row, column);
      if (what === 'Formats') {
        putCell(toSheet, row, column, { value: '', ...old, style: source.style });
        continue;
      }
      const style = what === 'All' ? source.style : old?.style;
      const { formula, style: _style, ...content } = source.cell ?? { value: '' };
      const moved = formula && what !== 'Values' ? movedTo(formula, source, { row, column }) : undefined;
      putCell(toSheet, row, column, {
        ...content,
        ...(moved ? { formula: moved, value: moved } : {}),
        ...(style ? { style } : {}),
      });
    }
  }
  toSheet.workbook.contentChanged(toSheet, area);
  return area;
};

/** Formulas everywhere follow cells that moved on their sheet. */
const followMoved = (sheet: Sheet, from: Area, to: Area): void => {
  for (const other of sheet.workbook.sheets) {
    if (other.formulas === 0) continue;
    forEachCell(other, wholeSheet, (cell, row, column) => {
      if (!cell.formula) return;
      const formula = followCells(
        cell.formula,
        other.name,
        sheet.name,
        from,
        to.row - from.row,
        to.column - from.column,
      );
      if (formula !== cell.formula) putCell(other, row, column, { ...cell, formula, value: formula });
    });
  }
};

/**
 * Moves cells as they are to the place that begins where the target begins; formulas go on speaking of the same cells.
 */
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
