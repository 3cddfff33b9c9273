import type { Area } from '../workbook/cells/address.ts';

/** The supported types of chart. */
export const chartTypes = ['BarClustered', 'BarStacked', 'ColumnClustered', 'ColumnStacked'] as const;
export type ChartType = (typeof chartTypes)[number];

export type ChartTitle = { text: string; visible: boolean };

export type ChartAxis = {
  title: ChartTitle;
  visible: boolean;
  /** Whether the order of the categories or values is reversed. */
  reversePlotOrder: boolean;
  /** The place of its labels: `NextToAxis`, `High` or `Low` along the other axis, or `None`. */
  tickLabelPosition: string;
  /** Undefined for the format of the cells. */
  numberFormat: string | undefined;
};

/** A chart over a sheet. Its place and size are in points. */
export type Chart = {
  readonly id: string;
  name: string;
  type: ChartType;
  /** The cells of the chart, on the sheet with this id. Undefined when they were deleted. */
  source: { sheetId: string; area: Area } | undefined;
  /** A series is a column of the source, or a row. */
  seriesBy: 'Columns' | 'Rows';
  left: number;
  top: number;
  width: number;
  height: number;
  /** The colours of series by their indexes; the others have Excel's own. */
  seriesColors: (string | undefined)[];
  title: ChartTitle;
  legend: { visible: boolean; position: string };
  categoryAxis: ChartAxis;
  valueAxis: ChartAxis;
};

const newAxis = (): ChartAxis => ({
  title: { text: '', visible: false },
  visible: true,
  reversePlotOrder: false,
  tickLabelPosition: 'NextToAxis',
  numberFormat: undefined,
});

/** A new chart with Excel's defaults: 360 by 216 points, with a legend at the bottom. */
export const newChart = (
  properties: Pick<Chart, 'id' | 'name' | 'type' | 'source' | 'seriesBy' | 'left' | 'top'>,
): Chart => ({
  ...properties,
  width: 360,
  height: 216,
  seriesColors: [],
  title: { text: '', visible: true },
  legend: { visible: true, position: 'Bottom' },
  categoryAxis: newAxis(),
  valueAxis: newAxis(),
});

/** A chart on a copy of its sheet. If it shows cells of the original, the copy shows the same cells of the copy. */
export const copyChart = (chart: Chart, from: string, to: string, id: string): Chart => ({
  ...structuredClone(chart),
  id,
  ...(chart.source?.sheetId === from ? { source: { ...chart.source, sheetId: to } } : {}),
});
