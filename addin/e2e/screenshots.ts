import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import type { Credential } from '../../shared/client/client.ts';
import { createLedgerClient } from '../../shared/client/ledgerClient.ts';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { type Language, languages } from '../taskpane/locales/words.ts';
import { type App, belgianDemo, demo, startApp, withoutRateLimits } from './app.ts';
import { bundledChromium, launchChromium } from './chromium.ts';
import { paneOf, seen } from './pane.ts';
import { startServiceProxy } from './serviceProxy.ts';
import { typeBelow } from './sheetCells.ts';

/*
 * `npm run screenshots`: the pictures of the README and of the user guide in each language, taken of the real app in a
 * browser. `npm run screenshots -- nl` takes those of one language.
 */

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', nl: 'nl-NL', fr: 'fr-BE' };
/** ROUND, as Excel has it in each language. */
const roundIn: Readonly<Record<Language, string>> = { en: 'ROUND', nl: 'AFRONDEN', fr: 'ARRONDI' };

const viewport = { width: 1360, height: 780 };

const asked = process.argv.slice(2);
const wanted = asked.length === 0 ? languages : languages.filter((language) => asked.includes(language));
// The same fonts on every machine.
const chromium = await bundledChromium();
for (const language of wanted) {
  // Fields of dates look as the browser's own language has them, whatever the language of the page.
  const LC_ALL = `${locales[language].replace('-', '_')}.UTF-8`;
  const browser = await launchChromium({ ...chromium, env: { ...chromium.env, LC_ALL } });
  try {
    await takePictures(browser, language);
  } finally {
    await browser.close();
  }
}

/** Takes every picture in a language, with an app of its own. */
async function takePictures(browser: Browser, language: Language): Promise<void> {
  const messages = messagesOf[language];
  const folder = path.resolve(import.meta.dirname, '../../docs/screenshots', language);
  mkdirSync(folder, { recursive: true });
  const app = await startApp();
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: 1.5,
    locale: locales[language],
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    await page.goto(`${app.address}/?lang=${language}`);
    const pane = await paneOf(page);
    const shotOf = async (name: string, of = page) => {
      // Nothing is under the pointer.
      await of.mouse.move(0, 0);
      await of.screenshot({ path: path.join(folder, `${name}.png`) });
    };
    const shot = (name: string) => shotOf(name);
    const press = (name: string) => pane.getByRole('button', { name, exact: true }).first().click();
    const open = async (title: string) => {
      await pane.getByRole('button', { name: title }).click();
      await pane.getByRole('heading', { level: 1, name: title }).waitFor();
    };
    const back = async () => {
      await press(messages.back);
      await pane.getByRole('heading', { level: 1, name: messages.home.title }).waitFor();
    };
    /** Brings in a list, and waits for its sheet. */
    const pull = async (submit: string, sheet: string) => {
      await press(submit);
      await seen(pane.getByText(withAnyCount(messages.pulled.made(7, sheet))));
    };

    await connect(pane, language);
    await open(messages.accounts.title);
    await pull(messages.accounts.submit, messages.accounts.sheet);
    await shot('workbook');
    await press(messages.switchAdministration);
    await connect(pane, language, belgianDemo, 'Vlierbeek');
    await press(messages.switchAdministration);
    await shot('connections');
    await press(messages.named(messages.connect.use, 'Bloemenhof'));
    await pane.getByRole('heading', { level: 1, name: messages.home.title }).waitFor();

    await open(messages.invoices.title);
    await pane.getByLabel(messages.invoices.withAgeing).check();
    await press(messages.invoices.onlyAgeing);
    await page.getByRole('tab', { name: messages.ageing.sheet }).waitFor();
    await seen(pane.getByText(messages.ageing.sheet));
    await page.waitForTimeout(500);
    await shot('ageing');
    await back();

    await open(messages.trialBalance.title);
    await pull(messages.trialBalance.submit, messages.trialBalance.sheet);
    await page.evaluate((cell) => window.workbook.select(cell), `'${messages.trialBalance.sheet}'!C10`);
    await seen(pane.getByRole('button', { name: messages.ledger.showEntries }));
    await shot('trialBalance');
    await back();

    await open(messages.vatReturn.title);
    const year = new Date().getFullYear() - 1;
    await pane.getByLabel(messages.vatReturn.filters.Period.label).selectOption({ label: messages.vat.quarter(4) });
    await pane.getByLabel(messages.vat.year, { exact: true }).fill(String(year));
    const vatSheet = `${messages.vatReturn.sheet} ${year}-Q4`;
    await pull(messages.vatReturn.submit, vatSheet);
    await page.evaluate((cell) => window.workbook.select(cell), `'${vatSheet}'!D6`);
    await (await seen(pane.getByRole('button', { name: messages.vat.showLines }))).scrollIntoViewIfNeeded();
    await page.waitForTimeout(500);
    await shot('vatReturn');
    await back();

    await takeFormulas(page, pane, language, shot);

    for (let time = 0; time < 2; time++) await app.exportRelations('--administration', '1');
    await open(messages.exports.title);
    await pane
      .getByRole('button', { name: messages.exports.insertNamed('') })
      .first()
      .click();
    await page.getByRole('tab', { name: messages.exports.sheet, exact: true }).waitFor();
    await page.waitForTimeout(500);
    await shot('exports');
    await back();

    const invoices = await app.clientOf(demo).listsalesinvoices({ InlcudeInvoiceLinesInResponse: true });
    const sold = invoices.flatMap(({ Invoice_InvoiceLine = [] }) =>
      Invoice_InvoiceLine.map((line) => line.ProductNumber),
    );
    const articles = [...new Set(sold.filter((number) => number.startsWith('0')))].slice(0, 6);
    const customers = [
      ...new Set(invoices.map(({ CustomerNumber, CustomerName }) => `${CustomerNumber} ${CustomerName}`)),
    ];
    const codes = await app.clientOf(demo).listtaxcodes({});
    const taxCode = codes.find(({ TaxType, TaxPc }) => TaxType === 'Sales' && Number(TaxPc) === 21)!.TaxCode;
    await takeDocuments(page, pane, language, { articles, customers, taxCode }, shot);
    await back();
    await takePush(page, pane, language, [...articles, 'UNKNOWN'], shot);
    await page.setViewportSize(viewport);
    await back();
    await press(messages.activity.title);
    await pane
      .getByRole('button', { name: messages.activity.insertNamed('') })
      .first()
      .click();
    await seen(page.getByRole('tab', { name: messages.activity.sheet('') }));
    await pane.getByRole('list', { name: messages.activity.pushes }).getByRole('button').first().click();
    await seen(pane.getByText(messages.push.rowsFrom(1, 1, 1)));
    await page.setViewportSize({ width: 1620, height: 780 });
    await page.waitForTimeout(300);
    await shot('activity');

    await takeInterruption(context, app, language, shotOf);
    await takeAuditfile(context, app, language, shotOf);
    await takeProgress(context, app, language, articles, shotOf);
  } finally {
    await context.close();
    await app.stop();
  }
}

