import {
  type Area,
  columnIndex,
  columnName,
  MAX_COLUMNS,
  MAX_ROWS,
  type Position,
  quotedSheetName,
  sameName,
} from '../address.ts';
import { movedArea, type Shift, shiftArea } from '../movedArea.ts';
import { namedSheets, rewriteTokens, type Token } from './formulaTokens.ts';

/* References to cells in formulas that are copied, and in formulas whose cells move. */

/** A cell, a column or a row in a formula. */
type Corner = { column?: number; row?: number; fixedColumn: boolean; fixedRow: boolean };

type Reference = {
  /** The sheet in front of it, as in the formula. */
  prefix: string;
  /** Undefined for the sheet of the formula, and for cells of another workbook or of several sheets. */
  sheet: string | undefined;
  isElsewhere: boolean;
  first: Corner;
  last: Corner | undefined;
};

const axes = ['row', 'column'] as const;
type Axis = Shift['axis'];

const limits = { row: MAX_ROWS, column: MAX_COLUMNS };

const readCorner = (source: string): Corner => {
  const [, fixedColumn, letters, fixedRow, digits] = /^(\$?)([A-Z]*)(\$?)(\d*)$/i.exec(source)!;
  const isRow = letters === '';
  return {
    ...(letters ? { column: columnIndex(letters) } : {}),
    ...(digits ? { row: Number(digits) - 1 } : {}),
    fixedColumn: !isRow && fixedColumn === '$',
    fixedRow: (isRow ? fixedColumn : fixedRow) === '$',
  };
};

const showCorner = ({ column, row, fixedColumn, fixedRow }: Corner): string => {
  const columnText = column === undefined ? '' : `${fixedColumn ? '$' : ''}${columnName(column)}`;
  return row === undefined ? columnText : `${columnText}${fixedRow ? '$' : ''}${row + 1}`;
};

const isOnSheet = (corner: Corner): boolean =>
  axes.every((axis) => corner[axis] === undefined || (corner[axis] >= 0 && corner[axis] < limits[axis]));

const readReference = ({ sheet: prefix, first, last }: Token): Reference | undefined => {
  const sheets = prefix === undefined ? undefined : namedSheets(prefix);
  const reference = {
    prefix: prefix ?? '',
    sheet: sheets?.last === undefined ? sheets?.name : undefined,
    isElsewhere: prefix !== undefined && (sheets === undefined || sheets.last !== undefined),
    first: readCorner(first!),
    last: last === undefined ? undefined : readCorner(last),
  };
  const isSound = isOnSheet(reference.first) && (reference.last === undefined || isOnSheet(reference.last));
  return isSound ? reference : undefined;
};

const showCorners = (first: Corner, last: Corner | undefined): string =>
  last === undefined ? showCorner(first) : `${showCorner(first)}:${showCorner(last)}`;

/** Changes references to cells; undefined keeps one as it is, also its blanks. */
const mapReferences = (formula: string, change: (reference: Reference) => string | undefined): string =>
  rewriteTokens(formula, (token) => {
    const reference = token.kind === 'cells' ? readReference(token) : undefined;
    return reference && change(reference);
  });

/** Changes each corner of each reference. A reference with a corner outside of the sheet becomes #REF!. */
const mapCorners = (formula: string, change: (corner: Corner) => Corner): string =>
  mapReferences(formula, ({ prefix, first, last }) => {
    const corners = (last ? [first, last] : [first]).map(change);
    return corners.every(isOnSheet) ? `${prefix}${corners.map(showCorner).join(':')}` : `${prefix}#REF!`;
  });

const movedCorner = (corner: Corner, rows: number, columns: number): Corner => ({
  ...corner,
  ...(corner.row === undefined ? {} : { row: corner.row + rows }),
  ...(corner.column === undefined ? {} : { column: corner.column + columns }),
});

/** The formula after its cell moved: relative references move along, as in sorted or copied rows. */
export const moveFormula = (formula: string, rows: number, columns: number): string => {
  if (rows === 0 && columns === 0) return formula;
  return mapCorners(formula, (corner) =>
    movedCorner(corner, corner.fixedRow ? 0 : rows, corner.fixedColumn ? 0 : columns),
  );
};

/**
 * The formula after its cell was copied and transposed: a relative reference to cells so many columns beside it becomes
 * one to cells as many rows below it (Microsoft's support pages, "Transpose data from rows to columns").
 */
