import { expect, it } from 'vitest';
import { entryEffects, entryErrors, lastDayOf } from './entryEffects.ts';

const line = (LedgerAccountNumber: string, amounts: object) => ({ LedgerAccountNumber, ...amounts });
const entry = (EntryDate: string | undefined, ...lines: object[]) => ({
  ...(EntryDate === undefined ? {} : { EntryDate }),
  JournalEntry_Line: lines,
});

it('Entries change each account by debit less credit, exactly, and are compared with what is there on their last day', () => {
  const requests = [
    entry('31-12-2025', line('4000', { Debit: '0.10' }), line('1000', { Credit: '0.10' })),
    entry(
      '30-11-2025',
      line('4000', { Debit: '0.20' }),
      line('4100', { Debit: '1' }),
      line('1000', { Credit: '1.20' }),
    ),
  ];
  expect(lastDayOf(requests, '2026-03-31')).toBe('2025-12-31');
  const balances = [
    { number: '1000', closing: '90071992547409.91' },
    { number: '4000', closing: '-0.30' },
  ];
  const accounts = [
    { number: '1000', name: 'Kas' },
    { number: '4000', name: 'Huur' },
    { number: '4100', name: 'Energie' },
  ];
  expect(entryEffects(requests, balances, accounts)).toEqual([
    { account: '1000', name: 'Kas', before: '90071992547409.91', change: '-1.30', after: '90071992547408.61' },
    { account: '4000', name: 'Huur', before: '-0.30', change: '0.30', after: '0.00' },
    { account: '4100', name: 'Energie', before: '0.00', change: '1.00', after: '1.00' },
  ]);
});

it('Entries without a date are of today, which the administration knows', () => {
  const [debit, credit] = [line('4000', { Debit: 1 }), line('1000', { Credit: 1 })];
  const lastOf = (...dates: (string | undefined)[]) =>
    lastDayOf(
      dates.map((date) => entry(date, debit, credit)),
      '2026-03-31',
    );
  expect(lastOf(undefined)).toBeUndefined();
  // The last one is that of today, not the one before it.
  expect(lastOf('28-02-2026', undefined)).toBeUndefined();
  expect(lastOf(undefined, '01-04-2026')).toBe('2026-04-01');
});

it('Entries on accounts that are not there, or on days on which nothing is booked, are found before they are sent', () => {
  const accounts = [{ number: '1000', name: 'Kas' }];
  const errorsOf = entryErrors({ accounts, bookable: { first: '2026-01-01', last: '2026-12-31' } });
  expect(errorsOf(entry('31-12-2025', line('1000', {}), line('4711', {})))).toMatchObject([
    { path: 'EntryDate', code: 'OUTSIDE_BOOKING_DATES' },
    { path: 'JournalEntry_Line[1].LedgerAccountNumber', code: 'NO_SUCH_ACCOUNT', params: { number: '4711' } },
  ]);
  for (const date of ['01-01-2026', '31-12-2026', undefined]) {
    expect(errorsOf(entry(date, line('1000', { Debit: '1' }), { Credit: '1' }))).toEqual([]);
  }
});
