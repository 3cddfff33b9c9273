import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { wholeList } from '../../shared/client/wholeList.ts';
import type { SalesInvoice } from '../../shared/resources/salesInvoice.ts';
import { type App, barriersIn, connect, demo, paneOf, rowsOf, seen, startApp, typeBelow } from './app.ts';
import { launchChromium } from './chromium.ts';
import { invoicesInDatabase } from './invoicesInDatabase.ts';

/*
 * The pane as a person uses it: the real app over HTTP, its real pages, in a real Chromium.
 */

let app: App;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let pane: Frame;

beforeAll(async () => {
  app = await startApp();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

let complaints: string[];
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  page = await context.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${app.address}/?lang=en`);
  pane = await paneOf(page);
});
afterEach(async () => {
  await context?.close();
  expect(complaints).toEqual([]);
});

const press = (name: string | RegExp) => pane.getByRole('button', { name }).click();
const open = async (view: string) => {
  await press(view);
  await pane.getByRole('heading', { level: 1, name: view }).waitFor();
};

const number = (decimal: string | null): number | '' => (decimal === null ? '' : Number(decimal));

const allInvoices = async (withLines: boolean): Promise<SalesInvoice[]> => {
  const invoices: SalesInvoice[] = [];
  const pages = wholeList(
    app.clientOf(demo),
    'listsalesinvoices',
    { InlcudeInvoiceLinesInResponse: withLines, DateFrom: '01-01-2026', DateTill: '31-03-2026' },
    ({ InvoiceType, InvoiceNumber }) => `${InvoiceType} ${InvoiceNumber}`,
  );
  for await (const rows of pages) invoices.push(...rows);
  return invoices;
};

describe('a pane', () => {
  it('works where the browser keeps no storage, and says what is forgotten', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    });
    await page.reload();
    pane = await paneOf(page);
    await seen(pane.getByText('does not allow the pane to store connections'));
    await connect(pane, demo, 'Demo');
    await open('Ledger accounts');
    await press('Bring in ledger accounts');
    await seen(pane.getByText(/rows on sheet/));
  });

  it('is served below a path too', async () => {
    const { hostname, port } = new URL(app.address);
    const proxy = createServer((incoming, outgoing) => {
      const path = incoming.url!.replace(/^\/books/, '');
      const isBelow = path !== incoming.url;
      const onward = request({ hostname, port, path, headers: incoming.headers, method: incoming.method }, (answer) => {
        outgoing.writeHead(isBelow ? answer.statusCode! : 404, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, resolve));
    const below = await context.newPage();
    await below.goto(`http://localhost:${(proxy.address() as AddressInfo).port}/books/taskpane/taskpane/index.html`);
    await below.getByText('This page works in Excel only').waitFor();
    await below.close();
    proxy.closeAllConnections();
    proxy.close();
  });
});

describe('connecting', () => {
  it('says that a key is not right, and keeps nothing of it', async () => {
    await pane.getByLabel('User name').fill(demo.username);
    await pane.getByLabel('API key').fill('wrong');
    await press('Connect');
    expect(await (await seen(pane.getByRole('alert'))).textContent()).toContain('is incorrect');
    expect(await pane.evaluate(() => JSON.stringify(localStorage))).not.toContain('wrong');
  });

  it('asks for what is missing, and puts the focus there', async () => {
    await pane.getByLabel('User name').fill(demo.username);
    await press('Connect');
    expect(await pane.getByLabel('API key').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await barriersIn(pane)).toEqual([]);
  });

  it('is remembered in the browser, and shows the administration from then on', async () => {
    await connect(pane, demo, 'Demo BV');
    await page.reload();
    pane = await paneOf(page);
    await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
    expect(await pane.locator('header').textContent()).toContain('Demo BV');
  });

  it('keeps several administrations, to choose, rename and forget', async () => {
    await connect(pane, demo, 'Demo BV');
    await press('Administrations');
    await connect(pane, { apiKey: 'demo-be', username: 'demo-be@example.com' }, 'Demo BE');
    expect(await pane.locator('header').textContent()).toContain('Demo BE');
    await press('Administrations');
    expect(await barriersIn(pane)).toEqual([]);
    await press('Rename Demo BV');
    await pane.getByRole('listitem').getByLabel('Label').fill('Bakkerij');
    await press('Save');
    await press('Remove Demo BE');
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await press('Use Bakkerij');
    await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
    expect(await pane.locator('header').textContent()).toContain('Bakkerij');
  });
});

