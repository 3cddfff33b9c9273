import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { invoicesInDatabase } from './invoicesInDatabase.ts';
import { connect, seen } from './pane.ts';
import { rowsOf } from './sheetCells.ts';
import { slowExcel } from './slowExcel.ts';

const appPage = withAppPage();
const { openView, press } = appPage;
let { app, context, page, pane } = appPage;
beforeEach(() => {
  ({ app, context, page, pane } = appPage);
});

describe('a pane that is replaced in the middle of a pull', () => {
  beforeEach(() => connect(pane, demo, 'Demo BV'));

  /** Loads another view into the pane, as a button of the ribbon does. */
  const pressRibbon = async (view: string) => {
    await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=en&view=${view}`);
    await pane.locator('h1').waitFor();
  };
  const sheets = () => page.evaluate(() => window.workbook.sheets());

  /** Begins to bring in all invoices, and replaces the pane before the third page of them arrives. */
  async function interruptPull(): Promise<void> {
    let requests = 0;
    let arrived = () => {};
    const isHalfway = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await context.route('**/rest/listsalesinvoices*', async (route) => {
      if (++requests < 3) return route.continue();
      arrived();
    });
    await openView('Sales invoices');
    await press('Bring in sales invoices');
    await isHalfway;
    await expect.poll(sheets).toEqual(['Sheet1', 'Sales invoices']);
    await pressRibbon('accounts');
    await context.unroute('**/rest/listsalesinvoices*');
  }

  it('finds the incomplete list, names it, and completes it', async () => {
    await interruptPull();
    await seen(pane.getByText('Sheet “Sales invoices” has an incomplete list'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Back');
    // What is unfinished comes first.
    const heading = await seen(pane.getByRole('heading', { name: 'What do you want to do?' }));
    const notice = await pane.getByText('has an incomplete list').boundingBox();
    expect(notice!.y).toBeLessThan((await heading.boundingBox())!.y);
    await press('Finish Sales invoices');
    await seen(pane.getByText('on sheet “Sales invoices”'));
    await seen(pane.getByRole('button', { name: 'Refresh Sales invoices' }));
    expect(await pane.getByText('has an incomplete list').count()).toBe(0);
    const all = invoicesInDatabase(app.databaseFile, 1, '0001-01-01', '9999-12-31').invoices;
    expect(await rowsOf(page, 'Sales invoices')).toEqual(all);
  });

  it('removes the incomplete list on request, and goes on working', async () => {
    await interruptPull();
    await press('Remove Sales invoices');
    await expect.poll(sheets).toEqual(['Sheet1']);
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
  });

  it('begins no other list while it looks for what is left, which would be lost with its view', async () => {
    const delay = await slowExcel(page);
    await interruptPull();
    await delay(100);
    await press('Remove Sales invoices');
    await expect.poll(sheets).toEqual(['Sheet1']);
    // In the first moment in which it can be pressed.
    await pane.evaluate(async () => {
      const named = (button: Element) => button.textContent === 'Bring in ledger accounts';
      const button = () => [...document.querySelectorAll<HTMLButtonElement>('main button')].find(named)!;
      while (button().ariaDisabled === 'true') await new Promise((resolve) => setTimeout(resolve, 5));
      button().click();
    });
    await seen(pane.getByText('on sheet “Ledger accounts”'));
  });

  it('says that a cell is being edited, and goes on when it is not any more', async () => {
    await interruptPull();
    await page.getByRole('grid').focus();
    await page.keyboard.type('ab');
    await pressRibbon('home');
    await seen(pane.getByText('A cell is being edited'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await seen(pane.getByText('Sheet “Sales invoices” has an incomplete list'));
    expect(await pane.getByText('A cell is being edited').count()).toBe(0);
    await page.keyboard.type('ab');
    for (const view of ['Push rows', 'Back']) {
      await press(view);
      await seen(pane.getByText('A cell is being edited'));
      await page.getByRole('grid').focus();
      await page.keyboard.press('Escape');
      await expect.poll(() => pane.getByText('A cell is being edited').count()).toBe(0);
      await page.keyboard.type('ab');
    }
  });
});
