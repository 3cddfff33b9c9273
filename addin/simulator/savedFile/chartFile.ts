import type { AddChartOptions, AddChartRange, Chart as FileChart } from '@cj-tech-master/excelts/chart';
import { extent } from '../interpreter/rangeSizes.ts';
import { type Chart, type ChartAxis, newChart } from '../sheetCharts/chart.ts';
import { chartData, seriesCells, seriesColor } from '../sheetCharts/chartSeries.ts';
import { type Area, areaAddress, fixedAddress, parseArea, splitAddress } from '../workbook/cells/address.ts';
import type { Sheet } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';

/** English Metric Units of a point: 914,400 an inch, and an inch is 72 points. */
const EMU = 12_700;

const legendPositions = { Corner: 'tr', Top: 't', Bottom: 'b', Left: 'l', Right: 'r' } as const;
const labelPositions = { High: 'high', Low: 'low', None: 'none', NextToAxis: 'nextTo' } as const;

const wordOf = <Word extends string>(words: Readonly<Record<string, Word>>, word: string | undefined) =>
  Object.keys(words).find((key) => words[key] === word);

/** A corner of a chart: the cell at a distance from the first one, and the rest of the distance within it. */
function corner(sheet: Sheet, left: number, top: number) {
  const [column, row] = [cellAt(sheet, 'column', left), cellAt(sheet, 'row', top)];
  return {
    col: column.index,
    row: row.index,
    nativeCol: column.index,
    nativeColOff: Math.round(column.offset * EMU),
    nativeRow: row.index,
    nativeRowOff: Math.round(row.offset * EMU),
  };
}

function cellAt(sheet: Sheet, axis: 'column' | 'row', points: number): { index: number; offset: number } {
  let [index, offset] = [0, points];
  for (let size = extent(sheet, axis, 0, 1); offset >= size; size = extent(sheet, axis, index, 1)) {
    offset -= size;
    index += 1;
  }
  return { index, offset };
}

/** A chart as a file has it; undefined when its cells were deleted. */
export function chartToFile(
  workbook: Workbook,
  sheet: Sheet,
  chart: Chart,
): { options: AddChartOptions; range: AddChartRange } | undefined {
  const cells = seriesCells(workbook, chart);
  if (cells === undefined) return undefined;
  const { type, title, legend, left, top, width, height } = chart;
  const address = (area: Area) => fixedAddress(cells.sheet.name, area);
  const isStacked = type.endsWith('Stacked');
  const axis = ({ title: own, visible, reversePlotOrder, tickLabelPosition, numberFormat }: ChartAxis) => ({
    ...(own.visible && own.text !== '' ? { title: own.text } : {}),
    hidden: !visible,
    orientation: reversePlotOrder ? ('maxMin' as const) : ('minMax' as const),
    tickLblPos: labelPositions[tickLabelPosition as keyof typeof labelPositions] ?? labelPositions.NextToAxis,
    ...(numberFormat === undefined ? {} : { numFmt: numberFormat, numFmtLinked: false }),
  });
  const isLinked = chart.valueAxis.numberFormat === undefined;
  const format = chart.valueAxis.numberFormat ?? chartData(workbook, chart).numberFormat;
  return {
    options: {
      type: 'bar',
      title: title.visible && title.text !== '' ? title.text : null,
      showLegend: legend.visible,
      legendPosition: legendPositions[legend.position as keyof typeof legendPositions] ?? 'b',
      barDir: type.startsWith('Bar') ? 'bar' : 'col',
      grouping: isStacked ? 'stacked' : 'clustered',
      gapWidth: isStacked ? 43 : 182,
      ...(isStacked ? { overlap: 100 } : {}),
      series: cells.series.map(({ heading, values }, index) => ({
        ...(heading === undefined ? {} : { name: { formula: address(heading) } }),
        ...(cells.categories === undefined ? {} : { categories: address(cells.categories) }),
        values: address(values),
        fill: seriesColor(chart, index).slice(1),
      })),
      categoryAxis: axis(chart.categoryAxis),
      valueAxis: { ...axis(chart.valueAxis), numFmt: format, numFmtLinked: isLinked, majorGridlines: true },
    },
    // Between two cells: another program may give rows another height, and the chart would cover other cells then.
    range: {
      tl: corner(sheet, left, top),
      br: corner(sheet, left + width, top + height),
    },
  };
}

