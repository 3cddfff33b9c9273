import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type App, demo, startApp } from './app.ts';
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
  let proxy: ServiceProxy;
  let articles: string[];
  beforeAll(async () => {
    service = await startApp();
    proxy = await startServiceProxy(service.address);
    const invoices = await service.clientOf(demo).listsalesinvoices({ InlcudeInvoiceLinesInResponse: true });
    const sold = invoices.flatMap(({ Invoice_InvoiceLine = [] }) => Invoice_InvoiceLine);
    articles = [...new Set(sold.map(({ ProductNumber }) => ProductNumber))].filter(Boolean).slice(0, 6);
    expect(articles).toHaveLength(6);
  });
  afterAll(async () => {
    await proxy?.close();
    await service?.stop();
  });
  const appPage = withAppPage({
    start: () =>
      startApp({
        ADMINISTRATION_URL: proxy.address,
        REMOTE_PER_SECOND: '0',
        REMOTE_PER_MINUTE: '0',
        REMOTE_AT_A_TIME: '1',
      }),
  });
  const { press } = appPage;
  beforeEach(async () => {
    const { pane } = appPage;
    proxy.release();
    proxy.lostResponses = 0;
    await connect(pane, demo, 'Elsewhere');
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill(articles.join('\n'));
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
  });
  afterEach(() => proxy.release());

  /** A product as the service has it: an update without changes returns it. */
  const product = (ArticleNumber: string) => service.clientOf(demo).updateproduct({ ArticleNumber });

  return {
    get context() {
      return appPage.context;
    },
    get page() {
      return appPage.page;
    },
    get pane() {
      return appPage.pane;
    },
    get proxy() {
      return proxy;
    },
    get articles() {
      return articles;
    },
    press,
    product,
    stocks: () => Promise.all(articles.map(async (article) => Number((await product(article)).StockQty))),
    type: (heading: string, row: number, text: string) => typeBelow(appPage.page, SHEET, heading, row, text),
    /** Types into all six rows. */
    typeAll: async (heading: string, textOf: (row: number) => string) => {
      for (let row = 2; row <= 7; row++) await typeBelow(appPage.page, SHEET, heading, row, textOf(row));
    },
    confirm: () => appPage.pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click(),
    /** The values of a column of the sheet, in the order of the articles. */
    resultsOf: async (heading: string) => {
      const rows = await rowsOf(appPage.page, SHEET);
      return articles.map((article) => rows.find((row) => row['Article number'] === article)?.[heading]);
    },
    /** The text of the focused element of the pane. */
    focused: () => appPage.pane.evaluate(() => document.activeElement?.textContent ?? ''),
    /** A second workbook of the same user. */
    openSecondWorkbook: async (): Promise<Page> => {
      const page = await appPage.context.newPage();
      await page.goto(`${appPage.app.address}/?lang=en`);
      return page;
    },
    /** Closes the pane, as closing its window does. */
    closePane: () => appPage.pane.goto('about:blank'),
    /** Opens the pane anew beside the same workbook. */
    openPane: async () => {
      await appPage.pane.goto(`${appPage.app.address}/taskpane/simulator/pane.html?lang=en`);
      await appPage.pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
      await press('Push products');
    },
  };
}
