import { expect, test } from 'vitest';
import { fiscalYearNamed, fiscalYears, periodOf } from './fiscalYears.ts';

const stored = (start_date: string, end_date: string) => ({ id: 1n, start_date, end_date, has_opening: 0n });

test.each([
  // Nothing is stored: the usual years.
  [0, [], '2026', '2026-01-01', '2026-12-31'],
  [7, [], '2026', '2026-07-01', '2027-06-30'],
  [0, [], '2026-Q1', '2026-01-01', '2026-03-31'],
  [7, [], '2026-q4', '2026-10-01', '2026-12-31'],
  [0, [], '2024-02', '2024-02-01', '2024-02-29'],
  [0, [], '2026-12', '2026-12-01', '2026-12-31'],
  [0, [], '2026-03-31', '2026-03-31', '2026-03-31'],
  // The last day of all.
  [0, [], '9999', '9999-01-01', '9999-12-31'],
  [7, [], '9999', '9999-07-01', '9999-12-31'],
  [0, [], '9999-Q4', '9999-10-01', '9999-12-31'],
  [0, [], '9999-12', '9999-12-01', '9999-12-31'],
  [0, [], '9999-12-31', '9999-12-31', '9999-12-31'],
  // A stored year is as it is, and the others follow from it.
  [0, [['2025-07-01', '2026-06-30']], '2025', '2025-07-01', '2026-06-30'],
  [0, [['2025-07-01', '2026-06-30']], '2026', '2026-07-01', '2027-06-30'],
  [0, [['2025-07-01', '2026-06-30']], '2024', '2024-07-01', '2025-06-30'],
  // A short and a long year.
  [1, [['2026-01-01', '2026-06-30']], '2026', '2026-01-01', '2026-06-30'],
  [7, [['2026-01-01', '2026-06-30']], '2027', '2027-07-01', '2028-06-30'],
  [1, [['2024-07-01', '2025-12-31']], '2024', '2024-07-01', '2025-12-31'],
  [1, [['2024-07-01', '2025-12-31']], '2026', '2026-01-01', '2026-12-31'],
  // A first year is often short or long; the years after it begin when it has ended.
  [0, [['2024-10-15', '2024-12-31']], '2025', '2025-01-01', '2025-12-31'],
  [0, [['2024-10-15', '2024-12-31']], '2026', '2026-01-01', '2026-12-31'],
  [0, [['2024-10-15', '2025-12-31']], '2024', '2024-10-15', '2025-12-31'],
  [0, [['2024-10-15', '2025-12-31']], '2026', '2026-01-01', '2026-12-31'],
  // A short year between calendar years and broken ones.
  [0, [['2026-01-01', '2026-06-30']], '2025', '2025-01-01', '2025-12-31'],
  [0, [['2026-01-01', '2026-06-30']], '2027', '2027-07-01', '2028-06-30'],
] as const)('from month %i with stored years %o, %s is %s to %s', (month, years, text, first, last) => {
  const days = years.map(([start, end]) => stored(start, end));
  expect(periodOf(text, fiscalYears(days, month))).toEqual({ first, last });
});

test('years between stored years end before the next one begins', () => {
  const { yearOf } = fiscalYears([stored('2024-01-01', '2024-12-31'), stored('2026-04-01', '2027-03-31')], 1);
  expect(yearOf('2025-06-01')).toEqual({ first: '2025-01-01', last: '2025-12-31' });
  expect(yearOf('2026-02-01')).toEqual({ first: '2026-01-01', last: '2026-03-31' });
  expect(yearOf('2027-06-01')).toEqual({ first: '2027-04-01', last: '2027-12-31' });
  expect(yearOf('1999-06-01')).toEqual({ first: '1999-01-01', last: '1999-12-31' });
});

test('a day after a short first year is in a year that begins on the day after it', () => {
  const { yearOf } = fiscalYears([stored('2024-10-15', '2024-12-31')], 0);
  expect(yearOf('2025-03-01')).toEqual({ first: '2025-01-01', last: '2025-12-31' });
  expect(yearOf('2025-11-01')).toEqual({ first: '2025-01-01', last: '2025-12-31' });
});

test.each(['', '26', '2026-13', '2026-Q5', '2026-02-30', '2026-00', '20260301', '0026', 'x'])(
  '%j is no period',
  (text) => {
    expect(periodOf(text, fiscalYears([], 0))).toBeUndefined();
  },
);

test.each([
  [0, [['2026-01-01', '2026-06-30']], '2026', '2026-01-01', '2026-06-30'],
  [0, [['2026-01-01', '2026-06-30']], '2026-01', '2026-01-01', '2026-06-30'],
  [0, [['2026-01-01', '2026-06-30']], '2026-07', '2026-07-01', '2027-06-30'],
  [1, [['2026-01-01', '2026-06-30']], '2026-07', '2026-07-01', '2026-12-31'],
  // The first one follows from the month, and only the second is stored.
  [1, [['2026-04-01', '2027-03-31']], '2026-01', '2026-01-01', '2026-03-31'],
  [1, [['2026-04-01', '2027-03-31']], '2026', '2026-04-01', '2027-03-31'],
  // Both begin in one month.
  [0, [['2026-12-01', '2026-12-15']], '2026', '2026-12-01', '2026-12-15'],
  [0, [['2026-12-01', '2026-12-15']], '2026-12', '2026-12-16', '2027-11-30'],
  [7, [], '2026-07', '2026-07-01', '2027-06-30'],
] as const)('from month %i with stored years %o, the fiscal year %s is %s to %s', (month, years, text, first, last) => {
  const days = years.map(([start, end]) => stored(start, end));
  expect(fiscalYearNamed(text, fiscalYears(days, month), 'Books')).toEqual({ first, last });
});
