import { serialOf } from '../../../../shared/spreadsheet.ts';
import { toEnglish } from './formulas/formulaLanguage.ts';
import type { Locale } from './locale.ts';

/** What a cell holds; the empty string is an empty cell. */
export type CellValue = string | number | boolean;

/** What Excel makes of something entered into a cell. */
export type Entry = {
  value: CellValue;
  /** The formula with its leading "=", in English. Nothing is calculated: the value is the formula's own text. */
  formula?: string;
  /** The text was entered behind an apostrophe. */
  quoted?: boolean;
  /** The number format the entry brings along when the cell is still General. */
  numberFormat?: string;
};

const text = (value: string): Entry => ({ value });

const formulaEntry = (input: string, locale: Locale): Entry => {
  const formula = toEnglish(input, locale);
  return { value: formula, formula };
};

/** Excel keeps 15 digits of a typed number; the rest become zeros. */
const typedNumber = (digits: string): number => {
  const [, sign, whole, fraction = '', exponent = ''] = /^([+-]?)(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i.exec(digits)!;
  let kept = 0;
  const all = `${whole}.${fraction}`.replace(/\d/g, (digit) => {
    if (kept > 0 || digit !== '0') kept += 1;
    return kept > 15 ? '0' : digit;
  });
  return Number(`${sign}${all.startsWith('.') ? '0' : ''}${all}${exponent}`);
};

const escaped = (sign: string): string => sign.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const numberEntry = (input: string, locale: Locale): Entry | undefined => {
  const group = escaped(locale.group);
  const decimal = escaped(locale.decimal);
  const pattern = new RegExp(
    `^(\\()?([+-])?\\s*(€|\\$)?\\s*(\\d{1,3}(?:${group}\\d{3})+|\\d*)(?:${decimal}(\\d*))?(e[+-]?\\d+)?\\s*(%)?(\\))?$`,
    'i',
  );
  const match = pattern.exec(input);
  if (!match) return undefined;
  const [, open, sign = '', currency, whole = '', fraction, exponent = '', percent, close] = match;
  if (!whole && !fraction) return undefined;
  if (Boolean(open) !== Boolean(close) || (open && sign)) return undefined;
  const plain = `${open ? '-' : sign}${whole.replaceAll(locale.group, '') || '0'}.${fraction ?? ''}${exponent}`;
  const value = typedNumber(plain);
  if (!Number.isFinite(value)) return undefined;
  if (percent) return { value: Number((value / 100).toPrecision(15)), numberFormat: fraction ? '0.00%' : '0%' };
  if (currency) {
    const symbol = currency === '€' ? '[$€-x-euro2] ' : '$';
    return { value, numberFormat: `${symbol}#,##0${fraction ? '.00' : ''}` };
  }
  if (exponent) return { value, numberFormat: '0.00E+00' };
  if (whole.includes(locale.group)) return { value, numberFormat: fraction ? '#,##0.00' : '#,##0' };
  return { value };
};

const monthNames = {
  en: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  nl: ['jan', 'feb', 'mrt', 'apr', 'mei', 'jun', 'jul', 'aug', 'sep', 'okt', 'nov', 'dec'],
} as const;

/** Two digits mean 1930 to 2029, as in Excel. */
const fullYear = (year: string): number =>
  year.length > 2 ? Number(year) : Number(year) + (Number(year) < 30 ? 2000 : 1900);

/** The serial number of a calendar day; undefined when there is no such day or Excel has no number for it. */
const daySerial = (year: number, month: number, day: number): number | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? serialOf(date.getTime()) : undefined;
};

const timeOfDay = (input: string): number | undefined => {
  const match = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3}))?)?(?:\s*([ap])\.?m\.?)?$/i.exec(input);
  if (!match) return undefined;
  const [, hour, minute, second = '0', fraction = '', half] = match;
  if (Number(minute) > 59 || Number(second) > 59) return undefined;
  if (half && (Number(hour) > 12 || Number(hour) === 0)) return undefined;
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  return (hours * 3600 + Number(minute) * 60 + Number(second) + Number(`0.${fraction || 0}`)) / 86_400;
};

