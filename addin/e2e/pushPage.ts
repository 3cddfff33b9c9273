import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type App, demo, startApp, withoutRateLimits } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { type ServiceProxy, startServiceProxy } from './serviceProxy.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';

export const SHEET = 'Products to change';

/**
 * The page of an app whose administration is a service elsewhere, behind a proxy. Each test begins with a product sheet
 * of six products, one for each row.
 */
export function withPushPage() {
  let service: App;
  const own = {} as { proxy: ServiceProxy; articles: string[] };
  beforeAll(async () => {
    service = await startApp();
    own.proxy = await startServiceProxy(service.address);
    const invoices = await service.clientOf(demo).listsalesinvoices({ InlcudeInvoiceLinesInResponse: true });
    const sold = invoices.flatMap(({ Invoice_InvoiceLine = [] }) => Invoice_InvoiceLine);
    own.articles = [...new Set(sold.map(({ ProductNumber }) => ProductNumber))].filter(Boolean).slice(0, 6);
    expect(own.articles).toHaveLength(6);
  });
  afterAll(async () => {
    await own.proxy?.close();
    await service?.stop();
  });
  const current = withAppPage(() =>
    startApp({
      ADMINISTRATION_URL: own.proxy.address,
      ...withoutRateLimits,
      REMOTE_AT_A_TIME: '1',
      // A held row stays without an outcome, however slow the machine is.
      REMOTE_TIMEOUT_MS: '110000',
    }),
  );
  const { press } = current;
  beforeEach(async () => {
    Object.assign(current, own);
    own.proxy.release();
    own.proxy.lostResponses = 0;
    await connect(current.pane, demo, 'Elsewhere');
    await press('Product sheet');
    await current.pane.getByLabel('Article numbers').fill(own.articles.join('\n'));
    await press('Make the product sheet');
    await seen(current.pane.getByText('is ready'));
  });
  afterEach(() => own.proxy.release());

  /** A product as the service has it: an update without changes returns it. */
  const product = (ArticleNumber: string) => service.clientOf(demo).updateproduct({ ArticleNumber });
  const type = (heading: string, row: number, text: string) => typeBelow(current.page, SHEET, heading, row, text);

  return Object.assign(current as typeof current & typeof own, {
    product,
    /** The ledger accounts as the service has them. */
    accounts: () => service.clientOf(demo).listledgeraccounts({}),
    /** Issues another key of the service's administration, for the same user. */
    issueKey: async (): Promise<string> => {
      const printed = await service.administration(
        ...['key', 'issue', '--administration', '1', '--username', demo.username],
      );
      return /\S+$/.exec(printed)![0];
    },
    stocks: () => Promise.all(own.articles.map(async (article) => Number((await product(article)).StockQty))),
    type,
    /** Types into all six rows. */
    typeAll: async (heading: string, textOf: (row: number) => string) => {
      for (let row = 2; row <= 7; row++) await type(heading, row, textOf(row));
    },
    confirm: () => current.pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click(),
    /** The values of a column of the sheet, in the order of the articles. */
    resultsOf: async (heading: string) => {
      const rows = await rowsOf(current.page, SHEET);
      return own.articles.map((article) => rows.find((row) => row['Article number'] === article)?.[heading]);
    },
    /** The text of the focused element of the pane. */
    focused: () => current.pane.evaluate(() => document.activeElement?.textContent ?? ''),
    /** A second workbook of the same user. */
    openSecondWorkbook: async (): Promise<Page> => {
      const page = await current.context.newPage();
      await page.goto(`${current.app.address}/?lang=en`);
      return page;
    },
    /** Closes the pane, as closing its window does. */
    closePane: () => current.pane.goto('about:blank'),
    /** Opens the pane anew beside the same workbook. */
    openPane: async () => {
      await current.pane.goto(`${current.app.address}/taskpane/simulator/pane.html?lang=en`);
      await current.pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
      await press('Push rows');
    },
  });
}