describe('pulling', () => {
  beforeEach(() => connect(pane, demo, 'Demo BV'));

  it('brings in every ledger account, its number as text', async () => {
    await open('Ledger accounts');
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
    const accounts = await app.clientOf(demo).listledgeraccounts({});
    expect(await rowsOf(page, 'Ledger accounts')).toEqual(
      accounts.map((account) => ({
        Number: account.Number,
        Name: account.Name,
        'Fiscal year': account.FiscalYear,
        Type: account.LedgerType === 'BalanceSheet' ? 'Balance sheet' : 'Income statement',
        'Debit or credit': account.DebetOrCredit === 'debet' ? 'Debit' : 'Credit',
        Country: account.Countrycode,
      })),
    );
    expect(await page.evaluate(() => window.workbook.numberFormats("'Ledger accounts'!A2"))).toEqual([['@']]);
  });

  it('brings in the invoices of a period and their lines, every cell as the database has it', async () => {
    await open('Sales invoices');
    await pane.getByLabel('From').fill('2026-01-01');
    await pane.getByLabel('Till').fill('2026-03-31');
    await pane.getByLabel('With invoice lines').check();
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Invoice lines”'));

    const expected = invoicesInDatabase(app.databaseFile, 1, '2026-01-01', '2026-03-31');
    expect(expected.invoices.length).toBeGreaterThan(50);
    expect(await rowsOf(page, 'Sales invoices')).toEqual(expected.invoices);
    expect(await rowsOf(page, 'Invoice lines')).toEqual(expected.lines);
  });

  it('refreshes a table in a workbook, and keeps what was written beside it', async () => {
    await open('Ledger accounts');
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
    const before = await rowsOf(page, 'Ledger accounts');
    await page.evaluate(() => {
      window.workbook.type("'Ledger accounts'!G1", 'My note');
      window.workbook.type("'Ledger accounts'!G3", 'ask about this one');
      window.workbook.type("'Ledger accounts'!B2", 'overwritten by hand');
    });
    await press('Back');
    await press('Refresh Ledger accounts');
    expect(await (await seen(pane.getByText('is up to date'))).textContent()).toContain('1 changed');
    expect(await rowsOf(page, 'Ledger accounts')).toEqual(
      before.map((row, index) => ({ ...row, 'My note': index === 1 ? 'ask about this one' : '' })),
    );
  });

  it('writes no credential into the workbook', async () => {
    await open('Ledger accounts');
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
    const kept = await page.evaluate(() =>
      JSON.stringify(window.workbook.sheets().map((sheet) => window.workbook.customProperties(sheet))),
    );
    expect(kept).toContain('Demo BV');
    expect(kept).not.toContain(demo.username);
    expect(kept).not.toContain('apiKey');
  });
});