const dayOf = (input: string, locale: Locale, currentYear: number): { serial: number; format: string } | undefined => {
  const found = (serial: number | undefined, format: string) => (serial === undefined ? undefined : { serial, format });
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(input);
  if (iso) return found(daySerial(Number(iso[1]), Number(iso[2]), Number(iso[3])), locale.shortDate);
  const numeric = /^(\d{1,2})[-/](\d{1,2})(?:[-/](\d{2}|\d{4}))?$/.exec(input);
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])];
    const [day, month] = locale.dayFirst ? [first, second] : [second, first];
    return numeric[3]
      ? found(daySerial(fullYear(numeric[3]), month, day), locale.shortDate)
      : found(daySerial(currentYear, month, day), 'd-mmm');
  }
  const named = /^(\d{1,2})[-/ ]([\p{L}]{3,})\.?(?:[-/ ](\d{2}|\d{4}))?$/u.exec(input);
  if (named) {
    const start = named[2]!.slice(0, 3).toLowerCase();
    const month =
      Math.max(monthNames[locale.language].indexOf(start as never), monthNames.en.indexOf(start as never)) + 1;
    if (month === 0) return undefined;
    return named[3]
      ? found(daySerial(fullYear(named[3]), month, Number(named[1])), 'd-mmm-yy')
      : found(daySerial(currentYear, month, Number(named[1])), 'd-mmm');
  }
  return undefined;
};

const dateEntry = (input: string, locale: Locale, currentYear: number): Entry | undefined => {
  const time = timeOfDay(input);
  if (time !== undefined) return { value: time, numberFormat: /:.*:/.test(input) ? 'h:mm:ss' : 'h:mm' };
  const day = dayOf(input, locale, currentYear);
  if (day) return { value: day.serial, numberFormat: day.format };
  const space = input.lastIndexOf(' ');
  const moment = space > 0 ? timeOfDay(input.slice(space + 1)) : undefined;
  const date = moment === undefined ? undefined : dayOf(input.slice(0, space), locale, currentYear);
  if (moment === undefined || !date) return undefined;
  return { value: date.serial + moment, numberFormat: `${locale.shortDate} h:mm` };
};

const errorValues = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A'];
export const isErrorValue = (value: CellValue): boolean => typeof value === 'string' && errorValues.includes(value);

/** By the names of `Excel.RangeValueType`. */
export const valueType = (value: CellValue = ''): string => {
  if (value === '') return 'Empty';
  if (typeof value === 'number') return 'Double';
  if (typeof value === 'boolean') return 'Boolean';
  return isErrorValue(value) ? 'Error' : 'String';
};

/**
 * What Excel makes of text entered into a cell with this number format: a formula, a number, a date, a truth value or
 * text. In a cell formatted as text ("@"), and behind an apostrophe, it stays what it is.
 */
export const readEntry = (
  input: string,
  numberFormat: string,
  locale: Locale,
  currentYear: number = new Date().getFullYear(),
): Entry => {
  if (input === '') return text('');
  if (numberFormat === '@') return text(input);
  if (input.startsWith("'")) return { value: input.slice(1), quoted: true };
  if (input.startsWith('=') && input.length > 1) return formulaEntry(input, locale);
  const plain = readPlain(input, locale, currentYear);
  // From Lotus 1-2-3 Excel keeps the habit of reading +, - and @ as the start of a formula.
  if (plain.value === input && /^[+@-]./s.test(input)) return formulaEntry(`=${input}`, locale);
  return plain;
};

const readPlain = (input: string, locale: Locale, currentYear: number): Entry => {
  const trimmed = input.trim();
  const upper = trimmed.toUpperCase();
  if (upper === locale.true || upper === 'TRUE') return { value: true };
  if (upper === locale.false || upper === 'FALSE') return { value: false };
  return numberEntry(trimmed, locale) ?? dateEntry(trimmed, locale, currentYear) ?? text(input);
};
