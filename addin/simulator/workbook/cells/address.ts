import { ExcelError } from './error.ts';

/** The size of every worksheet. */
export const MAX_ROWS = 1_048_576;
export const MAX_COLUMNS = 16_384;

/** A cell; rows and columns count from 0. */
export type Position = { row: number; column: number };

/** A block of cells, from its first one. */
export type Area = Position & { rows: number; columns: number };

/** The area of one cell. */
export const cellArea = ({ row, column }: Position): Area => ({ row, column, rows: 1, columns: 1 });

/** Consecutive indexes. */
export const indexes = (start: number, count: number): number[] => Array.from({ length: count }, (_, at) => start + at);

/** A matrix with an item for each cell of an area. */
export const matrixOf = <Item>(area: Area, read: (row: number, column: number) => Item): Item[][] => {
  const matrix: Item[][] = [];
  for (let row = area.row; row < area.row + area.rows; row += 1) {
    const items: Item[] = [];
    for (let column = area.column; column < area.column + area.columns; column += 1) items.push(read(row, column));
    matrix.push(items);
  }
  return matrix;
};

/** Calls back for every cell of an area, row by row. */
export const eachCell = (area: Area, visit: (row: number, column: number) => void): void => {
  for (let row = area.row; row < area.row + area.rows; row += 1) {
    for (let column = area.column; column < area.column + area.columns; column += 1) visit(row, column);
  }
};

export const columnName = (column: number): string => {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
};

export const columnIndex = (name: string): number => {
  let index = 0;
  for (const letter of name.toUpperCase()) index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
};

export const isEntireRow = (area: Area): boolean => area.column === 0 && area.columns === MAX_COLUMNS;
export const isEntireColumn = (area: Area): boolean => area.row === 0 && area.rows === MAX_ROWS;
/** Whether an area has entire rows or columns. */
export const isUnbounded = ({ rows, columns }: Area): boolean => rows === MAX_ROWS || columns === MAX_COLUMNS;
export const wholeSheet: Area = { row: 0, column: 0, rows: MAX_ROWS, columns: MAX_COLUMNS };

/** The area in A1 notation, without the sheet: `B2`, `A1:C3`, `A:A`, `2:5`. */
export const areaAddress = (area: Area): string => {
  const lastRow = area.row + area.rows;
  const lastColumn = columnName(area.column + area.columns - 1);
  if (isEntireColumn(area)) return `${columnName(area.column)}:${lastColumn}`;
  if (isEntireRow(area)) return `${area.row + 1}:${lastRow}`;
  const first = `${columnName(area.column)}${area.row + 1}`;
  return area.rows === 1 && area.columns === 1 ? first : `${first}:${lastColumn}${lastRow}`;
};

/** Excel ignores the case of the names of sheets, tables, columns and cells. */
export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The name of a sheet in an address, quoted where that is necessary: also when it looks like a cell, as R1C1. */
export const quotedSheetName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) && !/^(?:[A-Z]{1,3}\d+|R\d*(?:C\d*)?|C\d*|TRUE|FALSE)$/i.test(name)
    ? name
    : `'${name.replaceAll("'", "''")}'`;

/** The area as formulas refer to it, wherever they are copied to: `Sheet1!$A$1:$B$2`. */
export const fixedAddress = (sheetName: string, area: Area): string =>
  `${quotedSheetName(sheetName)}!${areaAddress(area).replace(/[A-Z]+|\d+/g, '$$$&')}`;

/** Splits `'My sheet'!A1:B2` into its sheet and the rest; the sheet is undefined when none is named. */
export const splitAddress = (address: string): { sheet?: string; local: string } => {
  const quoted = /^'((?:[^']|'')+)'!(.*)$/s.exec(address);
  if (quoted) return { sheet: quoted[1]!.replaceAll("''", "'"), local: quoted[2]! };
  const bang = address.lastIndexOf('!');
  return bang < 0 ? { local: address } : { sheet: address.slice(0, bang), local: address.slice(bang + 1) };
};

const corner = /^\s*\$?([A-Za-z]{1,3})?\$?(\d{1,7})?\s*$/;

