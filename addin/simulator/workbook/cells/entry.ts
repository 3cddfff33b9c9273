import { dateFromSerial, dateToSerial, getFormatFromId, parseValue } from 'numfmt';
import { toEnglish } from './formulas/formulaLanguage.ts';
import type { Locale } from './locale.ts';

/** The value of a cell; an empty string for an empty cell. */
export type CellValue = string | number | boolean;

/** The result of entering something into a cell. */
export type Entry = {
  value: CellValue;
  /** The formula with its leading "=", in English. The value is the same text until it is calculated. */
  formula?: string;
  /** The text was entered behind an apostrophe. */
  quoted?: boolean;
  /** The number format for the cell when it is still General. */
  numberFormat?: string;
};

const formulaEntry = (input: string, locale: Locale): Entry => {
  const formula = toEnglish(input, locale);
  return { value: formula, formula };
};

/** Formats with a group separator, by their numbers: `#,##0` and `#,##0.00`. */
const groupedFormats = [3, 4];

/** The format `d-mmm`, of a date without a year. */
const DAY_AND_MONTH = 16;

/** The number format that a typed value brings along, by its number in Excel's own list. */
const formatOf = (id: number, { shortDate }: Locale): string | undefined => {
  if (id === 14) return shortDate;
  return id === 22 ? `${shortDate} h:mm` : (getFormatFromId(id) ?? undefined);
};

/** A number whose groups are separated by a space of any kind, with the one of the language. */
const grouped = (input: string, { group }: Locale): string =>
  /\s/.test(group) && !/[/:]/.test(input) ? input.replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, group) : input;

const valueEntry = (input: string, locale: Locale, currentYear: number): Entry | undefined => {
  // The library would take more than 59 minutes.
  if (/:[6-9]\d/.test(input)) return undefined;
  const written = grouped(input, locale);
  const [, sign = '', before = '', digits = written, after = ''] =
    /^([(+-]*)\s*([€$])\s*(.*)$/.exec(written) ?? /^()()(.*\d)\s*(€)$/.exec(written) ?? [];
  const parsed = parseValue(`${sign}${digits}`, { locale: locale.tag });
  if (!parsed) return undefined;
  const { value, formatId } = parsed as { value: CellValue; formatId?: number };
  if (formatId === DAY_AND_MONTH) {
    // The library adds the year in which it was loaded.
    const [, month, day] = dateFromSerial(Number(value));
    return { value: dateToSerial([currentYear, month, day])!, numberFormat: formatOf(formatId, locale) };
  }
  if (before === '' && after === '')
    return { value, numberFormat: formatId === undefined ? undefined : formatOf(formatId, locale) };
  if (formatId !== undefined && !groupedFormats.includes(formatId)) return undefined;
  const amount = `#,##0${input.includes(locale.decimal) ? '.00' : ''}`;
  if (after !== '') return { value, numberFormat: `${amount} [$€-x-euro1]` };
  return { value, numberFormat: `${before === '€' ? '[$€-x-euro2] ' : '$'}${amount}` };
};

/** The error of a formula whose function has no result yet. */
export const BUSY = '#BUSY!';

const errorValues = ['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#SPILL!', '#CALC!', BUSY];
export const isErrorValue = (value: CellValue): boolean => typeof value === 'string' && errorValues.includes(value);

/** Whether a cell has an error, and no text that names one. */
export const isError = <Held extends { value: CellValue; quoted?: boolean }>(
  cell: Held | undefined,
): cell is Held & { value: string } => cell !== undefined && cell.quoted !== true && isErrorValue(cell.value);

/** By the names of `Excel.RangeValueType`. */
export const valueType = (value: CellValue = '', isText = false): string => {
  if (value === '') return 'Empty';
  if (typeof value === 'number') return 'Double';
  if (typeof value === 'boolean') return 'Boolean';
  return isErrorValue(value) && !isText ? 'Error' : 'String';
};

/** The error that a text names in a language, as copied cells have it; undefined for another text. */
const errorIn = (input: string, locale: Locale): string | undefined => {
  if (!input.startsWith('#')) return undefined;
  const code = toEnglish(`=${input}`, locale).slice(1).toUpperCase();
  return isErrorValue(code) ? code : undefined;
};

/**
 * What Excel makes of text entered into a cell with this number format: a formula, a number, a date, a truth value or
 * text. In a cell formatted as text ("@"), and behind an apostrophe, it stays what it is.
 */
export const readEntry = (input: string, numberFormat: string, locale: Locale, currentYear?: number): Entry => {
  if (input === '') return { value: input };
  // A text that names an error is none.
  if (numberFormat === '@') return isErrorValue(input) ? { value: input, quoted: true } : { value: input };
  if (input.startsWith("'")) return { value: input.slice(1), quoted: true };
  if (input.startsWith('=') && input.length > 1) return formulaEntry(input, locale);
  const entry = valueEntry(input.trim(), locale, currentYear ?? new Date().getFullYear());
  // As in Lotus 1-2-3, a formula may begin with +, - or @.
  if (!entry && /^[+@-]./s.test(input)) return formulaEntry(`=${input}`, locale);
  return entry ?? { value: errorIn(input, locale) ?? input };
};

/** What a user means by a number that is typed into a cell of percentages: 21 is 21%, but `.5` is a half. */
export const asPercentage = (input: string, numberFormat: string, locale: Locale): string => {
  const text = input.trim();
  if (!numberFormat.includes('%') || !/^[-+]?\d|^-/.test(text)) return input;
  const { value, formula, numberFormat: typed } = readEntry(text, 'General', locale);
  const isPlain =
    typeof value === 'number' && formula === undefined && (typed === undefined || typed.startsWith('#,##0'));
  return isPlain ? `${text}%` : input;
};
