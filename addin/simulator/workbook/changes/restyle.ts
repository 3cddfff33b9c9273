import { isValidFormat } from 'numfmt';
import { type Area, isUnbounded, MAX_COLUMNS, MAX_ROWS } from '../cells/address.ts';
import { ExcelError } from '../cells/error.ts';
import { plainStyle, type Style, withProperty } from '../cells/style.ts';
import {
  assertWritable,
  type Cell,
  cellAt,
  columnOf,
  hasOnlyValue,
  plainCell,
  putArea,
  putCell,
  rowOf,
  type Sheet,
  styleAt,
} from '../sheet.ts';
import { assertBounded, fitToArea } from './enter.ts';

/** Empty cells that have only a style: those of one style share one. */
const emptyCells = new WeakMap<Style, Cell>();

const emptyCell = (style: Style): Cell => {
  const known = emptyCells.get(style) ?? { value: '', style };
  emptyCells.set(style, known);
  return known;
};

const withStyle = (cell: Cell | undefined, style: Style, above?: Cell): Cell => {
  if (cell === undefined) return emptyCell(style);
  if (cell.style === style) return cell;
  return hasOnlyValue(cell) ? plainCell(cell.value, style, above) : { ...cell, style };
};

/** Changes the style of every cell of an area. Entire rows and columns store the style for their empty cells. */
export const restyle = (
  sheet: Sheet,
  area: Area,
  change: (style: Style, row: number, column: number) => Style,
): void => {
  if (area.rows === MAX_ROWS) {
    // A column has one style; where a row has a style, the crossing cells get their own.
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
        if (own) putCell(sheet, row, column, withStyle(cell, change(own, row, column)));
      }
    });
  } else if (area.columns === MAX_COLUMNS) {
    for (let row = area.row; row < area.row + area.rows; row += 1) {
      const line = rowOf(sheet, row);
      const before = line.style;
      sheet.columns.forEach((column, index) => {
        const cell = line.cells[index];
        if (!cell?.style && column?.style && !before) putCell(sheet, row, index, withStyle(cell, column.style));
      });
      line.style = change(before ?? plainStyle, row, 0);
      line.cells.forEach((cell, column) => {
        if (cell?.style) putCell(sheet, row, column, withStyle(cell, change(cell.style, row, column)));
      });
    }
  } else {
    putArea(sheet, area, (cell, row, column) => {
      const above = row === 0 ? undefined : cellAt(sheet, row - 1, column);
      return withStyle(cell, change(cell?.style ?? styleAt(sheet, row, column), row, column), above);
    });
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

/** The one value of a 1 x 1 array. */
const singleOf = (formats: unknown): unknown =>
  Array.isArray(formats) && formats.length === 1 && Array.isArray(formats[0]) && formats[0].length === 1
    ? formats[0][0]
    : undefined;

/** Number formats from a matrix, or one for all cells. */
export const setNumberFormats = (sheet: Sheet, area: Area, formats: unknown): void => {
  const single = singleOf(formats);
  // Entire rows and columns take only a 1 x 1 array: OfficeDev/office-js-docs-pr#5400.
  if (single === undefined) assertBounded(area);
  const formatFor = single === undefined ? fitToArea(area, formats) : () => single;
  assertWritable(sheet, area, 'allowFormatCells');
  const valid = new Set<unknown>([null]);
  const known = (format: unknown) => {
    if (valid.has(format)) return format as string | null;
    const fits = typeof format === 'string' && format.length <= 255 && isValidFormat(format);
    if (!fits) throw new ExcelError('InvalidArgument');
    valid.add(format);
    return format;
  };
  restyle(sheet, area, (style, row, column) => {
    const format = known(formatFor(row - area.row, column - area.column));
    if (format === null) return style;
    return withProperty(style, 'numberFormat', format === 'General' || format === '' ? undefined : format);
  });
};
