import { collection, given, hostObject, type Kind, type Kinds } from '../interpreter/hostObject.ts';
import { heightOf, widthOf } from '../interpreter/rangeSizes.ts';
import { rangeArgument } from '../interpreter/ranges.ts';
import type { ChartPartTarget, ChartTarget } from '../interpreter/targets.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { sameName } from '../workbook/names.ts';
import type { Sheet } from '../workbook/sheet.ts';
import { type Chart, type ChartAxis, type ChartType, chartTypes, newChart } from './chart.ts';
import { chartData, seriesCells } from './chartSeries.ts';

const drawAgain = ({ sheet }: { sheet: Sheet }): void => sheet.workbook.emit({ kind: 'layout', sheet });

const typeOf = (value: unknown): ChartType => {
  const type = chartTypes.find((one) => one === value);
  if (type === undefined) {
    throw new ExcelError('ApiNotFound', `The simulated workbook has charts of these types only: ${chartTypes}.`);
  }
  return type;
};

/** A member of an object of a chart that is kept as it is given. */
const kept = <Target extends { sheet: Sheet }, Value>(
  read: (target: Target) => Value,
  write: (target: Target, value: Value) => void,
  check: (value: unknown) => Value,
) => ({
  get: read,
  set: (target: Target, value: unknown) => {
    write(target, check(value));
    drawAgain(target);
  },
});

const positive = (value: unknown): number => {
  if (typeof value !== 'number' || !(value >= 0)) throw new ExcelError('InvalidArgument');
  return value;
};

const placed = (name: 'left' | 'top' | 'width' | 'height') =>
  kept<ChartTarget, number>(
    ({ chart }) => chart[name],
    ({ chart }, value) => {
      chart[name] = value;
    },
    positive,
  );

/** The cells of a chart, and whether its series are their columns: of more columns than rows Excel takes the rows. */
const shown = (range: unknown, seriesBy: unknown, home: Sheet): Pick<Chart, 'source' | 'seriesBy'> => {
  const { sheet, area } = rangeArgument(range, home);
  const byItself = area.columns > area.rows ? 'Rows' : 'Columns';
  return {
    source: { sheetId: sheet.id, area },
    seriesBy: seriesBy === 'Columns' || seriesBy === 'Rows' ? seriesBy : byItself,
  };
};

const chartKind: Kind<ChartTarget> = {
  id: ({ chart }) => chart.id,
  scalars: {
    Id: { get: ({ chart }) => chart.id },
    Name: kept<ChartTarget, string>(
      ({ chart }) => chart.name,
      ({ sheet, chart }, name) => {
        if (sheet.charts.some((other) => other !== chart && sameName(other.name, name))) {
          throw new ExcelError('InvalidArgument');
        }
        chart.name = name;
      },
      given.text,
    ),
    ChartType: kept<ChartTarget, ChartType>(
      ({ chart }) => chart.type,
      ({ chart }, type) => {
        chart.type = type;
      },
      typeOf,
    ),
    Left: placed('left'),
    Top: placed('top'),
    Width: placed('width'),
    Height: placed('height'),
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
      drawAgain({ sheet });
    },
    SetData: ({ sheet, chart }, [range, seriesBy]) => {
      Object.assign(chart, shown(range, seriesBy, sheet));
      drawAgain({ sheet });
    },
    SetPosition: ({ sheet, chart }, [startCell, endCell]) => {
      const start = rangeArgument(startCell, sheet).area;
      const end = endCell ? rangeArgument(endCell, sheet).area : undefined;
      chart.left = widthOf(sheet, 0, start.column);
      chart.top = heightOf(sheet, 0, start.row);
      if (end !== undefined) {
        chart.width = widthOf(sheet, 0, end.column + end.columns) - chart.left;
        chart.height = heightOf(sheet, 0, end.row + end.rows) - chart.top;
      }
      drawAgain({ sheet });
    },
  },
};

const charts = collection<Sheet, 'Chart'>(
  'Chart',
  (sheet) => sheet.charts.map((chart) => ({ sheet, chart })),
  (sheet, key) => {
    const chart = sheet.charts.find(({ id, name }) => id === key || sameName(name, String(key)));
    return chart && { sheet, chart };
  },
);

