import type { Area } from '../workbook/cells/address.ts';

/** The types of chart there are here. */
export const chartTypes = ['BarClustered', 'BarStacked', 'ColumnClustered', 'ColumnStacked'] as const;
export type ChartType = (typeof chartTypes)[number];

export type ChartTitle = { text: string; visible: boolean };

export type ChartAxis = {
  title: ChartTitle;
  visible: boolean;
  /** The first category comes last, the lowest value at the far end. */
  reversePlotOrder: boolean;
  /** Where its labels stand: `NextToAxis`, `High` or `Low` along the other axis, or `None`. */
  tickLabelPosition: string;
  /** Excel's code; the format of the cells when it is not told. */
  numberFormat: string | undefined;
};

/** A chart over a sheet. Its place and size are in points. */
export type Chart = {
  readonly id: string;
  name: string;
  type: ChartType;
  /** The cells it shows, on the sheet of this id. Undefined when they were deleted. */
  source: { sheetId: string; area: Area } | undefined;
  /** A series is a column of the source, or a row. */
  seriesBy: 'Columns' | 'Rows';
  left: number;
  top: number;
  width: number;
  height: number;
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

/** A chart as Excel makes it: 360 by 216 points, its legend below. */
export const newChart = (
  given: Pick<Chart, 'id' | 'name' | 'type' | 'source' | 'seriesBy' | 'left' | 'top'>,
): Chart => ({
  ...given,
  width: 360,
  height: 216,
  title: { text: '', visible: true },
  legend: { visible: true, position: 'Bottom' },
  categoryAxis: newAxis(),
  valueAxis: newAxis(),
});

/** The same chart on a copy of its sheet; what it shows of the original it shows of the copy. */
export const copyChart = (chart: Chart, from: string, to: string, id: string): Chart => ({
  ...structuredClone(chart),
  id,
  ...(chart.source?.sheetId === from ? { source: { ...chart.source, sheetId: to } } : {}),
});
