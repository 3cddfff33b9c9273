import { formatValue } from '../workbook/cells/numberFormat.ts';
import { PIXELS_PER_POINT, type Sheet } from '../workbook/sheet.ts';
import type { Chart } from './chart.ts';
import { chartData, seriesColor } from './chartSeries.ts';
import { plotOf } from './plot.ts';

/** The approximate width of a character of a label, in pixels. */
const CHARACTER = 6;
const LINE = 18;
const MARGIN = 10;

type Props = {
  sheet: Sheet;
  /** The visible part of the cells, in pixels from the first one. */
  view: { top: number; left: number; width: number; height: number };
  /** The place of the first cell, in pixels from the corner of the grid. */
  corner: { left: number; top: number };
  label: (title: string) => string;
};

/**
 * The charts of a sheet, drawn over its cells. They are no part of the grid, which for a screen reader has only rows.
 * Clicks go through to the cells.
 */
export const ChartLayer = ({ sheet, view, corner, label }: Props) => (
  <div className="chart-layer">
    <div
      style={{ ...corner, width: Math.max(0, view.width - corner.left), height: Math.max(0, view.height - corner.top) }}
    >
      {sheet.charts.map((chart) => (
        <ChartPicture
          key={chart.id}
          sheet={sheet}
          chart={chart}
          left={chart.left * PIXELS_PER_POINT - view.left}
          top={chart.top * PIXELS_PER_POINT - view.top}
          label={label(chart.title.text || chart.name)}
        />
      ))}
    </div>
  </div>
);

type PictureProps = { sheet: Sheet; chart: Chart; left: number; top: number; label: string };

const shortened = (text: string, room: number): string => {
  const most = Math.max(1, Math.floor(room / CHARACTER));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

const ChartPicture = ({ sheet, chart, left, top, label }: PictureProps) => {
  const data = chartData(sheet.workbook, chart);
  const plot = plotOf(data, chart.type.endsWith('Stacked'));
  const isBar = chart.type.startsWith('Bar');
  const { categoryAxis, valueAxis, title, legend } = chart;
  const [width, height] = [chart.width * PIXELS_PER_POINT, chart.height * PIXELS_PER_POINT];
  const shown = (value: number) =>
    formatValue(value, valueAxis.numberFormat ?? data.numberFormat, sheet.workbook.locale);

  const titleRoom = title.visible && title.text !== '' ? LINE + 8 : 0;
  const legendRoom = legend.visible ? LINE + 4 : 0;
  const isBelow = legend.position !== 'Top';
  const longest = Math.max(0, ...data.categories.map((name) => name.length)) * CHARACTER + 8;
  const labelRoom = isBar
    ? Math.min(longest, width * 0.35)
    : Math.max(...plot.ticks.map(({ value }) => shown(value).length)) * CHARACTER + 8;
  const area = {
    left: MARGIN + labelRoom,
    top: MARGIN + titleRoom + (isBelow ? 0 : legendRoom),
    width: width - 2 * MARGIN - labelRoom - 12,
    height: height - 2 * MARGIN - titleRoom - legendRoom - LINE,
  };
  // The first category of a bar chart is at the bottom, unless the order is reversed.
  const acrossOf = (share: number) => (isBar === categoryAxis.reversePlotOrder ? share : 1 - share);
  const alongOf = (share: number) => (valueAxis.reversePlotOrder ? 1 - share : share);
  /** A point of the plot, by its fractions of the value axis and the category axis. */
  const pointAt = (value: number, category: number) => {
    const [along, across] = [alongOf(value), acrossOf(category)];
    return isBar
      ? { x: area.left + along * area.width, y: area.top + across * area.height }
      : { x: area.left + across * area.width, y: area.top + (1 - along) * area.height };
  };
  /** Where a label is: below the plot for the horizontal axis, beside it for the vertical one. */
  const labelAt = ({ x, y }: { x: number; y: number }, isHorizontal: boolean) =>
    isHorizontal
      ? { x, y: area.top + area.height + 14, textAnchor: 'middle' as const }
      : { x: area.left - 6, y: y + 4, textAnchor: 'end' as const };
  const room = 1 / Math.max(1, data.categories.length);

  return (
    <svg
      role="img"
      aria-label={label}
      className="chart"
      style={{ left, top }}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
    >
      <rect className="chart-paper" x={0.5} y={0.5} width={width - 1} height={height - 1} />
      {titleRoom > 0 && (
        <text className="chart-title" x={width / 2} y={MARGIN + 14} textAnchor="middle">
          {title.text}
        </text>
      )}
      {plot.ticks.map(({ value, at }) => {
        const [from, to] = [pointAt(at, 0), pointAt(at, 1)];
        return (
          <g key={value}>
            <line
              className={value === 0 ? 'chart-axis' : 'chart-grid-line'}
              x1={from.x}
              y1={from.y}
              x2={to.x}
              y2={to.y}
            />
            <text {...labelAt(from, isBar)}>{shown(value)}</text>
          </g>
        );
      })}
      {plot.bars.map(({ series, category, from, to, start, size }) => {
        const [first, last] = [pointAt(from, start), pointAt(to, start + size)];
        return (
          <rect
            key={`${series} ${category}`}
            x={Math.min(first.x, last.x)}
            y={Math.min(first.y, last.y)}
            width={Math.abs(last.x - first.x)}
            height={Math.abs(last.y - first.y)}
            fill={seriesColor(chart, series)}
          />
        );
      })}
      {data.categories.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two categories may have one name, and none moves by itself.
        <text key={index} {...labelAt(pointAt(plot.zero, (index + 0.5) * room), !isBar)}>
          {shortened(name, isBar ? labelRoom - 8 : room * area.width)}
        </text>
      ))}
      {legend.visible && (
        <Legend
          names={data.series.map(({ name }) => name)}
          colors={data.series.map((_, index) => seriesColor(chart, index))}
          width={width}
          y={isBelow ? height - MARGIN : MARGIN + titleRoom + 12}
        />
      )}
    </svg>
  );
};

type LegendProps = { names: readonly string[]; colors: readonly string[]; width: number; y: number };

/** The names of the series beside their colours, in a row. */
const Legend = ({ names, colors, width, y }: LegendProps) => {
  const widths = names.map((name) => name.length * CHARACTER + 26);
  const total = widths.reduce((sum, one) => sum + one, 0);
  const starts = widths.map(
    (_, index) => (width - total) / 2 + widths.slice(0, index).reduce((sum, one) => sum + one, 0),
  );
  return names.map((name, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the place of a series is what tells it.
    <g key={index}>
      <rect x={starts[index]} y={y - 9} width={10} height={10} fill={colors[index]!} />
      <text x={starts[index]! + 14} y={y}>
        {name}
      </text>
    </g>
  ));
};
