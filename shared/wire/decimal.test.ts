import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf, padDecimals, readDecimal } from './decimal.ts';
import { parseJson } from './json.ts';

describe('a decimal on the wire', () => {
  it.each([
    ['0E-8', '0'],
    ['0e-800', '0'],
    ['1E-8', '0.00000001'],
    ['1.5e3', '1500'],
    ['-1.5E+2', '-150'],
    ['21.0', '21'],
    ['21.00000000', '21'],
    ['0021.50', '21.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+5', '5'],
    ['-0', '0'],
    ['-0.00', '0'],
    [' 12.5 ', '12.5'],
    ['9007199254740993', '9007199254740993'],
    ['0.1234567890123456789', '0.1234567890123456789'],
  ])('with the text %j is read as %s', (text, expected) => {
    expect(readDecimal(text)).toBe(expected);
  });

  it.each([
    [12.5, '12.5'],
    [-0, '0'],
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    [9007199254740993n, '9007199254740993'],
  ])('with the number %s is read as %s', (input, expected) => {
    expect(readDecimal(input)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    '-',
    'e5',
    '1,5',
    '1.2.3',
    '0x10',
    '1e',
    '--1',
    '1 2',
    '٣',
    'NaN',
    'Infinity',
    '12a',
    NaN,
    Infinity,
    true,
    null,
    undefined,
    {},
    [],
    ['1'],
    { isLosslessNumber: true, value: '1' },
  ])('is not read from %j', (input) => {
    expect(readDecimal(input)).toBeUndefined();
  });

  it('is refused when it has too many digits, also by its exponent', () => {
    expect(readDecimal('9'.repeat(40))).toBe('9'.repeat(40));
    expect(readDecimal('9'.repeat(41))).toBeUndefined();
    expect(readDecimal('1e999')).toBeUndefined();
    expect(readDecimal('1e-999')).toBeUndefined();
    expect(readDecimal(`1e${'9'.repeat(50)}`)).toBeUndefined();
  });

  const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));

  it('is read with every digit from text, from text with zeros around it, and from a JSON number', () => {
    fc.assert(
      fc.property(fc.boolean(), digits(18), fc.option(digits(18), { nil: undefined }), (negative, given, decimals) => {
        const whole = given.replace(/^0+(?=\d)/, '');
        const written = `${negative ? '-' : ''}${whole}${decimals === undefined ? '' : `.${decimals}`}`;
        const read = readDecimal(written)!;
        expect(readDecimal(parseJson(written))).toBe(read);
        expect(readDecimal(`${negative ? '-' : ''}000${written.replace('-', '')}`)).toBe(read);
        // The same number as an exact whole number of 10^-18, by another road than the reader's.
        const scaled = (text: string): bigint => {
          const [before = '', after = ''] = text.replace('-', '').split('.');
          const size = BigInt(before) * 10n ** 18n + BigInt(after.padEnd(18, '0'));
          return text.startsWith('-') ? -size : size;
        };
        expect(scaled(read)).toBe(scaled(written));
        expect(read).toMatch(/^(0|-?[1-9]\d*|-?(0|[1-9]\d*)\.\d*[1-9])$/);
        expect(readDecimal(read)).toBe(read);
      }),
    );
  });

  it('has the same value with an exponent as with a moved point', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: 0, max: 15 }), (n, places) => {
        const text = n.toString().padStart(places + 1, '0');
        const moved = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
        expect(readDecimal(`${n}e-${places}`)).toBe(readDecimal(moved));
        expect(readDecimal(`${n}E+${places}`)).toBe(n.toString() + '0'.repeat(places));
      }),
    );
  });

  it('is read without an exception from any value', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (input) => {
        const read = readDecimal(input);
        expect(read === undefined || /^-?\d+(\.\d+)?$/.test(read)).toBe(true);
      }),
    );
  });
});

describe('the decimals of a number', () => {
  it('are padded with zeros and never cut', () => {
    expect(padDecimals('21', 1)).toBe('21.0');
    expect(padDecimals('3', 8)).toBe('3.00000000');
    expect(padDecimals('-0.5', 2)).toBe('-0.50');
    expect(padDecimals('1.2345', 2)).toBe('1.2345');
    expect(padDecimals('7', 0)).toBe('7');
  });

  it('are counted', () => {
    expect(decimalsOf('12')).toBe(0);
    expect(decimalsOf('12.345')).toBe(3);
  });
});
