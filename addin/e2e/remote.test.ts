import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPushClient } from '../../shared/client/pushClient.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { accessibilityErrors } from './accessibility.ts';
import { type App, demo, startApp, withoutRateLimits } from './app.ts';
import { withAppPage } from './appPage.ts';
import { makeEarlier } from './earlierSheets.ts';
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
  it('brings in every cell as the service has it, and offers nothing of a ledger, which the service does not have', async () => {
    await seen(pane.getByRole('button', { name: 'Sales invoices' }));
    expect(await pane.getByRole('button', { name: 'Trial balance' }).count()).toBe(0);
    await press('Sales invoices');
    await pane.getByLabel('From').fill('2026-08-01');
    await pane.getByLabel('Till').fill('2026-10-31');
    await pane.getByLabel('With invoice lines').check();
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Invoice lines 1-8–31-10-2026”'));
    const expected = invoicesInDatabase(service.databaseFile, 1, '2026-08-01', '2026-10-31');
    expect(expected.invoices.length).toBeGreaterThan(50);
    expect(await rowsOf(page, 'Sales invoices 1-8–31-10-2026')).toEqual(expected.invoices);
    expect(await rowsOf(page, 'Invoice lines 1-8–31-10-2026')).toEqual(expected.lines);
  });

  it('downloads the PDF of the service, and says that the service offers no e-invoices', async () => {
    await press('Sales invoices');
    await pane.getByLabel('From').fill('2026-10-01');
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Sales invoices from 1-10-2026”'));
    await page.evaluate(() => window.workbook.select("'Sales invoices from 1-10-2026'!A2"));
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
    await seen(pane.getByText(': 1 applied.'));
    const after = await product();
    expect(Number(after.StockQty)).toBe(Number(before.StockQty) + 4);
    expect((await rowsOf(page, 'Products to change'))[0]).toMatchObject({
      Status: 'Applied',
      'Stock now': Number(after.StockQty),
    });
  });
});

describe('the lists to choose from of a sheet to fill in', () => {
  it('have the units and the order statuses that responses of the service had', async () => {
    const { Unit } = await service.clientOf(demo).updateproduct({ ArticleNumber: '01008' });
    const pushes = createPushClient({ base: appPage.app.address, credential: demo, fetch });
    const line = { ProductNumber: '01008', Quantity: '1', UnitPriceExclTax: '10' };
    const request = { CustomerNumber: '10001', OrderStatus: 'in behandeling', Order_Orderline: [line] };
    const { id } = await pushes.begin(
      [
        { row: 1, update: { ArticleNumber: '01008', NewSalePrice: '12.50' } },
        { row: 2, update: { ArticleNumber: '00617', NewUnit: 'doos van 12' } },
        { row: 3, endpoint: 'addorder', request },
      ],
      'units and statuses',
    );
    await expect.poll(async () => (await pushes.changes(id, '')).push.counts.applied).toBe(3);
    // Its unit is in no push: the pane reads it into the sheet.
    await service.clientOf(demo).updateproduct({ ArticleNumber: '00123', NewUnit: 'bos' });
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('00123');
    await press('Make the product sheet');
    await press('Push this sheet');
    await seen(pane.getByText('There is nothing to send'));
    await page.evaluate(() => window.workbook.select("'Products to change'!A2"));
    await press('Read 1 selected product');
    await seen(pane.getByText('Products read: 1.'));
    await press('Back');

    for (const kind of ['New products', 'Orders and quotes']) {
      await press('Make documents');
      await pane.getByLabel(kind).check();
      await press('Make the sheet');
      await seen(pane.getByText('is ready'));
      await press('Back');
    }
    const offered = await rowsOf(page, 'Ledgerline lists');
    const valuesOf = (heading: string) => offered.map((row) => row[heading]).filter((value) => value !== '');
    expect(valuesOf('Units').toSorted()).toEqual(['bos', 'doos van 12', Unit!].toSorted());
    // As the service spells it.
    expect(valuesOf('Order statuses')).toEqual(['In behandeling']);
  });
});

