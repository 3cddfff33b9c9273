import { isDateFormat } from 'numfmt';
import type { Chart } from '../sheetCharts/chart.ts';
import { type Area, cellArea, eachCell, MAX_COLUMNS, type Position, wholeSheet } from './cells/address.ts';
import { type CellValue, isError, valueType } from './cells/entry.ts';
import { ExcelError } from './cells/error.ts';
import { fromEnglish } from './cells/formulas/formulaLanguage.ts';
import type { Locale } from './cells/locale.ts';
import { formatValue, shownValue } from './cells/numberFormat.ts';
import { plainStyle, type Style } from './cells/style.ts';
import { record } from './history.ts';
import type { NamedItem } from './names.ts';
import type { Table } from './table.ts';
import type { Workbook } from './workbook.ts';

/** What somebody wrote beside a cell. */
export type Note = { text: string; author?: string };

/** A cell with a value, a style or a note of its own. A cell without a style has that of its row or column. */
export type Cell = {
  value: CellValue;
  /** With its leading "=", in English. The value is its result, or the same text while it is not calculated. */
  formula?: string;
  /** The cells that the result of its formula is in, when it may be several values; only its own while there is no room. */
  spills?: Area;
  /** Of an array formula of an earlier version: its result has so many cells, whatever it is. */
  array?: { rows: number; columns: number };
  /** Part of the result of a formula in another cell. */
  spilled?: true;
  /** Why the function of an add-in in its formula failed. */
  message?: string;
  /** Entered behind an apostrophe. */
  quoted?: boolean;
  style?: Style;
  hyperlink?: Readonly<Record<string, string>>;
  note?: Note;
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

/** Its formulas are as they are for the first cell of its first area. */
export type Validation = { areas: Area[]; rule: Record<string, unknown>; settings: Record<string, unknown> };

export type ConditionalFormat = {
  id: string;
  areas: Area[];
  type: string;
  settings: Record<string, unknown>;
  /** As the file has it that it came from. */
  rule?: ConditionalRule;
};

/** The condition and the format of a file. The page keeps them, and does not draw them. */
export type ConditionalRule = {
  attributes: Readonly<Record<string, string>>;
  /** In English, as they are for the first cell of the first area. */
  formulas: string[];
  /** Of colours, bars or icons. */
  scale?: {
    element: string;
    attributes: Readonly<Record<string, string>>;
    values: Readonly<Record<string, string>>[];
    colors: Readonly<Record<string, string>>[];
  };
  /** XML. */
  format?: string;
};

type SheetFilter = { area: Area; criteria: Map<number, FilterCriteria> };
export type FilterCriteria = Record<string, unknown>;

export class Sheet {
  readonly workbook: Workbook;
  readonly id: string;
  name: string;
  visibility: 'Visible' | 'Hidden' | 'VeryHidden' = 'Visible';
  rows: (Row | undefined)[] = [];
  columns: (Column | undefined)[] = [];
  /** The number of cells with a formula: with none, a shift need not search for references. */
  formulas = 0;
  tables: Table[] = [];
  charts: Chart[] = [];
  names: NamedItem[] = [];
  /** By upper-case key: the keys are case-insensitive. */
  readonly customProperties = new Map<string, { key: string; value: string }>();
  frozen = { rows: 0, columns: 0 };
  protection: { options: Record<string, unknown>; password?: string } | undefined;
  validations: Validation[] = [];
  conditionalFormats: ConditionalFormat[] = [];
  filter: SheetFilter | undefined;
  merges: Area[] = [];
  selection: Area = cellArea({ row: 0, column: 0 });
  activeCell: Position = { row: 0, column: 0 };
  tabColor = '';
  gridlines = true;
  headings = true;
  /** Undefined until somebody sets it: a download then has one page beside another, and repeats the frozen rows. */
  print: PrintLayout | undefined;

  constructor(workbook: Workbook, id: string, name: string) {
    this.workbook = workbook;
    this.id = id;
    this.name = name;
  }
}

/** How a sheet is printed. The rows and columns that each page repeats are its name Print_Titles, as in Excel. */
export type PrintLayout = {
  orientation: 'Portrait' | 'Landscape';
  zoom: { scale?: number; horizontalFitToPages?: number; verticalFitToPages?: number };
};
export const PRINT_TITLES = 'Print_Titles';

/** Screens have 96 pixels where print has 72 points. */
export const PIXELS_PER_POINT = 96 / 72;

export const STANDARD_COLUMN_WIDTH = 48;
export const STANDARD_ROW_HEIGHT = 15;

export const cellAt = (sheet: Sheet, row: number, column: number): Cell | undefined => sheet.rows[row]?.cells[column];

export const valueAt = (sheet: Sheet, row: number, column: number): CellValue =>
  cellAt(sheet, row, column)?.value ?? '';

/** By the names of `Excel.RangeValueType`. */
export const valueTypeAt = (sheet: Sheet, row: number, column: number): string =>
  valueType(valueAt(sheet, row, column), cellAt(sheet, row, column)?.quoted);

/** The formula of a cell, in English; its value when it has none. */
export const formulaAt = (sheet: Sheet, row: number, column: number): CellValue =>
  cellAt(sheet, row, column)?.formula ?? valueAt(sheet, row, column);

export const styleAt = (sheet: Sheet, row: number, column: number): Style => {
  const line = sheet.rows[row];
  return line?.cells[column]?.style ?? line?.style ?? sheet.columns[column]?.style ?? plainStyle;
};

export const numberFormatAt = (sheet: Sheet, row: number, column: number): string =>
  styleAt(sheet, row, column).numberFormat ?? 'General';

export const isHiddenRow = (sheet: Sheet, row: number): boolean =>
  Boolean(sheet.rows[row]?.hidden || sheet.rows[row]?.filtered);

/** The error in a cell as the language of the workbook names it; undefined for another value, and for a text. */
const errorText = (cell: Cell, locale: Locale): string | undefined =>
  isError(cell) ? fromEnglish(`=${cell.value}`, locale).slice(1) : undefined;

/** The text shown in a cell. A formula that is not calculated, and an error, are in the language of the workbook. */
export const textAt = (sheet: Sheet, row: number, column: number): string => {
  const cell = cellAt(sheet, row, column);
  if (!cell || cell.value === '') return '';
  const { locale } = sheet.workbook;
  if (cell.formula === cell.value && cell.formula) return fromEnglish(cell.formula, locale);
  const format = numberFormatAt(sheet, row, column);
  return errorText(cell, locale) ?? shownValue(cell.value, format, locale);
};

/** The format of a date or a time in the formula bar: a time of day has no date. */
const sourceFormat = (value: number, format: string, { shortDate }: Locale): string => {
  if (value >= 0 && value < 1 && (value > 0 || /h/i.test(format))) return 'hh:mm:ss';
  return Number.isInteger(value) ? shortDate : `${shortDate} hh:mm:ss`;
};

/** The text in the formula bar. Typed again, it makes the same cell. */
export const sourceAt = (sheet: Sheet, row: number, column: number): string => {
  const formula = cellAt(sheet, row, column)?.formula;
  return formula ? fromEnglish(formula, sheet.workbook.locale) : typedAt(sheet, row, column);
};

/** The value of a cell as it is typed, also where it is the result of a formula. */
export const typedAt = (sheet: Sheet, row: number, column: number): string => {
  const cell = cellAt(sheet, row, column);
  if (!cell) return '';
  const { locale } = sheet.workbook;
  const format = numberFormatAt(sheet, row, column);
  if (typeof cell.value === 'string') {
    if (cell.quoted) return format === '@' ? cell.value : `'${cell.value}`;
    return errorText(cell, locale) ?? cell.value;
  }
  if (typeof cell.value === 'boolean') return cell.value ? locale.true : locale.false;
  if (isDateFormat(format)) {
    const shown = formatValue(cell.value, sourceFormat(cell.value, format, locale), locale);
    if (!shown.startsWith('#')) return shown;
  }
  const percent = format.includes('%');
  const shown = Number((percent ? cell.value * 100 : cell.value).toPrecision(15));
  const digits = String(shown).replace('.', locale.decimal).replace('e', 'E');
  return percent ? `${digits}%` : digits;
};

const extend = <Item>(list: (Item | undefined)[], index: number): void => {
  // Sparse arrays are slow, so there are no gaps.
  while (list.length <= index) list.push(undefined);
};

export const rowOf = (sheet: Sheet, row: number): Row => {
  extend(sheet.rows, row);
  sheet.rows[row] ??= { cells: [] };
  return sheet.rows[row];
};

export const columnOf = (sheet: Sheet, column: number): Column => {
  extend(sheet.columns, column);
  sheet.columns[column] ??= {};
  return sheet.columns[column];
};

/** Remembers what a cell was, for the events of its change. */
const remember = (sheet: Sheet, row: number, column: number, before?: Cell, after?: Cell): void => {
  const { untold } = sheet.workbook;
  let known = untold.get(sheet);
  if (!known) {
    known = { row, column, value: before?.value ?? '', formulas: [] };
    untold.set(sheet, known);
  }
  if (before?.formula === after?.formula) return;
  known.formulas.push({ row, column, formula: before?.formula ?? String(before?.value ?? '') });
};

/** Changes cells after a change elsewhere. No event tells what was in them, and so later ones must not either. */
export const withoutTelling = <Result>({ untold }: Workbook, work: () => Result): Result => {
  const before = new Set(untold.keys());
  try {
    return work();
  } finally {
    for (const sheet of [...untold.keys()]) if (!before.has(sheet)) untold.delete(sheet);
  }
};

/** Sets a cell without checks; undefined removes it. */
export const putCell = (sheet: Sheet, row: number, column: number, cell: Cell | undefined): void => {
  const before = cellAt(sheet, row, column);
  if (!cell && !before) return;
  const { cells } = rowOf(sheet, row);
  extend(cells, column);
  remember(sheet, row, column, before, cell);
  if (sheet.workbook.history.current) record(sheet.workbook, { sheet, row, column, cell: before });
  if (cell?.formula || before?.formula) sheet.formulas += (cell?.formula ? 1 : 0) - (before?.formula ? 1 : 0);
  cells[column] = cell;
};

/** Sets all cells of a row without checks or history. Rows that are set together keep their number of formulas. */
export const putRowCells = (sheet: Sheet, row: number, cells: Row['cells']): void => {
  const line = rowOf(sheet, row);
  const before = line.cells;
  line.cells = cells;
  if (sheet.formulas === 0) return;
  for (let column = 0; column < Math.max(before.length, cells.length); column += 1) {
    const [one, other] = [before[column], cells[column]];
    if (one?.formula !== other?.formula) remember(sheet, row, column, one, other);
  }
};

/**
 * Sets the cells of an area without checks, as one change for undo.
 * @param cellFor may throw: undo then takes back what was set until then
 */
export const putArea = (
  sheet: Sheet,
  area: Area,
  cellFor: (before: Cell | undefined, row: number, column: number) => Cell | undefined,
): void => {
  const earlier: (Cell | undefined)[] = [];
  let [set, hasChanged] = [0, false];
  const indexOf = (row: number, column: number) => (row - area.row) * area.columns + column - area.column;
  const restore = () =>
    putArea(sheet, area, (now, row, column) => (indexOf(row, column) < set ? earlier[indexOf(row, column)] : now));
  try {
    eachCell(area, (row, column) => {
      const before = cellAt(sheet, row, column);
      const cell = cellFor(before, row, column);
      if (before !== undefined) {
        extend(earlier, set);
        earlier[set] = before;
      }
      set += 1;
      if (cell === before) return;
      hasChanged = true;
      const { cells } = rowOf(sheet, row);
      extend(cells, column);
      remember(sheet, row, column, before, cell);
      if (cell?.formula || before?.formula) sheet.formulas += (cell?.formula ? 1 : 0) - (before?.formula ? 1 : 0);
      cells[column] = cell;
    });
  } finally {
    if (hasChanged) record(sheet.workbook, { sheet, area, size: area.rows * area.columns, restore });
  }
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

/** What of a cell stays when its content is replaced. */
export const withoutContent = (cell: Cell | undefined): Pick<Cell, 'style' | 'note'> => {
  const { style, note } = cell ?? {};
  if (note === undefined) return style === undefined ? {} : { style };
  return style === undefined ? { note } : { style, note };
};

/** What of a cell comes into another one by copying or filling, without its style and note. */
export const copiedContent = (
  cell: Cell = { value: '' },
): Omit<Cell, 'style' | 'note' | 'spills' | 'array' | 'spilled'> => {
  const { style: _style, note: _note, spills: _spills, array: _array, spilled: _spilled, ...content } = cell;
  return content;
};

/**
 * A cell with nothing but a value and a style: that above it, if it is the same. Columns repeat themselves, a cell is
 * never changed, and a hundred thousand rows have millions of them.
 */
export const plainCell = (value: CellValue, style: Style | undefined, above: Cell | undefined): Cell => {
  if (above !== undefined && above.value === value && above.style === style && hasOnlyValue(above)) return above;
  // An object that gets its style later takes twice the memory.
  return style === undefined ? { value } : { value, style };
};

/** Whether a cell has nothing but a value and a style. */
export const hasOnlyValue = ({ formula, spills, array, spilled, message, quoted, hyperlink, note }: Cell): boolean =>
  formula === undefined &&
  spills === undefined &&
  array === undefined &&
  spilled === undefined &&
  message === undefined &&
  quoted === undefined &&
  hyperlink === undefined &&
  note === undefined;

/** A cell without its content; undefined when nothing stays. */
export const emptied = (cell: Cell | undefined): Cell | undefined =>
  cell?.style === undefined && cell?.note === undefined ? undefined : { value: '', ...withoutContent(cell) };

/** A cell whose formula follows what it refers to: its result stays until it is calculated. */
export const withFormula = (cell: Cell, formula: string): Cell => ({
  ...cell,
  formula,
  value: cell.value === cell.formula ? formula : cell.value,
});

/** Whether a cell shows no text and no value, be it the result of a formula. */
export const showsNothing = (cell: Cell | undefined): boolean => !cell || cell.value === '';

/** Whether a cell has no content: one with an empty text as the result of a formula is not blank, as in Excel. */
export const isBlank = (cell: Cell | undefined): boolean =>
  !cell || (cell.value === '' && cell.formula === undefined && !cell.spilled);

/** The smallest area around all cells in use within an area; undefined when there are none. */
export const usedArea = (sheet: Sheet, valuesOnly: boolean, within: Area = wholeSheet): Area | undefined => {
  const isUsed = (cell: Cell | undefined) => cell !== undefined && !(valuesOnly && isBlank(cell));
  const cellsOf = (row: number) => sheet.rows[row]?.cells ?? [];
  const hasUsed = (row: number) =>
    cellsOf(row)
      .slice(within.column, within.column + within.columns)
      .some(isUsed);

  const end = Math.min(within.row + within.rows, sheet.rows.length);
  let top = within.row;
  while (top < end && !hasUsed(top)) top += 1;
  if (top >= end) return undefined;
  let bottom = end - 1;
  while (!hasUsed(bottom)) bottom -= 1;
  let [left, right] = [MAX_COLUMNS, -1];
  // The page asks after every change, of millions of cells: only at those that would make the area larger.
  for (let row = top; row <= bottom; row += 1) {
    const cells = cellsOf(row);
    const stop = Math.min(within.column + within.columns, cells.length);
    let first = within.column;
    while (first < left && first < stop && !isUsed(cells[first])) first += 1;
    if (first < stop) left = Math.min(left, first);
    let last = stop - 1;
    while (last > right && last >= within.column && !isUsed(cells[last])) last -= 1;
    if (last >= within.column) right = Math.max(right, last);
  }
  return { row: top, column: left, rows: bottom - top + 1, columns: right - left + 1 };
};

export const isEmptyArea = (sheet: Sheet, area: Area): boolean => !usedArea(sheet, true, area);

/** AccessDenied when the protection of the sheet forbids the change: it allows kinds of changes, and unlocked cells. */
export const assertWritable = (sheet: Sheet, area: Area, allowance?: string): void => {
  if (!sheet.protection) return;
  if (allowance) {
    if (sheet.protection.options[allowance] === true) return;
    throw new ExcelError('AccessDenied');
  }
  if (area.rows * area.columns > 1_000_000) throw new ExcelError('AccessDenied');
  eachCell(area, (row, column) => {
    if (!styleAt(sheet, row, column).unlocked) throw new ExcelError('AccessDenied');
  });
};