/** Reads A1 notation without a sheet; undefined when it is something else, such as a name. */
export const parseArea = (address: string): Area | undefined => {
  const ends = address.split(':');
  if (ends.length > 2) return undefined;
  const first = corner.exec(ends[0]!);
  const last = corner.exec(ends[1] ?? ends[0]!);
  if (!first || !last) return undefined;
  const hasColumn = first[1] !== undefined;
  const hasRow = first[2] !== undefined;
  if (hasColumn !== (last[1] !== undefined) || hasRow !== (last[2] !== undefined)) return undefined;
  if (!hasColumn && !hasRow) return undefined;
  if (ends.length === 1 && !(hasColumn && hasRow)) return undefined;
  const columns = hasColumn ? [columnIndex(first[1]!), columnIndex(last[1]!)] : [0, MAX_COLUMNS - 1];
  const rows = hasRow ? [Number(first[2]) - 1, Number(last[2]) - 1] : [0, MAX_ROWS - 1];
  const area = {
    row: Math.min(...rows),
    column: Math.min(...columns),
    rows: Math.abs(rows[1]! - rows[0]!) + 1,
    columns: Math.abs(columns[1]! - columns[0]!) + 1,
  };
  return fits(area) ? area : undefined;
};

const fits = (area: Area): boolean =>
  area.row >= 0 &&
  area.column >= 0 &&
  area.rows >= 1 &&
  area.columns >= 1 &&
  area.row + area.rows <= MAX_ROWS &&
  area.column + area.columns <= MAX_COLUMNS;

/** The area itself, when it lies on the sheet; InvalidArgument otherwise. */
export const onSheet = (area: Area): Area => {
  const numbers = [area.row, area.column, area.rows, area.columns];
  if (!numbers.every(Number.isInteger) || !fits(area)) throw new ExcelError('InvalidArgument');
  return area;
};

export const contains = (outer: Area, inner: Area): boolean =>
  inner.row >= outer.row &&
  inner.column >= outer.column &&
  inner.row + inner.rows <= outer.row + outer.rows &&
  inner.column + inner.columns <= outer.column + outer.columns;

export const intersection = (a: Area, b: Area): Area | undefined => {
  const row = Math.max(a.row, b.row);
  const column = Math.max(a.column, b.column);
  const rows = Math.min(a.row + a.rows, b.row + b.rows) - row;
  const columns = Math.min(a.column + a.columns, b.column + b.columns) - column;
  return rows > 0 && columns > 0 ? { row, column, rows, columns } : undefined;
};

/** What an area has outside of another one: the rows above it first, and the rows below it last. */
export const without = (area: Area, hole: Area): Area[] => {
  const cut = intersection(area, hole);
  if (!cut) return [area];
  const [bottom, right] = [cut.row + cut.rows, cut.column + cut.columns];
  const parts = [
    { ...area, rows: cut.row - area.row },
    { ...area, row: cut.row, rows: cut.rows, columns: cut.column - area.column },
    { row: cut.row, rows: cut.rows, column: right, columns: area.column + area.columns - right },
    { ...area, row: bottom, rows: area.row + area.rows - bottom },
  ];
  return parts.filter(({ rows, columns }) => rows > 0 && columns > 0);
};

export const boundingArea = (a: Area, b: Area): Area => {
  const row = Math.min(a.row, b.row);
  const column = Math.min(a.column, b.column);
  return {
    row,
    column,
    rows: Math.max(a.row + a.rows, b.row + b.rows) - row,
    columns: Math.max(a.column + a.columns, b.column + b.columns) - column,
  };
};

/**
 * The rows or columns of an area after others were inserted before or in it. Undefined when all of it was deleted.
 * @param at the first shifted row or column
 * @param count how many were inserted; negative for deletions
 */
export const shiftSpan = (
  start: number,
  length: number,
  at: number,
  count: number,
): { start: number; length: number } | undefined => {
  if (count >= 0) {
    if (at <= start) return { start: start + count, length };
    return { start, length: at < start + length ? length + count : length };
  }
  const removedEnd = at - count;
  const shifted = (position: number) => (position <= at ? position : position <= removedEnd ? at : position + count);
  const newStart = shifted(start);
  const newLength = shifted(start + length) - newStart;
  return newLength > 0 ? { start: newStart, length: newLength } : undefined;
};
