import type { WorkbookLike } from '@cj-tech-master/excelts/formula';
import {
  fixedAddress,
  indexes,
  MAX_COLUMNS,
  MAX_ROWS,
  matrixOf,
  parseArea,
  splitAddress,
} from '../../workbook/cells/address.ts';
import { fromEnglish } from '../../workbook/cells/formulas/formulaLanguage.ts';
import { NAME_SIGNS } from '../../workbook/cells/formulas/formulaTokens.ts';
import type { Locale } from '../../workbook/cells/locale.ts';
import { formatValue } from '../../workbook/cells/numberFormat.ts';
import { clipToUse } from '../../workbook/changes/enter.ts';
import { cellAt, isHiddenRow } from '../../workbook/sheet.ts';
import { findSheet } from '../../workbook/sheets.ts';
import type { Workbook } from '../../workbook/workbook.ts';
import { calls } from '../argumentKinds.ts';
import { blank, error, filled, kinds, number, type Value } from '../engineValues.ts';
import { operatorFunctions } from '../operators.ts';
import { dateFunctions } from './dateFunctions.ts';
import { numberIn, numberValue, textOf, typedDate, typedValue } from './valueFunctions.ts';

/*
 * Functions whose results the engine gives otherwise than Excel. Excel rounds the fifteen digits that it shows, so that
 * 1.005 becomes 1.01; the engine rounds the binary number, which is a little less.
 */

type UserFunctions = NonNullable<WorkbookLike['userFunctions']>;

/** A value as a number: an empty cell is 0, and a text may be one. */
function numberOf(given: Value | undefined): Value {
  if (given === undefined || given.kind === kinds.blank) return number(0);
  if (given.kind === kinds.array) return numberOf(given.rows?.[0]?.[0]);
  if (given.kind === kinds.number || given.kind === kinds.error) return given;
  const read = given.kind === kinds.boolean || String(given.value).trim() !== '' ? Number(given.value) : Number.NaN;
  return Number.isFinite(read) ? number(read) : error('#VALUE!');
}

/** What becomes of the digits that are left out: nothing, one more for a half or more, or one more for any. */
type Rounding = 'down' | 'half' | 'up';

/** Rounds away from zero, at a number of decimals, the digits that Excel shows. */
function roundDecimal(value: number, decimals: number, rounding: Rounding = 'half'): number {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential(14).split('e');
  const digits = Number(mantissa.replace('.', ''));
  const dropped = 14 - Number(exponent) - Math.trunc(decimals);
  if (dropped <= 0 || value === 0) return value;
  if (dropped > 15) return rounding === 'up' ? Math.sign(value) * 10 ** -Math.trunc(decimals) : 0;
  const unit = 10 ** dropped;
  const rest = digits % unit;
  const isMore = rounding === 'up' ? rest > 0 : rounding === 'half' && rest * 2 >= unit;
  const whole = Math.floor(digits / unit) + (isMore ? 1 : 0);
  return Math.sign(value) * Number(`${whole}e${-Math.trunc(decimals)}`);
}

/** The fifteen digits that Excel shows. */
const shown = (value: number): number => Number(value.toPrecision(15));

/** A multiple of a number, below or above another one. */
const multiple =
  (round: (value: number) => number) =>
  (value: number, unit = 1): Value => {
    if (value > 0 && unit < 0) return error('#NUM!');
    if (unit === 0) return round(0.5) === 1 || value === 0 ? number(0) : error('#DIV/0!');
    return number(shown(round(shown(value / unit)) * unit));
  };

const growth = (rate: number, periods: number): number => (1 + rate) ** periods;
const payment = (rate: number, periods: number, now: number, later: number, atStart: number): number =>
  rate === 0
    ? -(now + later) / periods
    : (-(now * growth(rate, periods) + later) * rate) / ((1 + rate * atStart) * (growth(rate, periods) - 1));
const worth = (rate: number, periods: number, paid: number, now: number, atStart: number): number =>
  rate === 0
    ? -(now + paid * periods)
    : -(now * growth(rate, periods) + (paid * (1 + rate * atStart) * (growth(rate, periods) - 1)) / rate);

