import { type Area, MAX_COLUMNS, MAX_ROWS, onSheet, wholeSheet } from './address.ts';
import { type CellValue, readEntry } from './entry.ts';
import { ExcelError } from './error.ts';
import { english, type Locale } from './locale.ts';
import { formatValue } from './numberFormat.ts';
import { plainStyle, type Style, withProperty } from './style.ts';
import type { Table } from './table.ts';
import type { NamedItem, Workbook } from './workbook.ts';

/** A cell with something in it, or with a style of its own. A cell without a style takes its row's or column's. */
export type Cell = {
  value: CellValue;
  /** With its leading "=". */
  formula?: string;
  /** Entered behind an apostrophe. */
  quoted?: boolean;
  style?: Style;
  hyperlink?: Readonly<Record<string, string>>;
};

/** Heights and widths are in points, as in the API. */
export type Row = {
  cells: (Cell | undefined)[];
  height?: number;
  hidden?: boolean;
  /** Hidden by a filter. */
  filtered?: boolean;
  style?: Style;
};

export type Column = { width?: number; hidden?: boolean; style?: Style };

export type Validation = { area: Area; rule: Record<string, unknown>; settings: Record<string, unknown> };

export type ConditionalFormat = { id: string; area: Area; type: string; settings: Record<string, unknown> };

export type SheetFilter = { area: Area; criteria: Map<number, FilterCriteria> };
export type FilterCriteria = Record<string, unknown>;

export type Sheet = {
  readonly workbook: Workbook;
  readonly id: string;
  name: string;
  visibility: 'Visible' | 'Hidden' | 'VeryHidden';
  rows: (Row | undefined)[];
  columns: (Column | undefined)[];
  /** How many cells hold a formula: none, and a shift need not look for references. */
  formulas: number;
  tables: Table[];
  names: NamedItem[];
  /** By upper-case key: the keys are case-insensitive. */
  customProperties: Map<string, { key: string; value: string }>;
  frozen: { rows: number; columns: number };
  protection: { options: Record<string, unknown>; password?: string } | undefined;
  validations: Validation[];
  conditionalFormats: ConditionalFormat[];
  filter: SheetFilter | undefined;
  merges: Area[];
  selection: Area;
  activeCell: { row: number; column: number };
  tabColor: string;
  gridlines: boolean;
  headings: boolean;
};

export const STANDARD_COLUMN_WIDTH = 48;
export const STANDARD_ROW_HEIGHT = 15;

export const cellAt = (sheet: Sheet, row: number, column: number): Cell | undefined => sheet.rows[row]?.cells[column];

export const styleAt = (sheet: Sheet, row: number, column: number): Style => {
  const line = sheet.rows[row];
  return line?.cells[column]?.style ?? line?.style ?? sheet.columns[column]?.style ?? plainStyle;
};

export const numberFormatAt = (sheet: Sheet, row: number, column: number): string =>
  styleAt(sheet, row, column).numberFormat ?? 'General';

export const isHiddenRow = (sheet: Sheet, row: number): boolean =>
  Boolean(sheet.rows[row]?.hidden || sheet.rows[row]?.filtered);

/** The text shown in a cell. Formulas are shown as they are written. */
export const textAt = (sheet: Sheet, row: number, column: number): string => {
  const cell = cellAt(sheet, row, column);
  if (!cell || cell.value === '') return '';
  return cell.formula ?? formatValue(cell.value, numberFormatAt(sheet, row, column), sheet.workbook.locale);
};

/** What stands in the formula bar, and what typing it again would give back. */
export const sourceAt = (sheet: Sheet, row: number, column: number): string => {
  const cell = cellAt(sheet, row, column);
  if (!cell) return '';
  if (cell.formula) return cell.formula;
  const { locale } = sheet.workbook;
  if (typeof cell.value === 'string') return cell.quoted ? `'${cell.value}` : cell.value;
  if (typeof cell.value === 'boolean') return cell.value ? locale.true : locale.false;
  const format = numberFormatAt(sheet, row, column);
  if (sheet.workbook.showsAsDate(format)) {
    const whole = Number.isInteger(cell.value);
    const shown = formatValue(cell.value, whole ? locale.shortDate : `${locale.shortDate} hh:mm:ss`, locale);
    if (!shown.startsWith('#')) return shown;
  }
  const percent = format.includes('%');
  const digits = String(percent ? Number((cell.value * 100).toPrecision(15)) : cell.value).replace('.', locale.decimal);
  return percent ? `${digits}%` : digits;
};

