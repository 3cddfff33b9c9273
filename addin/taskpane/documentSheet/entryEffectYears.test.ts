import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtinAdministrations } from '../../../functions/administrations/builtin/builtin.ts';
import { createLedgerClient, type LedgerClient } from '../../../shared/client/ledgerClient.ts';
import { readWrite } from '../../../shared/readRequest.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { effectBalances, entryEffects } from './entryEffects.ts';

/* What entries of several fiscal years change, by the ledger of an app. */

let app: TestApp;
let ledger: LedgerClient;
beforeAll(async () => {
  app = await startApp();
  for (const number of ['0540', '1000', '4000']) {
    await app.addLedgerAccount({ number, name: number, type: number < '4' ? 'BalanceSheet' : 'IncomeStatement' });
  }
  await app.db
    .updateTable('administration')
    .where('id', '=', app.administrationId)
    .set({ result_account: '0540' })
    .execute();
  ledger = createLedgerClient({ base: app.url, credential: app.credential, fetch });
  await book([rent('10-03-2025', '40.00'), rent('11-02-2026', '7.00')]);
});
afterAll(() => app.close());

const rent = (EntryDate: string | undefined, amount: string) => ({
  ...(EntryDate === undefined ? {} : { EntryDate }),
  JournalEntry_Line: [
    { LedgerAccountNumber: '4000', Debit: amount },
    { LedgerAccountNumber: '1000', Credit: amount },
  ],
});

async function book(requests: readonly object[]): Promise<void> {
  const writer = await builtinAdministrations(app.db).writer(app.credential);
  const writes = requests.map((body) => ({
    key: crypto.randomUUID(),
    name: 'addjournalentry' as const,
    request: readWrite('addjournalentry', body).request,
  }));
  const outcomes = await writer.write(writes, async () => {}, new AbortController().signal);
  expect(outcomes.map(({ kind }) => kind)).toEqual(writes.map(() => 'applied'));
}

it('Entries of several fiscal years change the trial balance of all of them, as it is after they were booked', async () => {
  const requests = [rent('15-12-2025', '100.10'), rent('20-01-2026', '5.05'), rent('31-03-2026', '1.00')];
  const read = await effectBalances(ledger, requests, '2026-03-31');
  expect(read).toMatchObject({ years: { from: '2025-12-15', to: '2026-03-31' } });
  const { accounts } = await ledger.figures({});
  // 40.00 of 2025 and 7.00 of 2026 are there, and 106.15 comes.
  expect(entryEffects(requests, read.balances, accounts)).toEqual([
    { account: '1000', name: '1000', before: '-47.00', change: '-106.15', after: '-153.15' },
    { account: '4000', name: '4000', before: '47.00', change: '106.15', after: '153.15' },
  ]);
  await book(requests);
  const { balances } = await ledger.balances({ from: '2025-12-15', to: '2026-03-31' });
  expect(balances.filter(({ number }) => number !== '0540').map(({ number, closing }) => [number, closing])).toEqual([
    ['1000', '-153.15'],
    ['4000', '153.15'],
  ]);
});

it('Entries of one fiscal year change the trial balance of that year', async () => {
  const { years } = await effectBalances(ledger, [rent('01-01-2026', '1'), rent('31-12-2026', '1')], '2026-03-31');
  expect(years).toBeUndefined();
});

it('Entries without a date, which are of today, and those of the fiscal year before are of several fiscal years', async () => {
  const { years } = await effectBalances(ledger, [rent(undefined, '1'), rent('31-12-2025', '1')], '2026-09-21');
  expect(years?.from).toBe('2025-12-31');
});
