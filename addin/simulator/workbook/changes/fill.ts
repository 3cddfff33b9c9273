import { dateFromSerial, dateToSerial, getFormatDateInfo, getFormatInfo } from 'numfmt';
import { type Area, type Position, without } from '../cells/address.ts';
import { moveFormula } from '../cells/formulas/formula.ts';
import { copyRules } from '../rules/copyRules.ts';
import {
  assertWritable,
  type Cell,
  cellAt,
  copiedContent,
  isHiddenRow,
  numberFormatAt,
  putCell,
  type Sheet,
  styleAt,
  withoutContent,
} from '../sheet.ts';

type Axis = 'row' | 'column';

/** The cells in which a fill begins, and where it goes: down and to the right, or up and to the left. */
type Direction = { axis: Axis; count: 'rows' | 'columns'; isBack: boolean };

const directionOf = (source: Area, target: Area): Direction => {
  const axis = target.rows > source.rows ? 'row' : 'column';
  return { axis, count: axis === 'row' ? 'rows' : 'columns', isBack: target[axis] < source[axis] };
};

/** The area that a fill of a source reaches, when its handle is dragged to a cell: further along one side. */
export const filledTo = (source: Area, { row, column }: Position): Area => {
  const down = Math.max(row - (source.row + source.rows - 1), 0);
  const up = Math.max(source.row - row, 0);
  const right = Math.max(column - (source.column + source.columns - 1), 0);
  const left = Math.max(source.column - column, 0);
  if (Math.max(down, up) >= Math.max(right, left)) {
    return { ...source, row: source.row - up, rows: source.rows + up + down };
  }
  return { ...source, column: source.column - left, columns: source.columns + left + right };
};

/**
 * Fills an area from the cells in one end of it, as Excel's fill handle does: formulas move along, and numbers, dates
 * and texts that end in a number continue a series. Hidden rows are left as they are.
 * @param target the source, and the cells beside it
 * @param isOther what Ctrl chooses: a single number becomes a series, and what would be a series is repeated
 */
export const fillCells = (sheet: Sheet, source: Area, target: Area, isOther = false): void => {
  assertWritable(sheet, target);
  const { axis, count, isBack } = directionOf(source, target);
  const across = axis === 'row' ? 'column' : 'row';
  const size = source[count];
  const steps = target[count] - size;
  for (let line = 0; line < (axis === 'row' ? source.columns : source.rows); line += 1) {
    const at = (index: number): Position => ({ [axis]: index, [across]: source[across] + line }) as unknown as Position;
    const shown = Array.from({ length: size }, (_, index) => at(source[axis] + index)).filter(
      ({ row }) => axis === 'column' || size === 1 || !isHiddenRow(sheet, row),
    );
    const from = (isBack ? shown.toReversed() : shown).map((position) => ({
      position,
      cell: cellAt(sheet, position.row, position.column),
      style: styleAt(sheet, position.row, position.column),
    }));
    if (from.length === 0) continue;
    const continued = seriesOf(sheet, from, isOther, isBack ? -1 : 1);
    let filled = 0;
    for (let step = 1; step <= steps; step += 1) {
      const to = at(isBack ? source[axis] - step : source[axis] + size - 1 + step);
      if (isHiddenRow(sheet, to.row)) continue;
      const { cell, position, style } = from[filled % from.length]!;
      filled += 1;
      const { note } = withoutContent(cellAt(sheet, to.row, to.column));
      putCell(sheet, to.row, to.column, {
        ...contentAt(cell, position, to, continued?.(filled)),
        style,
        ...(note === undefined ? {} : { note }),
      });
    }
  }
  const copying = { fromSheet: sheet, from: source, toSheet: sheet, start: source };
  for (const to of without(target, source)) copyRules({ ...copying, to });
  sheet.workbook.contentChanged(sheet, target);
};

function contentAt(cell: Cell | undefined, from: Position, to: Position, next: Cell['value'] | undefined): Cell {
  if (next !== undefined) return { value: next, ...(cell?.quoted && { quoted: true }) };
  const { formula, ...content } = copiedContent(cell);
  if (formula === undefined) return content;
  const moved = moveFormula(formula, to.row - from.row, to.column - from.column);
  return { ...content, value: moved, formula: moved };
}