describe('a pane that is replaced in the middle of a pull', () => {
  beforeEach(() => connect(pane, demo, 'Demo BV'));

  /** What a button of the ribbon does: the page of the pane begins anew, at another view. */
  const pressRibbon = async (view: string) => {
    await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=en&view=${view}`);
    await pane.locator('h1').waitFor();
  };
  const sheets = () => page.evaluate(() => window.workbook.sheets());

  /** Begins to bring in all invoices, and replaces the pane while the third page of them is on its way. */
  async function breakOff(): Promise<void> {
    let asked = 0;
    let arrived = () => {};
    const isHalfway = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await context.route('**/rest/listsalesinvoices*', async (route) => {
      if (++asked < 3) return route.continue();
      arrived();
    });
    await open('Sales invoices');
    await press('Bring in sales invoices');
    await isHalfway;
    await expect.poll(sheets).toEqual(['Sheet1', 'Sales invoices']);
    await pressRibbon('accounts');
    await context.unroute('**/rest/listsalesinvoices*');
  }

  it('finds the half list, names it, and finishes it', async () => {
    await breakOff();
    await seen(pane.getByText('Sheet “Sales invoices” has an incomplete list'));
    expect(await barriersIn(pane)).toEqual([]);
    await press('Finish Sales invoices');
    await seen(pane.getByText('on sheet “Sales invoices”'));
    expect(await pane.getByText('has an incomplete list').count()).toBe(0);
    const all = invoicesInDatabase(app.databaseFile, 1, '0001-01-01', '9999-12-31').invoices;
    expect(await rowsOf(page, 'Sales invoices')).toEqual(all);
  });

  it('removes the half list where the person wants that, and works on', async () => {
    await breakOff();
    await press('Remove Sales invoices');
    await expect.poll(sheets).toEqual(['Sheet1']);
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
  });

  it('says that a cell is being edited while it looks, and goes on when it is not', async () => {
    await breakOff();
    await page.getByRole('grid').focus();
    await page.keyboard.type('ab');
    await pressRibbon('home');
    await seen(pane.getByText('A cell is being edited'));
    expect(await barriersIn(pane)).toEqual([]);
    await press('Cancel');
    expect(await pane.getByText('A cell is being edited').count()).toBe(0);
    await pressRibbon('home');
    await seen(pane.getByText('A cell is being edited'));
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await seen(pane.getByText('Sheet “Sales invoices” has an incomplete list'));
    expect(await pane.getByText('A cell is being edited').count()).toBe(0);
  });
});

describe('pushing', () => {
  const SHEET = 'Products to change';
  const type = (heading: string, row: number, text: string) => typeBelow(page, SHEET, heading, row, text);
  /** A product as the administration has it: an update that changes nothing answers it. */
  const product = (ArticleNumber: string) => app.clientOf(demo).updateproduct({ ArticleNumber });

  it('changes ten rows and says beside each what became of it', async () => {
    await connect(pane, demo, 'Demo BV');
    const lines = (await allInvoices(true)).flatMap(({ Invoice_InvoiceLine = [] }) => Invoice_InvoiceLine);
    const articles = [...new Set(lines.map(({ ProductNumber }) => ProductNumber))].filter(Boolean).slice(0, 9);
    expect(articles).toHaveLength(9);
    const before = await Promise.all(articles.map(product));

    await open('Product sheet');
    await pane.getByLabel('Article numbers').fill([...articles, 'NO-SUCH-ARTICLE'].join('\n'));
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    expect(await barriersIn(pane)).toEqual([]);
    for (let row = 2; row <= 7; row++) await type('New sale price', row, `${row}.25`);
    await type('New sale price', 8, 'abc');
    await type('Stock quantity', 9, '5');
    await type('Stock quantity', 10, '7');
    await type('Stock change', 10, 'Absolute');
    await type('New sale price', 11, '1');

    await press('Push this sheet');
    await press('Push 9 rows to Demo BV');
    const question = pane.getByRole('alertdialog', { name: 'Push to Demo BV?' });
    await question.waitFor();
    expect(await question.textContent()).toContain('1 with Relative stock (added)');
    expect(await question.textContent()).toContain('1 with Absolute stock (set)');
    expect(await barriersIn(pane)).toEqual([]);
    await question.getByRole('button', { name: 'Push' }).click();
    await seen(pane.getByText('8 applied, 1 refused.'));

    const rows = (await rowsOf(page, SHEET)).slice(0, 10);
    const after = await Promise.all(articles.map(product));
    expect(rows.map(({ Status }) => Status)).toEqual([
      ...new Array(6).fill('Applied'),
      'Not sent',
      'Applied',
      'Applied',
      'Refused',
    ]);
    expect(after.slice(0, 6).map(({ Price }) => number(Price))).toEqual([2.25, 3.25, 4.25, 5.25, 6.25, 7.25]);
    expect([after[6]!.Price, after[6]!.StockQty]).toEqual([before[6]!.Price, before[6]!.StockQty]);
    expect(rows[6]!.Message).toContain('New sale price');
    expect(number(after[7]!.StockQty)).toBe(Number(before[7]!.StockQty) + 5);
    expect(number(after[8]!.StockQty)).toBe(7);
    expect(rows[7]!['Stock quantity']).toBe('');
    expect(rows[8]!['Stock quantity']).toBe(7);
    for (const index of [0, 1, 2, 3, 4, 5, 7, 8]) {
      expect(rows[index]).toMatchObject({
        'Stock now': number(after[index]!.StockQty),
        'Sale price now': number(after[index]!.Price),
      });
    }
  });
});

describe('the pane', () => {
  it('has no barriers, and fits a width of 320 pixels', async () => {
    await connect(pane, demo, 'Demo BV');
    for (const view of ['', 'Ledger accounts', 'Sales invoices', 'Product sheet', 'Push products']) {
      if (view !== '') await open(view);
      expect(await barriersIn(pane), view).toEqual([]);
      await page.locator('iframe').evaluate((frame) => {
        frame.style.width = '320px';
      });
      expect(await pane.evaluate(() => document.documentElement.scrollWidth), view).toBeLessThanOrEqual(320);
      if (view !== '') await press('Back');
    }
  });

  it('can be worked with the keyboard alone', async () => {
    await pane.getByLabel('User name').focus();
    for (const text of [demo.username, demo.apiKey, 'Demo BV']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
    expect(await pane.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await pane.getByRole('heading', { name: 'Ledger accounts' }).waitFor();
  });

  it('speaks Dutch', async () => {
    await page.goto(`${app.address}/?lang=nl`);
    pane = await paneOf(page);
    await pane.getByRole('heading', { name: 'Een administratie verbinden' }).waitFor();
    expect(await pane.evaluate(() => document.documentElement.lang)).toBe('nl');
  });

  it('opened outside Excel says where it belongs', async () => {
    await context.route('https://appsforoffice.microsoft.com/**', (route) => route.abort());
    await page.goto(`${app.address}/taskpane/taskpane/index.html?lang=en`);
    await page.getByRole('heading', { name: 'This page works in Excel only' }).waitFor();
    expect(await barriersIn(page)).toEqual([]);
  });
});
