import { type Area, indexes, intersection } from '../cells/address.ts';
import { type CellValue, isErrorValue } from '../cells/entry.ts';
import { ExcelError } from '../cells/error.ts';
import { moveFormula } from '../cells/formulas/formula.ts';
import { assertWritable, type Cell, cellAt, isBlank, putCell, rowOf, type Sheet, withFormula } from '../sheet.ts';
import { bodyArea, changed, isFree, type SortField, type Table } from '../table.ts';

const rank = (value: CellValue): number => {
  if (typeof value === 'number') return 0;
  if (typeof value === 'boolean') return 2;
  return isErrorValue(value) ? 3 : 1;
};

const collators = {
  anyCase: new Intl.Collator(undefined, { sensitivity: 'accent' }),
  ownCase: new Intl.Collator(undefined, { sensitivity: 'variant' }),
};

const compareValues = (a: CellValue, b: CellValue, matchCase: boolean): number => {
  const difference = rank(a) - rank(b);
  if (difference !== 0) return difference;
  if (typeof a === 'number') return a - (b as number);
  return collators[matchCase ? 'ownCase' : 'anyCase'].compare(String(a), String(b));
};

const fieldOf = (cell: Cell, { dataOption }: SortField): CellValue => {
  const { value } = cell;
  const number = dataOption === 'TextAsNumber' && typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? value : number;
};

/** The cells of a row or column, and where it stands. */
type Line = { at: number; cells: (Cell | undefined)[] };

/** Puts lines in order: numbers, then text, then booleans; blanks come last in both directions. */
const inOrder = (lines: Line[], fields: SortField[], matchCase: boolean): Line[] =>
  lines.toSorted((a, b) => {
    for (const field of fields) {
      const [left, right] = [a.cells[field.key], b.cells[field.key]];
      if (isBlank(left) || isBlank(right)) {
        if (isBlank(left) !== isBlank(right)) return isBlank(left) ? 1 : -1;
        continue;
      }
      const order = compareValues(fieldOf(left!, field), fieldOf(right!, field), matchCase);
      if (order !== 0) return field.ascending ? order : -order;
    }
    return 0;
  });

const assertSortable = (sheet: Sheet, area: Area, fields: SortField[], lineLength: number): void => {
  assertWritable(sheet, area, 'allowSort');
  if (fields.length === 0 || fields.some(({ key }) => !Number.isInteger(key) || key < 0 || key >= lineLength)) {
    throw new ExcelError('InvalidArgument');
  }
  if (sheet.merges.some((merged) => intersection(merged, area))) {
    throw new ExcelError('InvalidOperation', 'To do this, all the merged cells need to be the same size.');
  }
};

/** The cell after its row or column moved by so many. */
const moved = (cell: Cell | undefined, rows: number, columns: number): Cell | undefined => {
  if (!cell?.formula) return cell;
  return withFormula(cell, moveFormula(cell.formula, rows, columns));
};

/** Ascending numbers as runs: the first of each, and how many follow each other. */
const runsOf = (numbers: readonly number[]): [number, number][] => {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[0] + last[1] === number) last[1] += 1;
    else runs.push([number, 1]);
  }
  return runs;
};

/**
 * Sorts the rows of an area as Excel does. Equal rows keep their order, hidden rows their places, and formulas follow
 * their row.
 * @param fields their keys are columns, counted from the first one of the area
 */
export const sortRows = (sheet: Sheet, area: Area, fields: SortField[], matchCase = false): void => {
  assertSortable(sheet, area, fields, area.columns);
  sheet.workbook.settle();
  const places = indexes(area.row, area.rows).filter((row) => !sheet.rows[row]?.filtered);
  const lines = places.map((row) => ({
    at: row,
    cells: sheet.rows[row]?.cells.slice(area.column, area.column + area.columns) ?? [],
  }));
  const changed: number[] = [];
  inOrder(lines, fields, matchCase).forEach(({ at, cells }, index) => {
    const target = places[index]!;
    if (target === at) return;
    changed.push(target);
    rowOf(sheet, target);
    for (let offset = 0; offset < area.columns; offset += 1) {
      putCell(sheet, target, area.column + offset, moved(cells[offset], target - at, 0));
    }
  });
  const areas = runsOf(changed).map(([row, rows]) => ({ ...area, row, rows }));
  sheet.workbook.emit({ kind: 'sorted', sheet, area, areas });
};

/**
 * Sorts the columns of an area, from left to right. InvalidOperation for cells of a table, whose columns stay.
 * @param fields their keys are rows, counted from the first one of the area
 */
export const sortColumns = (sheet: Sheet, area: Area, fields: SortField[], matchCase = false): void => {
  assertSortable(sheet, area, fields, area.rows);
  if (!isFree(sheet, area)) throw new ExcelError('InvalidOperation');
  sheet.workbook.settle();
  const places = indexes(area.column, area.columns).filter((column) => !sheet.columns[column]?.hidden);
  const lines = places.map((column) => ({
    at: column,
    cells: indexes(area.row, area.rows).map((row) => cellAt(sheet, row, column)),
  }));
  const changed: number[] = [];
  inOrder(lines, fields, matchCase).forEach(({ at, cells }, index) => {
    const target = places[index]!;
    if (target === at) return;
    changed.push(target);
    cells.forEach((cell, offset) => {
      putCell(sheet, area.row + offset, target, moved(cell, 0, target - at));
    });
  });
  const areas = runsOf(changed).map(([column, columns]) => ({ ...area, column, columns }));
  sheet.workbook.emit({ kind: 'sorted', sheet, area, areas, leftToRight: true });
};

export const sortTable = (table: Table, fields: SortField[], matchCase = false): void => {
  sortRows(table.sheet, bodyArea(table), fields, matchCase);
  table.sort = fields;
  table.sortMatchesCase = matchCase;
  changed(table);
};
