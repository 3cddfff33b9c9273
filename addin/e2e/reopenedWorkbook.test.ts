import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { DUTCH, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, paneOf, seen } from './pane.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';

/* A workbook of the pane that was downloaded, and is opened by the same person and by a colleague. */

const appPage = withAppPage();
const { press, openView } = appPage;
let { app, page, pane } = appPage;
beforeEach(() => {
  ({ app, page, pane } = appPage);
});

const ACCOUNTS = 'Ledger accounts';
const ARTICLE = '01008';

async function downloaded(): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download .xlsx' }).click(),
  ]);
  return download.path();
}

async function openFile(of: Page, file: string): Promise<void> {
  const before = await of.locator('iframe').elementHandle();
  const [chooser] = await Promise.all([
    of.waitForEvent('filechooser'),
    of.getByRole('button', { name: 'Open .xlsx' }).click(),
  ]);
  await chooser.setFiles(file);
  await expect.poll(() => before!.evaluate((frame) => frame.isConnected)).toBe(false);
}

/** Ledger accounts with a column of one's own, and a product to change, in a file. */
async function madeFile(): Promise<string> {
  await connect(pane, demo, 'Demo');
  await openView(ACCOUNTS);
  await press('Bring in ledger accounts');
  await seen(pane.getByText('on sheet “Ledger accounts”'));
  await typeBelow(page, ACCOUNTS, 'Name', 2, 'overwritten by hand');
  await page.evaluate(() => {
    window.workbook.type("'Ledger accounts'!G1", 'My note');
    window.workbook.type("'Ledger accounts'!G3", 'ask about this one');
  });
  await press('Back');
  await press('Product sheet');
  await pane.getByLabel('Article numbers').fill(ARTICLE);
  await press('Make the product sheet');
  await seen(pane.getByText('is ready'));
  return downloaded();
}

/** Refreshes and pushes in the file that a page opened, and says what is in it then. */
async function usedBy(of: Page, price: string) {
  const opened = await paneOf(of);
  await opened.getByRole('button', { name: 'Refresh Ledger accounts' }).click();
  await seen(opened.getByText('0 new, 1 changed, 0 removed'));
  const accounts = await rowsOf(of, ACCOUNTS);
  await typeBelow(of, 'Products to change', 'New sale price', 2, price);
  await opened.getByRole('button', { name: 'Push rows' }).click();
  await opened.getByRole('button', { name: `Push 1 row to ${DUTCH}` }).click();
  await opened.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
  await seen(opened.getByText(': 1 applied.'));
  const [product] = await rowsOf(of, 'Products to change');
  expect(product!.Status).toBe('Applied');
  const { Price } = await app.clientOf(demo).updateproduct({ ArticleNumber: ARTICLE });
  return { accounts, price: Price };
}

const accountsInBooks = async () =>
  (await app.clientOf(demo).listledgeraccounts({})).map(({ Number: number, Name }, index) => ({
    Number: number,
    Name,
    'My note': index === 1 ? 'ask about this one' : '',
  }));

it('is refreshed and pushed from by who downloaded it', async () => {
  const file = await madeFile();
  await appPage.reload();
  await openFile(page, file);
  const { accounts, price } = await usedBy(page, '12.5');
  expect(accounts).toMatchObject(await accountsInBooks());
  expect(price).toBe('12.5');
});

it('is refreshed and pushed from by a colleague, in another browser and under another label', async () => {
  const file = await madeFile();
  const browser = await appPage.browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  try {
    const theirs = await browser.newPage();
    await theirs.goto(`${app.address}/?lang=en`);
    await connect(await paneOf(theirs), demo, 'Groothandel');
    await openFile(theirs, file);
    const { accounts, price } = await usedBy(theirs, '13.25');
    expect(accounts).toMatchObject(await accountsInBooks());
    expect(price).toBe('13.25');
  } finally {
    await browser.close();
  }
});
