import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { databaseKind, emptyDatabase } from '../../../../../testing/database.ts';
import { deeper } from '../../../../../testing/deep.ts';
import { accountBalances, fiscalYearsOf } from '../../balances/balances.ts';
import { checkAdministration } from '../../check/check.ts';
import type { Database } from '../../sql/database.ts';
import type { Row } from '../../sql/schema.ts';
import { vatPaper } from '../../vat/vatPaper.ts';
import { readVatPeriod } from '../../vat/vatPeriod.ts';
import { makeDemo } from './demo.ts';

/** The boxes of a return that has every case of VAT. */
const boxesOfCases = {
  NL: '1a 1b 1d 1e 2a 3a 3b 3c 4a 4b 5a 5b 5g',
  BE: '00 01 02 03 44 45 46 47 48 49 54 55 56 57 59 62 63 64 71 81 82 83 84 85 86 87 88',
};

/** The quarter of a day, or so many before it. */
function quarter(day: CalendarDate, before = 0) {
  const count = Number(day.slice(0, 4)) * 4 + Math.floor((Number(day.slice(5, 7)) - 1) / 3) - before;
  return readVatPeriod(`${Math.floor(count / 4)}-Q${(count % 4) + 1}`)!;
}

/** The last days of the months from one day to another, and that other day. */
function monthEnds(from: CalendarDate, to: CalendarDate): CalendarDate[] {
  const ends: CalendarDate[] = [];
  for (let day = from; day < to; day = addDays(day, 1)) if (addDays(day, 1).endsWith('-01')) ends.push(day);
  return [...ends, to];
}

/** Expects what every demo administration has, whatever the day on which it is made. */
async function expectWhole(db: Database, administration: Row<'administration'>, today: CalendarDate): Promise<void> {
  const { id, country } = administration;
  expect(await Array.fromAsync(checkAdministration(db, id))).toEqual([]);

  const invoices = await db
    .selectFrom('sales_invoice')
    .where('administration_id', '=', id)
    .orderBy('number')
    .select(['number', 'date'])
    .execute();
  expect(invoices).toHaveLength(1000);
  const first = invoices[0]!.date;
  expect(invoices.at(-1)!.date).toBe(today);
  for (const { number, date } of invoices) expect(String(number).slice(0, 4)).toBe(date.slice(0, 4));

  const years = await db
    .selectFrom('ledger_account')
    .where('administration_id', '=', id)
    .select('fiscal_year')
    .distinct()
    .orderBy('fiscal_year')
    .execute();
  const [from, to] = [Number(first.slice(0, 4)), Number(today.slice(0, 4))];
  expect(years.map(({ fiscal_year }) => Number(fiscal_year))).toEqual(
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );

  // The last quarter that is over is to be filed; every one before it was.
  const last = quarter(today, 1);
  const { paper, filed } = await vatPaper(db, administration, last);
  expect(filed).toBeUndefined();
  const filled = [...paper.found.boxes].filter(([, amounts]) =>
    Object.values(amounts).every(({ exact }) => exact !== 0n),
  );
  const boxes = filled.map(([box]) => box).filter((box) => !['XX', 'YY'].includes(box));
  expect(boxes.toSorted().join(' ')).toBe(boxesOfCases[country]);
  expect(paper.remarks.filter(({ code }) => code === 'LATE')).toHaveLength(1);
  for (let before = 2; quarter(today, before).to >= first; before++) {
    const period = quarter(today, before);
    const earlier = await vatPaper(db, administration, period);
    expect(earlier.filed?.period).toBe(period.name);
    expect(earlier.paper.remarks.filter(({ code }) => code === 'CHANGED')).toEqual([]);
  }

  const fiscalYears = await fiscalYearsOf(db, administration);
  const bank = country === 'NL' ? '1100' : '550000';
  for (const day of monthEnds(first, today)) {
    const balances = await accountBalances(db, administration, { first: day, last: day }, fiscalYears);
    expect(Number(balances.find(({ number }) => number === bank)?.closing), day).toBeGreaterThan(10_000);
  }

  // What was entered before the first invoice, or since, was so on a day of these books.
  const seconds = (day: CalendarDate) => BigInt(Date.parse(`${day}T00:00:00Z`) / 1000);
  for (const table of ['relation', 'product'] as const) {
    const rows = db.selectFrom(table).where('administration_id', '=', id);
    for (const { created_on, changed_on } of await rows.select(['created_on', 'changed_on']).execute()) {
      expect(created_on, table).toBeGreaterThanOrEqual(seconds(addDays(first, -1)));
      expect(changed_on, table).toBeGreaterThanOrEqual(created_on);
      expect(changed_on, table).toBeLessThan(seconds(today));
    }
  }
  const bookings = db.selectFrom('material_booking').where('administration_id', '=', id);
  for (const { entry_date } of await bookings.select('entry_date').execute()) {
    expect(entry_date).toBeGreaterThanOrEqual(seconds(addDays(first, -1)) * 1000n);
    expect(entry_date).toBeLessThan(seconds(today) * 1000n);
  }

  for (const table of ['sales_invoice', 'purchase_invoice', 'journal_entry'] as const) {
    const later = db.selectFrom(table).where('administration_id', '=', id).where('date', '>', today);
    expect(await later.select('date').execute(), table).toEqual([]);
  }
}

async function expectWholeDemo(today: CalendarDate): Promise<void> {
  const { db } = await emptyDatabase();
  try {
    await makeDemo(db, { today });
    const administrations = await db.selectFrom('administration').orderBy('id').selectAll().execute();
    expect(administrations.map(({ country }) => country)).toEqual(['NL', 'BE']);
    for (const administration of administrations) await expectWhole(db, administration, today);
  } finally {
    await db.destroy();
  }
}

// Which dates it has does not depend on the database.
const onSqlite = test.skipIf(databaseKind() !== 'sqlite');

onSqlite.each(['2028-02-29', '2028-12-31'])(
  'the demo of %s has books that are sound and end on that day',
  expectWholeDemo,
);

onSqlite('the demo of any day has books that are sound and end on that day', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3650 }), (days) => expectWholeDemo(addDays('2026-01-01', days))),
    { numRuns: deeper(1, 4) },
  ),
);
