import type { Area } from '../workbook/cells/address.ts';
import { cellAt, isBlank, numberFormatAt, type Sheet, textAt } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { Chart } from './chart.ts';

/** Which cells a chart shows: of each series its heading and its numbers, and what the numbers are of. */
type SeriesCells = {
  sheet: Sheet;
  categories: Area | undefined;
  series: { heading: Area | undefined; values: Area }[];
};

const isNumber = (sheet: Sheet, row: number, column: number): boolean =>
  typeof cellAt(sheet, row, column)?.value === 'number';

/**
 * How Excel reads the cells it is given: a first row of texts above numbers holds headings, and so does a first column
 * of texts beside them. Undefined when the cells or their sheet are gone.
 */
export function seriesCells(workbook: Workbook, { source, seriesBy }: Chart): SeriesCells | undefined {
  const sheet = workbook.sheets.find(({ id }) => id === source?.sheetId);
  if (sheet === undefined || source === undefined) return undefined;
  const { row, column, rows, columns } = source.area;
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);
  const hasTop =
    rows > 1 && range(columns).every((at) => !isNumber(sheet, row, column + at)) && !isBlankRow(sheet, source.area);
  const top = hasTop ? 1 : 0;
  const hasLeft = columns > 1 && range(rows - top).every((at) => !isNumber(sheet, row + top + at, column));
  const left = hasLeft ? 1 : 0;
  const body = { row: row + top, column: column + left, rows: rows - top, columns: columns - left };
  const across = hasTop ? { ...body, row, rows: 1 } : undefined;
  const down = hasLeft ? { ...body, column, columns: 1 } : undefined;
  if (seriesBy === 'Columns') {
    return {
      sheet,
      categories: down,
      series: range(body.columns).map((at) => ({
        heading: across && { ...across, column: across.column + at, columns: 1 },
        values: { ...body, column: body.column + at, columns: 1 },
      })),
    };
  }
  return {
    sheet,
    categories: across,
    series: range(body.rows).map((at) => ({
      heading: down && { ...down, row: down.row + at, rows: 1 },
      values: { ...body, row: body.row + at, rows: 1 },
    })),
  };
}

const isBlankRow = (sheet: Sheet, { row, column, columns }: Area): boolean =>
  Array.from({ length: columns }, (_, at) => cellAt(sheet, row, column + at)).every(isBlank);

/** What a chart shows: texts as in the grid, and a number of each series for each category; 0 for what is none. */
export type ChartData = {
  categories: string[];
  series: { name: string; values: number[] }[];
  /** How the first cell of its numbers is shown. */
  numberFormat: string;
};

export function chartData(workbook: Workbook, chart: Chart): ChartData {
  const cells = seriesCells(workbook, chart);
  if (cells === undefined) return { categories: [], series: [], numberFormat: 'General' };
  const { sheet, categories, series } = cells;
  const places = ({ row, column, rows, columns }: Area) =>
    Array.from({ length: rows * columns }, (_, index) => ({
      row: row + Math.floor(index / columns),
      column: column + (index % columns),
    }));
  const textsIn = (area: Area) => places(area).map((at) => textAt(sheet, at.row, at.column));
  const first = series[0]?.values;
  return {
    categories:
      categories === undefined
        ? places(first ?? { row: 0, column: 0, rows: 0, columns: 0 }).map((_, index) => String(index + 1))
        : textsIn(categories),
    series: series.map(({ heading, values }, index) => ({
      name: heading === undefined ? `Series${index + 1}` : textsIn(heading).join(' '),
      values: places(values).map((at) => {
        const value = cellAt(sheet, at.row, at.column)?.value;
        return typeof value === 'number' ? value : 0;
      }),
    })),
    numberFormat: first === undefined ? 'General' : numberFormatAt(sheet, first.row, first.column),
  };
}

/** Excel's own colours for series, in their order. */
const seriesColors = ['#156082', '#E97132', '#196B24', '#0F9ED5', '#A02B93', '#4EA72E'];
export const seriesColor = (index: number): string => seriesColors[index % seriesColors.length]!;
