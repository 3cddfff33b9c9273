/**
 * Exact amounts. An amount is a whole number of units of 10^-scale, as a bigint: cents at scale 2, and prices,
 * quantities and percentages at scale 8. Nothing here is a float, and every division names its rounding.
 */

/** Hundredths of a euro. */
export type Cents = bigint;
/** Units of 10^-8: prices per unit, quantities, percentages. */
export type Decimal8 = bigint;

/** Decimals of an amount of money. */
export const MONEY_SCALE = 2;
/** Decimals of prices per unit, quantities and percentages. */
export const DECIMAL_SCALE = 8;
/** 1 in units of 10^-8. */
export const ONE: Decimal8 = 10n ** 8n;
/** 100 per cent. */
export const HUNDRED: Decimal8 = 100n * ONE;
/** A cent as the product of a price and a quantity, which has sixteen decimals. */
export const CENT_OF_PRODUCT = 10n ** 14n;

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
export const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** `n / d`, rounded to a whole number, half away from zero. */
export function divide(n: bigint, d: bigint): bigint {
  if (d < 0n) return divide(-n, -d);
  const magnitude = (2n * abs(n) + d) / (2n * d);
  return n < 0n ? -magnitude : magnitude;
}

/** Units at one scale as units at another; fewer decimals round half away from zero. */
export function rescale(units: bigint, from: number, to: number): bigint {
  if (to === from) return units;
  return to > from ? units * 10n ** BigInt(to - from) : divide(units, 10n ** BigInt(from - to));
}

/**
 * Decimal text (as `decimal.ts` makes it: digits, a point, no exponent) as units at a scale.
 * More decimals than the scale holds round half away from zero.
 */
export function units(text: string, scale: number): bigint {
  const point = text.indexOf('.');
  if (point === -1) return rescale(BigInt(text), 0, scale);
  return rescale(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1, scale);
}

/** Units at a scale as decimal text, with at least `decimals` of them shown and no trailing zeros past that. */
export function decimalText(value: bigint, scale: number, decimals = 0): string {
  const negative = value < 0n;
  const digits = abs(value)
    .toString()
    .padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  let fraction = digits.slice(digits.length - scale);
  let end = fraction.length;
  while (end > decimals && fraction.charCodeAt(end - 1) === 48) end--;
  fraction = fraction.slice(0, end).padEnd(decimals, '0');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** An amount of money in cents; one that is left out is 0. */
export const cents = (amount: string | null | undefined): Cents => units(amount ?? '0', MONEY_SCALE);

/** Cents as decimal text, always with two decimals. */
export const centsText = (amount: Cents): string => decimalText(amount, MONEY_SCALE, MONEY_SCALE);

/**
 * Rounds amounts that are known exactly, as `numerators[i] / denominator`, to whole numbers that add up to `total`: the
 * rounded sum of them all. Each is rounded down first; the units left over go one by one to the largest remainders (the
 * earliest of equals), so none is a whole unit off.
 * @param denominator above zero
 */
export function apportion(total: bigint, numerators: readonly bigint[], denominator: bigint): bigint[] {
  const shares = numerators.map((numerator) => floor(numerator, denominator));
  const left = total - sum(shares);
  const remainders = numerators.map((numerator, index) => numerator - shares[index]! * denominator);
  const order = numerators.map((_, index) => index);
  order.sort((a, b) => (remainders[b]! > remainders[a]! ? 1 : remainders[b]! < remainders[a]! ? -1 : a - b));
  for (const index of order.slice(0, Number(left))) shares[index] = shares[index]! + 1n;
  return shares;
}

const floor = (n: bigint, d: bigint): bigint => (n < 0n && n % d !== 0n ? n / d - 1n : n / d);
