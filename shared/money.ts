/**
 * Exact amounts. An amount is a whole number of units of 10^-scale, as a bigint: cents at scale 2, and prices,
 * quantities and percentages at scale 8. Nothing here is ever a float, and every division says how it rounds.
 */

/** Decimals of an amount of money. */
export const MONEY_SCALE = 2;
/** Decimals of prices per unit, quantities and percentages. */
export const FINE_SCALE = 8;

/** `n / d` rounded to a whole number, half away from zero. */
export function divide(n: bigint, d: bigint): bigint {
  if (d < 0n) return divide(-n, -d);
  const doubled = 2n * (n < 0n ? -n : n) + d;
  const magnitude = doubled / (2n * d);
  return n < 0n ? -magnitude : magnitude;
}

/** Units at one scale as units at another; fewer decimals round half away from zero. */
export function rescale(units: bigint, from: number, to: number): bigint {
  return to >= from ? units * 10n ** BigInt(to - from) : divide(units, 10n ** BigInt(from - to));
}

/**
 * Decimal text (as `decimal.ts` makes it: digits, a point, no exponent) as units at a scale.
 * More decimals than the scale holds round half away from zero.
 */
export function units(text: string, scale: number): bigint {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const exact = rescale(BigInt(whole + fraction), fraction.length, scale);
  return negative ? -exact : exact;
}

/** Units at a scale as decimal text, with at least `decimals` of them shown and no trailing zeros past that. */
export function decimalText(value: bigint, scale: number, decimals = 0): string {
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  let fraction = digits.slice(digits.length - scale);
  let end = fraction.length;
  while (end > decimals && fraction.charCodeAt(end - 1) === 48) end--;
  fraction = fraction.slice(0, end).padEnd(decimals, '0');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Shares `total` over `weights` in proportion, so that the shares add up to it exactly: each share is rounded towards
 * zero first and the units left over go one by one to the largest remainders (the earliest of equals).
 * Without any weight the whole total falls on the first.
 */
export function spread(total: bigint, weights: readonly bigint[]): bigint[] {
  if (weights.length === 0) return [];
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum === 0n) return weights.map((_, index) => (index === 0 ? total : 0n));
  const shares = weights.map((weight) => (total * weight) / sum);
  let left = total - shares.reduce((a, b) => a + b, 0n);
  const step = left < 0n ? -1n : 1n;
  const remainder = (index: number): bigint => {
    const exact = total * weights[index]! - shares[index]! * sum;
    const towards = sum < 0n ? -exact : exact;
    return step < 0n ? -towards : towards;
  };
  const order = weights.map((_, index) => index);
  order.sort((a, b) => (remainder(b) > remainder(a) ? 1 : remainder(b) < remainder(a) ? -1 : a - b));
  for (let turn = 0; left !== 0n; turn++) {
    const index = order[turn % order.length]!;
    shares[index] = shares[index]! + step;
    left -= step;
  }
  return shares;
}
