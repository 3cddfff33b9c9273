import { beforeEach, expect, it } from 'vitest';
import { createLedgerClient } from '../../shared/client/ledgerClient.ts';
import { createPushClient } from '../../shared/client/pushClient.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { FAILED, failRequests } from './failedRequests.ts';
import { connect, seen } from './pane.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';
import { slowExcel } from './slowExcel.ts';

/* Correcting entries from rows, in the demo administration. */

const SHEET = 'Entries to book';
const appPage = withAppPage();
const { press } = appPage;
let { app, page, pane } = appPage;
beforeEach(async () => {
  ({ app, page, pane } = appPage);
  await connect(pane, demo, 'Demo');
});

const type = (heading: string, row: number, text: string) => typeBelow(page, SHEET, heading, row, text);
const closing = async (account: string, to: string): Promise<number> => {
  const ledger = createLedgerClient({ base: app.address, credential: demo, fetch });
  const { balances } = await ledger.balances({ to });
  return Number(balances.find(({ number }) => number === account)?.closing ?? 0);
};
const shown = (amount: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount);

/** A sheet with an entry of 100.10 on the account of its second line. */
async function fillEntry(credited: string): Promise<void> {
  await press('Make documents');
  await pane.getByRole('radio', { name: 'Journal entries' }).click();
  await press('Make the sheet');
  await seen(pane.getByText(`Sheet “${SHEET}” is ready`));
  await type('Document *', 2, 'A');
  await type('Date', 2, '2026-06-30');
  await type('Ledger account *', 2, '4000');
  await type('Debit *', 2, '100.10');
  await type('Document *', 3, 'A');
  await type('Ledger account *', 3, credited);
  await type('Credit *', 3, '100.10');
}

