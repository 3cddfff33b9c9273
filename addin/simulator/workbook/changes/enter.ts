import {
  type Area,
  cellArea,
  indexes,
  intersection,
  isUnbounded,
  MAX_COLUMNS,
  MAX_ROWS,
  onSheet,
} from '../cells/address.ts';
import { type CellValue, readEntry } from '../cells/entry.ts';
import { ExcelError } from '../cells/error.ts';
import { moveFormula } from '../cells/formulas/formula.ts';
import { english, type Locale } from '../cells/locale.ts';
import { plainStyle, withProperty } from '../cells/style.ts';
import {
  assertWritable,
  type Cell,
  cellAt,
  emptied,
  forEachCell,
  isBlank,
  isEmptyArea,
  numberFormatAt,
  plainCell,
  putArea,
  putCell,
  type Sheet,
  styleAt,
  usedArea,
  withoutContent,
} from '../sheet.ts';
import { bodyArea, type Table } from '../table.ts';
import { formatOfFormula } from './formulaFormat.ts';
import { spelled } from './formulaSpelling.ts';

/** An input for one cell, of a user or a client of the API; null leaves the cell as it is. */
type Input = string | number | boolean | null;

/** What one input makes of a cell, by Excel's rules of typing. */
const enteredCell = (
  sheet: Sheet,
  row: number,
  column: number,
  input: Input,
  old: Cell | undefined,
  locale: Locale,
): Cell | undefined => {
  if (input === null) return old;
  const format = numberFormatAt(sheet, row, column);
  const plain = (value: CellValue, style = old?.style): Cell =>
    old?.note === undefined
      ? plainCell(value, style, row === 0 ? undefined : cellAt(sheet, row - 1, column))
      : { value, ...withoutContent(old), ...(style && { style }) };
  if (typeof input !== 'string') {
    if (typeof input === 'number' && !Number.isFinite(input)) throw new ExcelError('InvalidArgument');
    return plain(format === '@' ? (typeof input === 'boolean' ? String(input).toUpperCase() : String(input)) : input);
  }
  if (input.length > 32_767) throw new ExcelError('InvalidArgument');
  const { value, formula, quoted, numberFormat: typed } = readEntry(input, format, locale);
  if (formula !== undefined) {
    if (formula.length > 8192) throw new ExcelError('InvalidArgument');
    const own = spelled(formula, sheet, { row, column });
    const numberFormat = format === 'General' ? formatOfFormula(own, sheet) : undefined;
    const style = numberFormat && withProperty(styleAt(sheet, row, column), 'numberFormat', numberFormat);
    return { value: own, formula: own, ...withoutContent(old), ...(style && { style }) };
  }
  if (quoted) return { value, quoted, ...withoutContent(old) };
  if (value === '') return emptied(old);
  if (!typed || format !== 'General') return plain(value);
  return plain(value, withProperty(styleAt(sheet, row, column), 'numberFormat', typed));
};

const isInput = (value: unknown): value is Input =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** InvalidArgument for an array of another size than the area. */
export const assertSize = (area: Area, rows: unknown, columns: unknown): void => {
  if (rows === area.rows && columns === area.columns) return;
  throw new ExcelError(
    'InvalidArgument',
    "The number of rows or columns in the input array doesn't match the size or dimensions of the range.",
  );
};

/** The value for each cell of an area, from a matrix or a single value; InvalidArgument for another size. */
export const fitToArea = (area: Area, values: unknown): ((row: number, column: number) => unknown) => {
  if (!Array.isArray(values)) {
    if (!isInput(values)) throw new ExcelError('InvalidArgument');
    return () => values;
  }
  const rows = values as unknown[];
  const isEven = rows.every((row) => Array.isArray(row) && row.length === area.columns);
  assertSize(area, rows.length, isEven ? area.columns : undefined);
  return (row, column) => (rows[row] as unknown[])[column];
};

/**
 * Enters a matrix of inputs (or one input for all cells) into an area. Nothing is written when the shape does not fit.
 * Clients of the API write in the English spelling; a user types in the workbook's language.
 */
export const enterValues = (sheet: Sheet, area: Area, values: unknown, locale: Locale = english): void => {
  onSheet(area);
  const valueFor = fitToArea(area, values);
  assertWritable(sheet, area);
  if (area.rows * area.columns > 5_000_000) throw new ExcelError('InvalidArgument');
  putArea(sheet, area, (before, row, column) => {
    const input = valueFor(row - area.row, column - area.column) ?? null;
    if (!isInput(input)) throw new ExcelError('InvalidArgument');
    return enteredCell(sheet, row, column, input, before, locale);
  });
  sheet.workbook.contentChanged(sheet, area);
};

/**
 * Enters values or formulas of a client of the API, with Excel's rules for them:
 * - Cells of entire rows and columns cannot be set (documentation: "Work with an unbounded range").
 * - Where a filter hides rows, every visible row gets the first row of the array, and hidden rows get nothing
 *   (OfficeDev/office-js#224, xlwings/xlwings#747).
 * - A formula in an otherwise empty column of a table fills that column (OfficeDev/office-js#2093, #5909, #6745).
 */
export const enterFromApi = (sheet: Sheet, area: Area, values: unknown, locale: Locale = english): void => {
  assertBounded(area);
  const shown = indexes(area.row, area.rows).filter((row) => !sheet.rows[row]?.filtered);
  if (area.rows === 1 || shown.length === area.rows) enterValues(sheet, area, values, locale);
  else {
    const valueFor = fitToArea(onSheet(area), values);
    const first = Array.from({ length: area.columns }, (_, column) => valueFor(0, column));
    for (const row of shown) enterValues(sheet, { ...area, row, rows: 1 }, [first], locale);
  }
  calculateColumns(sheet, area);
};

