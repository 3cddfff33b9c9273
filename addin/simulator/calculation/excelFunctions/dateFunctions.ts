import type { Locale } from '../../workbook/cells/locale.ts';
import { error, kinds, number, type Value } from '../engineValues.ts';
import { numberIn } from './valueFunctions.ts';

/*
 * Functions of dates by Excel's calendar, in which 1900 has a 29 February: its days before 1 March are one number lower
 * than those of the engine. As Microsoft describes them.
 */

type Day = { year: number; month: number; day: number };

const LAST = 2_958_465;
const MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 31) / MS;
const LEAP_DAY = 60;

/** The number of the first day of a month, which may be outside of its year. */
function firstOf(year: number, month: number): number {
  const at = Date.UTC(year, month - 1, 1) / MS - EPOCH;
  return at >= LEAP_DAY ? at + 1 : at;
}

const serialOf = ({ year, month, day }: Day): number => firstOf(year, month) + day - 1;

function dayOf(serial: number): Day {
  if (serial === 0) return { year: 1900, month: 1, day: 0 };
  if (serial === LEAP_DAY) return { year: 1900, month: 2, day: 29 };
  const date = new Date((serial - (serial > LEAP_DAY ? 1 : 0) + EPOCH) * MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const lengthOf = ({ year, month }: Day): number => firstOf(year, month + 1) - firstOf(year, month);
const isLastOf = (date: Day): boolean => date.day === lengthOf(date);
const isLeap = (year: number): boolean => firstOf(year + 1, 1) - firstOf(year, 1) === 366;

const dated = (serial: number): Value => (serial >= 0 && serial <= LAST ? number(serial) : error('#NUM!'));

/** Days by a year of 360, each month of 30. */
const days360 = (from: Day, to: Day): number =>
  (to.year - from.year) * 360 + (to.month - from.month) * 30 + to.day - from.day;

/** By the American method the last day of February is the 30th too, where the period begins. */
function american(from: Day, to: Day): number {
  const first = isLastOf(from) ? { ...from, day: 30 } : from;
  return days360(first, to.day === 31 && first.day >= 30 ? { ...to, day: 30 } : to);
}

const european = (from: Day, to: Day): number =>
  days360({ ...from, day: Math.min(from.day, 30) }, { ...to, day: Math.min(to.day, 30) });

/** The length of the years of a period, on average, with 29 February only where a period of a year has it. */
function yearLength(first: number, last: number): number {
  const [from, to] = [dayOf(first), dayOf(last)];
  const isLater = to.month > from.month || (to.month === from.month && to.day > from.day);
  if (to.year > from.year + 1 || (to.year === from.year + 1 && isLater)) {
    return (firstOf(to.year + 1, 1) - firstOf(from.year, 1)) / (to.year - from.year + 1);
  }
  if (from.year === to.year) return isLeap(from.year) ? 366 : 365;
  const leapDays = [from.year, to.year].filter(isLeap).map((year) => serialOf({ year, month: 2, day: 29 }));
  return leapDays.some((day) => day >= first && day <= last) ? 366 : 365;
}

function yearFraction(one: number, other: number, basis: number): Value {
  const [first, last] = one <= other ? [one, other] : [other, one];
  const [from, to] = [dayOf(first), dayOf(last)];
  switch (basis) {
    case 0: {
      const isFebruary = (date: Day) => date.month === 2 && isLastOf(date);
      const last = isFebruary(to) ? { ...to, day: 30 } : to;
      return number((isFebruary(from) ? days360({ ...from, day: 30 }, last) : american(from, to)) / 360);
    }
    case 1:
      return number(first === last ? 0 : (last - first) / yearLength(first, last));
    case 2:
      return number((last - first) / 360);
    case 3:
      return number((last - first) / 365);
    case 4:
      return number(european(from, to) / 360);
    default:
      return error('#NUM!');
  }
}

/** Which days are free, from Monday on, by the number or the text of a weekend. */
function weekendOf(given: Value | undefined): readonly boolean[] | Value {
  if (given?.kind === kinds.text) {
    const days = String(given.value);
    return /^[01]{7}$/.test(days) && days !== '1111111' ? [...days].map((day) => day === '1') : error('#VALUE!');
  }
  const number = given === undefined ? 1 : Math.trunc(Number(given.value ?? 0));
  const isOne = number >= 11 && number <= 17;
  if (!isOne && !(number >= 1 && number <= 7)) return error('#NUM!');
  // 1 is Saturday and Sunday, 2 Sunday and Monday; 11 is Sunday only, 12 Monday.
  const free = isOne ? [(number - 5) % 7] : [(number + 4) % 7, (number + 5) % 7];
  return Array.from({ length: 7 }, (_, day) => free.includes(day));
}

const weekdayOf = (serial: number): number => (((serial + 5) % 7) + 7) % 7;

/** The functions by their names, for whole dates. */
export function dateFunctions(locale: Locale) {
  /** The arguments as whole numbers; the first error instead. */
  const numbers = (args: readonly (Value | undefined)[]): number[] | Value => {
    const read = args.map((arg) => numberIn(arg, locale));
    const failed = read.find(({ kind }) => kind === kinds.error);
    return failed ?? read.map(({ value }) => Math.trunc(value as number));
  };
  const isDate = (serial: number | undefined) => serial !== undefined && serial >= 0 && serial <= LAST;
  /** @param dates how many of the arguments are dates, the first ones */
  const of =
    (dates: number, result: (...args: number[]) => Value) =>
    (args: readonly Value[]): Value => {
      const read = numbers(args);
      if (!Array.isArray(read)) return read;
      return read.slice(0, dates).every(isDate) ? result(...read) : error('#NUM!');
    };
  const part = (name: keyof Day) => of(1, (date) => number(dayOf(date!)[name]));
  const free = (holidays: Value | undefined): Set<number> => {
    const cells = holidays?.kind === kinds.array ? holidays.rows!.flat() : [holidays];
    return new Set(cells.flatMap((one) => (one?.kind === kinds.number ? [Math.trunc(one.value as number)] : [])));
  };
  const withWeekend =
    (result: (first: number, second: number, isWorked: (serial: number) => boolean) => Value) =>
    ([one, other, weekend, holidays]: readonly Value[]): Value => {
      const read = numbers([one, other]);
      if (!Array.isArray(read)) return read;
      const days = weekendOf(weekend);
      if (!Array.isArray(days)) return days as Value;
      const others = free(holidays);
      return result(read[0]!, read[1]!, (serial) => !days[weekdayOf(serial)] && !others.has(serial));
    };
  return {
    single: {
      DATE: [
        3,
        3,
        of(0, (given, month, day) => {
          const year = given! >= 0 && given! < 1900 ? given! + 1900 : given!;
          return year < 1900 || year > 9999 ? error('#NUM!') : dated(serialOf({ year, month: month!, day: day! }));
        }),
      ],
      YEAR: [1, 1, part('year')],
      MONTH: [1, 1, part('month')],
      DAY: [1, 1, part('day')],
      EDATE: [
        2,
        2,
        of(1, (date, months) => {
          const { year, month, day } = dayOf(date!);
          const target = { year, month: month + months!, day };
          return dated(serialOf({ ...target, day: Math.min(day, lengthOf(target)) }));
        }),
      ],
      EOMONTH: [
        2,
        2,
        of(1, (date, months) => {
          const { year, month } = dayOf(date!);
          return dated(firstOf(year, month + months! + 1) - 1);
        }),
      ],
      DAYS360: [
        2,
        3,
        of(2, (from, to, isEuropean) =>
          number(isEuropean ? european(dayOf(from!), dayOf(to!)) : american(dayOf(from!), dayOf(to!))),
        ),
      ],
      YEARFRAC: [2, 3, of(2, (one, other, basis = 0) => yearFraction(one!, other!, basis))],
    },
    /** With a list of free days, so that they take several values. */
    withLists: {
      'NETWORKDAYS.INTL': [
        2,
        4,
        withWeekend((one, other, isWorked) => {
          let days = 0;
          for (let at = Math.min(one, other); at <= Math.max(one, other); at++) if (isWorked(at)) days++;
          return number(one <= other ? days : -days);
        }),
      ],
      'WORKDAY.INTL': [
        2,
        4,
        withWeekend((from, count, isWorked) => {
          let [at, left] = [from, Math.abs(count)];
          while (left > 0 && at >= 0 && at <= LAST) {
            at += Math.sign(count);
            if (isWorked(at)) left--;
          }
          return dated(at);
        }),
      ],
    },
  } as const;
}
