import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { rowsOf } from './sheetCells.ts';

/* The sheets of a workbook on the start page: what they ask for, their age, and refreshing all of them. */

const appPage = withAppPage();
const { openView, press } = appPage;
let { page, pane } = appPage;
beforeEach(() => {
  ({ page, pane } = appPage);
});

/** The texts of cells with the fill of a change. */
const marked = (cells: Element[]): (string | null)[] =>
  cells
    .filter((cell) => getComputedStyle(cell).backgroundColor === 'rgb(255, 244, 206)')
    .map(({ textContent }) => textContent);

describe('the sheets of a workbook', () => {
  it('have the columns that are chosen for them', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Ledger accounts');
    await press(/^Columns of “Ledger accounts”/);
    await pane.getByRole('checkbox', { name: 'Country' }).uncheck();
    await press('Move up Name');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
    const headings = () => page.evaluate(() => window.workbook.values("'Ledger accounts'!A1:G1")[0]);
    const chosen = await headings();
    expect(chosen).not.toContain('Country');
    expect(chosen!.indexOf('Name')).toBe(chosen!.indexOf('Number') - 1);
    await press('Back');
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('“Ledger accounts” is up to date'));
    expect(await headings()).toEqual(chosen);
  });

  it('are marked when they are of an earlier day, and refreshed together with one result', async () => {
    const today = () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(new Date());
    const begun = today();
    await connect(pane, demo, 'Demo BV');
    await openView('Ledger accounts');
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
    await press('Back');
    // One sheet has its own button.
    await seen(pane.getByRole('button', { name: 'Refresh Ledger accounts' }));
    await seen(pane.getByText(new RegExp(`^last refreshed (${begun}|${today()}), \\d\\d:\\d\\d`)));
    expect(await pane.getByRole('button', { name: 'Refresh all' }).count()).toBe(0);

    await openView('Sales invoices');
    await pane.getByLabel('Period').selectOption({ label: 'this year' });
    await pane.getByLabel('Open only').check();
    await pane.getByLabel('With an ageing overview').uncheck();
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Sales invoices this year”'));
    await press('Back');
    await seen(pane.getByText('Period: this year · Open only'));
    expect(await pane.getByText('Not of today').count()).toBe(0);

    await page.clock.setFixedTime(Date.now() + 24 * 3600_000);
    await openView('Tax codes');
    await press('Back');
    await seen(pane.getByText('Not of today').nth(1));
    expect(await accessibilityErrors(pane)).toEqual([]);

    const before = await rowsOf(page, 'Ledger accounts');
    await page.evaluate(() => {
      window.workbook.type("'Ledger accounts'!B2", 'overwritten by hand');
      window.workbook.select('Sheet1!A1');
    });
    await pane.getByLabel('Mark in the sheets what a refresh changes').check();
    await press('Refresh all');
    await seen(
      pane.getByText('2 sheets are up to date: 0 new rows, 1 changed, 0 removed. What changed is marked in yellow.'),
    );
    expect(await page.evaluate(() => window.workbook.selection())).toContain('Sheet1');
    await page.getByRole('tab', { name: 'Ledger accounts' }).click();
    expect(await page.locator('.cell').evaluateAll(marked)).toEqual([String(before[0]!.Name)]);
    expect(await rowsOf(page, 'Ledger accounts')).toEqual(before);
    await pane.getByText('Not of today').first().waitFor({ state: 'detached' });
    expect(await accessibilityErrors(pane)).toEqual([]);
  });
});