const chartsKind: Kind<Sheet> = {
  ...charts,
  methods: {
    ...charts.methods,
    Add: (sheet, [type, range, seriesBy]) => {
      const number = sheet.workbook.nextId();
      const chart = newChart({
        id: `{00000000-0003-0000-${number.toString(16).toUpperCase().padStart(4, '0')}-000000000000}`,
        name: `${sheet.workbook.locale.language === 'nl' ? 'Grafiek' : 'Chart'} ${sheet.charts.length + 1}`,
        type: typeOf(type),
        ...shown(range, seriesBy, sheet),
        left: 0,
        top: 0,
      });
      sheet.charts = [...sheet.charts, chart];
      drawAgain({ sheet });
      return hostObject('Chart', { sheet, chart });
    },
  },
};

const titleKind: Kind<ChartPartTarget<Chart['title']>> = {
  scalars: {
    Text: kept(
      ({ part }) => part.text,
      ({ part }, text) => Object.assign(part, { text, visible: true }),
      given.text,
    ),
    Visible: kept(
      ({ part }) => part.visible,
      ({ part }, visible) => Object.assign(part, { visible }),
      given.truth,
    ),
  },
};

const legendPositions = ['Top', 'Bottom', 'Left', 'Right', 'Corner'];

const legendKind: Kind<ChartTarget> = {
  scalars: {
    Position: kept<ChartTarget, string>(
      ({ chart }) => chart.legend.position,
      ({ chart }, position) => {
        if (!legendPositions.includes(position)) throw new ExcelError('InvalidArgument');
        chart.legend.position = position;
      },
      given.text,
    ),
    Visible: kept<ChartTarget, boolean>(
      ({ chart }) => chart.legend.visible,
      ({ chart }, visible) => {
        chart.legend.visible = visible;
      },
      given.truth,
    ),
  },
};

const axesKind: Kind<ChartTarget> = {
  children: {
    CategoryAxis: ({ sheet, chart }) => hostObject('ChartAxis', { sheet, part: chart.categoryAxis }),
    ValueAxis: ({ sheet, chart }) => hostObject('ChartAxis', { sheet, part: chart.valueAxis }),
  },
};

const labelPositions = ['NextToAxis', 'High', 'Low', 'None'];

const axisKind: Kind<ChartPartTarget<ChartAxis>> = {
  scalars: {
    NumberFormat: kept(
      ({ part }) => part.numberFormat ?? 'General',
      ({ part }, numberFormat) => Object.assign(part, { numberFormat }),
      given.text,
    ),
    ReversePlotOrder: kept(
      ({ part }) => part.reversePlotOrder,
      ({ part }, reversePlotOrder) => Object.assign(part, { reversePlotOrder }),
      given.truth,
    ),
    TickLabelPosition: kept(
      ({ part }) => part.tickLabelPosition,
      ({ part }, tickLabelPosition) => {
        if (!labelPositions.includes(tickLabelPosition)) throw new ExcelError('InvalidArgument');
        Object.assign(part, { tickLabelPosition });
      },
      given.text,
    ),
    Visible: kept(
      ({ part }) => part.visible,
      ({ part }, visible) => Object.assign(part, { visible }),
      given.truth,
    ),
  },
  children: { Title: ({ sheet, part }) => hostObject('ChartAxisTitle', { sheet, part: part.title }) },
};

const seriesOf = ({ sheet, chart }: ChartTarget) =>
  (seriesCells(sheet.workbook, chart)?.series ?? []).map((_, index) => ({ sheet, chart, index }));

const seriesCollection = collection<ChartTarget, 'ChartSeries'>('ChartSeries', seriesOf, () => undefined);

const seriesCollectionKind: Kind<ChartTarget> = {
  items: seriesCollection.items!,
  scalars: seriesCollection.scalars,
  methods: { GetCount: seriesCollection.methods.GetCount, GetItemAt: seriesCollection.methods.GetItemAt },
};

export const chartKinds = {
  Chart: chartKind,
  ChartAxes: axesKind,
  ChartAxis: axisKind,
  ChartAxisTitle: titleKind,
  ChartCollection: chartsKind,
  ChartLegend: legendKind,
  ChartSeries: {
    scalars: {
      Name: { get: ({ sheet, chart, index }) => chartData(sheet.workbook, chart).series[index]!.name },
      ChartType: { get: ({ chart }) => chart.type },
    },
  },
  ChartSeriesCollection: seriesCollectionKind,
  ChartTitle: titleKind,
} satisfies Partial<Kinds>;
