import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRemittance, remittanceFor } from './remittance.ts';

const numbers = fc.bigInt({ min: 0n, max: 9_999_999_999n });

describe('structured remittance', () => {
  it('is ten digits and their remainder by 97', () => {
    expect(remittanceFor(108068171n)).toBe('+++010/8068/17183+++');
    expect(remittanceFor(1n)).toBe('+++000/0000/00101+++');
  });

  it('ends in 97 when the remainder is 0', () => {
    expect(remittanceFor(97n)).toBe('+++000/0000/09797+++');
    expect(remittanceFor(0n)).toBe('+++000/0000/00097+++');
  });

  it('has the last ten digits of a longer number', () => {
    expect(remittanceFor(250108068171n)).toBe('+++010/8068/17183+++');
  });

  it.each([
    '+++010/8068/17183+++',
    '***010/8068/17183***',
    '010806817183',
    '010/8068/17183',
    '010.8068.17183',
    '010-8068-17183',
    ' 010 8068 17183 ',
    '+++ 010 / 8068 / 17183 +++',
    '0108 0681 7183',
  ])('is read from %s', (text) => {
    expect(readRemittance(text)).toBe('+++010/8068/17183+++');
  });

  it.each([
    ['', 'nothing'],
    ['+++/+++', 'no digits'],
    ['01080681718', 'eleven digits'],
    ['0010806817183', 'thirteen digits'],
    ['+++010/8068/17184+++', 'wrong check digits'],
    ['+++000/0000/09700+++', 'none remaining written as 00'],
    ['OGM 010/8068/17183', 'letters around it'],
    ['٠١٠٨٠٦٨١٧١٨٣', 'digits of another script'],
  ])('is not read from %j: %s', (text) => {
    expect(readRemittance(text)).toBeUndefined();
  });

  it('is read again as it was written, for every number', () => {
    fc.assert(
      fc.property(numbers, fc.constantFrom('', ' ', '/', '.', '-', '***'), (number, separator) => {
        const made = remittanceFor(number);
        expect(made).toMatch(/^\+\+\+\d{3}\/\d{4}\/\d{5}\+\+\+$/);
        expect(BigInt(made.replace(/\D/g, '').slice(0, 10))).toBe(number);
        expect(readRemittance([...made.replace(/\D/g, '')].join(separator))).toBe(made);
      }),
    );
  });

  it('is refused when any one digit is changed', () => {
    fc.assert(
      fc.property(numbers, fc.nat({ max: 11 }), fc.integer({ min: 1, max: 9 }), (number, position, by) => {
        const digits = [...remittanceFor(number).replace(/\D/g, '')];
        digits[position] = String((Number(digits[position]) + by) % 10);
        expect(readRemittance(digits.join(''))).toBeUndefined();
      }),
    );
  });

  it('is refused when any two neighbouring digits are exchanged', () => {
    fc.assert(
      fc.property(numbers, fc.nat({ max: 8 }), (number, position) => {
        const digits = [...remittanceFor(number).replace(/\D/g, '')];
        fc.pre(digits[position] !== digits[position + 1]);
        [digits[position], digits[position + 1]] = [digits[position + 1]!, digits[position]!];
        expect(readRemittance(digits.join(''))).toBeUndefined();
      }),
    );
  });
});