it('Journal entries say that the books could not be read, which are read when asked', async () => {
  await fillEntry('4711');
  const end = await failRequests(page, /\/ledger\//);
  await press('Push this sheet');
  await seen(pane.getByText('1 document ready to send'));
  await seen(pane.getByText(`Not everything could be checked, and totals may be missing. ${FAILED}`));
  const again = pane.getByRole('button', { name: 'Try again' });
  // The accounts, and what the entry changes on them.
  await expect.poll(() => again.count()).toBe(2);
  await end();
  await again.first().click();
  await seen(pane.getByText('expected a ledger account of this administration, got "4711"'));
  await type('Ledger account *', 3, '1000');
  await seen(pane.getByText('1 document ready to send'));
  await seen(pane.getByRole('table', { name: 'Effect on the trial balance (debit less credit)' }));
  expect(await pane.getByText(FAILED).count()).toBe(0);
});

it('Journal entries are checked again when something is typed in the moment after they were checked', async () => {
  await fillEntry('1000');
  const delay = await slowExcel(page);
  await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=en`);
  await seen(pane.getByRole('heading', { name: 'In this workbook' }));
  await delay(400);
  await press('Push rows');
  await seen(pane.getByText('1 document ready to send'));
  await type('Ledger account *', 3, '4711');
  await delay(0);
  await seen(pane.getByText('expected a ledger account of this administration, got "4711"'));
});

it('Journal entries say what they change on the trial balance, and are booked once', async () => {
  await fillEntry('1000');
  await type('Description of entry', 2, 'Rent of June');
  await type('Credit *', 3, '100.01');
  await press('Push this sheet');
  await seen(pane.getByText('expected as much debit as credit: 0.09 credit is missing'));
  expect(await pane.getByRole('table').count()).toBe(0);

  // It is checked again while somebody types.
  await type('Credit *', 3, '100.10');
  await seen(pane.getByText('1 document ready to send'));
  await type('Ledger account *', 3, '4711');
  await seen(pane.getByText('expected a ledger account of this administration, got "4711"'));
  await type('Date', 2, '2300-01-31');
  await seen(pane.getByText('outside of which nothing is booked, got 2300-01-31'));
  await type('Ledger account *', 3, '1000');
  await type('Date', 2, '2026-06-30');
  await seen(pane.getByText('1 document ready to send'));
  const before = [await closing('1000', '2026-06-30'), await closing('4000', '2026-06-30')] as const;
  const effects = await seen(pane.getByRole('table', { name: 'Effect on the trial balance (debit less credit)' }));
  const cells = await effects.locator('tbody td').allTextContents();
  expect(cells).toEqual([
    ...[shown(before[0]), '-100.10', shown(before[0] - 100.1)],
    ...[shown(before[1]), '100.10', shown(before[1] + 100.1)],
  ]);
  expect(await accessibilityErrors(pane)).toEqual([]);

  await press(/^Push 1 document to /);
  await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
  await seen(pane.getByText(': 1 applied.'));
  const [first] = await rowsOf(page, SHEET);
  expect(first).toMatchObject({ Status: 'Applied', 'Number made': expect.stringMatching(/^\d+$/) });
  expect(first).not.toHaveProperty('Total incl. VAT');
  expect(await closing('4000', '2026-06-30')).toBeCloseTo(before[1] + 100.1, 8);
  await seen(pane.getByText('1 made before, not sent again'));
});

it('Journal entries say what they change on accounts as these are at the latest check', async () => {
  await fillEntry('1000');
  await press('Push this sheet');
  const effects = pane.getByRole('table', { name: 'Effect on the trial balance (debit less credit)' });
  const before = async (account: string) =>
    (await effects.locator('tbody tr', { hasText: account }).locator('td').allTextContents())[0];
  const first = await closing('4000', '2026-06-30');
  await expect.poll(() => before('4000')).toBe(shown(first));

  // A colleague books on the account, and the rows are checked again.
  const request = {
    EntryDate: '29-06-2026',
    JournalEntry_Line: [
      { LedgerAccountNumber: '4000', Debit: '12.34' },
      { LedgerAccountNumber: '1000', Credit: '12.34' },
    ],
  };
  const colleague = createPushClient({ base: app.address, credential: demo, fetch });
  await colleague.begin([{ row: 2, endpoint: 'addjournalentry', request }], crypto.randomUUID());
  await expect.poll(() => closing('4000', '2026-06-30')).toBeCloseTo(first + 12.34, 8);
  await press('Check the rows again');
  await expect.poll(() => before('4000')).toBe(shown(first + 12.34));

  // Balances of another day are not shown as those of this one, however long the service takes.
  const held = Promise.withResolvers<void>();
  await page.route('**/ledger/balances?*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await type('Date', 2, '2026-01-31');
  await expect.poll(() => effects.count()).toBe(0);
  held.resolve();
  await expect.poll(async () => before('4000')).toBe(shown(await closing('4000', '2026-01-31')));
});

it('An entry of an account card is reversed by one press: its counter-entry is checked and sent once', async () => {
  await press('Account card');
  await pane.getByLabel('Ledger accounts').fill('1300');
  await press('Bring in the account card');
  await seen(pane.getByText(/on sheet “Account card/));
  const card = await page.evaluate(() => window.workbook.activeSheet());
  const [headings, row] = await page.evaluate((name) => window.workbook.values(`'${name}'!A6:Q7`), card);
  const chosen = String(row![headings!.indexOf('Entry ID')]);
  const ledger = createLedgerClient({ base: app.address, credential: demo, fetch });
  const linesOf = async (entry: string) => (await Array.fromAsync(ledger.entries({ entry }))).flat();
  const lines = await linesOf(chosen);
  const before = await ledger.balances();
  await page.evaluate((cell) => window.workbook.select(cell), `'${card}'!B7`);
  await seen(pane.getByRole('heading', { name: `Entry ${chosen}` }));
  await press('Reverse this entry');
  await seen(pane.getByText(`is on sheet “${SHEET}” from row 2`));
  expect(await accessibilityErrors(pane)).toEqual([]);
  const rows = (await rowsOf(page, SHEET)).filter((one) => one['Document *']);
  expect(rows.map((one) => [Number(one['Credit *'] || 0), Number(one['Debit *'] || 0)])).toEqual(
    lines.map(({ debit, credit }) => [Number(debit), Number(credit)]),
  );
  await page.evaluate((cell) => window.workbook.select(cell), `'${card}'!B7`);
  await press('Reverse this entry');
  await seen(pane.getByText('has this counter-entry already, from row 2'));

  await press('Push this sheet');
  await press(/^Push 1 document to /);
  await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
  await seen(pane.getByText(': 1 applied.'));
  const after = await ledger.balances();
  const accounts = new Set(lines.map(({ account }) => account));
  for (const { number, closing } of before.balances) {
    const own = lines.filter(({ account }) => account === number);
    const change = own.reduce((sum, { debit, credit }) => sum + Number(debit) - Number(credit), 0);
    const now = after.balances.find((one) => one.number === number)!;
    expect(Number(now.closing)).toBeCloseTo(Number(closing) - (accounts.has(number) ? change : 0), 8);
  }
});
