import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DueDate, dueDates, occurrence, type Schedule, shiftDates } from './dueDates.ts';
import { templateErrors } from './templateLimits.ts';

const monthly = (start: string, more: Partial<Schedule> = {}): Schedule => ({
  start,
  end: null,
  frequency: 1,
  unit: 'Month',
  skipWeekends: false,
  ...more,
});

/** A calendar by itself: walks day after day, counting by hand. */
function* days(year: number, month: number, day: number) {
  const lengths = (of: number) => [
    31,
    of % 4 === 0 && (of % 100 !== 0 || of % 400 === 0) ? 29 : 28,
    31,
    30,
    31,
    30,
    31,
    31,
    30,
    31,
    30,
    31,
  ];
  // 1 January 1900 was a Monday.
  let weekday = 0;
  for (let y = 1900; y < year; y++) weekday += lengths(y).reduce((sum, length) => sum + length, 0);
  for (let m = 1; m < month; m++) weekday += lengths(year)[m - 1]!;
  weekday = (weekday + day - 1) % 7;
  for (let passed = 0; ; passed++) {
    yield { year, month, day, weekday, passed, isLast: day === lengths(year)[month - 1] };
    weekday = (weekday + 1) % 7;
    day++;
    if (day > lengths(year)[month - 1]!) {
      day = 1;
      month++;
    }
    if (month > 12) {
      month = 1;
      year++;
    }
  }
}

/** The days of a schedule by walking the calendar and asking of each day whether it is one. */
function naive({ start, end, frequency, unit, skipWeekends }: Schedule, until: string): DueDate[] {
  const [year, month, day] = start.split('-').map(Number) as [number, number, number];
  const found: DueDate[] = [];
  for (const today of days(year, month, day)) {
    const date = [today.year, today.month, today.day]
      .map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0'))
      .join('-');
    if (date > until || (end !== null && date > end)) return found;
    const months = (today.year - year) * 12 + today.month - month;
    const isDay = today.day === day || (today.isLast && today.day < day);
    const comesRound = {
      Day: today.passed % frequency === 0,
      Week: today.passed % (7 * frequency) === 0,
      Month: isDay && months % frequency === 0,
      Year: isDay && months % (12 * frequency) === 0,
    }[unit];
    if (comesRound) found.push({ index: found.length, date, isMade: !(skipWeekends && today.weekday >= 5) });
  }
  return found;
}

const date = fc
  .date({ min: new Date('1999-01-01T00:00:00Z'), max: new Date('2101-12-31T00:00:00Z'), noInvalidDate: true })
  .map((instant) => instant.toISOString().slice(0, 10));

describe('the due dates of a periodic invoice', () => {
  it('are days of the calendar, in leap years and across changes of the clock', () => {
    fc.assert(
      fc.property(
        fc.record({
          start: date,
          end: fc.option(date, { nil: null }),
          frequency: fc.integer({ min: 1, max: 40 }),
          unit: fc.constantFrom('Day', 'Week', 'Month', 'Year'),
          skipWeekends: fc.boolean(),
        }),
        fc.integer({ min: 0, max: 3000 }),
        (schedule, length) => {
          const until = new Date(Date.parse(schedule.start) + length * 86_400_000).toISOString().slice(0, 10);
          expect(dueDates(schedule, 0, until, Number.POSITIVE_INFINITY)).toEqual(naive(schedule, until));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('continue after the last processed one, in order', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.integer({ min: 1, max: 9 }), (from, max) => {
        const all = dueDates(monthly('2026-01-31'), 0, '2030-01-01', 100);
        expect(dueDates(monthly('2026-01-31'), from, '2030-01-01', max)).toEqual(all.slice(from, from + max));
      }),
    );
  });

  it('of a monthly one from the 31st fall on the last days of months', () => {
    const dates = [0, 1, 2, 3, 25].map((index) => occurrence(monthly('2026-01-31'), index));
    expect(dates).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2028-02-29']);
  });

  it('end before the year 10000', () => {
    expect(occurrence(monthly('9999-12-31'), 1)).toBeUndefined();
    expect(dueDates(monthly('9999-11-30', { unit: 'Day' }), 30, '9999-12-31', 99)).toHaveLength(2);
  });
});

it('a template of the last year copies up to its last day', () => {
  const daily = monthly('9999-06-01', { unit: 'Day' });
  // From June to December.
  expect(templateErrors(daily, '9999-05-31', { characters: 1e9, bytes: 0 })).toMatchObject([
    { code: 'TEMPLATE_COPIES_TOO_MUCH', params: { copies: 214 } },
  ]);
});

describe('dates in texts', () => {
  it.each([
    ['Huur 01-03-2026 t/m 31-03-2026', 1, 'Huur 01-04-2026 t/m 30-04-2026'],
    ['Huur 31-01-2028', 1, 'Huur 29-02-2028'],
    ['Tot 15-01-2026', -2, 'Tot 15-11-2025'],
    ['Nummer 12-34-2026 en 101-01-2026', 1, 'Nummer 12-34-2026 en 101-01-2026'],
    ['Gelijk 01-01-2026', 0, 'Gelijk 01-01-2026'],
  ])('of "%s" moved by %i months give "%s"', (text, months, moved) => {
    expect(shiftDates(text, months)).toBe(moved);
  });
});
