import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type App, demo, startApp, withoutRateLimits } from './app.ts';
import { withAppPage } from './appPage.ts';
import { invoicesInDatabase } from './invoicesInDatabase.ts';
import { connect, seen } from './pane.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';

/*
 * The pane of an app whose administration is a service elsewhere: another app, over HTTP.
 */

let service: App;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service?.stop());

const appPage = withAppPage(() => startApp({ ADMINISTRATION_URL: service.address, ...withoutRateLimits }));
const { press } = appPage;
let { page, pane } = appPage;
beforeEach(async () => {
  ({ page, pane } = appPage);
  await connect(pane, demo, 'Elsewhere');
});

describe('the pane of a remote administration', () => {
  it('brings in every cell as the service has it', async () => {
    await press('Sales invoices');
    await pane.getByLabel('From').fill('2026-08-01');
    await pane.getByLabel('Till').fill('2026-10-31');
    await pane.getByLabel('With invoice lines').check();
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Invoice lines”'));
    const expected = invoicesInDatabase(service.databaseFile, 1, '2026-08-01', '2026-10-31');
    expect(expected.invoices.length).toBeGreaterThan(50);
    expect(await rowsOf(page, 'Sales invoices')).toEqual(expected.invoices);
    expect(await rowsOf(page, 'Invoice lines')).toEqual(expected.lines);
  });

  it('downloads the PDF of the service, and says that the service offers no e-invoices', async () => {
    await press('Sales invoices');
    await pane.getByLabel('From').fill('2026-10-01');
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Sales invoices”'));
    await page.evaluate(() => window.workbook.select("'Sales invoices'!A2"));
    const downloading = page.waitForEvent('download');
    await press(/^PDF of invoice/);
    expect((await downloading).suggestedFilename()).toMatch(/^\d+\.pdf$/);
    await press(/^E-invoice of invoice/);
    await seen(pane.getByText('offers no e-invoices'));
  });

  it('pushes stock to the service exactly once', async () => {
    const product = () => service.clientOf(demo).updateproduct({ ArticleNumber: '01008' });
    const before = await product();
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    await typeBelow(page, 'Products to change', 'Stock quantity', 2, '4');
    await press('Push this sheet');
    await press(/^Push 1 row/);
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
    await seen(pane.getByText('1 applied'));
    const after = await product();
    expect(Number(after.StockQty)).toBe(Number(before.StockQty) + 4);
    expect((await rowsOf(page, 'Products to change'))[0]).toMatchObject({
      Status: 'Applied',
      'Stock now': Number(after.StockQty),
    });
  });
});
