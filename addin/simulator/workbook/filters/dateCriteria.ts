import { dateFromSerial, dateToSerial } from 'numfmt';
import { ExcelError } from '../cells/error.ts';

/** Days of Excel, from the first one on and before the second. */
type Days = { from: number; before: number };

/** The serial number of a day. Months and days beyond their ends are those of the next year or month. */
const day = (year: number, month: number, date: number): number => {
  const normal = new Date(Date.UTC(year, month, date));
  return dateToSerial([normal.getUTCFullYear(), normal.getUTCMonth() + 1, normal.getUTCDate()])!;
};

const daysOf = (first: number, count: number): Days => ({ from: first, before: first + count });
const monthsOf = (year: number, month: number, count: number): Days => ({
  from: day(year, month, 1),
  before: day(year, month + count, 1),
});

type Today = { year: number; month: number; date: number; weekday: number; serial: number };

/** The periods that move with the calendar, by their names in `Excel.DynamicFilterCriteria`. A week begins on Sunday. */
const periods: Readonly<Record<string, (today: Today) => Days>> = {
  Yesterday: ({ serial }) => daysOf(serial - 1, 1),
  Today: ({ serial }) => daysOf(serial, 1),
  Tomorrow: ({ serial }) => daysOf(serial + 1, 1),
  LastWeek: ({ serial, weekday }) => daysOf(serial - weekday - 7, 7),
  ThisWeek: ({ serial, weekday }) => daysOf(serial - weekday, 7),
  NextWeek: ({ serial, weekday }) => daysOf(serial - weekday + 7, 7),
  LastMonth: ({ year, month }) => monthsOf(year, month - 1, 1),
  ThisMonth: ({ year, month }) => monthsOf(year, month, 1),
  NextMonth: ({ year, month }) => monthsOf(year, month + 1, 1),
  LastQuarter: ({ year, month }) => monthsOf(year, month - (month % 3) - 3, 3),
  ThisQuarter: ({ year, month }) => monthsOf(year, month - (month % 3), 3),
  NextQuarter: ({ year, month }) => monthsOf(year, month - (month % 3) + 3, 3),
  LastYear: ({ year }) => monthsOf(year - 1, 0, 12),
  ThisYear: ({ year }) => monthsOf(year, 0, 12),
  NextYear: ({ year }) => monthsOf(year + 1, 0, 12),
  YearToDate: ({ year, serial }) => ({ from: day(year, 0, 1), before: serial + 1 }),
};

/** The months of every year, in their order. Excel's API spells the second so. */
const months = [
  ...['January', 'Februray', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const everyYear = new Map<string, readonly number[]>([
  ...months.map((name, index) => [`AllDatesInPeriod${name}`, [index + 1]] as const),
  ...[1, 2, 3, 4].map((quarter) => {
    return [`AllDatesInPeriodQuarter${quarter}`, [0, 1, 2].map((month) => quarter * 3 - 2 + month)] as const;
  }),
]);

/** In the order of the months, and behind them the quarters. */
export const periodsOfEveryYear: readonly string[] = [...everyYear.keys()];

export const isDateCriterion = (name: string): boolean => Object.hasOwn(periods, name) || everyYear.has(name);

/** The test of a dynamic criterion that is about dates. @param now in the local time of who asks */
export const datesWithin = (name: string, now: Date): ((serial: number) => boolean) => {
  const ofEveryYear = everyYear.get(name);
  if (ofEveryYear) return (serial) => ofEveryYear.includes(dateFromSerial(serial)[1]);
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const today = { year, month, date, weekday: now.getDay(), serial: day(year, month, date) };
  const { from, before } = periods[name]!(today);
  return (serial) => serial >= from && serial < before;
};

const specificities = ['Year', 'Month', 'Day', 'Hour', 'Minute', 'Second'];

/** The numbers of `2026-04-02T10:30:00Z` from the year on, as many as there are. */
const partsOf = (iso: string): number[] | undefined => {
  const found = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:\.\d+)?)?)?Z?)?)?)?$/.exec(iso);
  return found?.slice(1).flatMap((part) => (part === undefined ? [] : Number(part)));
};

/** `Excel.FilterDatetime`: a date, and how many of its parts count. */
export type DateValue = { date: string; specificity: string };

export const isDateValue = (value: unknown): value is DateValue => {
  const { date, specificity } = (value ?? {}) as Partial<DateValue>;
  if (typeof date !== 'string' || typeof specificity !== 'string') return false;
  const parts = partsOf(date);
  return parts !== undefined && specificities.indexOf(specificity) in parts;
};

/** The parts of a date that count, from the year on. */
export const countedParts = ({ date, specificity }: DateValue): number[] => {
  const parts = partsOf(date)?.slice(0, specificities.indexOf(specificity) + 1);
  if (parts === undefined) throw new ExcelError('InvalidArgument');
  return parts;
};

/** A date whose parts up to one of them count: from the year alone to the seconds. */
export const dateValueOf = (parts: readonly number[]): DateValue => {
  const two = (part: number) => String(part).padStart(2, '0');
  const [year = 1900, month = 1, date = 1, hour = 0, minute = 0, second = 0] = parts;
  return {
    date: `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}T${two(hour)}:${two(minute)}:${two(second)}`,
    specificity: specificities[parts.length - 1]!,
  };
};

export const matchesDate = (value: DateValue): ((serial: number) => boolean) => {
  const wanted = countedParts(value);
  return (serial) => {
    const parts: readonly number[] = dateFromSerial(serial);
    return wanted.every((part, index) => parts[index] === part);
  };
};
