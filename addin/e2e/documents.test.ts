import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HostWindow } from '../simulator/pane.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { rowsOf } from './sheetCells.ts';

/*
 * The documents of pulled invoices, and the ageing overview, in the pane of the real app in Chromium. Those that are
 * refused in a selection are in failedJobs.test.ts.
 */

const appPage = withAppPage();
const { open, press } = appPage;
let { app, page, pane } = appPage;
beforeEach(() => {
  ({ app, page, pane } = appPage);
});

const sheets = { en: 'Sales invoices', nl: 'Verkoopfacturen' };

/** Opens the pane, connects it and brings in invoices, by default all. @returns their rows */
async function bringIn(language: 'en' | 'nl' = 'en', from = '') {
  await connect(pane, demo, 'Demo BV');
  if (language === 'nl') pane = await open('nl');
  await press(sheets[language]);
  await pane.getByLabel(language === 'en' ? 'From' : 'Van').fill(from);
  await press(language === 'en' ? 'Bring in sales invoices' : 'Verkoopfacturen ophalen');
  await seen(pane.getByText(language === 'en' ? 'on sheet “Sales invoices”' : 'op blad “Verkoopfacturen”'));
  return rowsOf(page, sheets[language]);
}

const select = (address: string) => page.evaluate((wanted) => window.workbook.select(wanted), address);
const fetchFromApp = (path: string, method = 'GET') =>
  fetch(`${app.address}${path}`, { method, headers: { ApiKey: demo.apiKey, Username: demo.username } });

/** The first row whose e-invoice has this status: that of a private customer, without a Peppol address, is refused. */
async function rowOf(rows: Awaited<ReturnType<typeof bringIn>>, heading: string, wanted: 200 | 400) {
  for (const [index, row] of rows.entries()) {
    const number = String(row[heading]);
    const { status } = await fetchFromApp(`/documents/invoices/${number}.xml`);
    if (status === wanted) return { number, row: index + 2 };
  }
  throw new Error(`No e-invoice has the status ${wanted}.`);
}