/** The interest in the payment of a period, and the rest of it. */
function partsOfPayment(rate: number, period: number, periods: number, now: number, later = 0, type = 0) {
  const atStart = type === 0 ? 0 : 1;
  const paid = payment(rate, periods, now, later, atStart);
  if (atStart === 1 && period === 1) return { interest: 0, rest: paid };
  const before = worth(rate, period - 1 - atStart, paid, now, atStart) - (atStart === 1 ? paid : 0);
  return { interest: before * rate, rest: paid - before * rate };
}

type Numbers = readonly [number, number, number, number, number?, number?];
const ofPeriod =
  (part: keyof ReturnType<typeof partsOfPayment>) =>
  (...numbers: number[]): Value => {
    const [, period, periods] = numbers;
    if (period! < 1 || period! >= periods! + 1) return error('#NUM!');
    return number(partsOfPayment(...(numbers as unknown as Numbers))[part]);
  };

const ofNumbers: [string, number, number, (...numbers: number[]) => Value][] = [
  ['ROUND', 2, 2, (value, decimals) => number(roundDecimal(value!, decimals!))],
  ['ROUNDUP', 2, 2, (value, decimals) => number(roundDecimal(value!, decimals!, 'up'))],
  ['ROUNDDOWN', 2, 2, (value, decimals) => number(roundDecimal(value!, decimals!, 'down'))],
  ['TRUNC', 1, 2, (value, decimals = 0) => number(roundDecimal(value!, decimals, 'down'))],
  ['INT', 1, 1, (value) => number(Math.floor(shown(value!)))],
  ['CEILING', 2, 2, multiple(Math.ceil)],
  ['FLOOR', 2, 2, multiple(Math.floor)],
  ['IPMT', 4, 6, ofPeriod('interest')],
  ['PPMT', 4, 6, ofPeriod('rest')],
];

/** The format of an amount in a language, by that of its digits. */
const amountFormats: Readonly<Record<Locale['language'], (digits: string) => string>> = {
  en: (digits) => `$${digits};($${digits})`,
  nl: (digits) => `€ ${digits};€ -${digits}`,
  fr: (digits) => `${digits} €`,
};

/** DOLLAR: a number as the text of an amount, in the currency of the language. */
const amount = ([given, decimals]: readonly Value[], locale: Locale): Value =>
  fixed([given!, ...(decimals === undefined ? [] : [decimals])], locale, amountFormats[locale.language]);

/**
 * FIXED: a number as a text, with so many decimals and with groups, as the language writes it.
 * @param formatOf its format, by that of its digits
 */
function fixed(
  [given, decimals, isPlain]: readonly Value[],
  locale: Locale,
  formatOf = (digits: string) => digits,
): Value {
  const read = [numberIn(given, locale), decimals === undefined ? number(2) : numberIn(decimals, locale)];
  const failed = [...read, isPlain].find((value) => value?.kind === kinds.error);
  if (failed !== undefined) return failed;
  const [value, places] = read.map((one) => one.value as number) as [number, number];
  if (places > 127) return error('#VALUE!');
  const shownPlaces = Math.max(0, Math.trunc(places));
  const digits = `${isPlain?.value ? '0' : '#,##0'}${shownPlaces > 0 ? `.${'0'.repeat(shownPlaces)}` : ''}`;
  return { kind: kinds.text, value: formatValue(roundDecimal(value, places), formatOf(digits), locale) };
}

/** TEXTJOIN: texts with delimiters between them, in turn when there are several. Numbers arrive as their texts. */
function joined([delimiter, leavesEmpty, ...given]: readonly Value[], locale: Locale): Value {
  const valuesOf = (value: Value): Value[] => (value.kind === kinds.array ? value.rows!.flat() : [value]);
  const [delimiters, texts] = [valuesOf(delimiter!), given.flatMap(valuesOf)];
  const failed = [...delimiters, leavesEmpty!, ...texts].find(({ kind }) => kind === kinds.error);
  if (failed !== undefined) return failed;
  const written = ({ value }: Value) => String(value ?? '');
  const word = written(leavesEmpty!).toUpperCase();
  const isText = leavesEmpty!.kind === kinds.text;
  if (isText && ![locale.true, locale.false].includes(word)) return error('#VALUE!');
  const isLeaving = isText ? word === locale.true : Boolean(leavesEmpty!.value);
  const kept = texts.map(written).filter((text) => text !== '' || !isLeaving);
  const value = kept.map((text, index) =>
    index === 0 ? text : written(delimiters[(index - 1) % delimiters.length]!) + text,
  );
  return { kind: kinds.text, value: value.join('') };
}

