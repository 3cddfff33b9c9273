import { columnLetters } from '../../../../../shared/spreadsheet.ts';
import { type Area, columnIndex, contains, MAX_COLUMNS, MAX_ROWS, shiftSpan } from '../address.ts';

type Corner = { column: number; row: number; fixedColumn: boolean; fixedRow: boolean };

const referencePattern =
  /"(?:[^"]|"")*"|\[[^\]]*\]|((?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?(\$?[A-Za-z]{1,3}\$?\d{1,7})(?::(\$?[A-Za-z]{1,3}\$?\d{1,7}))?(?![\p{L}\p{N}_(.!])|[\p{L}_\\][\p{L}\p{N}_.]*/gu;

const readCorner = (source: string): Corner | undefined => {
  const match = /^(\$?)([A-Za-z]{1,3})(\$?)(\d{1,7})$/.exec(source);
  if (!match) return undefined;
  const corner = {
    column: columnIndex(match[2]!),
    row: Number(match[4]) - 1,
    fixedColumn: match[1] === '$',
    fixedRow: match[3] === '$',
  };
  return corner.row >= 0 && corner.row < MAX_ROWS && corner.column < MAX_COLUMNS ? corner : undefined;
};

const showCorner = (corner: Corner): string =>
  `${corner.fixedColumn ? '$' : ''}${columnLetters(corner.column)}${corner.fixedRow ? '$' : ''}${corner.row + 1}`;

const mapReferences = (
  formula: string,
  change: (first: Corner, last: Corner | undefined, sheet: string | undefined) => string,
): string =>
  formula.replace(referencePattern, (whole: string, sheet?: string, first?: string, last?: string) => {
    const start = first === undefined ? undefined : readCorner(first);
    if (!start) return whole;
    const end = last === undefined ? undefined : readCorner(last);
    if (last !== undefined && !end) return whole;
    const name = sheet
      ?.slice(0, -1)
      .replace(/^'(.*)'$/s, '$1')
      .replaceAll("''", "'");
    return `${sheet ?? ''}${change(start, end, name)}`;
  });

/** Changes each corner of each reference; a reference of which one leaves the sheet is lost. */
const mapCorners = (formula: string, change: (corner: Corner) => Corner | undefined): string =>
  mapReferences(formula, (first, last) => {
    const start = change(first);
    const end = last && change(last);
    if (!start || (last && !end)) return '#REF!';
    return end ? `${showCorner(start)}:${showCorner(end)}` : showCorner(start);
  });

/** The formula as it reads after its cell moved: relative references move along, as when rows are sorted or copied. */
export const moveFormula = (formula: string, rows: number, columns: number): string => {
  if (rows === 0 && columns === 0) return formula;
  const move = (corner: Corner): Corner | undefined => {
    const row = corner.fixedRow ? corner.row : corner.row + rows;
    const column = corner.fixedColumn ? corner.column : corner.column + columns;
    const inside = row >= 0 && row < MAX_ROWS && column >= 0 && column < MAX_COLUMNS;
    return inside ? { ...corner, row, column } : undefined;
  };
  return mapCorners(formula, move);
};

/**
 * The formula after its cell was copied and transposed: what stood so many columns beside it stands as many rows below
 * it ("Transpose data from rows to columns" in Microsoft's support pages: formulas match the new placement).
 */
export const transposeFormula = (
  formula: string,
  from: { row: number; column: number },
  to: { row: number; column: number },
): string => {
  const turn = (corner: Corner): Corner | undefined => {
    const row = corner.fixedRow ? corner.row : to.row + corner.column - from.column;
    const column = corner.fixedColumn ? corner.column : to.column + corner.row - from.row;
    const inside = row >= 0 && row < MAX_ROWS && column >= 0 && column < MAX_COLUMNS;
    return inside ? { ...corner, row, column } : undefined;
  };
  return mapCorners(formula, turn);
};

/** The formula after the cells of an area on `sheet` moved: what it says of them it says of where they are now. */
export const followCells = (
  formula: string,
  home: string,
  sheet: string,
  moved: Area,
  rows: number,
  columns: number,
): string =>
  mapReferences(formula, (first, last, named) => {
    const corners = last ? [first, last] : [first];
    const isAbout = (named ?? home).toLowerCase() === sheet.toLowerCase();
    const isWithin = corners.every(({ row, column }) => contains(moved, { row, column, rows: 1, columns: 1 }));
    const [down, across] = isAbout && isWithin ? [rows, columns] : [0, 0];
    return corners
      .map((corner) => showCorner({ ...corner, row: corner.row + down, column: corner.column + across }))
      .join(':');
  });

/** Cells inserted or deleted on a sheet: which rows (or columns), and in which band across. */
export type Shift = {
  axis: 'row' | 'column';
  at: number;
  count: number;
  band: { start: number; length: number };
};

/** The formula after cells were inserted or deleted on `sheet`; `home` is the sheet the formula stands on. */
export const shiftFormula = (formula: string, home: string, sheet: string, shift: Shift): string =>
  mapReferences(formula, (first, last, named) => {
    const end = last ?? first;
    const same = `${showCorner(first)}${last ? `:${showCorner(last)}` : ''}`;
    if ((named ?? home).toLowerCase() !== sheet.toLowerCase()) return same;
    const across = shift.axis === 'row' ? 'column' : 'row';
    const low = Math.min(first[across], end[across]);
    const high = Math.max(first[across], end[across]);
    if (low < shift.band.start || high >= shift.band.start + shift.band.length) return same;
    const start = Math.min(first[shift.axis], end[shift.axis]);
    const length = Math.abs(first[shift.axis] - end[shift.axis]) + 1;
    const moved = shiftSpan(start, length, shift.at, shift.count);
    if (!moved) return '#REF!';
    const begin = showCorner({ ...first, [shift.axis]: moved.start });
    return last ? `${begin}:${showCorner({ ...end, [shift.axis]: moved.start + moved.length - 1 })}` : begin;
  });