/**
 * Makes calculated columns: fills those columns of tables in which there are only the formulas just entered. Excel fills
 * none on a protected sheet.
 */
export const calculateColumns = (sheet: Sheet, entered: Area): void => {
  if (sheet.formulas === 0 || sheet.protection) return;
  for (const table of sheet.tables) calculateColumnsOf(table, entered);
};

const calculateColumnsOf = (table: Table, entered: Area): void => {
  const { sheet } = table;
  const body = bodyArea(table);
  const within = intersection(body, entered);
  if (!within || within.rows === body.rows) return;
  const bottom = within.row + within.rows;
  for (let column = within.column; column < within.column + within.columns; column += 1) {
    const line = { column, columns: 1 };
    const above = { ...line, row: body.row, rows: within.row - body.row };
    const below = { ...line, row: bottom, rows: body.row + body.rows - bottom };
    const formula = cellAt(sheet, bottom - 1, column)?.formula;
    if (!formula || !isEmptyArea(sheet, above) || !isEmptyArea(sheet, below)) continue;
    for (const { row, rows } of [above, below]) {
      for (let at = row; at < row + rows; at += 1) {
        const moved = moveFormula(formula, at - bottom + 1, 0);
        putCell(sheet, at, column, { ...cellAt(sheet, at, column), value: moved, formula: moved });
      }
    }
    sheet.workbook.contentChanged(sheet, { ...body, column, columns: 1 });
  }
};

/** InvalidArgument for entire rows and columns, whose cells cannot be set one by one. */
export const assertBounded = (area: Area): void => {
  if (isUnbounded(area)) throw new ExcelError('InvalidArgument');
};

export const clearings = ['All', 'Contents', 'Formats', 'Hyperlinks', 'RemoveHyperlinks'] as const;
type Clearing = (typeof clearings)[number];

/** Clears cells. Their rules and merging stay: see `clearRules`. */
export const clearArea = (sheet: Sheet, area: Area, what: Clearing = 'All'): void => {
  if (what === 'Formats') assertWritable(sheet, area, 'allowFormatCells');
  else assertWritable(sheet, clipToUse(sheet, area));
  if (what === 'All' || what === 'Formats') {
    const isWholeColumns = area.rows === MAX_ROWS;
    const isWholeRows = area.columns === MAX_COLUMNS;
    const columns = isWholeColumns ? sheet.columns.slice(area.column, area.column + area.columns) : [];
    const rows = isWholeRows ? sheet.rows.slice(area.row, area.row + area.rows) : [];
    for (const line of [...columns, ...rows]) delete line?.style;
  }
  forEachCell(sheet, area, (cell, row, column) => {
    if (what === 'All') putCell(sheet, row, column, undefined);
    else if (what === 'Contents') putCell(sheet, row, column, emptied(cell));
    else if (what === 'Formats' || (what === 'RemoveHyperlinks' && cell.hyperlink)) {
      const { style: _style, ...content } = cell;
      if (what === 'RemoveHyperlinks') delete content.hyperlink;
      putCell(sheet, row, column, isBlank(cell) && !cell.note ? undefined : content);
    } else {
      const { hyperlink: _hyperlink, ...rest } = cell;
      putCell(sheet, row, column, rest);
    }
  });
  if (what === 'All' || what === 'Formats') takeNoStyle(sheet, area);
  if (what === 'All' || what === 'Contents') sheet.workbook.contentChanged(sheet, area);
  else sheet.workbook.emit({ kind: 'format', sheet, area });
};

/** Cells that get a style of their own where they were cleared: a sheet with more of them would fill the memory. */
const MAX_PLAIN = 100_000;

/**
 * Has cells without a style not take that of their row or column, unless these were cleared themselves. Of a larger area
 * only the part that the sheet uses.
 */
const takeNoStyle = (sheet: Sheet, area: Area): void => {
  const isLarge = area.rows * area.columns > MAX_PLAIN;
  const part = isLarge ? intersection(area, usedArea(sheet, false) ?? cellArea(area)) : area;
  if (part === undefined) return;
  const { row, rows, column, columns } = part;
  const lines = indexes(row, rows).filter((at) => sheet.rows[at]?.style);
  const across = indexes(column, columns).filter((at) => sheet.columns[at]?.style);
  const empty: Cell = { value: '', style: plainStyle };
  const plain = (at: number, to: number) => {
    const cell = cellAt(sheet, at, to);
    putCell(sheet, at, to, cell ? { ...cell, style: plainStyle } : empty);
  };
  for (const at of lines) for (const to of indexes(column, columns)) plain(at, to);
  if (across.length > 0) for (const at of indexes(row, rows)) for (const to of across) plain(at, to);
};

/** The part in use of entire rows and columns; any other area as it is. */
export const clipToUse = (sheet: Sheet, area: Area): Area =>
  isUnbounded(area) ? (usedArea(sheet, false, area) ?? cellArea(area)) : area;

/** Entire rows and columns from their first cell to the last one that the sheet uses; any other area as it is. */
export const clipToEnd = (sheet: Sheet, area: Area): Area => {
  if (!isUnbounded(area)) return area;
  const { row, rows, column, columns } = usedArea(sheet, false) ?? cellArea(area);
  return {
    ...area,
    rows: area.rows === MAX_ROWS ? row + rows : area.rows,
    columns: area.columns === MAX_COLUMNS ? column + columns : area.columns,
  };
};