const extend = <Item>(list: (Item | undefined)[], index: number): void => {
  // A gap would make the array sparse, and sparse arrays are slow.
  while (list.length <= index) list.push(undefined);
};

export const rowOf = (sheet: Sheet, row: number): Row => {
  extend(sheet.rows, row);
  let line = sheet.rows[row];
  if (!line) {
    line = { cells: [] };
    sheet.rows[row] = line;
  }
  return line;
};

export const columnOf = (sheet: Sheet, column: number): Column => {
  extend(sheet.columns, column);
  let found = sheet.columns[column];
  if (!found) {
    found = {};
    sheet.columns[column] = found;
  }
  return found;
};

/** Puts a cell in its place without asking questions; undefined takes it away. */
export const putCell = (sheet: Sheet, row: number, column: number, cell: Cell | undefined): void => {
  if (!cell && !cellAt(sheet, row, column)) return;
  const { cells } = rowOf(sheet, row);
  extend(cells, column);
  sheet.formulas += (cell?.formula ? 1 : 0) - (cells[column]?.formula ? 1 : 0);
  cells[column] = cell;
};

/** Calls back for every stored cell in the area, in reading order. */
export const forEachCell = (
  sheet: Sheet,
  area: Area,
  visit: (cell: Cell, row: number, column: number) => void,
): void => {
  const lastRow = Math.min(area.row + area.rows, sheet.rows.length);
  for (let row = area.row; row < lastRow; row += 1) {
    const cells = sheet.rows[row]?.cells;
    if (!cells) continue;
    const lastColumn = Math.min(area.column + area.columns, cells.length);
    for (let column = area.column; column < lastColumn; column += 1) {
      const cell = cells[column];
      if (cell) visit(cell, row, column);
    }
  }
};

export const isBlank = (cell: Cell | undefined): boolean => !cell || cell.value === '';

export const isEmptyArea = (sheet: Sheet, area: Area): boolean => {
  let empty = true;
  forEachCell(sheet, area, (cell) => {
    if (!isBlank(cell)) empty = false;
  });
  return empty;
};

/** The smallest area around all cells in use within an area; undefined when there are none. */
export const usedArea = (sheet: Sheet, valuesOnly: boolean, within: Area = wholeSheet): Area | undefined => {
  let [top, left, bottom, right] = [MAX_ROWS, MAX_COLUMNS, -1, -1];
  forEachCell(sheet, within, (cell, row, column) => {
    if (valuesOnly && isBlank(cell)) return;
    top = Math.min(top, row);
    bottom = Math.max(bottom, row);
    left = Math.min(left, column);
    right = Math.max(right, column);
  });
  if (bottom < 0) return undefined;
  return { row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 };
};

/** AccessDenied when the sheet is protected and the area holds a locked cell, or when this kind of change is barred. */
export const assertWritable = (sheet: Sheet, area: Area, allowance?: string): void => {
  if (!sheet.protection) return;
  if (allowance) {
    if (sheet.protection.options[allowance] === true) return;
    throw new ExcelError('AccessDenied');
  }
  if (area.rows * area.columns > 1_000_000) throw new ExcelError('AccessDenied');
  for (let row = area.row; row < area.row + area.rows; row += 1) {
    for (let column = area.column; column < area.column + area.columns; column += 1) {
      if (!styleAt(sheet, row, column).unlocked) throw new ExcelError('AccessDenied');
    }
  }
};

/** What an API client or a user puts into one cell; null leaves the cell alone. */
export type Input = string | number | boolean | null;

const setStyleProperty = (cell: Cell | undefined, style: Style): Cell => ({ value: '', ...cell, style });