/** A text with 7 as its number, as it is with any number. */
function withAnyCount(text: string): RegExp {
  return new RegExp(text.replace(/[.()]/g, '\\$&').replace('7', '[\\d.,\\s]+'));
}

/** Connects the pane, by default to the demo, as a person does. */
async function connect(
  pane: Frame,
  language: Language,
  { username, apiKey }: Credential = demo,
  label = 'Bloemenhof',
): Promise<void> {
  const { connect } = messagesOf[language];
  const submit = pane.getByRole('button', { name: connect.submit, exact: true });
  await pane.getByLabel(connect.username).fill(username);
  await pane.getByLabel(connect.apiKey).fill(apiKey);
  await pane.getByLabel(connect.label, { exact: true }).fill(label);
  await submit.click();
  await submit.waitFor({ state: 'detached' });
}

/** Formulas that read the ledger, quarter by quarter, on the first sheet. */
async function takeFormulas(
  page: Page,
  pane: Frame,
  language: Language,
  shot: (name: string) => Promise<unknown>,
): Promise<void> {
  const separator = language === 'en' ? ',' : ';';
  const year = new Date().getFullYear() - 1;
  const sheet = await page.getByRole('tab').first().textContent();
  await page.getByRole('tab').first().click();
  const type = (cell: string, text: string) =>
    page.evaluate(([address, typed]) => window.workbook.type(address, typed), [`'${sheet}'!${cell}`, text] as const);
  const quarters = ['B', 'C', 'D', 'E'];
  for (const [index, column] of quarters.entries()) await type(`${column}1`, `${year}-Q${index + 1}`);
  for (const [index, account] of ['8000', '7000', '4000', '4300'].entries()) {
    const row = index + 2;
    await type(`A${row}`, `'${account}`);
    for (const column of quarters) {
      const asked = [`$A${row}`, `${column}$1`, `${column}$1`].join(separator);
      // Whole euros fit the width of a new column.
      await type(`${column}${row}`, `=${roundIn[language]}(LEDGER.TURNOVER(${asked})${separator}0)`);
    }
    await type(`F${row}`, `=LEDGER.NAME(A${row})`);
  }
  const isBusy = () =>
    page.evaluate(
      (area) =>
        window.workbook
          .values(area)
          .flat()
          .some((value) => String(value).startsWith('#')),
      `'${sheet}'!A1:F5`,
    );
  while (await isBusy()) await page.waitForTimeout(100);
  await page.evaluate((cell) => window.workbook.select(cell), `'${sheet}'!E2`);
  await (
    await seen(pane.getByRole('button', { name: messagesOf[language].ledger.showEntries }))
  ).scrollIntoViewIfNeeded();
  await shot('formulas');
}

