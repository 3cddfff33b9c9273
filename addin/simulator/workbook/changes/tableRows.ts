import { onSheet } from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { moveFormula } from '../cells/formulas/formula.ts';
import { inheritRules } from '../rules/copyRules.ts';
import { cellAt, isBlank, isEmptyArea, putCell } from '../sheet.ts';
import { bodyArea, changed, isFree, rowCount, type Table } from '../table.ts';
import { clearArea, enterValues } from './enter.ts';
import { deleteCells, insertCells } from './shift.ts';

export const asMatrix = (values: unknown, rows: number): unknown[][] => {
  if (Array.isArray(values) && values.every(Array.isArray)) return values as unknown[][];
  return Array.from({ length: rows }, () => [values]);
};

/** The index at which something is inserted; null, undefined and -1 mean the end. */
export const indexOrEnd = (index: number | null | undefined, count: number): number => {
  const at = index === null || index === undefined || index === -1 ? count : index;
  if (!Number.isInteger(at) || at < 0 || at > count) throw new ExcelError('InvalidArgument');
  return at;
};

/** Adds rows at an index, by default at the end. @returns the index of the first one */
export const addRows = (table: Table, index: number | null | undefined, values: unknown): number => {
  const { sheet } = table;
  const matrix = values === null || values === undefined ? [[]] : asMatrix(values, 1);
  const shaped = matrix.every((row) => row.length === 0 || row.length === table.area.columns || row.length === 1);
  if (!shaped || matrix.length === 0) throw new ExcelError('InvalidArgument');
  const count = rowCount(table);
  const at = indexOrEnd(index, count);
  const fresh = table.awaitsFirstRow ? matrix.length - 1 : matrix.length;
  const body = bodyArea(table);
  if (fresh > 0) growRows(table, table.awaitsFirstRow ? 1 : at, fresh);
  table.awaitsFirstRow = false;
  const target = { ...body, row: body.row + at, rows: matrix.length };
  if (matrix.some((row) => row.length > 0)) {
    const filled = matrix.map((row) =>
      row.length === table.area.columns ? row : Array.from({ length: table.area.columns }, () => row[0] ?? null),
    );
    enterValues(sheet, target, filled);
  }
  changed(table);
  return at;
};

/** Inserts empty rows before the row at an index; cells below the table move down. */
const growRows = (table: Table, at: number, count: number): void => {
  const { sheet } = table;
  const body = bodyArea(table);
  const room = { ...body, row: body.row + at, rows: count };
  const grown = { ...table.area, rows: table.area.rows + count };
  if (at < body.rows) {
    insertCells(sheet, room, 'Down', table.id);
  } else {
    const below = { ...room, row: table.area.row + table.area.rows };
    onSheet(below);
    if (!isEmptyArea(sheet, below) || !isFree(sheet, below)) {
      try {
        insertCells(sheet, below, 'Down', table.id);
      } catch {
        throw new ExcelError(
          'InsertDeleteConflict',
          "This won't work because it would move cells in a table on your worksheet.",
        );
      }
    }
  }
  table.area = grown;
  inheritStyles(table, body.row + at, count);
  if (at >= body.rows) continueFormulas(table, body.row + at, count);
};

/** New rows get the styles, the validation and the conditional formats of the row above them; at the top of the table, of the row below. */
export const inheritStyles = (table: Table, row: number, count: number): void => {
  const body = bodyArea(table);
  const model = row > body.row ? row - 1 : row + count;
  if (model >= body.row + body.rows) return;
  for (let column = body.column; column < body.column + body.columns; column += 1) {
    const style = cellAt(table.sheet, model, column)?.style;
    if (!style) continue;
    for (let fresh = row; fresh < row + count; fresh += 1) {
      const cell = cellAt(table.sheet, fresh, column);
      if (!cell?.style) putCell(table.sheet, fresh, column, { value: '', ...cell, style });
    }
  }
  inheritRules(table.sheet, { ...body, row: model, rows: 1 }, { ...body, row, rows: count });
};

/** Deletes a row; cells below the table move up. An empty row remains when the last one is deleted. */
export const deleteRow = (table: Table, index: number): void => {
  const body = bodyArea(table);
  if (!Number.isInteger(index) || index < 0 || index >= rowCount(table)) throw new ExcelError('InvalidArgument');
  const line = { ...body, row: body.row + index, rows: 1 };
  if (body.rows === 1) {
    clearArea(table.sheet, line, 'Contents');
    table.awaitsFirstRow = true;
  } else deleteCells(table.sheet, line, 'Up', table.id);
  changed(table);
};

/** Fills the formulas of calculated columns into new rows. */
export const continueFormulas = (table: Table, row: number, count: number): void => {
  const { sheet } = table;
  const body = bodyArea(table);
  if (sheet.formulas === 0 || row <= body.row) return;
  for (let column = body.column; column < body.column + body.columns; column += 1) {
    const last = cellAt(sheet, row - 1, column)?.formula;
    const before = cellAt(sheet, row - 2, column)?.formula;
    const isCalculated = last && (row - 1 === body.row || (before && moveFormula(before, 1, 0) === last));
    if (!isCalculated) continue;
    for (let fresh = row; fresh < row + count; fresh += 1) {
      const cell = cellAt(sheet, fresh, column);
      const formula = moveFormula(last, fresh - row + 1, 0);
      if (isBlank(cell)) putCell(sheet, fresh, column, { ...cell, value: formula, formula });
    }
  }
};