/** Writes one input by Excel's typing rules. */
export const enterCell = (sheet: Sheet, row: number, column: number, input: Input, locale: Locale): void => {
  if (input === null) return;
  const format = numberFormatAt(sheet, row, column);
  const old = cellAt(sheet, row, column);
  const kept = old?.style ? { style: old.style } : {};
  if (typeof input !== 'string') {
    if (typeof input === 'number' && !Number.isFinite(input)) throw new ExcelError('InvalidArgument');
    const value = format === '@' ? (typeof input === 'boolean' ? String(input).toUpperCase() : String(input)) : input;
    putCell(sheet, row, column, { value, ...kept });
    return;
  }
  if (input.length > 32_767) throw new ExcelError('InvalidArgument');
  const { numberFormat, ...entry } = readEntry(input, format, locale);
  if (entry.formula && entry.formula.length > 8192) throw new ExcelError('InvalidArgument');
  if (entry.value === '' && !entry.quoted) {
    putCell(sheet, row, column, old?.style ? { value: '', style: old.style } : undefined);
    return;
  }
  const cell: Cell = { ...entry, ...kept };
  if (numberFormat && format === 'General') {
    cell.style = withProperty(styleAt(sheet, row, column), 'numberFormat', numberFormat);
  }
  putCell(sheet, row, column, cell);
};

const isInput = (value: unknown): value is Input =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** One value for each cell of the area, from the matrix or the single value given; InvalidArgument when it does not fit. */
export const fitToArea = (area: Area, given: unknown): ((row: number, column: number) => unknown) => {
  if (!Array.isArray(given)) {
    if (!isInput(given)) throw new ExcelError('InvalidArgument');
    return () => given;
  }
  const rows = given as unknown[];
  const fits = rows.length === area.rows && rows.every((row) => Array.isArray(row) && row.length === area.columns);
  if (!fits) {
    throw new ExcelError(
      'InvalidArgument',
      "The number of rows or columns in the input array doesn't match the size or dimensions of the range.",
    );
  }
  return (row, column) => (rows[row] as unknown[])[column];
};

/**
 * Enters a matrix of inputs (or one input for all cells) into an area. Nothing is written when the shape does not fit.
 * Clients of the API write in the English spelling; a user types in the workbook's language.
 */
export const enterValues = (sheet: Sheet, area: Area, given: unknown, locale: Locale = english): void => {
  onSheet(area);
  const valueFor = fitToArea(area, given);
  assertWritable(sheet, area);
  if (area.rows * area.columns > 5_000_000) throw new ExcelError('InvalidArgument');
  for (let row = 0; row < area.rows; row += 1) {
    for (let column = 0; column < area.columns; column += 1) {
      const input = valueFor(row, column) ?? null;
      if (!isInput(input)) throw new ExcelError('InvalidArgument');
      enterCell(sheet, area.row + row, area.column + column, input, locale);
    }
  }
  sheet.workbook.contentChanged(sheet, area);
};

const isUnbounded = (area: Area): boolean => area.rows === MAX_ROWS || area.columns === MAX_COLUMNS;

/** Restyles every cell of an area. Entire rows and columns keep the style for cells yet to come. */
export const restyle = (
  sheet: Sheet,
  area: Area,
  change: (style: Style, row: number, column: number) => Style,
): void => {
  if (area.rows === MAX_ROWS) {
    // Excel keeps one style for each column; the row styles that cross them become cells of their own.
    for (let column = area.column; column < area.column + area.columns; column += 1) {
      const target = columnOf(sheet, column);
      target.style = change(target.style ?? plainStyle, 0, column);
    }
    sheet.rows.forEach((line, row) => {
      if (!line) return;
      const last = Math.min(area.column + area.columns, line.style ? MAX_COLUMNS : line.cells.length);
      if (line.style && area.columns === MAX_COLUMNS) line.style = change(line.style, row, 0);
      for (let column = area.column; column < last; column += 1) {
        const cell = line.cells[column];
        const own = cell?.style ?? (area.columns === MAX_COLUMNS ? undefined : line.style);
        if (own) putCell(sheet, row, column, setStyleProperty(cell, change(own, row, column)));
      }
    });
  } else if (area.columns === MAX_COLUMNS) {
    for (let row = area.row; row < area.row + area.rows; row += 1) {
      const line = rowOf(sheet, row);
      const before = line.style;
      sheet.columns.forEach((column, index) => {
        const cell = line.cells[index];
        if (!cell?.style && column?.style && !before) putCell(sheet, row, index, setStyleProperty(cell, column.style));
      });
      line.style = change(before ?? plainStyle, row, 0);
      line.cells.forEach((cell, column) => {
        if (cell?.style) putCell(sheet, row, column, setStyleProperty(cell, change(cell.style, row, column)));
      });
    }
  } else {
    for (let row = area.row; row < area.row + area.rows; row += 1) {
      for (let column = area.column; column < area.column + area.columns; column += 1) {
        const style = change(styleAt(sheet, row, column), row, column);
        putCell(sheet, row, column, setStyleProperty(cellAt(sheet, row, column), style));
      }
    }
  }
  sheet.workbook.emit({ kind: 'format', sheet, area });
};