export const transposeFormula = (formula: string, from: Position, to: Position): string =>
  mapCorners(formula, ({ row, column, fixedRow, fixedColumn }) => {
    // Entire columns become entire rows.
    if (row === undefined) {
      return fixedColumn
        ? { column: column!, fixedColumn, fixedRow }
        : { row: to.row + column! - from.column, fixedRow: false, fixedColumn: false };
    }
    if (column === undefined) {
      return fixedRow
        ? { row, fixedColumn, fixedRow }
        : { column: to.column + row - from.row, fixedRow: false, fixedColumn: false };
    }
    return {
      row: fixedRow ? row : to.row + column - from.column,
      column: fixedColumn ? column : to.column + row - from.row,
      fixedRow,
      fixedColumn,
    };
  });

/** The rows or columns of a reference; undefined for those of entire columns or rows. */
const spanOf = (axis: Axis, first: Corner, last: Corner | undefined): { start: number; length: number } | undefined => {
  const [one, other] = [first[axis], (last ?? first)[axis]];
  if (one === undefined || other === undefined) return undefined;
  return { start: Math.min(one, other), length: Math.abs(one - other) + 1 };
};

const areaOf = ({ first, last }: Reference): Area => {
  const rows = spanOf('row', first, last);
  const columns = spanOf('column', first, last);
  return {
    row: rows?.start ?? 0,
    rows: rows?.length ?? MAX_ROWS,
    column: columns?.start ?? 0,
    columns: columns?.length ?? MAX_COLUMNS,
  };
};

/** Cells that were moved, with what they hold: the names of the sheets, and areas of one size. */
export type Move = { sheet: string; from: Area; toSheet: string; to: Area };

/** A reference with other cells. Its corners keep their order and their `$`. */
const showArea = ({ first, last }: Reference, area: Area): string => {
  const end = last ?? first;
  const at = (axis: Axis, isFirst: boolean) => {
    if (first[axis] === undefined) return {};
    const isLow = first[axis] <= end[axis]! === isFirst;
    return { [axis]: area[axis] + (isLow ? 0 : area[axis === 'row' ? 'rows' : 'columns'] - 1) };
  };
  const corner = (own: Corner, isFirst: boolean): Corner => ({
    ...own,
    ...at('row', isFirst),
    ...at('column', isFirst),
  });
  return showCorners(corner(first, true), last && corner(last, false));
};

/**
 * The formula after cells were moved: references follow them, also to another sheet, and those to cells that they were
 * moved over are lost.
 * @param home the sheet that the formula stood on
 * @param own the sheet that it stands on now, when it was moved itself
 */
export const followMove = (formula: string, home: string, move: Move, own = home): string =>
  mapReferences(formula, (reference) => {
    if (reference.isElsewhere) return undefined;
    const sheet = reference.sheet ?? home;
    const area = areaOf(reference);
    const sides = { isSource: sameName(sheet, move.sheet), isTarget: sameName(sheet, move.toSheet) };
    const moved = movedArea(area, sides, move.from, move.to);
    if (moved === undefined) return `${reference.prefix}#REF!`;
    const now = moved.isMoved ? move.toSheet : sheet;
    const isSame = reference.prefix === '' ? sameName(now, own) : sameName(now, sheet);
    const prefix = isSame ? reference.prefix : `${quotedSheetName(now)}!`;
    return isSame && moved.area === area ? undefined : `${prefix}${showArea(reference, moved.area)}`;
  });

/** The formula after cells were inserted or deleted on `sheet`; `home` is the sheet the formula stands on. */
export const shiftFormula = (formula: string, home: string, sheet: string, shift: Shift): string =>
  mapReferences(formula, (reference) => {
    if (reference.isElsewhere || !sameName(reference.sheet ?? home, sheet)) return undefined;
    const area = areaOf(reference);
    const moved = shiftArea(area, shift);
    if (moved === area) return undefined;
    return moved === undefined ? `${reference.prefix}#REF!` : `${reference.prefix}${showArea(reference, moved)}`;
  });

/** The formula in which cells are named with their sheet, as Excel keeps the formula of a name. */
export const withSheet = (formula: string, sheet: string): string =>
  mapReferences(formula, ({ prefix, first, last }) =>
    prefix === '' ? `${quotedSheetName(sheet)}!${showCorners(first, last)}` : undefined,
  );
