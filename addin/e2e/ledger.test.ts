import { beforeEach, describe, expect, it } from 'vitest';
import { createLedgerClient } from '../../shared/client/ledgerClient.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { rowsFrom } from './sheetCells.ts';

/* The books in the workbook: a trial balance, and the entries behind it. */

const appPage = withAppPage();
const { openView, press } = appPage;
let { app, page, pane } = appPage;
beforeEach(() => {
  ({ app, page, pane } = appPage);
});

/** Cents of an amount in a cell. */
const cents = (cell: unknown): number => Math.round(Number(cell) * 100);

describe('a trial balance', () => {
  it('adds up to nothing, and shows the entries behind an account', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Trial balance');
    await seen(pane.getByText('Select accounts in a trial balance'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await pane.getByLabel('Period', { exact: true }).selectOption({ label: 'this year' });
    await press('Bring in the trial balance');
    await seen(pane.getByText('on sheet “Trial balance this year”'));
    const read = () => rowsFrom(page, 'Trial balance this year', 5, 'J');
    // The page computes formulas a moment after they were written.
    await expect.poll(async () => typeof (await read())[2]![4]).toBe('number');
    const [balanceSheet, result, totals, headings, ...rows] = await read();
    expect(headings!.slice(0, 7)).toEqual(['Number', 'Name', 'Type', 'Opening', 'Debit', 'Credit', 'Closing']);
    const sumOf = (column: number) => rows.reduce((sum, row) => sum + cents(row[column]), 0);
    expect([sumOf(3), sumOf(6), sumOf(4) - sumOf(5)]).toEqual([0, 0, 0]);
    // The totals above are formulas, which the page computes.
    expect(cents(totals![4])).toBe(sumOf(4));
    const ofType = (type: string) => rows.filter((row) => row[2] === type).reduce((sum, row) => sum + cents(row[6]), 0);
    expect([balanceSheet, result].map((row) => [row![2], cents(row![6])])).toEqual([
      ['Balance sheet', ofType('Balance sheet')],
      ['Income statement', ofType('Income statement')],
    ]);
    expect(ofType('Balance sheet')).not.toBe(0);

    const place = rows.findIndex((row) => Number(row[4]) !== 0);
    const [account, , , opening, , , closing] = rows[place]!;
    await page.evaluate((cell) => window.workbook.select(cell), `'Trial balance this year'!G${9 + place}`);
    await seen(pane.getByRole('heading', { name: `Accounts ${account}` }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Show entries');
    await seen(pane.getByText(/on sheet “Account card/));
    const sheet = `Account card ${account} this year`;
    const card = await rowsFrom(page, sheet, 7, 'I');
    const year = new Date().getFullYear();
    const expected = [];
    const ledger = createLedgerClient({ base: app.address, credential: demo, fetch });
    for await (const lines of ledger.entries({ accounts: [String(account)], from: String(year), to: String(year) })) {
      expected.push(...lines);
    }
    expect(card.map((row) => [row[2], row[3], cents(row[6]) - cents(row[7])])).toEqual(
      expected.map((line) => [line.entryNumber, line.account, cents(line.debit) - cents(line.credit)]),
    );
    // From the opening of the account to its closing balance.
    expect(cents(card[0]![8]) - cents(card[0]![6]) + cents(card[0]![7])).toBe(cents(opening));
    expect(cents(card.at(-1)![8])).toBe(cents(closing));
  });

  it('stands beside other dates, both of which have to be filled in', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Trial balance');
    await pane.getByLabel('Period', { exact: true }).selectOption({ label: 'this year' });
    await pane.getByRole('radio', { name: 'Other dates' }).check();
    await pane.locator('input[name="ComparedFrom"]').fill('2025-02-03');
    await press('Bring in the trial balance');
    await seen(pane.getByText('Fill in both dates. The first is not after the last.'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await pane.locator('input[name="ComparedTill"]').fill('2025-04-05');
    await press('Bring in the trial balance');
    await seen(pane.getByText('on sheet “Trial balance this year”'));
    const [, period] = await rowsFrom(page, 'Trial balance this year', 1, 'A');
    expect(period).toEqual(['this year, beside: 3-2–5-4-2025']);
  });
});

describe('open items', () => {
  it('show the entries of the selected document, which add up to what is open of it', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Open items');
    await press('Bring in open items');
    await seen(pane.getByText('on sheet “Open items”'));
    const [headings, ...rows] = await rowsFrom(page, 'Open items', 6, 'L');
    const [documentAt, openAt] = [headings!.indexOf('Document'), headings!.indexOf('Open')];
    const place = rows.findIndex((row) => row[0] !== '–');
    const [document, open] = [rows[place]![documentAt], rows[place]![openAt]];
    await page.evaluate((cell) => window.workbook.select(cell), `'Open items'!C${7 + place}`);
    await seen(pane.getByRole('heading', { name: `Document ${document}` }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Show entries');
    await seen(pane.getByText(/on sheet “Account card/));
    const sheet = await page.evaluate(() => window.workbook.activeSheet());
    const lines = await rowsFrom(page, sheet, 7, 'I');
    expect(cents(lines.at(-1)![8])).toBe(cents(open));
    // From the entry of an invoice, its PDF.
    const pdf = pane.getByRole('button', { name: `PDF of invoice ${document}` });
    const select = (cell: string) => page.evaluate((address) => window.workbook.select(address), `'${sheet}'!${cell}`);
    await select('A1');
    await expect.poll(() => pdf.count()).toBe(0);
    await select(`B${7 + lines.findIndex((row) => /^sales/i.test(String(row[1])))}`);
    await seen(pdf);
  });
});