/** Sets one property of the style of all cells in an area. */
export const setStyle = <Name extends keyof Style>(sheet: Sheet, area: Area, name: Name, value: Style[Name]): void => {
  assertWritable(sheet, area, 'allowFormatCells');
  restyle(sheet, area, (style) => withProperty(style, name, value));
};

/** The value of a style property when all cells of the area share it; null when they differ. */
export const commonStyle = <Name extends keyof Style, Default>(
  sheet: Sheet,
  area: Area,
  name: Name,
  fallback: Default,
): NonNullable<Style[Name]> | Default | null => {
  const first = styleAt(sheet, area.row, area.column)[name];
  const rows = Math.min(area.row + area.rows, Math.max(sheet.rows.length + 1, area.row + 1));
  const columns = isUnbounded(area)
    ? Math.min(area.column + area.columns, area.column + 256)
    : area.column + area.columns;
  for (let row = area.row; row < rows; row += 1) {
    for (let column = area.column; column < columns; column += 1) {
      if (styleAt(sheet, row, column)[name] !== first) return null;
    }
  }
  return (first ?? fallback) as NonNullable<Style[Name]> | Default;
};

/** Number formats from a matrix, or one for all cells. */
export const setNumberFormats = (sheet: Sheet, area: Area, given: unknown): void => {
  const formatFor = fitToArea(area, given);
  assertWritable(sheet, area, 'allowFormatCells');
  const known = (format: unknown) => {
    if (format !== null && (typeof format !== 'string' || format.length > 255)) throw new ExcelError('InvalidArgument');
    return format;
  };
  restyle(sheet, area, (style, row, column) => {
    const format = known(formatFor(row - area.row, column - area.column));
    if (format === null) return style;
    return withProperty(style, 'numberFormat', format === 'General' || format === '' ? undefined : format);
  });
};

export type Clearing = 'All' | 'Contents' | 'Formats' | 'Hyperlinks' | 'RemoveHyperlinks';

export const clearArea = (sheet: Sheet, area: Area, what: Clearing = 'All'): void => {
  assertWritable(
    sheet,
    what === 'Formats' ? area : clipToUse(sheet, area),
    what === 'Formats' ? 'allowFormatCells' : undefined,
  );
  if (what === 'All' || what === 'Formats') {
    for (let column = area.column; area.rows === MAX_ROWS && column < sheet.columns.length; column += 1) {
      const target = sheet.columns[column];
      if (target?.style && column < area.column + area.columns) delete target.style;
    }
    for (
      let row = area.row;
      area.columns === MAX_COLUMNS && row < Math.min(area.row + area.rows, sheet.rows.length);
      row += 1
    ) {
      const line = sheet.rows[row];
      if (line?.style) delete line.style;
    }
  }
  forEachCell(sheet, area, (cell, row, column) => {
    if (what === 'All') putCell(sheet, row, column, undefined);
    else if (what === 'Contents')
      putCell(sheet, row, column, cell.style ? { value: '', style: cell.style } : undefined);
    else if (what === 'Formats') {
      const { style: _style, ...content } = cell;
      putCell(sheet, row, column, isBlank(cell) ? undefined : content);
    } else {
      const { hyperlink: _hyperlink, ...rest } = cell;
      putCell(sheet, row, column, rest);
    }
  });
  if (what === 'All' || what === 'Contents') sheet.workbook.contentChanged(sheet, area);
  else sheet.workbook.emit({ kind: 'format', sheet, area });
};

/** The part of a huge area that has cells at all, so that checks need not walk over a million empty ones. */
const clipToUse = (sheet: Sheet, area: Area): Area =>
  isUnbounded(area) ? (usedArea(sheet, false, area) ?? { ...area, rows: 1, columns: 1 }) : area;
