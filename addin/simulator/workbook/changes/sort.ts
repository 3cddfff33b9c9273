import { type Area, indexes } from '../cells/address.ts';
import { type CellValue, isErrorValue } from '../cells/entry.ts';
import { ExcelError } from '../cells/error.ts';
import { moveFormula } from '../cells/formulas/formula.ts';
import { assertWritable, cellAt, isBlank, putCell, rowOf, type Sheet } from '../sheet.ts';
import { bodyArea, changed, type SortField, type Table } from '../table.ts';

const rank = (value: CellValue): number => {
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return 2;
  return isErrorValue(value) ? 3 : 1;
};

const compareValues = (a: CellValue, b: CellValue, matchCase: boolean): number => {
  const difference = rank(a) - rank(b);
  if (difference !== 0) return difference;
  if (typeof a === 'number') return a - (b as number);
  return String(a).localeCompare(String(b), undefined, { sensitivity: matchCase ? 'variant' : 'accent' });
};

/**
 * Sorts the rows of an area as Excel does: numbers, then text, then booleans; blanks come last in both directions.
 * Equal rows keep their order, hidden rows their places, and formulas follow their row.
 * @param fields their keys are columns, counted from the first one of the area
 */
export const sortRows = (sheet: Sheet, area: Area, fields: SortField[], matchCase = false): void => {
  assertWritable(sheet, area, 'allowSort');
  if (fields.length === 0 || fields.some(({ key }) => !Number.isInteger(key) || key < 0 || key >= area.columns)) {
    throw new ExcelError('InvalidArgument');
  }
  sheet.workbook.settle();
  const places = indexes(area.row, area.rows).filter((row) => !sheet.rows[row]?.filtered);
  const lines = places.map((row) => ({
    row,
    cells: indexes(area.column, area.columns).map((column) => cellAt(sheet, row, column)),
  }));
  lines.sort((a, b) => {
    for (const { key, ascending } of fields) {
      const [left, right] = [a.cells[key], b.cells[key]];
      if (isBlank(left) || isBlank(right)) {
        if (isBlank(left) !== isBlank(right)) return isBlank(left) ? 1 : -1;
        continue;
      }
      const order = compareValues(left!.value, right!.value, matchCase);
      if (order !== 0) return ascending ? order : -order;
    }
    return 0;
  });
  lines.forEach(({ row, cells }, index) => {
    const target = places[index]!;
    if (target === row) return;
    rowOf(sheet, target);
    cells.forEach((cell, offset) => {
      const moved = cell?.formula ? moveFormula(cell.formula, target - row, 0) : undefined;
      putCell(sheet, target, area.column + offset, cell && moved ? { ...cell, formula: moved, value: moved } : cell);
    });
  });
  sheet.workbook.emit({ kind: 'sorted', sheet, area });
};

export const sortTable = (table: Table, fields: SortField[], matchCase = false): void => {
  sortRows(table.sheet, bodyArea(table), fields, matchCase);
  table.sort = fields;
  changed(table);
};
