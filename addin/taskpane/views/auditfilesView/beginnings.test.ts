import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLedgerClient } from '../../../../shared/client/ledgerClient.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { addBooks } from '../../../../testing/builtin/ledgerBooks.ts';
import { beginningsIn } from './beginnings.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const entry = (date: string) => ({
  date,
  lines: [
    { ledger_account_number: '1000', amount: 1n },
    { ledger_account_number: '8000', amount: -1n },
  ],
});

test.each([
  ['calendar years', 1, [], ['2025-03-01'], ['2025-01-01']],
  ['broken years', 7, [], ['2024-09-01', '2025-09-01'], ['2025-07-01']],
  ['books of later years only', 1, [], ['2026-03-01'], []],
  [
    'a short year and the next',
    0,
    [['2025-01-01', '2025-06-30']],
    ['2025-03-01', '2025-08-01'],
    ['2025-01-01', '2025-07-01'],
  ],
  ['a first year with no entry before it', 1, [['2025-10-15', '2026-12-31']], ['2025-11-01'], ['2025-10-15']],
] as const)(
  'of %s, the years that begin in 2025 are known by their first days',
  async (_, startMonth, years, dates, expected) => {
    const { administrationId, credential } = await app.addAdministration({ scope: 'read' });
    await addBooks(app.db, administrationId, {
      startMonth,
      openings: years.map(([start, end]) => ({ start, end, amounts: {} })),
      entries: dates.map(entry),
    });
    const ledger = createLedgerClient({ base: app.url, credential, fetch });
    expect(await beginningsIn('2025', ledger)).toEqual(expected);
  },
);
