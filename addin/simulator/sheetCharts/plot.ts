import type { ChartData } from './chartSeries.ts';

/* The places of the bars of a chart, as fractions of its plot: from 0 to 1 along each axis. */

/** A bar: its ends along the value axis (`from`, `to`), and its place along the category axis (`start`, `size`). */
type Bar = { series: number; category: number; from: number; to: number; start: number; size: number };

type Plot = {
  bars: Bar[];
  /** The marks of the value axis. */
  ticks: { value: number; at: number }[];
  /** Where the value 0 is. */
  zero: number;
};

/** The fraction of the room of a category that its bars take. Excel's gap between clusters is 182% of a bar. */
const FILLED = 0.7;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A step of 1, 2 or 5 times a power of ten, for four to eight steps. */
function stepFor(span: number): number {
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * (rough / power <= 1 ? 1 : rough / power <= 2 ? 2 : rough / power <= 5 ? 5 : 10);
}

export function plotOf({ categories, series }: ChartData, isStacked: boolean): Plot {
  const valuesOf = (category: number) => series.map(({ values }) => values[category] ?? 0);
  const ends = categories.flatMap((_, category) => {
    const values = valuesOf(category);
    return isStacked ? [sum(values.filter((value) => value > 0)), sum(values.filter((value) => value < 0))] : values;
  });
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const step = stepFor(high - low || 1);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const at = (value: number) => (value / step - first) / (last - first);

  const bars = categories.flatMap((_, category) => {
    let [above, below] = [0, 0];
    return valuesOf(category).flatMap((value, index): Bar[] => {
      const base = !isStacked ? 0 : value < 0 ? below : above;
      if (value < 0) below += value;
      else above += value;
      if (value === 0) return [];
      const breadth = FILLED / (isStacked ? 1 : series.length);
      const offset = (1 - FILLED) / 2 + (isStacked ? 0 : index * breadth);
      const room = 1 / categories.length;
      return [
        {
          series: index,
          category,
          from: at(Math.min(base, base + value)),
          to: at(Math.max(base, base + value)),
          start: (category + offset) * room,
          size: breadth * room,
        },
      ];
    });
  });
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => {
    const value = Number(((first + index) * step).toPrecision(12));
    return { value, at: at(value) };
  });
  return { bars, ticks, zero: at(0) };
}
