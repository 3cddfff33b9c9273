import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apportion, DECIMAL_SCALE, decimalText, divide, MONEY_SCALE, rescale, units } from './money.ts';

const amount = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 14n });
const magnitude = (n: bigint): bigint => (n < 0n ? -n : n);

describe('a division', () => {
  it.each([
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [1n, -2n, -1n],
    [-1n, -2n, 1n],
    [3n, 2n, 2n],
    [-3n, 2n, -2n],
    [5n, 2n, 3n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-2n, 3n, -1n],
    [0n, -7n, 0n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [-50n, 100n, -1n],
  ])('of %s by %s is %s', (n, d, expected) => {
    expect(divide(n, d)).toBe(expected);
  });

  it('by zero throws', () => {
    expect(() => divide(1n, 0n)).toThrow(RangeError);
  });

  it('gives the nearest whole number, and of two equally near numbers the one further from zero', () => {
    fc.assert(
      fc.property(amount, positive, fc.boolean(), (n, size, negative) => {
        const d = negative ? -size : size;
        const result = divide(n, d);
        // |n/d - result| <= 1/2, without a division: |n - result * d| * 2 <= |d|.
        const miss = magnitude(n - result * d) * 2n;
        expect(miss <= magnitude(d)).toBe(true);
        if (miss === magnitude(d)) expect(magnitude(result * d)).toBeGreaterThan(magnitude(n));
      }),
    );
  });

  it('without a remainder is exact', () => {
    fc.assert(
      fc.property(amount, positive, (quotient, d) => {
        expect(divide(quotient * d, d)).toBe(quotient);
      }),
    );
  });

  it('of a negative number is the negative result', () => {
    fc.assert(
      fc.property(amount, positive, (n, d) => {
        expect(divide(-n, d)).toBe(-divide(n, d));
      }),
    );
  });
});

describe('amounts and their text', () => {
  it.each([
    ['12.50', 2, 1250n],
    ['-12.5', 2, -1250n],
    ['0.005', 2, 1n],
    ['-0.005', 2, -1n],
    ['0.0049', 2, 0n],
    ['2.675', 2, 268n],
    ['1.00000000', 8, 100000000n],
    ['9007199254740993.01', 2, 900719925474099301n],
    ['0', 2, 0n],
    ['-0', 2, 0n],
  ])('of the text %s at scale %i are %s units', (text, scale, expected) => {
    expect(units(text, scale)).toBe(expected);
  });

  it.each([
    [1250n, 2, 0, '12.5'],
    [1250n, 2, 2, '12.50'],
    [1200n, 2, 0, '12'],
    [-5n, 2, 2, '-0.05'],
    [0n, 2, 2, '0.00'],
    [0n, 8, 0, '0'],
    [2100000000n, 8, 1, '21.0'],
    [7n, 0, 0, '7'],
    [7n, 0, 2, '7.00'],
  ])('of %s units at scale %i with %i decimals are the text %s', (value, scale, decimals, expected) => {
    expect(decimalText(value, scale, decimals)).toBe(expected);
  });

  it('are each other’s inverse at every scale, however many decimals are shown', () => {
    fc.assert(
      fc.property(amount, fc.nat(12), fc.nat(12), (value, scale, shown) => {
        expect(units(decimalText(value, scale, shown), scale)).toBe(value);
      }),
    );
  });

  it('have at least the requested decimals, and no zero after them', () => {
    fc.assert(
      fc.property(amount, fc.nat(12), fc.nat(12), (value, scale, shown) => {
        const fraction = decimalText(value, scale, shown).split('.')[1] ?? '';
        expect(fraction.length).toBeGreaterThanOrEqual(shown);
        if (fraction.length > shown) expect(fraction.endsWith('0')).toBe(false);
      }),
    );
  });

  it('are converted to a finer scale and back without loss', () => {
    fc.assert(
      fc.property(amount, (cents) => {
        expect(rescale(rescale(cents, MONEY_SCALE, DECIMAL_SCALE), DECIMAL_SCALE, MONEY_SCALE)).toBe(cents);
      }),
    );
  });

  it('are rounded half away from zero when they are converted to a coarser scale', () => {
    expect(rescale(1_500_000n, DECIMAL_SCALE, MONEY_SCALE)).toBe(2n);
    expect(rescale(-1_500_000n, DECIMAL_SCALE, MONEY_SCALE)).toBe(-2n);
    expect(rescale(1_499_999n, DECIMAL_SCALE, MONEY_SCALE)).toBe(1n);
  });
});

describe('rounding amounts that must add up', () => {
  it('gives the remaining units to the largest remainders, and to the earliest of equals', () => {
    expect(apportion(100n, [100n, 100n, 100n], 3n)).toEqual([34n, 33n, 33n]);
    expect(apportion(2n, [7n, 7n, 6n], 10n)).toEqual([1n, 1n, 0n]);
    expect(apportion(2n, [6n, 7n, 7n], 10n)).toEqual([0n, 1n, 1n]);
  });

  it('does not change whole amounts', () => {
    expect(apportion(-3n, [10n, -25n, 0n], 5n)).toEqual([2n, -5n, 0n]);
  });

  it('of no amounts gives no amounts', () => {
    expect(apportion(0n, [], 7n)).toEqual([]);
  });

  it('adds up exactly, with each share less than one unit from its exact amount, for any signs', () => {
    const numerators = fc.array(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), { maxLength: 75 });
    fc.assert(
      fc.property(numerators, fc.bigInt({ min: 1n, max: 10n ** 9n }), (amounts, denominator) => {
        const sum = amounts.reduce((a, b) => a + b, 0n);
        const total = divide(sum, denominator);
        const shares = apportion(total, amounts, denominator);
        expect(shares.reduce((a, b) => a + b, 0n)).toBe(total);
        shares.forEach((share, index) => {
          expect(magnitude(amounts[index]! - share * denominator) < denominator).toBe(true);
        });
      }),
    );
  });

  it('never gives a larger amount a smaller share', () => {
    const numerators = fc.array(fc.bigInt({ min: -9999n, max: 9999n }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(numerators, fc.bigInt({ min: 1n, max: 97n }), (amounts, denominator) => {
        const total = divide(
          amounts.reduce((a, b) => a + b, 0n),
          denominator,
        );
        const shares = apportion(total, amounts, denominator);
        const pairs = amounts.map((numerator, index) => ({ numerator, share: shares[index]! }));
        pairs.sort((a, b) =>
          a.numerator < b.numerator ? -1 : a.numerator > b.numerator ? 1 : a.share < b.share ? -1 : 1,
        );
        for (let index = 1; index < pairs.length; index++) {
          expect(pairs[index]!.share >= pairs[index - 1]!.share).toBe(true);
        }
      }),
    );
  });
});