describe('the documents of an invoice', () => {
  it('are those of the row of the active cell, in any column, and can be downloaded', async () => {
    const rows = await bringIn();
    // The active cell is in the headings.
    await seen(pane.getByText('Select a pulled invoice in the sheet'));
    const { number, row } = await rowOf(rows, 'Invoice number', 200);
    await select(`'Sales invoices'!F${row}`);
    await seen(pane.getByRole('heading', { name: `Invoice ${number}` }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    for (const [name, form] of [
      [`PDF of invoice ${number}`, 'pdf'],
      [`E-invoice of invoice ${number}`, 'xml'],
    ] as const) {
      const downloading = page.waitForEvent('download');
      await pane.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      const download = await downloading;
      expect(download.suggestedFilename()).toBe(`${number}.${form}`);
      const expected = Buffer.from(await (await fetchFromApp(`/documents/invoices/${number}.${form}`)).arrayBuffer());
      expect(Buffer.compare(await readFile(await download.path()), expected)).toBe(0);
      await seen(pane.getByText(`${number}.${form} was downloaded.`));
    }
    expect(await accessibilityErrors(pane)).toEqual([]);
    await select('Sheet1!A1');
    await seen(pane.getByText('Select a pulled invoice in the sheet'));
  });

  it('are waited for when another row is selected meanwhile, and say whose they are', async () => {
    const numbers = (await bringIn()).map((row) => String(row['Invoice number']));
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
    const asked = page.waitForRequest('**/documents/invoices/*.pdf');
    await page.route('**/documents/invoices/*.pdf', async (route) => {
      await answer;
      await route.fulfill({ status: 404, json: { code: 'NOT_FOUND', message: 'There is no such invoice.' } });
    });
    await select("'Sales invoices'!A2");
    await press(`PDF of invoice ${numbers[0]}`);
    await asked;
    await select("'Sales invoices'!A3");
    await seen(pane.getByRole('heading', { name: `Invoice ${numbers[1]}` }));
    await seen(pane.getByRole('button', { name: 'Cancel' }));
    goOn();
    const alert = await seen(pane.getByRole('alert'));
    expect(await alert.textContent()).toContain(`The administration no longer has invoice ${numbers[0]}.`);
    await page.unroute('**/documents/invoices/*.pdf');
    // What is tried again is what failed.
    const downloading = page.waitForEvent('download');
    await alert.getByRole('button', { name: 'Try again' }).click();
    expect((await downloading).suggestedFilename()).toBe(`${numbers[0]}.pdf`);
    await seen(pane.getByText(`${numbers[0]}.pdf was downloaded.`));
  });

  it('come also when a cell without an invoice is selected meanwhile', async () => {
    const numbers = (await bringIn()).map((row) => String(row['Invoice number']));
    const { promise: answer, resolve: goOn } = Promise.withResolvers<void>();
    const asked = page.waitForRequest('**/documents/invoices/*.pdf');
    await page.route('**/documents/invoices/*.pdf', async (route) => {
      await answer;
      await route.continue();
    });
    await select("'Sales invoices'!A2");
    await press(`PDF of invoice ${numbers[0]}`);
    await asked;
    await select('Sheet1!A1');
    await seen(pane.getByText('Select a pulled invoice in the sheet'));
    await seen(pane.getByRole('button', { name: 'Cancel' }));
    const downloading = page.waitForEvent('download');
    goOn();
    expect((await downloading).suggestedFilename()).toBe(`${numbers[0]}.pdf`);
    await seen(pane.getByText(`${numbers[0]}.pdf was downloaded.`));
    await seen(pane.getByRole('heading', { name: `Invoice ${numbers[0]}` }));
    expect(await pane.getByRole('button', { name: 'PDF of invoice' }).count()).toBe(0);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await select("'Sales invoices'!A3");
    await seen(pane.getByRole('heading', { name: `Invoice ${numbers[1]}` }));
    expect(await pane.getByText('was downloaded.').count()).toBe(0);
  });

  it('are those of a cell that was edited as soon as it was selected, when it is left with Escape', async () => {
    await page.evaluate(() => {
      const { excelHost } = window as unknown as HostWindow;
      const { execute } = excelHost;
      const refusal = { errorCode: 'InvalidOperationInCellEditMode', errorMessage: '' } as const;
      excelHost.execute = async (body, flags) =>
        document.body.dataset.edited === 'true' ? refusal : execute(body, flags);
    });
    const edit = (isEdited: boolean) =>
      page.evaluate((edited) => {
        document.body.dataset.edited = String(edited);
      }, isEdited);
    await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=en`);
    const [first, second] = await bringIn();
    await select("'Sales invoices'!A2");
    await seen(pane.getByRole('heading', { name: `Invoice ${first!['Invoice number']}` }));
    await edit(true);
    await select("'Sales invoices'!A3");
    await seen(pane.getByText('Select a pulled invoice in the sheet'));
    await edit(false);
    await seen(pane.getByRole('heading', { name: `Invoice ${second!['Invoice number']}` }));
  });

  it('of several selected rows are offered one after another, without those of hidden rows', async () => {
    const numbers = (await bringIn()).map((row) => String(row['Invoice number']));
    await page.evaluate(() => window.workbook.select("'Sales invoices'!A3:B5"));
    await seen(pane.getByText('1 of 3 selected'));
    await seen(pane.getByRole('heading', { name: `Invoice ${numbers[1]}` }));
    await press('Next');
    await seen(pane.getByRole('heading', { name: `Invoice ${numbers[2]}` }));
    await press('Previous');
    await press('Previous');
    await seen(pane.getByText('3 of 3 selected'));
    await seen(pane.getByRole('heading', { name: `Invoice ${numbers[3]}` }));

    await page.getByRole('button', { name: 'Sort and filter Invoice number' }).click();
    await page.getByLabel('Show rows containing').fill(numbers[2]!);
    await page.keyboard.press('Enter');
    await page.evaluate(() => window.workbook.select("'Sales invoices'!A2:A30"));
    await seen(pane.getByRole('heading', { name: `Invoice ${numbers[2]}` }));
    expect(await pane.getByRole('button', { name: 'Next' }).count()).toBe(0);
  });

  /** The files of a zip that is downloaded when something is done. */
  async function zipOf(act: () => Promise<void>) {
    const downloading = page.waitForEvent('download');
    await act();
    const download = await downloading;
    return { name: download.suggestedFilename(), files: unzipSync(await readFile(await download.path())) };
  }

  it('of a whole selection come as a zip, by keyboard, with those of each invoice once', async () => {
    const numbers = (await bringIn()).map((row) => String(row['Invoice number']));
    await select("'Sales invoices'!A2:B9");
    const button = await seen(pane.getByRole('button', { name: 'PDFs of all selected (zip)' }));
    const { name, files } = await zipOf(async () => {
      await button.focus();
      await page.keyboard.press('Enter');
    });
    const wanted = numbers.slice(0, 8);
    expect(name).toBe(`Invoices ${wanted[0]}-${wanted[7]}.zip`);
    // A zip has its files in any order: names that are numbers come first.
    expect(Object.keys(files).sort()).toEqual([...wanted.map((number) => `${number}.pdf`), 'List.txt'].sort());
    for (const number of wanted) {
      const expected = await (await fetchFromApp(`/documents/invoices/${number}.pdf`)).arrayBuffer();
      expect(Buffer.compare(Buffer.from(files[`${number}.pdf`]!), Buffer.from(expected))).toBe(0);
    }
    await seen(pane.getByText(`${name} was downloaded, with 8 documents.`));
    expect(await accessibilityErrors(pane)).toEqual([]);
  });

  it('of a selection wait for a busy service, and are left when the user cancels', async () => {
    await bringIn();
    await select("'Sales invoices'!A2:A9");
    let refusals = 0;
    await page.route('**/documents/invoices/*.pdf', async (route) => {
      if (refusals++ > 0) return; // Never answered.
      await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: {} });
    });
    await press('PDFs of all selected (zip)');
    await seen(pane.getByText('The service takes no more requests at this moment'));
    await press('Cancel');
    await seen(pane.getByText('Cancelled. No zip was made.'));
    await page.unroute('**/documents/invoices/*.pdf');
  });

  it('are offered from open items of customers too', async () => {
    await connect(pane, demo, 'Demo BV');
    await press('Open items');
    await press('Bring in open items');
    await seen(pane.getByText('on sheet “Open items”'));
    const cells = await page.evaluate(() => window.workbook.values("'Open items'!A1:M200"));
    const heading = cells.findIndex((row) => row.includes('Sales invoice'));
    const column = cells[heading]!.indexOf('Sales invoice');
    const invoices = cells.slice(heading + 1).flatMap((row, index) => {
      const number = String(row[column] ?? '');
      return /^\d+$/.test(number) ? { number, row: heading + 2 + index } : [];
    });
    expect(invoices.length).toBeGreaterThan(1);
    await select(`'Open items'!A${invoices[0]!.row}:A${invoices.at(-1)!.row}`);
    const { files } = await zipOf(() => press('PDFs of all selected (zip)'));
    expect(Object.keys(files).length).toBe(1 + new Set(invoices.map(({ number }) => number)).size);
  });

  it('are refused with a reason in the language of the pane when they cannot be made', async () => {
    const rows = await bringIn('nl');
    const { number, row } = await rowOf(rows, 'Factuurnummer', 400);
    await select(`Verkoopfacturen!A${row}`);
    await press(`E-factuur van factuur ${number}`);
    const alert = await seen(pane.getByRole('alert'));
    expect(await alert.textContent()).toMatch(/^De e-factuur kan niet worden gemaakt:.*van de klant ontbreekt/);
    expect(await accessibilityErrors(pane)).toEqual([]);
    // The PDF can be made.
    const downloading = page.waitForEvent('download');
    await press(`Pdf van factuur ${number}`);
    expect((await downloading).suggestedFilename()).toBe(`${number}.pdf`);
  });

  it('are opened by a link that works once where a pane cannot download, as on a Mac', async () => {
    const { number, row } = await rowOf(await bringIn(), 'Invoice number', 200);
    await select(`'Sales invoices'!A${row}`);
    await pane.evaluate(() => {
      const opened: string[] = [];
      const { requirements } = Office.context;
      Object.assign(window, { opened });
      Object.assign(Office.context, {
        platform: Office.PlatformType.Mac,
        requirements: { ...requirements, isSetSupported: () => true },
        ui: { openBrowserWindow: (address: string) => opened.push(address) },
      });
    });
    await press(`PDF of invoice ${number}`);
    await seen(pane.getByText(`${number}.pdf was opened in your browser`));
    const [address] = await pane.evaluate(() => (window as unknown as { opened: string[] }).opened);
    expect(address).not.toContain(demo.username);
    const other = await (await appPage.browser.newContext()).newPage();
    const expected = Buffer.from(await (await fetchFromApp(`/documents/invoices/${number}.pdf`)).arrayBuffer());
    const opened = await other.request.get(address!);
    expect(Buffer.compare(await opened.body(), expected)).toBe(0);
    expect((await other.request.get(address!)).status()).toBe(404);
    await other.context().close();

    // An iPad opens no browser, and this one no dialog either: the user gets the link.
    await pane.evaluate(() => {
      const failed = { status: Office.AsyncResultStatus?.Failed ?? 'failed' };
      Object.assign(Office.context, {
        platform: Office.PlatformType.iOS,
        requirements: { isSetSupported: (name: string) => name === 'DialogApi' },
        ui: {
          displayDialogAsync: (_address: string, _size: object, done: (result: object) => void) => done(failed),
        },
      });
    });
    await press(`E-invoice of invoice ${number}`);
    const link = await seen(pane.getByRole('link', { name: `${number}.xml` }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    const text = await (await fetch((await link.getAttribute('href'))!)).text();
    expect(text).toContain(`<cbc:ID>${number}</cbc:ID>`);
  });
});

describe('the ageing overview', () => {
  const sum = (rows: Record<string, unknown>[], heading: string) =>
    rows.reduce((cents, row) => cents + Math.round(Number(row[heading]) * 100), 0);

  it('adds up to the outstanding amounts of the invoices, and has a chart', async () => {
    const invoices = await bringIn('en', '');
    const grid = await page.evaluate(() => window.workbook.values('Ageing!A23:H400'));
    const [headings, ...cells] = grid;
    const rows = cells
      .filter(([number]) => number !== '')
      .map((row) => Object.fromEntries(headings!.map((heading, at) => [String(heading), row[at]])));
    expect(rows.length).toBeGreaterThan(10);
    expect(sum(rows, 'Outstanding')).toBe(sum(invoices, 'Outstanding'));
    for (const row of rows) {
      const own = invoices.filter((invoice) => invoice['Customer number'] === row['Customer number']);
      expect(sum([row], 'Outstanding'), String(row.Customer)).toBe(sum(own, 'Outstanding'));
    }
    const [totals] = await page.evaluate(() => window.workbook.values('Ageing!A22:H22'));
    expect(Math.round(Number(totals!.at(-1)) * 100)).toBe(sum(rows, 'Outstanding'));
    const today = new Intl.DateTimeFormat('nl-NL', {
      timeZone: 'Europe/Amsterdam',
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
    }).format(new Date());
    const heading = (await page.evaluate(() => window.workbook.values('Ageing!A1:A3'))).flat();
    const open = invoices.filter(({ Outstanding }) => Outstanding !== 0).length;
    expect(heading[0]).toBe('Ageing overview of Demo BV');
    expect(heading[1]).toMatch(
      new RegExp(`^All open invoices, .*: ${open}\\. Amounts outstanding as of ${today} \\d\\d:\\d\\d\\.$`),
    );
    expect(heading[2]).toBe(`Days overdue are counted to ${today}.`);

    await page.getByRole('tab', { name: 'Ageing' }).click();
    const chart = await seen(page.getByRole('img', { name: 'Chart: Outstanding by customer' }));
    expect(await chart.locator('text').allTextContents()).toEqual(
      expect.arrayContaining(['Not due', '1-30 days', 'Over 90 days', String(rows[0]!.Customer)]),
    );
    expect(await accessibilityErrors(page)).toEqual([]);

    // The chart covers no cell that has a value.
    const filled = await page.locator('.cell:not(:empty)').all();
    const boxes = await Promise.all(filled.map((cell) => cell.boundingBox()));
    const over = (await chart.boundingBox())!;
    const covered = boxes.filter(
      (box) =>
        box !== null &&
        box.y + 1 < over.y + over.height &&
        box.y + box.height - 1 > over.y &&
        box.x < over.x + over.width &&
        box.x + box.width > over.x,
    );
    expect(boxes.length).toBeGreaterThan(20);
    expect(covered).toEqual([]);
  });

  it('is of all open invoices whatever the period, and counts to a chosen day on another sheet', async () => {
    await bringIn();
    const totalsOf = (sheet: string) =>
      page.evaluate((address) => window.workbook.values(address), `${sheet}!C22:H22`).then(([totals]) => totals!);
    const before = await totalsOf('Ageing');
    await pane.getByLabel('From').fill('2026-10-01');
    await pane.getByLabel('Count days overdue to').fill('2026-06-30');
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Ageing 30-06-2026”'));
    const counted = await totalsOf("'Ageing 30-06-2026'");
    expect(counted.at(-1)).toBe(before.at(-1));
    expect(counted[0]).toBeGreaterThan(Number(before[0]));
    const [line] = await page.evaluate(() => window.workbook.values("'Ageing 30-06-2026'!A3:A3"));
    expect(line).toEqual(['Days overdue are counted to 30-06-2026.']);

    // A period without invoices has no sheet; its overview is made all the same.
    await pane.getByLabel('From').fill('2019-01-01');
    await pane.getByLabel('Till').fill('2019-01-31');
    await pane.getByLabel('Count days overdue to').fill('');
    await press('Bring in sales invoices');
    await seen(pane.getByText('Sales invoices 1-1–31-1-2019: nothing was found, so no sheet was made.'));
    await seen(pane.getByText('Sheet “Ageing” is up to date'));
    await press('Only the ageing overview');
    await seen(pane.getByText('Sheet “Ageing” is up to date'));
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual([
      'Sheet1',
      'Sales invoices',
      'Ageing',
      'Sales invoices from 1-10-2026',
      'Ageing 30-06-2026',
    ]);
  });

  it('shows its headings and those of the invoices whole, beside their filter buttons', async () => {
    await bringIn();
    for (const sheet of ['Sales invoices', 'Ageing']) {
      await page.getByRole('tab', { name: sheet, exact: true }).click();
      const headings = page.locator('.cell.with-button');
      await headings.first().waitFor();
      const covered = await headings.evaluateAll((cells) =>
        cells
          .filter((cell) => {
            const text = document.createRange();
            text.selectNodeContents(cell.firstChild!);
            const button = cell.querySelector('.filter-button')!;
            return text.getBoundingClientRect().right > button.getBoundingClientRect().left;
          })
          .map(({ textContent }) => textContent),
      );
      expect(covered, sheet).toEqual([]);
    }
  });

  it('is refreshed with the invoices, and is left out on request', async () => {
    await bringIn('en', '');
    await select('Ageing!B24');
    const before = await page.evaluate(() => window.workbook.values('Ageing!A24:H24'));
    await page.evaluate(() => window.workbook.type('Ageing!H24', '1'));
    await press('Back');
    await press('Refresh Sales invoices');
    await seen(pane.getByText('Sheet “Ageing” is up to date'));
    expect(await page.evaluate(() => window.workbook.values('Ageing!A24:H24'))).toEqual(before);

    await press(/^Sales invoices/);
    await pane.getByLabel('From').fill('2026-10-01');
    await pane.getByLabel('With an ageing overview').uncheck();
    await press('Bring in sales invoices');
    await seen(pane.getByText('on sheet “Sales invoices from 1-10-2026”'));
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual([
      'Sheet1',
      'Sales invoices',
      'Ageing',
      'Sales invoices from 1-10-2026',
    ]);
  });
});