/** A function of single values, called for each of several. */
const forEach =
  (result: (args: readonly Value[]) => Value) =>
  (given: readonly unknown[]): Value => {
    const args = given as readonly Value[];
    if (!args.some(({ kind }) => kind === kinds.array)) return result(args);
    return overAll(args, (row, column) => result(args.map((arg) => valueIn(arg, row, column))));
  };

const withNumbers =
  (result: (...numbers: number[]) => Value) =>
  (args: readonly Value[]): Value => {
    const read = args.map(numberOf);
    return read.find(({ kind }) => kind === kinds.error) ?? result(...read.map(({ value }) => value as number));
  };

/** The functions of one value each, by how a language writes values. */
export function ownFunctions(locale: Locale): UserFunctions {
  const { single, withLists } = dateFunctions(locale);
  type OwnFunction = readonly [min: number, max: number, (args: readonly Value[]) => Value];
  const each: Record<string, OwnFunction> = {
    ...Object.fromEntries(
      ofNumbers.map(([name, min, max, result]): [string, OwnFunction] => [name, [min, max, withNumbers(result)]]),
    ),
    ...single,
    DATEVALUE: [1, 1, (args) => typedDate(args, 'day', locale)],
    TIMEVALUE: [1, 1, (args) => typedDate(args, 'time', locale)],
    DOLLAR: [1, 2, (args) => amount(args, locale)],
    FIXED: [1, 3, (args) => fixed(args, locale)],
    NUMBERVALUE: [1, 3, (args) => numberValue(args, locale)],
    TEXT: [2, 2, (args) => textOf(args, locale)],
    VALUE: [1, 1, (args) => typedValue(args, locale)],
    [calls.date]: [1, 1, ([date]) => numberIn(date, locale)],
  };
  const functions: [string, OwnFunction][] = [
    ...Object.entries(each).map(([name, [min, max, result]]): [string, OwnFunction] => [
      name,
      [min, max, forEach(result)],
    ]),
    ...Object.entries(withLists),
    ['TEXTJOIN', [3, 255, (args) => joined(args, locale)]],
  ];
  return new Map([
    ...operatorFunctions(locale),
    ...functions.map(
      ([name, [minArity, maxArity, result]]) =>
        [name, { minArity, maxArity, invoke: (args: unknown[]) => result(args as Value[]) }] as const,
    ),
  ]);
}

/* The functions that rewritten formulas call; `arrayFormulas.ts` says when. */

const arrayOf = (rows: Value[][]): Value => ({
  kind: kinds.array,
  rows,
  height: rows.length,
  width: rows[0]?.length ?? 0,
});

/** A value of several, or of one that stands for all; #N/A outside of it. */
function valueIn(value: Value, row: number, column: number): Value {
  if (value.kind !== kinds.array) return value;
  const rows = value.rows!;
  const line = rows.length === 1 ? rows[0] : rows[row];
  return (line?.length === 1 ? line[0] : line?.[column]) ?? error('#N/A');
}

/** An array as large as the largest of some values. */
function overAll(values: readonly Value[], read: (row: number, column: number) => Value): Value {
  const sizes = values.map(({ kind, rows }) => (kind === kinds.array ? [rows!.length, rows![0]?.length ?? 1] : [1, 1]));
  const [height, width] = [0, 1].map((axis) => Math.max(...sizes.map((size) => size[axis]!)));
  return arrayOf(Array.from({ length: height! }, (_, row) => Array.from({ length: width! }, (_, at) => read(row, at))));
}

/**
 * One value of several: of cells the one in a row or column, counted from 1, else the first. Cells of which the engine
 * does not say where they are give an error.
 */
