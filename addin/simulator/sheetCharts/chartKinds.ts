import {
  argument,
  collection,
  everyMember,
  hostObject,
  type Kind,
  type Kinds,
  stored,
} from '../interpreter/hostObject.ts';
import { extent } from '../interpreter/rangeSizes.ts';
import { rangeArgument } from '../interpreter/ranges.ts';
import type { ChartPartTarget, ChartTarget } from '../interpreter/targets.ts';
import { sameName } from '../workbook/cells/address.ts';
import { color } from '../workbook/cells/color.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import type { Sheet } from '../workbook/sheet.ts';
import { type Chart, type ChartAxis, type ChartTitle, type ChartType, chartTypes, newChart } from './chart.ts';
import { chartData, seriesCells } from './chartSeries.ts';

const redraw = ({ sheet }: { sheet: Sheet }): void => sheet.workbook.emit({ kind: 'layout', sheet });

const typeArgument = (value: unknown): ChartType => {
  const type = chartTypes.find((one) => one === value);
  if (type === undefined) {
    throw new ExcelError('ApiNotFound', `The simulated workbook has charts of these types only: ${chartTypes}.`);
  }
  return type;
};

const chartProperty = <Name extends keyof Chart>(name: Name, check: (value: unknown) => Chart[Name]) =>
  stored(({ chart }: ChartTarget) => chart, name, check, redraw);

const legendProperty = <Name extends keyof Chart['legend']>(
  name: Name,
  check: (value: unknown) => Chart['legend'][Name],
) => stored(({ chart }: ChartTarget) => chart.legend, name, check, redraw);

const axisProperty = <Name extends keyof ChartAxis>(name: Name, check: (value: unknown) => ChartAxis[Name]) =>
  stored(({ part }: ChartPartTarget<ChartAxis>) => part, name, check, redraw);

/** The cells of a chart, and whether a series is a column or a row: by default, series are fewer than categories. */
const sourceOf = (range: unknown, seriesBy: unknown, home: Sheet): Pick<Chart, 'source' | 'seriesBy'> => {
  const { sheet, area } = rangeArgument(range, home);
  const wanted = argument.oneOf('Auto', 'Columns', 'Rows')(seriesBy ?? 'Auto');
  const byDefault = area.columns > area.rows ? 'Rows' : 'Columns';
  return { source: { sheetId: sheet.id, area }, seriesBy: wanted === 'Auto' ? byDefault : wanted };
};

const titleKind: Kind<ChartPartTarget<ChartTitle>> = {
  scalars: {
    Text: {
      get: ({ part }) => part.text,
      set: ({ sheet, part }, text) => {
        Object.assign(part, { text: argument.text(text), visible: true });
        redraw({ sheet });
      },
    },
    Visible: stored(({ part }: ChartPartTarget<ChartTitle>) => part, 'visible', argument.boolean, redraw),
  },
};