/** A chart that is read: the names of the sheets of its cells are not known as sheets yet. */
type ReadChart = Omit<Chart, 'id' | 'source'> & {
  sheet: string;
  area: Area;
  /** The cells of each series: its name, its categories and its values. */
  series: (Area | undefined)[][];
};

/** Whether the series of a chart have the cells that they had in the file: they are what lies beside each other. */
export const hasSeries = (workbook: Workbook, chart: Chart, series: ReadChart['series']): boolean => {
  const cells = seriesCells(workbook, chart);
  const found = cells?.series.map(({ heading, values }) => [heading, cells.categories, values]) ?? [];
  const addresses = (all: ReadChart['series']) => all.flat().map((area) => area && areaAddress(area));
  return addresses(found).join() === addresses(series).join();
};

/** A bar or column chart of a file; undefined for any other, and for one with cells of several sheets. */
export function chartFromFile(chart: FileChart, size: (axis: 'column' | 'row', index: number) => number) {
  const [group, ...others] = chart.chartTypes;
  if (group?.type !== 'bar' || others.length > 0 || group.grouping === 'percentStacked') return undefined;
  const references = group.series.map(({ tx, cat, val }) => [
    tx?.strRef?.formula,
    cat?.strRef?.formula ?? cat?.numRef?.formula,
    val?.numRef?.formula,
  ]);
  const areaOf = (reference: string | undefined) => parseArea(splitAddress(reference ?? '').local);
  const known = references.flat().filter((one) => one !== undefined);
  const parts = known.map(splitAddress);
  const areas = known.map(areaOf);
  const [sheet] = parts.map(({ sheet: name }) => name);
  if (sheet === undefined || areas.includes(undefined) || parts.some((one) => one.sheet !== sheet)) return undefined;
  const area = areaAround(areas as Area[]);
  const series = references.map((one) => one.map(areaOf));
  const values = series[0]?.[2];
  const type = `${group.barDir === 'bar' ? 'Bar' : 'Column'}${group.grouping === 'stacked' ? 'Stacked' : 'Clustered'}`;
  const points = (axis: 'column' | 'row', index: number, offset: number) => {
    let sum = offset / EMU;
    for (let at = 0; at < index; at++) sum += size(axis, at);
    return sum;
  };
  const { tl, br } = chart.range;
  const [left, top] = [points('column', tl.nativeCol, tl.nativeColOff), points('row', tl.nativeRow, tl.nativeRowOff)];
  const made = newChart({
    id: '',
    name: '',
    type: type as Chart['type'],
    source: undefined,
    seriesBy: values !== undefined && values.columns === 1 ? 'Columns' : 'Rows',
    left,
    top,
  });
  if (br !== undefined) {
    made.width = points('column', br.nativeCol, br.nativeColOff) - left;
    made.height = points('row', br.nativeRow, br.nativeRowOff) - top;
  }
  const { title, legend, categoryAxis, valueAxis } = chart;
  made.title = { text: title ?? '', visible: title !== undefined };
  made.legend = { visible: legend !== undefined, position: wordOf(legendPositions, legend?.legendPos) ?? 'Bottom' };
  for (const [axis, read] of [
    [made.categoryAxis, categoryAxis],
    [made.valueAxis, valueAxis],
  ] as const) {
    if (read === undefined) continue;
    axis.visible = read.delete !== true;
    axis.reversePlotOrder = read.scaling?.orientation === 'maxMin';
    axis.tickLabelPosition = wordOf(labelPositions, read.tickLblPos) ?? 'NextToAxis';
  }
  const format = valueAxis?.numFmt;
  if (format !== undefined && !format.sourceLinked) made.valueAxis.numberFormat = format.formatCode;
  const { id: _, source: __, ...rest } = made;
  return { ...rest, sheet, area, series } satisfies ReadChart;
}

function areaAround(areas: readonly Area[]): Area {
  const row = Math.min(...areas.map((area) => area.row));
  const column = Math.min(...areas.map((area) => area.column));
  return {
    row,
    column,
    rows: Math.max(...areas.map((area) => area.row + area.rows)) - row,
    columns: Math.max(...areas.map((area) => area.column + area.columns)) - column,
  };
}
