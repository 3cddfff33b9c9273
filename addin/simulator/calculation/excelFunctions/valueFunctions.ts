import { isDateFormat, isValidFormat } from 'numfmt';
import { readEntry } from '../../workbook/cells/entry.ts';
import { english, type Locale } from '../../workbook/cells/locale.ts';
import { formatValue } from '../../workbook/cells/numberFormat.ts';
import { error, kinds, number, type Value } from '../engineValues.ts';

/* What one value is as a number, and as a text. The engine knows few of the formats, and no typed dates and amounts. */

const text = (value: string): Value => ({ kind: kinds.text, value });

/** A value as a number: a text as if it were typed, an empty cell as 0. */
export function numberIn(given: Value | undefined, locale: Locale): Value {
  if (given === undefined || given.kind === kinds.blank) return number(0);
  if (given.kind === kinds.number || given.kind === kinds.error) return given;
  if (given.kind === kinds.boolean) return number(Number(given.value));
  const { value, formula, quoted } = readEntry(String(given.value).trim(), 'General', locale);
  return typeof value === 'number' && formula === undefined && !quoted ? number(value) : error('#VALUE!');
}

/** The text of a number or a truth value, as `&` joins it. */
export function writtenText({ kind, value }: Value, locale: Locale): Value {
  if (kind === kinds.boolean) return text(value === true ? locale.true : locale.false);
  return text(digitsOf(value as number).replace('.', locale.decimal));
}

/** A number in at most fifteen digits: by a power of ten when it is large, or when a cell shows it so. */
function digitsOf(value: number): string {
  const digits = Number(value.toPrecision(15));
  const size = Math.abs(digits);
  if (digits === 0 || (size >= 1e-4 && size < 1e15)) return String(digits);
  const shown = formatValue(digits, 'General', english);
  if (Number(shown) === digits) return shown;
  const [, mantissa, sign, exponent] = /^(.*)e([+-])(\d+)$/.exec(digits.toExponential()) ?? [];
  return mantissa === undefined ? String(digits) : `${mantissa}E${sign}${exponent!.padStart(2, '0')}`;
}

/** VALUE: what a text is when it is typed, also with a minus in parentheses. */
export function typedValue([given]: readonly Value[], locale: Locale): Value {
  const inParentheses = given?.kind === kinds.text ? /^\s*\(([^()+-]+)\)\s*$/.exec(String(given.value)) : null;
  if (inParentheses === null) return given?.kind === kinds.boolean ? error('#VALUE!') : numberIn(given, locale);
  const found = numberIn(text(inParentheses[1]!), locale);
  return found.kind === kinds.number ? number(-Number(found.value)) : found;
}

/** DATEVALUE and TIMEVALUE: the day or the time of a text that is typed as one. */
export function typedDate([given]: readonly Value[], part: 'day' | 'time', locale: Locale): Value {
  if (given?.kind === kinds.error) return given;
  const { value, numberFormat } = readEntry(String(given?.value ?? '').trim(), 'General', locale);
  const isDate = given?.kind === kinds.text && typeof value === 'number' && isDateFormat(numberFormat ?? '');
  if (!isDate) return error('#VALUE!');
  const day = Math.floor(value);
  return number(part === 'day' ? day : value - day);
}

/** NUMBERVALUE: a number in the separators that are given, also with signs for percent. */
export function numberValue([given, decimal, group]: readonly Value[], locale: Locale): Value {
  const signOf = (value: Value | undefined, own: string) => (value === undefined ? own : String(value.value ?? '')[0]);
  const [point, comma] = [signOf(decimal, locale.decimal), signOf(group, locale.group)];
  if (given?.kind === kinds.error) return given;
  const written = String(given?.value ?? '').replaceAll(/\s/g, '');
  if (point === undefined) return error('#VALUE!');
  const [whole = '', ...decimals] = written.split(point);
  const [, digits, percent = ''] = /^(.*?)(%*)$/s.exec(
    [comma ? whole.replaceAll(comma, '') : whole, ...decimals].join('.'),
  )!;
  if (digits === '' && percent === '') return number(0);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(digits!)) return error('#VALUE!');
  return number(Number(digits) / 100 ** percent.length);
}

/** The letters of formats in a language, by the invariant ones. */
const letters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {},
  nl: { j: 'y', u: 'h' },
  fr: { j: 'd', a: 'y' },
};

/** A format as it is typed in a language, in the invariant spelling. */
function invariantFormat(format: string, { language, decimal, group }: Locale): string {
  if (language === 'en') return format;
  if (/^\s*(?:standaard|standard)\s*$/i.test(format)) return 'General';
  return format.replace(/"[^"]*"|\\.|am\/pm|\[\$[^\]]*\]|[\s\S]/gi, (part) => {
    if (part.length > 1) return part;
    if (part === decimal) return '.';
    if (part === group || (/\s/.test(group) && part === '\u00a0')) return ',';
    return letters[language]![part.toLowerCase()] ?? (part === '.' ? '\\.' : part);
  });
}

const OVERFLOW = /^#{8}$/;

/** TEXT: a value in a format. A text that is no number stays what it is, by the part of the format for texts. */
export function textOf([given, format]: readonly Value[], locale: Locale): Value {
  const failed = [given, format].find((value) => value?.kind === kinds.error);
  if (failed !== undefined) return failed;
  if (given?.kind === kinds.boolean) return text(given.value === true ? locale.true : locale.false);
  const pattern = invariantFormat(String(format?.value ?? ''), locale);
  if (pattern === '') return text('');
  if (!isValidFormat(pattern)) return error('#VALUE!');
  const read = numberIn(given, locale);
  const shown = formatValue(
    (read.kind === kinds.number ? read.value : given!.value) as string | number,
    pattern,
    locale,
  );
  return OVERFLOW.test(shown) ? error('#VALUE!') : text(shown);
}