/** Invoices to make, one cell of which is wrong: what their check says. All columns up to that cell are in view. */
async function takeDocuments(
  page: Page,
  pane: Frame,
  language: Language,
  { articles, customers, taxCode }: { articles: readonly string[]; customers: readonly string[]; taxCode: string },
  shot: (name: string) => Promise<unknown>,
): Promise<void> {
  const { documentSheets, headings } = messagesOf[language];
  const { sheet } = documentSheets.kinds.salesInvoiceRows;
  const press = (name: string) => pane.getByRole('button', { name, exact: true }).first().click();
  await press(documentSheets.title);
  await press(documentSheets.submit);
  await seen(pane.getByRole('button', { name: documentSheets.next }));
  const type = (heading: keyof typeof headings.documents, row: number, text: string) =>
    typeBelow(page, sheet, `${headings.documents[heading]} *`, row, text);
  const price = language === 'en' ? '12.50' : '12,50';
  for (const [index, document] of ['A', 'A', 'B', 'C'].entries()) {
    const row = index + 2;
    await type('Document', row, document);
    if (index !== 1) await type('CustomerNumber', row, customers[index]!);
    await type('ProductNumber', row, articles[index]!);
    await type('Quantity', row, index === 3 ? '6x' : String(6 * (index + 1)));
    await type('UnitPriceExclTax', row, price);
    await typeBelow(page, sheet, headings.documents.TaxCode, row, taxCode);
  }
  await press(documentSheets.next);
  await pane.getByRole('button', { name: withAnyCount(messagesOf[language].documentPush.submit(7, '')) }).waitFor();
  await page.setViewportSize({ width: 1620, height: 780 });
  await page.evaluate((cell) => window.workbook.select(cell), `'${sheet}'!G5`);
  await page.waitForTimeout(300);
  await shot('documents');
  await page.setViewportSize(viewport);
}

/** Fills in a product sheet and pushes it: the question before the push, and the rows after it. */
async function takePush(
  page: Page,
  pane: Frame,
  language: Language,
  articles: readonly string[],
  shot: (name: string) => Promise<unknown>,
): Promise<void> {
  const { products, push, headings } = messagesOf[language];
  const decimal = language === 'en' ? '.' : ',';
  await pane.getByRole('button', { name: products.title }).click();
  await pane.getByLabel(products.numbers).fill(articles.join('\n'));
  await pane.getByRole('button', { name: products.submit }).click();
  await pane.getByRole('button', { name: products.next }).waitFor();
  const type = (heading: 'NewSalePrice' | 'NewStockQty', row: number, text: string) =>
    typeBelow(page, products.sheet, headings.products[heading], row, text);
  for (let row = 2; row <= 5; row++) await type('NewSalePrice', row, `${10 + row}${decimal}95`);
  await type('NewStockQty', 3, '24');
  await type('NewStockQty', 6, '5');
  await type('NewSalePrice', 7, `12${decimal}5x`);
  await type('NewSalePrice', 8, `9${decimal}95`);
  await pane.getByRole('button', { name: products.next }).click();
  await pane.getByRole('button', { name: withAnyCount(push.submit(7, '')) }).click();
  const dialog = pane.getByRole('alertdialog');
  await dialog.waitFor();
  await shot('confirm');
  await dialog.getByRole('button', { name: push.confirm, exact: true }).click();
  await seen(pane.getByText(push.seeRows));
  await page.setViewportSize({ width: 1900, height: 560 });
  // The statuses and messages are in view then.
  await page.evaluate((cell) => window.workbook.select(cell), `'${products.sheet}'!J2`);
  await page.waitForTimeout(300);
  await shot('push');
}