function single(value: Value, row: number, column: number, isOfCells: boolean): Value {
  if (value.kind !== kinds.array) return value;
  const { rows = [], originRow, originCol } = value;
  const width = rows[0]?.length ?? 0;
  if (originRow === undefined || originCol === undefined) {
    const isOne = rows.length === 1 && width === 1;
    return isOfCells && !isOne ? error('#VALUE!') : (rows[0]?.[0] ?? blank);
  }
  const line = rows.length === 1 ? rows[0] : rows[row - originRow];
  return (width === 1 ? line?.[0] : line?.[column - originCol]) ?? error('#VALUE!');
}

function choose(index: Value, choices: readonly Value[]): Value {
  return overAll([index, ...choices], (row, column) => {
    const wanted = valueIn(index, row, column);
    if (wanted.kind === kinds.error) return wanted;
    const choice = choices[Math.trunc(Number(wanted.value)) - 1];
    return choice === undefined ? error('#VALUE!') : valueIn(choice, row, column);
  });
}

/**
 * The numbers of the rows or columns of some cells.
 * @param cells or their address
 * @param found what is there, if the address may be a name
 */
function numbersOf(axis: string, cells: Value, found?: Value): Value {
  if (cells.kind === kinds.error) return cells;
  const area = cells.kind === kinds.text ? parseArea(splitAddress(String(cells.value)).local) : undefined;
  if (found !== undefined && (area === undefined || found.kind === kinds.error)) {
    return found.kind === kinds.text ? error('#VALUE!') : numbersOf(axis, found);
  }
  if (area !== undefined) {
    return axis === 'ROW'
      ? arrayOf(indexes(area.row, area.rows).map((row) => [number(row + 1)]))
      : arrayOf([indexes(area.column, area.columns).map((column) => number(column + 1))]);
  }
  if (cells.originRow === undefined || cells.originCol === undefined) return error('#VALUE!');
  if (axis === 'ROW') return arrayOf(cells.rows!.map((_, index) => [number(cells.originRow! + index)]));
  return arrayOf([(cells.rows![0] ?? []).map((_, index) => number(cells.originCol! + index))]);
}

/** The formulas of cells as their formula bar shows them; #N/A for a cell without one. */
function formulasOf(workbook: Workbook, address: string): Value {
  const { sheet: name, local } = splitAddress(address);
  const sheet = findSheet(workbook, name!)!;
  return arrayOf(
    matrixOf(clipToUse(sheet, parseArea(local)!), (row, column) => {
      const formula = cellAt(sheet, row, column)?.formula;
      return formula === undefined ? error('#N/A') : { kind: kinds.text, value: fromEnglish(formula, workbook.locale) };
    }),
  );
}

/** A single cell as an area, by its address. */
function areaOfCell(cell: Value, address: string): Value {
  const area = cell.kind === kinds.array ? undefined : parseArea(splitAddress(address).local);
  return area === undefined ? cell : { ...arrayOf([[cell]]), originRow: area.row + 1, originCol: area.column + 1 };
}

/** A formula with one of these is left out by others. */
const subtotal = new RegExp(String.raw`(?<![${NAME_SIGNS}])(?:SUBTOTAL|AGGREGATE)\s*\(`, 'iu');

/**
 * Cells without those that SUBTOTAL and AGGREGATE leave out: those of other subtotals, of rows that a filter hides, and of
 * rows that somebody hid. As Microsoft describes these functions.
 * @param option the number of the function of SUBTOTAL, or the options of AGGREGATE
 */
function shownOf(workbook: Workbook, name: string, option: number, sheetId: string, cells: Value): Value {
  const sheet = workbook.sheets.find(({ id }) => id === sheetId);
  const { rows, originRow, originCol } = cells;
  if (sheet === undefined || rows === undefined || originRow === undefined || originCol === undefined) return cells;
  const isSubtotal = name === 'SUBTOTAL';
  const leavesSubtotals = isSubtotal || option < 4;
  const isLeftOut = (row: number): boolean => {
    if (isSubtotal) return option > 100 ? isHiddenRow(sheet, row) : sheet.rows[row]?.filtered === true;
    return option % 2 === 1 && isHiddenRow(sheet, row);
  };
  return {
    ...cells,
    rows: rows.map((line, down) => {
      const row = originRow - 1 + down;
      if (isLeftOut(row)) return line.map(() => blank);
      if (!leavesSubtotals) return line;
      return line.map((value, across) => {
        const formula = cellAt(sheet, row, originCol - 1 + across)?.formula;
        return formula !== undefined && subtotal.test(formula.replaceAll(/"(?:[^"]|"")*"/g, '')) ? blank : value;
      });
    }),
  };
}

