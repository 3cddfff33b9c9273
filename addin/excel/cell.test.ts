import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, type Cell, cellOf, dateSerial, isCellError, textOfCell } from './cell.ts';

describe('A date', () => {
  // Excel counts 29 February 1900, which did not exist.
  it.each([
    ['1900-01-01', 1],
    ['1900-02-28', 59],
    ['1900-03-01', 61],
    ['2000-02-29', 36_585],
    ['2026-12-31', 46_387],
    ['9999-12-31', 2_958_465],
  ])('%s has the serial number %d', (date, serial) => {
    expect(dateSerial(date)).toBe(serial);
  });

  it('before 1900 stays text', () => {
    expect(dateSerial('1899-12-31')).toBe('1899-12-31');
  });
});

describe('A cell', () => {
  it('is empty for an empty value of every kind of column', () => {
    for (const kind of ['text', 'integer', 'amount', 'price', 'decimal', 'date', 'moment', 'boolean'] as const) {
      expect([cellOf(kind, null), cellOf(kind, undefined), cellOf(kind, '')]).toEqual(['', '', '']);
    }
  });

  it('contains zero and false', () => {
    expect([cellOf('amount', '0'), cellOf('boolean', false)]).toEqual([0, false]);
  });

  it('has the decimal text it was made of, to 15 digits', () => {
    const amounts = fc.tuple(fc.integer({ min: -999_999_999, max: 999_999_999 }), fc.nat(999_999));
    fc.assert(
      fc.property(amounts, ([whole, fraction]) => {
        const text = String(Number(`${whole}.${String(fraction).padStart(6, '0')}`));
        expect(textOfCell(cellOf('price', text))).toBe(text);
      }),
    );
  });

  it('with an error of Excel is recognised as one, and a text with a hash is not', () => {
    const errors = ['#N/A', '#DIV/0!', '#NAME?', '#EXTERNAL!', '#TIMEOUT!', '#PYTHON!'];
    expect(errors.filter((cell) => !isCellError(cell))).toEqual([]);
    expect(['#1', 'N/A', '# x', 0, true].some((cell) => isCellError(cell as Cell))).toBe(false);
  });

  it('takes no more bytes than estimated, control characters excepted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true }), fc.boolean()), (cell) => {
        const bytes = new TextEncoder().encode(JSON.stringify(cell)).length;
        expect(bytesOf(cell)).toBeGreaterThanOrEqual(typeof cell === 'number' ? 8 : bytes - 1);
      }),
    );
  });
});
