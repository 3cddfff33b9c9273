import { getFormatInfo } from 'numfmt';
import { describe, expect, it } from 'vitest';
import { natureOf } from './cellNature.ts';

describe('The type of a cell', () => {
  it.each([
    ['', 'dd-mm-yyyy', 'empty'],
    ['12', 'General', 'text'],
    ['#N/A', 'General', 'error'],
    [true, 'General', 'boolean'],
    [45, 'General', 'number'],
    [45, '#,##0.00######', 'number'],
    [45, '[$€-x-euro2] #,##0.00', 'number'],
    [45, '0" dozen"', 'number'],
    [45, '[Red]0;-0', 'number'],
    [45, '0.00E+00', 'number'],
    [45, '_-* #,##0.00_-;-* #,##0.00_-', 'number'],
    [45, 'dd-mm-yyyy', 'date'],
    [45, 'dd-mm-yyyy hh:mm', 'date'],
    [45, '[$-413]d mmmm yyyy;@', 'date'],
    [45, 'mmm', 'date'],
    [45, 'h:mm AM/PM', 'time'],
    [45, '[h]:mm', 'time'],
    [45, 'mm:ss.0', 'time'],
    [45, '0%', 'percentage'],
    [45, '0.00%', 'percentage'],
    [45, '0" %"', 'number'],
    [45, '00000', 'padded'],
    [-45, '000', 'padded'],
    [0, '00', 'padded'],
    [45, '"A"000;-0', 'padded'],
    [45, '00-00', 'padded'],
    [45.5, '000.00', 'padded'],
    [45, '00', 'number'],
    [4500, '#,000', 'number'],
    [45, '0.00', 'number'],
  ] as const)('with value %j and format %s is %s', (cell, format, nature) => {
    expect(natureOf(cell, format)).toBe(nature);
  });

  it.each([
    'General',
    '0',
    '0.00',
    '#,##0',
    '0%',
    '0.00E+00',
    'm/d/yyyy',
    'd-mmm-yy',
    'd-mmm',
    'mmm-yy',
    'h:mm',
    'h:mm:ss',
  ])('with Excel’s format %s is the same as in numfmt', (format) => {
    const theirs = getFormatInfo(format).type;
    const ours = natureOf(1, format);
    const known: Record<string, string> = { date: 'date', datetime: 'date', time: 'time', percent: 'percentage' };
    expect(ours).toBe(known[theirs] ?? 'number');
  });
});
