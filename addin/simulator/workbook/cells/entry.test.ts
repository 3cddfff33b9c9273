import { describe, expect, test } from 'vitest';
import { enterValues } from '../changes/enter.ts';
import { enterAsTyped } from '../changes/tableShape.ts';
import { sourceAt, textAt, valueAt } from '../sheet.ts';
import { Workbook } from '../workbook.ts';
import { readEntry } from './entry.ts';
import { dutch, english, type Locale } from './locale.ts';

const typed = (input: string, locale: Locale = english, format = 'General') => readEntry(input, format, locale, 2025);

describe('A typed text', () => {
  test.each([
    ['100', 100],
    ['0100', 100],
    ['-12.50', -12.5],
    ['1,234.56', 1234.56],
    ['(25)', -25],
    ['1e3', 1000],
    ['.5', 0.5],
    ['12%', 0.12],
    ['$5', 5],
    ['TRUE', true],
    ['false', false],
  ])('%s becomes a number or a boolean', (input, value) => {
    expect(typed(input).value).toBe(value);
  });

  test.each(['hello', '12a', '1,23,456', 'NL001234567B01', '-', '+', '   x'])('%j stays a text', (input) => {
    expect(typed(input)).toEqual({ value: input });
  });

  test('keeps fifteen digits of a number, and all of them in a cell formatted as text', () => {
    expect(typed('1234567890123456789').value).toBe(1234567890123450000);
    expect(typed('1234567890123456789', english, '@').value).toBe('1234567890123456789');
  });

  test.each([
    ['1/2/2024', english, 45293, 'm/d/yyyy'],
    ['1-2-2024', dutch, 45323, 'dd-mm-yyyy'],
    ['2024-02-29', english, 45351, 'm/d/yyyy'],
    ['1-2', english, 45659, 'd-mmm'],
    ['1-2', dutch, 45689, 'd-mmm'],
    ['3 mrt 2024', dutch, 45354, 'd-mmm-yy'],
    ['12:30', english, 0.5208333333333334, 'h:mm'],
  ])('%s becomes a date or time', (input, locale, value, numberFormat) => {
    expect(typed(input, locale)).toEqual({ value, numberFormat });
  });

  test.each(['30-2-2024', '2023-02-29', '32-1-2024', '13:60'])('%s is not a date, and stays a text', (input) => {
    expect(typed(input, dutch)).toEqual({ value: input });
  });

  test('has the decimal sign of the language', () => {
    expect(typed('1.234,56', dutch).value).toBe(1234.56);
    expect(typed('12,5', dutch).value).toBe(12.5);
    expect(typed('12,5', english).value).toBe('12,5');
    expect(typed('WAAR', dutch).value).toBe(true);
  });

  test.each([
    ['#N/B', dutch, '#N/A'],
    ['#WAARDE!', dutch, '#VALUE!'],
    ['#deel/0!', dutch, '#DIV/0!'],
    ['#n/a', english, '#N/A'],
    ['#1 choice', dutch, '#1 choice'],
    ['#N/B?', dutch, '#N/B?'],
  ])('%s is the error that the language calls so, or a text', (input, locale, value) => {
    expect(typed(input, locale)).toEqual({ value });
  });

  test.each(['=1+1', '=cmd|calc', '=A1'])('%s becomes a formula', (input) => {
    expect(typed(input).formula).toBe(input);
  });

  test.each(['+A1', '-cmd', '@SUM(A1)'])('%s becomes a formula as well', (input) => {
    expect(typed(input).formula).toBe(`=${input}`);
  });

  test.each(['=1+1', '0100', '1-2', 'TRUE', '+A1', "'quoted"])(
    '%s stays a text in a cell formatted as text',
    (input) => {
      expect(typed(input, english, '@')).toEqual({ value: input });
    },
  );

  test('is a text behind an apostrophe', () => {
    expect(typed("'0100")).toEqual({ value: '0100', quoted: true });
    expect(typed("'=A1")).toEqual({ value: '=A1', quoted: true });
  });
});

test.each(['12:30', '0:05', '0:00', '1:02:03', '25:00', '1-2-2024 10:15'])(
  '%s is in the formula bar such that it can be typed again',
  (input) => {
    const { active } = new Workbook('nl');
    const cell = { row: 0, column: 0, rows: 1, columns: 1 };
    enterAsTyped(active, cell, input);
    const value = valueAt(active, 0, 0);
    expect(value).toBeTypeOf('number');
    enterAsTyped(active, cell, sourceAt(active, 0, 0));
    expect(valueAt(active, 0, 0)).toBeCloseTo(value as number, 10);
  },
);

test.each([
  ['12,50 €', 'nl', '12,50 €'],
  ['1 234,5 €', 'fr', '1\u202f234,50 €'],
  ['-12 €', 'fr', '-12 €'],
  ['12.50€', 'en', '12.50 €'],
  ['€ 12,50', 'nl', '€ 12,50'],
] as const)('%s is an amount in %s', (input, language, shown) => {
  const { active } = new Workbook(language);
  enterAsTyped(active, { row: 0, column: 0, rows: 1, columns: 1 }, input);
  expect(valueAt(active, 0, 0)).toBeTypeOf('number');
  expect(textAt(active, 0, 0)).toBe(shown);
});

test.each([
  [0.1 + 0.2, '0.3'],
  [1 / 3, '0.333333333333333'],
  [1e21, '1E+21'],
  [-1234.56, '-1234.56'],
])('%d is in the formula bar in fifteen digits: %s', (value, shown) => {
  const { active } = new Workbook();
  enterValues(active, { row: 0, column: 0, rows: 1, columns: 1 }, value);
  expect(sourceAt(active, 0, 0)).toBe(shown);
});
