import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, calendarDate, dateAfter, dateIn, readDate, writeDate } from './calendarDate.ts';

describe('a date on the wire', () => {
  it.each([
    ['31-01-2026', '2026-01-31'],
    ['29-02-2024', '2024-02-29'],
    ['29-02-2000', '2000-02-29'],
    ['1-2-2026', '2026-02-01'],
    [' 05-12-2025 ', '2025-12-05'],
    ['01-01-0099', '0099-01-01'],
    ['31-12-9999', '9999-12-31'],
  ])('%j is read as %s', (text, expected) => {
    expect(readDate(text)).toBe(expected);
  });

  it.each([
    '31-02-2026',
    '29-02-2025',
    '29-02-1900',
    '31-04-2026',
    '00-01-2026',
    '01-00-2026',
    '01-13-2026',
    '32-01-2026',
    '01-01-0000',
    '2026-01-31',
    '31/01/2026',
    '31-01-26',
    '01-01-20260',
    '1-1-2026T00:00',
    '',
    'today',
    '٠١-٠١-٢٠٢٦',
  ])('%j is not read', (text) => {
    expect(readDate(text)).toBeUndefined();
  });

  const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const daysIn = (year: number, month: number) =>
    month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  const parts = fc.tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 0, max: 14 }),
    fc.integer({ min: 0, max: 33 }),
  );

  it('is read exactly when the calendar has that day, and written in the same form', () => {
    fc.assert(
      fc.property(parts, ([year, month, day]) => {
        const text = `${String(day).padStart(2, '0')}-${String(month).padStart(2, '0')}-${String(year).padStart(4, '0')}`;
        const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
        const read = readDate(text);
        expect(read === undefined).toBe(!exists);
        expect(calendarDate(year, month, day)).toBe(read);
        if (read !== undefined) expect(writeDate(read)).toBe(text);
      }),
    );
  });

  it('is in memory sorted as text in the order of the calendar', () => {
    const date = parts
      .map(([year, month, day]) => calendarDate(year, month, day))
      .filter((found) => found !== undefined);
    fc.assert(
      fc.property(date, date, (a, b) => {
        const days = (text: string) => Date.parse(`${text}T00:00:00Z`);
        expect(a < b).toBe(days(a) < days(b));
      }),
    );
  });
});

describe('the date after some days', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-01'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2025-02-28', 1, '2025-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2026-03-28', 2, '2026-03-30'],
    ['2026-05-05', 0, '2026-05-05'],
    ['2026-01-01', 365, '2027-01-01'],
  ])('of %s and %i days is %s', (date, days, expected) => {
    expect(addDays(date, days)).toBe(expected);
  });
});

describe('the calendar', () => {
  it('has no year 0 and no year 10000', () => {
    expect([calendarDate(0, 12, 31), calendarDate(10_000, 1, 1)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['9999-12-31', 0, '9999-12-31'],
    ['9999-12-31', 1, undefined],
    ['9999-01-01', 365, undefined],
    ['0001-01-01', -1, undefined],
    ['0099-12-31', 1, '0100-01-01'],
    ['2026-01-01', 1e9, undefined],
    ['2026-01-01', -1e9, undefined],
  ])('has of %s and %i days %s', (date, days, expected) => {
    expect(dateAfter(date, days)).toBe(expected);
  });

  it('ends with its last day, and begins with its first, for whoever needs some day', () => {
    expect(addDays('9999-12-31', 1)).toBe('9999-12-31');
    expect(addDays('9999-06-01', 366)).toBe('9999-12-31');
    expect(addDays('0001-01-01', -1)).toBe('0001-01-01');
  });
});

describe('the date in a time zone', () => {
  it('changes at local midnight, in summer and in winter', () => {
    expect(dateIn('Europe/Amsterdam', new Date('2026-01-31T22:59:59Z'))).toBe('2026-01-31');
    expect(dateIn('Europe/Amsterdam', new Date('2026-01-31T23:00:00Z'))).toBe('2026-02-01');
    expect(dateIn('Europe/Amsterdam', new Date('2026-06-30T21:59:59Z'))).toBe('2026-06-30');
    expect(dateIn('Europe/Amsterdam', new Date('2026-06-30T22:00:00Z'))).toBe('2026-07-01');
    expect(dateIn('Europe/Brussels', new Date('2025-12-31T23:30:00Z'))).toBe('2026-01-01');
    expect(dateIn('UTC', new Date('2025-12-31T23:30:00Z'))).toBe('2025-12-31');
  });
});