type Series = (step: number) => Cell['value'];
type From = { position: Position; cell: Cell | undefined }[];

/**
 * The series that some cells begin, up to the nearest to the filled cells; undefined when they are repeated.
 * @param single what a single value goes on by: -1 up and to the left
 */
function seriesOf(sheet: Sheet, from: From, isOther: boolean, single: 1 | -1): Series | undefined {
  if (from.some(({ cell }) => cell === undefined || cell.formula !== undefined)) return undefined;
  const values = from.map(({ cell }) => cell!.value);
  const [first] = values;
  if (isOther)
    return values.length === 1 && typeof first === 'number' ? (step) => rounded(first + step * single) : undefined;
  if (values.every((value) => typeof value === 'number')) {
    const { row, column } = from[0]!.position;
    return numberSeries(values, numberFormatAt(sheet, row, column), single);
  }
  return values.every((value) => typeof value === 'string') ? textSeries(values, single) : undefined;
}

/** Excel calculates with fifteen digits. */
const rounded = (value: number): number => Number(value.toPrecision(15));

/** What a single number goes on by: a date by a day and a time by an hour; undefined for others, which are repeated. */
function singleStep(format: string, single: number): number | undefined {
  const { type, isDate } = getFormatInfo(format);
  return isDate ? single * (type === 'time' ? 1 / 24 : 1) : undefined;
}

/** Numbers with the same steps between them; a single date or time goes on, a single other number is repeated. */
function numberSeries(values: readonly number[], format: string, single: number): Series | undefined {
  const months = monthSeries(values, format, single);
  if (months !== undefined) return months;
  const step = values.length === 1 ? singleStep(format, single) : rounded(values[1]! - values[0]!);
  if (step === undefined) return undefined;
  const isEven = values.every((value, index) => index === 0 || rounded(value - values[index - 1]!) === step);
  return isEven ? (count) => rounded(values.at(-1)! + count * step) : undefined;
}

const LAST_DAY = 2_958_465;
const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Dates with the same months between them: on the same day, or the last ones of their months. */
function monthSeries(values: readonly number[], format: string, single: number): Series | undefined {
  const { isDate } = getFormatInfo(format);
  if (!isDate || !values.every((value) => Number.isInteger(value) && value > 0 && value <= LAST_DAY)) return undefined;
  const dates = values.map((value) => dateFromSerial(value)!);
  const months = dates.map(([year, month]) => year * 12 + month - 1);
  const shown = getFormatDateInfo(format);
  const step = values.length > 1 ? months[1]! - months[0]! : shown.month && !shown.day ? single : 0;
  const isEven = months.every((month, index) => index === 0 || month - months[index - 1]! === step);
  const areLast = dates.every(([year, month, day]) => day === daysIn(year, month));
  const [, , first] = dates[0]!;
  if (step === 0 || !isEven || !(areLast || dates.every(([, , day]) => day === first))) return undefined;
  return (count) => {
    const at = months.at(-1)! + count * step;
    const [year, month] = [Math.floor(at / 12), (((at % 12) + 12) % 12) + 1];
    return dateToSerial([year, month, Math.min(areLast ? 31 : first, daysIn(year, month))])!;
  };
}

/** Texts that end in a number: `INV-009`, `INV-010`. Digits before it keep their places. */
function textSeries(values: readonly string[], single: 1 | -1): Series | undefined {
  const parts = values.map((value) => /^(.*?)(\d+)$/s.exec(value));
  if (parts.some((part) => part?.[1] !== parts[0]?.[1] || part === null)) return undefined;
  const numbers = parts.map((part) => BigInt(part![2]!));
  const step = numbers.length === 1 ? BigInt(single) : numbers[1]! - numbers[0]!;
  if (numbers.some((number, index) => index > 0 && number - numbers[index - 1]! !== step)) return undefined;
  const [, prefix = '', digits = ''] = parts.at(-1)!;
  return (count) => {
    const next = numbers.at(-1)! + BigInt(count) * step;
    return `${prefix}${String(next < 0n ? -next : next).padStart(digits.length, '0')}`;
  };
}
