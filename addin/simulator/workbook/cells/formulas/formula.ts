import {
  type Area,
  cellArea,
  columnIndex,
  columnName,
  contains,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
  shiftSpan,
  wholeSheet,
} from '../address.ts';

type Corner = Position & { fixedColumn: boolean; fixedRow: boolean };

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
  `${corner.fixedColumn ? '$' : ''}${columnName(corner.column)}${corner.fixedRow ? '$' : ''}${corner.row + 1}`;

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

/** Changes each corner of each reference. A reference with a corner outside of the sheet becomes #REF!. */
const mapCorners = (formula: string, change: (corner: Corner) => Position): string =>
  mapReferences(formula, (first, last) => {
    const corners = (last ? [first, last] : [first]).map((corner) => ({ ...corner, ...change(corner) }));
    return corners.every((corner) => contains(wholeSheet, cellArea(corner)))
      ? corners.map(showCorner).join(':')
      : '#REF!';
  });

/** The formula after its cell moved: relative references move along, as in sorted or copied rows. */
export const moveFormula = (formula: string, rows: number, columns: number): string => {
  if (rows === 0 && columns === 0) return formula;
  return mapCorners(formula, ({ row, column, fixedRow, fixedColumn }) => ({
    row: fixedRow ? row : row + rows,
    column: fixedColumn ? column : column + columns,
  }));
};

/**
 * The formula after its cell was copied and transposed: a relative reference to cells so many columns beside it becomes
 * one to cells as many rows below it (Microsoft's support pages, "Transpose data from rows to columns").
 */
export const transposeFormula = (formula: string, from: Position, to: Position): string =>
  mapCorners(formula, ({ row, column, fixedRow, fixedColumn }) => ({
    row: fixedRow ? row : to.row + column - from.column,
    column: fixedColumn ? column : to.column + row - from.row,
  }));

/** The formula after the cells of an area on `sheet` moved: references to them follow. */
export const followCells = (formula: string, home: string, sheet: string, from: Area, to: Position): string =>
  mapReferences(formula, (first, last, named) => {
    const corners = last ? [first, last] : [first];
    const isAbout = (named ?? home).toLowerCase() === sheet.toLowerCase();
    const isWithin = corners.every((corner) => contains(from, cellArea(corner)));
    const [down, across] = isAbout && isWithin ? [to.row - from.row, to.column - from.column] : [0, 0];
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