describe('the present values of selected rows', () => {
  const SHEET = 'Products to change';
  const select = (range: string) => page.evaluate((address) => window.workbook.select(address), `'${SHEET}'!${range}`);

  it('are read from a service that lists no products, while the sheet is used', async () => {
    const product = (ArticleNumber: string) => service.clientOf(demo).updateproduct({ ArticleNumber });
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008\n00617\nNOPE\n00123\n');
    await press('Make the product sheet');
    await seen(pane.getByText('were not read'));
    await press('Push this sheet');
    await seen(pane.getByText('There is nothing to send'));
    await select('A2:A4');
    await press('Read 3 selected products');
    await seen(pane.getByText('Products read: 2. Not there: 1'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    const rows = await rowsOf(page, SHEET);
    for (const [row, article] of ['01008', '00617'].entries()) {
      const { Name, Price, StockQty } = await product(article);
      expect(rows[row]).toMatchObject({
        'Name now': Name,
        'Sale price now': Number(Price),
        'Stock now': Number(StockQty),
        'Read on': expect.any(Number),
        Message: '',
        Status: '',
      });
    }
    expect(rows[2]).toMatchObject({ 'Name now': '', Message: 'Article number: no product has “NOPE”' });
    expect(rows[3]).toMatchObject({ 'Article number': '00123', 'Name now': '', 'Read on': '' });
    await select('F30');
    await seen(pane.getByText('Select rows of the sheet to read'));
  });

  it('are read on after a cancellation, where it stopped', async () => {
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008\n00211\n00123\n00617\n00009\n00605');
    await press('Make the product sheet');
    await seen(pane.getByText('were not read'));
    await press('Push this sheet');
    await seen(pane.getByText('There is nothing to send'));
    await select('A2:B7');
    // The third response waits until it is cancelled.
    let responses = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.context().route('**/updateproduct', async (route) => {
      if (++responses === 3) await held;
      await route.continue().catch(() => {});
    });
    await press('Read 6 selected products');
    await seen(pane.getByText('2 of 6 products read.'));
    await press('Cancel');
    await seen(pane.getByText('Stopped. What was read is in the sheet.'));
    release();
    const namesNow = async () => (await rowsOf(page, SHEET)).slice(0, 6).map((row) => row['Name now'] !== '');
    expect(await namesNow()).toEqual([true, true, false, false, false, false]);
    await press('Read the 4 that are left');
    await seen(pane.getByText('Products read: 4.'));
    expect(await namesNow()).toEqual(new Array(6).fill(true));
    expect(responses).toBe(7);
    await page.context().unroute('**/updateproduct');
  });
});

describe('a product sheet that an earlier version made', () => {
  it('is compared by some of its articles, which the service reads one by one', async () => {
    await press('Product sheet');
    const articles = ['01008', '00617', '00123', '00211', '00009', '00605'];
    await pane.getByLabel('Article numbers').fill(articles.join('\n'));
    await press('Make the product sheet');
    await seen(pane.getByText('were not read'));
    for (const [index, ArticleNumber] of articles.entries()) {
      const { Name } = await service.clientOf(demo).updateproduct({ ArticleNumber });
      await typeBelow(page, 'Products to change', 'Name now', index + 2, ArticleNumber === '00617' ? 'Changed' : Name!);
    }
    await makeEarlier(pane, { id: 'c0ffee', label: 'Elsewhere' });
    await pane.goto(`${appPage.app.address}/taskpane/simulator/pane.html?lang=en&view=invoices`);
    await seen(pane.getByText('4 of 5 products, by number and name (of 6'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press(/^Yes, of/);
    await pane.getByText('An earlier version made').waitFor({ state: 'detached' });
    await press('Back');
    await press('Push rows');
    await seen(pane.getByText('There is nothing to send'));
    expect(await pane.getByText('so it cannot be pushed now').count()).toBe(0);
  });
});

describe('another key of a remote administration', () => {
  const issueKey = async (administration: string, label: string): Promise<string> => {
    const options = ['--administration', administration, '--username', demo.username, '--label', label];
    return /\S+$/.exec(await service.administration('key', 'issue', ...options))![0];
  };
  const enter = async (apiKey: string, label: string) => {
    await press('Administrations');
    await pane.getByLabel('User name').fill(demo.username);
    await pane.getByLabel('API key').fill(apiKey);
    await pane.getByLabel('Label').fill(label);
    await press('Connect');
  };
  const bringInAccounts = async () => {
    await press('Ledger accounts');
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
    await press('Back');
  };
  const question = () => pane.getByRole('alertdialog', { name: 'Does this key replace an earlier one?' });

  it('with the same label is compared with the earlier one, and keeps its sheets once that is confirmed', async () => {
    await bringInAccounts();
    await enter(await issueKey('1', 'new'), 'Elsewhere');
    await question().getByText('ledger accounts, by number and name').waitFor();
    const [accounts, relations] = await question().getByRole('listitem').allTextContents();
    expect(accounts).toMatch(/^(\d+) of \1 ledger accounts/);
    expect(relations).toMatch(/^(\d+) of \1 relations/);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await question().getByRole('button', { name: 'Same administration' }).click();
    await seen(pane.getByText('it has the new key now'));
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
    await press('Administrations');
    expect(await pane.getByRole('button', { name: /^Use / }).count()).toBe(1);
  });

  it.each(['nl', 'fr'] as const)('is asked about in %s, without accessibility errors', async (language) => {
    const { connect, sameAdministration, switchAdministration } = messagesOf[language];
    pane = await appPage.open(language);
    await press(switchAdministration);
    await pane.getByLabel(connect.username).fill(demo.username);
    await pane.getByLabel(connect.apiKey).fill(await issueKey('1', language));
    await pane.getByLabel(connect.label, { exact: true }).fill('Elsewhere');
    await pane.getByRole('button', { name: connect.submit, exact: true }).click();
    const asked = await seen(pane.getByRole('alertdialog', { name: sameAdministration.replacedTitle }));
    await asked.getByRole('listitem').first().waitFor();
    expect(await accessibilityErrors(pane)).toEqual([]);
  });

  it('to other books is no replacement: nothing agrees, and their sheets stay apart', async () => {
    await bringInAccounts();
    await enter(await issueKey('2', 'others'), 'Elsewhere');
    await question().getByText('by id and name').waitFor();
    expect(await question().getByRole('listitem').last().textContent()).toMatch(/^0 of \d+ relations/);
    await question().getByRole('button', { name: 'Another administration' }).click();
    await seen(pane.getByText('Another connection is labelled Elsewhere too'));
    expect(await pane.getByRole('button', { name: /^Refresh/ }).count()).toBe(0);
    await seen(pane.getByText('so it cannot be refreshed now'));
    await press('Switch to Elsewhere Ledger accounts');
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
  });

  it('is compared with the rows of the sheets when the earlier key is gone', async () => {
    await enter(await issueKey('1', 'leaving'), 'Leaving');
    await seen(pane.getByRole('heading', { name: 'What do you want to do?' }));
    await bringInAccounts();
    const keys = (await service.administration('key', 'list', '--administration', '1')).split('\n');
    const id = /\d+/.exec(keys.find((line) => line.includes('leaving'))!)![0];
    await service.administration('key', 'revoke', '--administration', '1', id);
    await enter(await issueKey('1', 'next'), 'Next');
    await seen(pane.getByText('so it cannot be refreshed now'));
    await press('Its key was replaced Ledger accounts');
    await question()
      .getByText(/^(\d+) of \1 ledger accounts/)
      .waitFor();
    await question().getByRole('button', { name: 'Same administration' }).click();
    await press('Refresh Ledger accounts');
    await seen(pane.getByText('0 new, 0 changed, 0 removed'));
  });
});
