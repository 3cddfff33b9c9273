import { describe, expect, test } from 'vitest';
import { dutch, english } from './locale.ts';
import { formatValue } from './numberFormat.ts';

describe('The text of a value', () => {
  test.each([
    [0.1 + 0.2, 'General', '0.3'],
    [1234.5, 'General', '1234.5'],
    [-0.25, 'General', '-0.25'],
    [123456789012, 'General', '1.23457E+11'],
    [12345678901, 'General', '12345678901'],
    [0.000012345, 'General', '0.000012345'],
    [3.4, '0', '3'],
    [2.5, '0', '3'],
    [-2.5, '0', '-3'],
    [1.005, '0.00', '1.01'],
    [-1234.5, '#,##0.00', '-1,234.50'],
    [1234567.891, '#,##0', '1,234,568'],
    [0.5, '#.##', '.5'],
    [-0.001, '0.00', '0.00'],
    [0.125, '0%', '13%'],
    [0.1234, '0.00%', '12.34%'],
    [12345, '0.00E+00', '1.23E+04'],
    [7, '000', '007'],
    [1234.5, '[$€-x-euro2] #,##0.00', '€ 1,234.50'],
    [-5, '#,##0.00;[Red](#,##0.00)', '(5.00)'],
    [0, '0.00;-0.00;"nil"', 'nil'],
    [45293, 'dd-mm-yyyy', '02-01-2024'],
    [45293, 'yyyy-mm-dd', '2024-01-02'],
    [45293, 'd-mmm-yy', '2-Jan-24'],
    [45293, 'dddd d mmmm yyyy', 'Tuesday 2 January 2024'],
    [45293.75, 'dd-mm-yyyy hh:mm', '02-01-2024 18:00'],
    [0.5208333333333334, 'h:mm AM/PM', '12:30 PM'],
    [1.5, '[h]:mm', '36:00'],
    [60, 'd-m-yyyy', '29-2-1900'],
    [-1, 'dd-mm-yyyy', '########'],
    [true, 'General', 'TRUE'],
    ['0100', '@', '0100'],
    ['text', '0.00', 'text'],
  ])('%j in the format %s is %s', (value, format, text) => {
    expect(formatValue(value, format, english)).toBe(text);
  });

  test('has a decimal comma and Dutch months in Dutch', () => {
    expect(formatValue(1234.5, '#,##0.00', dutch)).toBe('1.234,50');
    expect(formatValue(1234.5, '[$€-x-euro2] #,##0.00', dutch)).toBe('€ 1.234,50');
    expect(formatValue(1234.5, '[$€-413] #,##0.00', english)).toBe('€ 1,234.50');
    expect(formatValue(45354, 'd mmm yyyy', dutch)).toBe('3 mrt 2024');
    expect(formatValue(false, 'General', dutch)).toBe('ONWAAR');
  });
});
