import { type Area, indexes, matrixOf } from '../workbook/cells/address.ts';
import { isEmptyArea, numberFormatAt, type Sheet, textAt, valueAt } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { Chart } from './chart.ts';

/** The cells of a chart: those with the names of the categories, and for each series its name and its numbers. */
type SeriesCells = {
  sheet: Sheet;
  categories: Area | undefined;
  series: { heading: Area | undefined; values: Area }[];
};

const hasNumbers = (sheet: Sheet, area: Area): boolean =>
  matrixOf(area, (row, column) => typeof valueAt(sheet, row, column) === 'number')
    .flat()
    .includes(true);

/**
 * Parts the cells of a chart as Excel does: a first row without numbers holds headings, and so does a first column.
 * Undefined when the cells or their sheet were deleted.
 */
export function seriesCells(workbook: Workbook, { source, seriesBy }: Chart): SeriesCells | undefined {
  const sheet = workbook.sheets.find(({ id }) => id === source?.sheetId);
  if (sheet === undefined || source === undefined) return undefined;
  const { row, column, rows, columns } = source.area;
  const first = { ...source.area, rows: 1 };
  const hasTop = rows > 1 && !hasNumbers(sheet, first) && !isEmptyArea(sheet, first);
  const top = hasTop ? 1 : 0;
  const hasLeft = columns > 1 && !hasNumbers(sheet, { row: row + top, column, rows: rows - top, columns: 1 });
  const left = hasLeft ? 1 : 0;
  const body = { row: row + top, column: column + left, rows: rows - top, columns: columns - left };
  const above = hasTop ? { ...body, row, rows: 1 } : undefined;
  const beside = hasLeft ? { ...body, column, columns: 1 } : undefined;
  const isByColumns = seriesBy === 'Columns';
  const headings = isByColumns ? above : beside;
  /** The part of an area that belongs to one series. */
  const partOf = (area: Area, at: number): Area =>
    isByColumns ? { ...area, column: area.column + at, columns: 1 } : { ...area, row: area.row + at, rows: 1 };
  return {
    sheet,
    categories: isByColumns ? beside : above,
    series: indexes(0, isByColumns ? body.columns : body.rows).map((at) => ({
      heading: headings && partOf(headings, at),
      values: partOf(body, at),
    })),
  };
}

/** The data of a chart: texts as in the grid, and a number for each series and category; 0 where there is no number. */
export type ChartData = {
  categories: string[];
  series: { name: string; values: number[] }[];
  /** The number format of its first number. */
  numberFormat: string;
};

export function chartData(workbook: Workbook, chart: Chart): ChartData {
  const cells = seriesCells(workbook, chart);
  if (cells === undefined) return { categories: [], series: [], numberFormat: 'General' };
  const { sheet, categories, series } = cells;
  const textsIn = (area: Area) => matrixOf(area, (row, column) => textAt(sheet, row, column)).flat();
  const valuesIn = (area: Area) => matrixOf(area, (row, column) => valueAt(sheet, row, column)).flat();
  const first = series[0]?.values;
  return {
    categories: categories ? textsIn(categories) : first ? valuesIn(first).map((_, index) => String(index + 1)) : [],
    series: series.map(({ heading, values }, index) => ({
      name: heading === undefined ? `Series${index + 1}` : textsIn(heading).join(' '),
      values: valuesIn(values).map((value) => (typeof value === 'number' ? value : 0)),
    })),
    numberFormat: first === undefined ? 'General' : numberFormatAt(sheet, first.row, first.column),
  };
}

/** Excel's own colours for series, in their order. */
const ownColors = ['#156082', '#E97132', '#196B24', '#0F9ED5', '#A02B93', '#4EA72E'];

/** The colour of a series. */
export const seriesColor = ({ seriesColors }: Chart, index: number): string =>
  seriesColors[index] ?? ownColors[index % ownColors.length]!;
