import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { wholeList } from '../../shared/client/wholeList.ts';
import type { SalesInvoice } from '../../shared/resources/salesInvoice.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { accessibilityErrors, listenTo } from './accessibility.ts';
import { belgianDemo, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { invoicesInDatabase } from './invoicesInDatabase.ts';
import { connect, seen } from './pane.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';
import { slowExcel } from './slowExcel.ts';

/*
 * The pane of the real app, in Chromium.
 */

const appPage = withAppPage();
const { openView, press, reload } = appPage;
let { app, context, page, pane } = appPage;
beforeEach(() => {
  ({ app, context, page, pane } = appPage);
});

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
  it('works in a browser without storage, and says that it cannot remember connections', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    });
    pane = await reload();
    await seen(pane.getByText('does not allow the pane to store connections'));
    await connect(pane, demo, 'Demo');
    await openView('Ledger accounts');
    await press('Bring in ledger accounts');
    await seen(pane.getByText(/rows on sheet/));
  });

  it('is served below a path as well', async () => {
    const { hostname, port } = new URL(app.address);
    const proxy = createServer((incoming, outgoing) => {
      const path = incoming.url!.replace(/^\/books/, '');
      const isBelow = path !== incoming.url;
      const onward = request(
        { hostname, port, path, headers: incoming.headers, method: incoming.method },
        (response) => {
          outgoing.writeHead(isBelow ? response.statusCode! : 404, response.headers);
          response.pipe(outgoing);
        },
      );
      onward.on('error', () => outgoing.destroy());
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
  it('reports a wrong key, and stores nothing of it', async () => {
    await pane.getByLabel('User name').fill(demo.username);
    await pane.getByLabel('API key').fill('wrong');
    await press('Connect');
    expect(await (await seen(pane.getByRole('alert'))).textContent()).toContain('is incorrect');
    expect(await pane.evaluate(() => JSON.stringify(localStorage))).not.toContain('wrong');
  });

  it('takes a pasted key without its invisible characters, and calls one incorrect that cannot be sent', async () => {
    await pane.getByLabel('User name').fill(demo.username);
    await pane.getByLabel('API key').fill('de\u2013mo');
    await press('Connect');
    expect(await (await seen(pane.getByRole('alert'))).textContent()).toContain('is incorrect');
    await pane.getByLabel('API key').fill('demo\u200b');
    await press('Connect');
    await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
  });

  it('asks for a missing field, and puts the focus there', async () => {
    await pane.getByLabel('User name').fill(demo.username);
    await press('Connect');
    expect(await pane.getByLabel('API key').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await accessibilityErrors(pane)).toEqual([]);
  });

  it('is remembered in the browser, and shows the administration from then on', async () => {
    await connect(pane, demo, 'Demo BV');
    pane = await reload();
    await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
    expect(await pane.locator('header').textContent()).toContain('Demo BV');
  });

  it('works for several administrations, which can be chosen, renamed and forgotten', async () => {
    await connect(pane, demo, 'Demo BV');
    await press('Administrations');
    await connect(pane, belgianDemo, 'Demo BE');
    expect(await pane.locator('header').textContent()).toContain('Demo BE');
    await press('Administrations');
    expect(await accessibilityErrors(pane)).toEqual([]);
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
    await openView('Ledger accounts');
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

  it('brings in the invoices of a period and their lines, every cell as in the database', async () => {
    await openView('Sales invoices');
    await pane.getByLabel('From').fill('2026-01-01');
    await pane.getByLabel('Till').fill('2026-03-31');
    await pane.getByLabel('With invoice lines').check();
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Invoice lines 1-1–31-3-2026”'));

    const expected = invoicesInDatabase(app.databaseFile, 1, '2026-01-01', '2026-03-31');
    expect(expected.invoices.length).toBeGreaterThan(50);
    expect(await rowsOf(page, 'Sales invoices 1-1–31-3-2026')).toEqual(expected.invoices);
    expect(await rowsOf(page, 'Invoice lines 1-1–31-3-2026')).toEqual(expected.lines);
  });

  it('refreshes a table, and keeps a column that the user added', async () => {
    await openView('Ledger accounts');
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
    await openView('Ledger accounts');
    await press('Bring in ledger accounts');
    await seen(pane.getByText('on sheet “Ledger accounts”'));
    const stored = await page.evaluate(() =>
      JSON.stringify(window.workbook.sheets().map((sheet) => window.workbook.customProperties(sheet))),
    );
    expect(stored).toContain('Demo BV');
    expect(stored).not.toContain(demo.username);
    expect(stored).not.toContain('apiKey');
  });
});

describe('pushing', () => {
  const SHEET = 'Products to change';
  const type = (heading: string, row: number, text: string) => typeBelow(page, SHEET, heading, row, text);
  /** A product as the administration has it: an update without changes returns it. */
  const product = (ArticleNumber: string) => app.clientOf(demo).updateproduct({ ArticleNumber });

  it('changes the products, and writes the result of each row into the sheet', async () => {
    await connect(pane, demo, 'Demo BV');
    const lines = (await allInvoices(true)).flatMap(({ Invoice_InvoiceLine = [] }) => Invoice_InvoiceLine);
    const numbers = [...new Set(lines.map(({ ProductNumber }) => ProductNumber))].filter(Boolean);
    // The new prices are neither ten times the present ones nor a tenth of them. Which articles the demo sold depends on
    // the day.
    const sold = await Promise.all(numbers.slice(0, 40).map(product));
    const before = sold.filter(({ Price }) => Number(Price) > 1 && Number(Price) < 20).slice(0, 9);
    const articles = before.map(({ ArticleNumber }) => ArticleNumber);
    expect(articles).toHaveLength(9);

    await openView('Product sheet');
    await pane.getByLabel('Article numbers').fill([...articles, 'NO-SUCH-ARTICLE'].join('\n'));
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    expect(await accessibilityErrors(pane)).toEqual([]);
    for (let row = 2; row <= 7; row++) await type('New sale price', row, `${row}.25`);
    await type('New sale price', 8, 'abc');
    await type('Stock quantity', 9, '-5');
    await type('Archived', 9, 'no');
    await type('Stock quantity', 10, '7');
    await type('Stock change', 10, 'Absolute');
    await type('New sale price', 11, '1');

    await press('Push this sheet');
    await press('Push 9 rows to De Zilverlinde Groothandel B.V.');
    const question = pane.getByRole('alertdialog', { name: 'Push to De Zilverlinde Groothandel B.V.?' });
    await question.waitFor();
    expect(await question.textContent()).toContain('1 with Relative stock (added)');
    expect(await question.textContent()).toContain('1 with Absolute stock (set)');
    const stock = Number(before[7]!.StockQty);
    expect(await question.textContent()).toContain(`Stock quantity: ${stock} - 5 = ${stock - 5}Archived: No`);
    expect(await accessibilityErrors(pane)).toEqual([]);
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
    expect(number(after[7]!.StockQty)).toBe(Number(before[7]!.StockQty) - 5);
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

describe('a screen reader', () => {
  it('hears that work begins, and how it ends', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Ledger accounts');
    const heard = await listenTo(pane);
    // Work that is further within a moment is heard from there.
    const isHeard = Promise.withResolvers<void>();
    await page.route('**/rest/listledgeraccounts', async (route) => {
      await isHeard.promise;
      await route.continue();
    });
    await press('Bring in ledger accounts');
    await expect.poll(heard).toContainEqual(expect.stringContaining(messagesOf.en.pullStarting));
    isHeard.resolve();
    await expect.poll(async () => (await heard()).at(-1)).toContain('on sheet “Ledger accounts”');
  });

  it('has its texts a moment later, and nothing moves then below a pointer', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Product sheet');
    const tops = pane.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const top = () => document.querySelector('[type=submit]')!.getBoundingClientRect().top;
      const isSeen = () =>
        [...document.querySelectorAll('[role=status] *')].some(
          (part) => part.textContent?.startsWith('1 row') && part.checkVisibility({ visibilityProperty: true }),
        );
      await new Promise((resolve) => document.addEventListener('input', resolve, { once: true }));
      await frame().then(frame);
      const first = top();
      while (!isSeen()) await frame();
      return [first, top()];
    });
    await pane.getByLabel('Article numbers').fill('00009');
    const [first, then] = await tops;
    expect(then).toBe(first);
  });

  it('hears what a check of a sheet found', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Product sheet');
    await pane.getByLabel('Article numbers').fill('NO-SUCH-ARTICLE');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    const heard = await listenTo(pane);
    await press('Push this sheet');
    await expect.poll(heard).toContain('0 rows ready to send');
  });
});

describe('the pane', () => {
  it('has dark date fields in dark mode', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    pane = await reload();
    await connect(pane, demo, 'Demo BV');
    await openView('Sales invoices');
    expect(await pane.getByLabel('From').evaluate((field) => getComputedStyle(field).colorScheme)).toBe('dark');
  });

  it('is in Dutch for a Dutch page', async () => {
    pane = await appPage.open('nl');
    await pane.getByRole('heading', { name: 'Een administratie verbinden' }).waitFor();
    expect(await pane.evaluate(() => document.documentElement.lang)).toBe('nl');
  });

  it('is in the language that was chosen in it, also when it is opened again, until that of Excel is chosen', async () => {
    await pane.getByLabel('Language').selectOption('Français');
    const title = () => pane.getByRole('heading', { level: 1 });
    await expect.poll(() => title().textContent()).toBe('Connecter une administration');
    expect(await pane.evaluate(() => document.documentElement.lang)).toBe('fr');
    expect(await accessibilityErrors(pane)).toEqual([]);
    pane = await reload();
    await pane.getByRole('heading', { name: 'Connecter une administration' }).waitFor();
    await pane.getByLabel('Langue').selectOption('Celle d’Excel');
    await pane.getByRole('heading', { name: 'Connect an administration' }).waitFor();
  });

  it('keeps what is pasted while it looks for products on the invoices of the workbook', async () => {
    await connect(pane, demo, 'Demo');
    const delay = await slowExcel(page);
    await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=en`);
    await press('Product sheet');
    const numbers = pane.getByLabel('Article numbers');
    await numbers.fill('01008');
    await delay(1000);
    await press('Add the products of the invoice lines in this workbook');
    await numbers.fill('01008\n00001');
    await delay(0);
    await seen(pane.getByText(messagesOf.en.products.fromInvoicesNone));
    expect(await numbers.inputValue()).toBe('01008\n00001');
  });

  it('says that it belongs inside Excel when it is opened elsewhere', async () => {
    await context.route('https://appsforoffice.microsoft.com/**', (route) => route.abort());
    await page.goto(`${app.address}/taskpane/taskpane/index.html?lang=en`);
    await page.getByRole('heading', { name: 'This page works in Excel only' }).waitFor();
    expect(await accessibilityErrors(page)).toEqual([]);
  });
});
