import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { demo, startApp } from './app.ts';
import { bundledChromium, launchChromium } from './chromium.ts';
import { connect, paneOf, seen } from './pane.ts';
import { typeBelow } from './sheetCells.ts';

/* `npm run screenshots`: the pictures of the README, taken of the real app in a browser. */

const folder = path.resolve(import.meta.dirname, '../../docs/screenshots');
mkdirSync(folder, { recursive: true });

const app = await startApp();
// The same fonts on every machine.
const browser = await launchChromium(await bundledChromium());
try {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 780 },
    deviceScaleFactor: 1.5,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`${app.address}/?lang=en`);
  const pane = await paneOf(page);
  await connect(pane, demo, 'Bloemenhof');
  await takePulls(page, pane);
  await takeTrialBalance(page, pane);
  await takeExports(page, pane);
  await takePush(page, pane);
} finally {
  await browser.close();
  await app.stop();
}

async function open(pane: Frame, view: string): Promise<void> {
  await pane.getByRole('button', { name: view }).click();
  await pane.getByRole('heading', { level: 1, name: view }).waitFor();
}

async function takePulls(page: Page, pane: Frame): Promise<void> {
  await open(pane, 'Ledger accounts');
  await pane.getByRole('button', { name: 'Bring in ledger accounts' }).click();
  await seen(pane.getByText('on sheet “Ledger accounts”'));
  await page.screenshot({ path: path.join(folder, 'workbook.png') });
  await pane.getByRole('button', { name: 'Back' }).click();
  await open(pane, 'Sales invoices');
  await pane.getByLabel('From').fill('2026-07-01');
  await pane.getByLabel('With invoice lines').check();
  await pane.getByRole('button', { name: 'Bring in sales invoices' }).click();
  await seen(pane.getByText('on sheet “Invoice lines from 1-7-2026”'));
  await page.screenshot({ path: path.join(folder, 'invoices.png') });
  await page.getByRole('tab', { name: 'Ageing' }).click();
  await page.screenshot({ path: path.join(folder, 'ageing.png') });
  await pane.getByRole('button', { name: 'Back' }).click();
}

async function takeTrialBalance(page: Page, pane: Frame): Promise<void> {
  await open(pane, 'Trial balance');
  await pane.getByRole('button', { name: 'Bring in the trial balance' }).click();
  await seen(pane.getByText('on sheet “Trial balance”'));
  await page.evaluate(() => window.workbook.select("'Trial balance'!C8"));
  await seen(pane.getByRole('button', { name: 'Show entries' }));
  await page.screenshot({ path: path.join(folder, 'trialBalance.png') });
  await pane.getByRole('button', { name: 'Back' }).click();
}

async function takeExports(page: Page, pane: Frame): Promise<void> {
  for (let time = 0; time < 2; time++) await app.exportRelations('--administration', '1');
  await open(pane, 'Relation exports');
  await pane
    .getByRole('button', { name: /^Bring in/ })
    .first()
    .click();
  await seen(pane.getByText('on sheet “Relations”'));
  await page.screenshot({ path: path.join(folder, 'exports.png') });
  await pane.getByRole('button', { name: 'Back' }).click();
}

async function takePush(page: Page, pane: Frame): Promise<void> {
  const SHEET = 'Products to change';
  const invoices = await app.clientOf(demo).listsalesinvoices({ InlcudeInvoiceLinesInResponse: true });
  const sold = invoices.flatMap(({ Invoice_InvoiceLine = [] }) =>
    Invoice_InvoiceLine.map((line) => line.ProductNumber),
  );
  const articles = [...new Set(sold.filter((number) => number.startsWith('0')))].slice(0, 6);
  articles.push('UNKNOWN');
  await open(pane, 'Product sheet');
  await pane.getByLabel('Article numbers').fill(articles.join('\n'));
  await pane.getByRole('button', { name: 'Make the product sheet' }).click();
  await seen(pane.getByText('is ready'));
  const type = (heading: string, row: number, text: string) => typeBelow(page, SHEET, heading, row, text);
  for (let row = 2; row <= 5; row++) await type('New sale price', row, `${10 + row}.95`);
  await type('Stock quantity', 3, '24');
  await type('Stock quantity', 6, '5');
  await type('New sale price', 7, '12.5x');
  await type('New sale price', 8, '9.95');
  await pane.getByRole('button', { name: 'Push this sheet' }).click();
  await pane.getByRole('button', { name: /^Push \d+ rows/ }).click();
  await pane.getByRole('alertdialog').waitFor();
  await page.screenshot({ path: path.join(folder, 'confirm.png') });
  await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
  await seen(pane.getByText('Every row of the sheet has its result'));
  await page.setViewportSize({ width: 1900, height: 560 });
  // The statuses and messages are in view then.
  await page.evaluate(() => window.workbook.select("'Products to change'!J2"));
  await page.waitForTimeout(300);
  await page.screenshot({ path: path.join(folder, 'push.png') });
}