const integerOf = (value: Value | undefined): number =>
  Math.trunc(Number(value?.kind === kinds.array ? value.rows?.[0]?.[0]?.value : value?.value));

/** The part of an area that INDEX returns, as an address: all rows or columns for 0. */
function indexed(address: string, numbers: readonly (Value | undefined)[]): Value {
  const { sheet, local } = splitAddress(address);
  const area = parseArea(local)!;
  const failed = numbers.find((value) => value?.kind === kinds.error);
  if (failed !== undefined) return failed;
  const [first, second] = numbers.map((value) => (value === undefined ? undefined : integerOf(numberOf(value))));
  const isRow = area.rows === 1 && second === undefined;
  const [row, column] = isRow ? [0, first ?? 0] : [first ?? 0, second ?? 0];
  if (!(row >= 0 && column >= 0)) return error('#VALUE!');
  if (row > area.rows || column > area.columns) return error('#REF!');
  const found = {
    ...(row === 0 ? { row: area.row, rows: area.rows } : { row: area.row + row - 1, rows: 1 }),
    ...(column === 0
      ? { column: area.column, columns: area.columns }
      : { column: area.column + column - 1, columns: 1 }),
  };
  return { kind: kinds.text, value: fixedAddress(sheet!, found) };
}

/** The cells that OFFSET returns, as an address. A negative height or width counts back. */
function moved(address: string, numbers: readonly (Value | undefined)[]): Value {
  const { sheet, local } = splitAddress(address);
  const area = parseArea(local)!;
  const failed = numbers.find((value) => value?.kind === kinds.error);
  if (failed !== undefined) return failed;
  const [down, right, rows = area.rows, columns = area.columns] = [0, 1, 2, 3].map((index) =>
    numbers[index] === undefined ? undefined : integerOf(numberOf(numbers[index])),
  );
  const top = area.row + (down ?? 0) + (rows < 0 ? rows + 1 : 0);
  const left = area.column + (right ?? 0) + (columns < 0 ? columns + 1 : 0);
  const found = { row: top, column: left, rows: Math.abs(rows), columns: Math.abs(columns) };
  const isThere = top >= 0 && left >= 0 && top + found.rows <= MAX_ROWS && left + found.columns <= MAX_COLUMNS;
  if (!isThere || found.rows === 0 || found.columns === 0) return error('#REF!');
  return { kind: kinds.text, value: fixedAddress(sheet!, found) };
}

export const arrayFunctions = (workbook: Workbook): UserFunctions => {
  const functions: [string, number, number, (...args: Value[]) => Value][] = [
    [
      calls.single,
      4,
      4,
      (value, row, column, isOfCells) => single(value!, integerOf(row), integerOf(column), isOfCells!.value === true),
    ],
    [calls.index, 2, 3, (address, ...numbers) => indexed(String(address!.value), numbers)],
    [calls.offset, 3, 5, (address, ...numbers) => moved(String(address!.value), numbers)],
    [calls.spread, 2, 255, (index, ...all) => overAll(all, (row, at) => valueIn(all[integerOf(index)]!, row, at))],
    [calls.choose, 2, 255, (index, ...choices) => choose(index!, choices)],
    [calls.zero, 1, 1, (value) => filled(value!)],
    [calls.numbers, 2, 3, (axis, cells, found) => numbersOf(String(axis!.value), cells!, found)],
    [calls.formulas, 1, 1, (address) => formulasOf(workbook, String(address!.value))],
    [
      calls.shown,
      5,
      5,
      (name, option, sheet, cells, address) =>
        shownOf(
          workbook,
          String(name!.value),
          integerOf(option),
          String(sheet!.value),
          areaOfCell(cells!, String(address!.value)),
        ),
    ],
  ];
  return new Map(
    functions.map(([name, minArity, maxArity, invoke]) => [
      name,
      { minArity, maxArity, invoke: (args) => invoke(...(args as Value[])) },
    ]),
  );
};
