import { isLosslessNumber } from 'lossless-json';

/** More digits than any amount needs; a longer number is an error or an attack. */
const MAX_DIGITS = 40;

/** What needs no more than to lose the zeros after its point, as nearly every number. */
const PLAIN = /^(?:0|-?[1-9]\d*)(?:\.(?:0+|\d*[1-9]))?$/;

/**
 * A number as it came over the wire (a JSON number, a numeric string, an exponent such as `0E-8`) as plain decimal
 * text: an optional minus, digits, and a point with decimals where there are any, without trailing zeros. No float
 * comes between. `undefined` when it is not a number.
 */
export function readDecimal(input: unknown): string | undefined {
  const text = numericText(input);
  if (text === undefined) return undefined;
  if (text.length <= MAX_DIGITS && PLAIN.test(text)) return text.replace(/\.0+$/, '');
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (digits.length > MAX_DIGITS || Math.abs(point) > MAX_DIGITS) {
    return /^0*$/.test(digits) ? '0' : undefined;
  }
  const left = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '';
  const right = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const integer = left.replace(/^0+(?=\d)/, '') || '0';
  const decimals = right.replace(/(?<!0)0+$/, '');
  const magnitude = decimals === '' ? integer : `${integer}.${decimals}`;
  return sign === '-' && magnitude !== '0' ? `-${magnitude}` : magnitude;
}

/** Plain decimal text with at least so many decimals. */
export function padDecimals(text: string, decimals: number): string {
  const present = decimalsOf(text);
  return present >= decimals ? text : `${text}${present === 0 ? '.' : ''}${'0'.repeat(decimals - present)}`;
}

/** The digits before the point of plain decimal text. */
export function wholeDigitsOf(text: string): number {
  const point = text.indexOf('.');
  return (point < 0 ? text.length : point) - (text.startsWith('-') ? 1 : 0);
}

export function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/**
 * The digits of a JSON number or a string; a float is exact here because `json.ts` lets none past 15 digits become one.
 */
function numericText(input: unknown): string | undefined {
  if (typeof input === 'string') return input.trim();
  if (typeof input === 'number') return Number.isFinite(input) ? String(input) : undefined;
  if (typeof input === 'bigint') return String(input);
  if (isLosslessNumber(input)) return input.toString();
  return undefined;
}