export const chartKinds = {
  Chart: {
    id: ({ chart }) => chart.id,
    scalars: {
      Id: { get: ({ chart }) => chart.id },
      Name: {
        get: ({ chart }) => chart.name,
        set: ({ sheet, chart }, value) => {
          const name = argument.text(value);
          if (sheet.charts.some((other) => other !== chart && sameName(other.name, name))) {
            throw new ExcelError('InvalidArgument');
          }
          chart.name = name;
          redraw({ sheet });
        },
      },
      ChartType: chartProperty('type', typeArgument),
      Left: chartProperty('left', argument.size),
      Top: chartProperty('top', argument.size),
      Width: chartProperty('width', argument.size),
      Height: chartProperty('height', argument.size),
    },
    children: {
      Axes: (target) => hostObject('ChartAxes', target),
      Legend: (target) => hostObject('ChartLegend', target),
      Series: (target) => hostObject('ChartSeriesCollection', target),
      Title: ({ sheet, chart }) => hostObject('ChartTitle', { sheet, part: chart.title }),
      Worksheet: ({ sheet }) => hostObject('Worksheet', sheet),
    },
    methods: {
      Delete: ({ sheet, chart }) => {
        sheet.charts = sheet.charts.filter((other) => other !== chart);
        sheet.workbook.emit({ kind: 'chart', sheet, id: chart.id, change: 'deleted' });
      },
      SetData: ({ sheet, chart }, [range, seriesBy]) => {
        Object.assign(chart, sourceOf(range, seriesBy, sheet));
        redraw({ sheet });
      },
      SetPosition: ({ sheet, chart }, [startCell, endCell]) => {
        const start = rangeArgument(startCell, sheet).area;
        chart.left = extent(sheet, 'column', 0, start.column);
        chart.top = extent(sheet, 'row', 0, start.row);
        if (endCell) {
          const end = rangeArgument(endCell, sheet).area;
          chart.width = extent(sheet, 'column', 0, end.column + end.columns) - chart.left;
          chart.height = extent(sheet, 'row', 0, end.row + end.rows) - chart.top;
        }
        redraw({ sheet });
      },
    },
  },

  ChartAxes: {
    children: {
      CategoryAxis: ({ sheet, chart }) => hostObject('ChartAxis', { sheet, part: chart.categoryAxis }),
      ValueAxis: ({ sheet, chart }) => hostObject('ChartAxis', { sheet, part: chart.valueAxis }),
    },
  },

  ChartAxis: {
    scalars: {
      NumberFormat: {
        ...axisProperty('numberFormat', argument.text),
        get: ({ part }) => part.numberFormat ?? 'General',
      },
      ReversePlotOrder: axisProperty('reversePlotOrder', argument.boolean),
      TickLabelPosition: axisProperty('tickLabelPosition', argument.oneOf('NextToAxis', 'High', 'Low', 'None')),
      Visible: axisProperty('visible', argument.boolean),
    },
    children: { Title: ({ sheet, part }) => hostObject('ChartAxisTitle', { sheet, part: part.title }) },
  },

  ChartAxisTitle: titleKind,

  ChartCollection: collection(
    'Chart',
    (sheet) => sheet.charts.map((chart) => ({ sheet, chart })),
    (sheet, key) => {
      const chart = sheet.charts.find(({ id, name }) => id === key || sameName(name, String(key)));
      return chart && { sheet, chart };
    },
    everyMember,
    {
      Add: (sheet, [type, range, seriesBy]) => {
        const number = sheet.workbook.nextId();
        const chart = newChart({
          id: `{00000000-0003-0000-${number.toString(16).toUpperCase().padStart(4, '0')}-000000000000}`,
          name: `${sheet.workbook.locale.names.chart} ${sheet.charts.length + 1}`,
          type: typeArgument(type),
          ...sourceOf(range, seriesBy, sheet),
          left: 0,
          top: 0,
        });
        sheet.charts = [...sheet.charts, chart];
        sheet.workbook.emit({ kind: 'chart', sheet, id: chart.id, change: 'added' });
        return hostObject('Chart', { sheet, chart });
      },
    },
  ),

  ChartLegend: {
    scalars: {
      Position: legendProperty('position', argument.oneOf('Top', 'Bottom', 'Left', 'Right', 'Corner')),
      Visible: legendProperty('visible', argument.boolean),
    },
  },

  ChartSeries: {
    scalars: {
      Name: { get: ({ sheet, chart, index }) => chartData(sheet.workbook, chart).series[index]!.name },
      ChartType: { get: ({ chart }) => chart.type },
    },
    children: { Format: (target) => hostObject('ChartSeriesFormat', target) },
  },

  ChartSeriesFormat: { children: { Fill: (target) => hostObject('ChartFill', target) } },

  ChartFill: {
    methods: {
      Clear: ({ sheet, chart, index }) => {
        delete chart.seriesColors[index];
        redraw({ sheet });
      },
      SetSolidColor: ({ sheet, chart, index }, [value]) => {
        chart.seriesColors[index] = color(value);
        redraw({ sheet });
      },
    },
  },

  ChartSeriesCollection: collection(
    'ChartSeries',
    ({ sheet, chart }) =>
      (seriesCells(sheet.workbook, chart)?.series ?? []).map((_, index) => ({ sheet, chart, index })),
    () => undefined,
    ['Count', 'GetCount', 'GetItemAt'],
  ),

  ChartTitle: titleKind,
} satisfies Partial<Kinds>;