type Shot = (name: string, of: Page) => Promise<unknown>;

/** A list that a closed pane left incomplete, when the pane is opened again. */
async function takeInterruption(context: BrowserContext, app: App, language: Language, shot: Shot): Promise<void> {
  const { invoices, unfinished } = messagesOf[language];
  const page = await context.newPage();
  await page.goto(`${app.address}/?lang=${language}`);
  const pane = await paneOf(page);
  const press = (name: string) => pane.getByRole('button', { name, exact: true }).first().click();
  let requests = 0;
  const isHalfway = new Promise<void>((arrived) => {
    void page.route('**/rest/listsalesinvoices*', (route) => (++requests < 3 ? route.continue() : arrived()));
  });
  await press(invoices.title);
  await press(invoices.submit);
  await isHalfway;
  await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=${language}`);
  await seen(pane.getByRole('button', { name: unfinished.finish(invoices.sheet) }));
  await page.evaluate((cell) => window.workbook.select(cell), `'${invoices.sheet}'!A1`);
  await shot('interrupted', page);
  await page.close();
}

/** An audit file that was checked, in the books of somebody who comes from another program. */
async function takeAuditfile(context: BrowserContext, app: App, language: Language, shot: Shot): Promise<void> {
  const { auditfiles, switchAdministration } = messagesOf[language];
  const [name, username, year] = ['De Zilverlinde', 'import@example.com', new Date().getFullYear() - 1];
  const pieces: Uint8Array[] = [];
  const service = { base: app.address, credential: demo, fetch };
  for await (const piece of createLedgerClient(service).auditfile({ year: String(year), version: '4.0' }))
    pieces.push(piece);
  await app.administration('create', '--name', name, '--country', 'NL', '--empty');
  const issued = await app.administration('key', name, '--username', username, '--scope', 'import');

  const page = await context.newPage();
  await page.goto(`${app.address}/?lang=${language}`);
  const pane = await paneOf(page);
  const press = (title: string) => pane.getByRole('button', { name: title, exact: true }).first().click();
  await press(switchAdministration);
  await connect(pane, language, { username, apiKey: issued.split('\n')[0]!.trim() }, 'Zilverlinde');
  await press(auditfiles.title);
  await pane
    .locator('input[type=file]')
    .setInputFiles([{ name: `zilverlinde-${year}.xaf`, mimeType: 'text/xml', buffer: Buffer.concat(pieces) }]);
  await seen(pane.getByText(auditfiles.states.checked()));
  await pane
    .getByRole('listitem')
    .first()
    .evaluate((card) => {
      const { bottom } = document.querySelector('.header')!.getBoundingClientRect();
      window.scrollBy(0, card.getBoundingClientRect().top - bottom - 8);
    });
  await shot('auditFiles', page);
  await page.close();
}

/** A push under way, to a service that takes its time. */
async function takeProgress(
  context: BrowserContext,
  service: App,
  language: Language,
  articles: readonly string[],
  shot: Shot,
): Promise<void> {
  const { products, push, headings } = messagesOf[language];
  const proxy = await startServiceProxy(service.address);
  const app = await startApp({ ADMINISTRATION_URL: proxy.address, ...withoutRateLimits, REMOTE_AT_A_TIME: '1' });
  try {
    const page = await context.newPage();
    await page.goto(`${app.address}/?lang=${language}`);
    const pane = await paneOf(page);
    const press = (name: string | RegExp) => pane.getByRole('button', { name }).first().click();
    await connect(pane, language);
    await press(products.title);
    await pane.getByLabel(products.numbers).fill(articles.join('\n'));
    await press(products.submit);
    for (const [index] of articles.entries()) {
      const price = `${12 + index}${language === 'en' ? '.' : ','}95`;
      await seen(pane.getByRole('button', { name: products.next }));
      await typeBelow(page, products.sheet, headings.products.NewSalePrice, index + 2, price);
    }
    await press(products.next);
    proxy.forward(2);
    await press(withAnyCount(push.submit(7, '')));
    await pane.getByRole('alertdialog').getByRole('button', { name: push.confirm, exact: true }).click();
    await seen(pane.getByText(push.stateCounts.applied(2)));
    // The statuses are in view then.
    await page.setViewportSize({ width: 1890, height: 690 });
    await page.evaluate((cell) => window.workbook.select(cell), `'${products.sheet}'!A2`);
    await page.waitForTimeout(300);
    await shot('progress', page);
  } finally {
    proxy.release();
    await app.stop();
    await proxy.close();
  }
}
