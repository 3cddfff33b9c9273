import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type App, connect, demo, paneOf, rowsOf, seen, startApp, typeBelow } from './app.ts';
import { launchChromium } from './chromium.ts';
import { invoicesInDatabase } from './invoicesInDatabase.ts';

/*
 * The pane in front of an app whose administration is a service elsewhere: another app, over HTTP.
 */

let service: App;
let app: App;
let browser: Browser;
let page: Page;
let pane: Frame;

beforeAll(async () => {
  [service, browser] = await Promise.all([startApp(), launchChromium()]);
  app = await startApp({ ADMINISTRATION_URL: service.address, REMOTE_PER_SECOND: '0', REMOTE_PER_MINUTE: '0' });
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await service?.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  await page.goto(`${app.address}/?lang=en`);
  pane = await paneOf(page);
  await connect(pane, demo, 'Elsewhere');
  return () => page.close();
});

describe('the pane, in front of a service elsewhere', () => {
  it('brings in the same cells as the service has', async () => {
    await pane.getByRole('button', { name: 'Sales invoices' }).click();
    await pane.getByLabel('From').fill('2026-08-01');
    await pane.getByLabel('Till').fill('2026-10-31');
    await pane.getByLabel('With invoice lines').check();
    await pane.getByRole('button', { name: 'Bring in sales invoices' }).click();
    await seen(pane.getByText('on sheet “Invoice lines”'));
    const expected = invoicesInDatabase(service.databaseFile, 1, '2026-08-01', '2026-10-31');
    expect(expected.invoices.length).toBeGreaterThan(50);
    expect(await rowsOf(page, 'Sales invoices')).toEqual(expected.invoices);
    expect(await rowsOf(page, 'Invoice lines')).toEqual(expected.lines);
  });

  it('has the PDF that the service made, and says that it offers no e-invoices', async () => {
    await pane.getByRole('button', { name: 'Sales invoices' }).click();
    await pane.getByLabel('From').fill('2026-10-01');
    await pane.getByRole('button', { name: 'Bring in sales invoices' }).click();
    await seen(pane.getByText('on sheet “Sales invoices”'));
    await page.evaluate(() => window.workbook.select("'Sales invoices'!A2"));
    const downloading = page.waitForEvent('download');
    await pane.getByRole('button', { name: /^PDF of invoice/ }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^\d+\.pdf$/);
    await pane.getByRole('button', { name: /^E-invoice of invoice/ }).click();
    await seen(pane.getByText('offers no e-invoices'));
  });

  it('pushes stock to it, once', async () => {
    const product = () => service.clientOf(demo).updateproduct({ ArticleNumber: '01008' });
    const before = await product();
    await pane.getByRole('button', { name: 'Product sheet' }).click();
    await pane.getByLabel('Article numbers').fill('01008');
    await pane.getByRole('button', { name: 'Make the product sheet' }).click();
    await seen(pane.getByText('is ready'));
    await typeBelow(page, 'Products to change', 'Stock quantity', 2, '4');
    await pane.getByRole('button', { name: 'Push this sheet' }).click();
    await pane.getByRole('button', { name: /^Push 1 row/ }).click();
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
