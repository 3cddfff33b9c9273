import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type App, barriersIn, connect, demo, paneOf, rowsOf, seen, startApp, typeBelow } from './app.ts';
import { launchChromium } from './chromium.ts';

/*
 * Pushes that take their time, as a person meets them: the pane in a real Chromium, the real app, and a service
 * elsewhere behind a line on which updates can be held up and answers can get lost.
 */

const SHEET = 'Products to change';

let service: App;
let line: Line;
let app: App;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let pane: Frame;
/** Six products of the demo, one for each row of a sheet. */
let articles: string[];

beforeAll(async () => {
  [service, browser] = await Promise.all([startApp(), launchChromium()]);
  line = await openLine(service.address);
  app = await startApp({
    ADMINISTRATION_URL: line.address,
    REMOTE_PER_SECOND: '0',
    REMOTE_PER_MINUTE: '0',
    REMOTE_AT_A_TIME: '1',
  });
  const invoices = await service.clientOf(demo).listsalesinvoices({ InlcudeInvoiceLinesInResponse: true });
  const sold = invoices.flatMap(({ Invoice_InvoiceLine = [] }) => Invoice_InvoiceLine);
  articles = [...new Set(sold.map(({ ProductNumber }) => ProductNumber))].filter(Boolean).slice(0, 6);
  expect(articles).toHaveLength(6);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
  await line?.close();
  await service?.stop();
});

beforeEach(async () => {
  line.release();
  line.loseAnswers = 0;
  context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  page = await context.newPage();
  await page.goto(`${app.address}/?lang=en`);
  pane = await paneOf(page);
  await connect(pane, demo, 'Elsewhere');
  await press('Product sheet');
  await pane.getByLabel('Article numbers').fill(articles.join('\n'));
  await press('Make the product sheet');
  await seen(pane.getByText('is ready'));
});
afterEach(async () => {
  line.release();
  await context?.close();
});

const press = (name: string | RegExp) => pane.getByRole('button', { name }).click();
const type = (heading: string, row: number, text: string) => typeBelow(page, SHEET, heading, row, text);
const confirm = () => pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
/** A product as the service has it: an update that changes nothing answers it. */
const product = (ArticleNumber: string) => service.clientOf(demo).updateproduct({ ArticleNumber });
const stocks = async () => Promise.all(articles.map(async (article) => Number((await product(article)).StockQty)));
/** The status of each article in the sheet. */
const resultsOf = async (heading: string) => {
  const rows = await rowsOf(page, SHEET);
  return articles.map((article) => rows.find((row) => row['Article number'] === article)?.[heading]);
};
/** The focused element of the pane. */
const focused = () => pane.evaluate(() => document.activeElement?.textContent ?? '');
/** A second workbook of the same user. */
const otherWorkbook = async (): Promise<Page> => {
  const other = await context.newPage();
  await other.goto(`${app.address}/?lang=en`);
  return other;
};
/** Closes the pane, as closing its window does, and opens it anew beside the same workbook. */
const closePane = () => pane.goto('about:blank');
const openPane = async () => {
  await pane.goto(`${app.address}/taskpane/simulator/pane.html?lang=en`);
  await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
  await press('Push products');
};

describe('a product sheet', () => {
  it('that was copied can be used as one of its own', async () => {
    await type('New sale price', 2, '10');
    await pane.evaluate(
      (name) =>
        Excel.run(async (excel) => {
          excel.workbook.worksheets.getItem(name).copy();
          await excel.sync();
        }),
      SHEET,
    );
    await press('Push this sheet');
    await seen(pane.getByText(`Sheet “${SHEET} (2)” looks like a copy of a product sheet`));
    await seen(pane.getByText('1 row ready to send'));
    expect(await barriersIn(pane)).toEqual([]);
    await page.evaluate((name) => window.workbook.type(`'${name} (2)'!C2`, '11'), SHEET);
    await press(`Use ${SHEET} (2) as a product sheet`);
    // It is the one that is checked from now on, and no copy any more.
    await expect
      .poll(() => pane.getByLabel('Product sheet').evaluate((list: HTMLSelectElement) => list.selectedOptions[0]!.text))
      .toBe(`${SHEET} (2)`);
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText('1 applied'));
    expect((await product(articles[0]!)).Price).toBe('11');
    expect(await pane.getByText('looks like a copy').count()).toBe(0);
    expect((await rowsOf(page, SHEET))[0]!.Status).toBe('');
    expect((await rowsOf(page, `${SHEET} (2)`))[0]!.Status).toBe('Applied');
  });

  it('takes in the rows that stand below its table', async () => {
    await page.evaluate((name) => window.workbook.select(`'${name}'!A1`), SHEET);
    const [table] = await page.evaluate(() => window.workbook.tables());
    const last = Number(/\d+$/.exec(table!.address)![0]);
    await pane.evaluate(
      ([name, row, first, second]) =>
        Excel.run(async (excel) => {
          const below = excel.workbook.worksheets.getItem(name).getRange(`A${row + 1}:C${row + 2}`);
          below.values = [
            [first, '', 3],
            [second, '', 4],
          ];
          await excel.sync();
        }),
      [SHEET, last, articles[0]!, articles[1]!] as const,
    );
    await press('Push this sheet');
    await seen(pane.getByText(`Rows ${last + 1} to ${last + 2} are below the table and not part of it`));
    await seen(pane.getByText('0 rows ready to send'));
    expect(await barriersIn(pane)).toEqual([]);
    await press('Include the rows in the table');
    await seen(pane.getByText('2 rows ready to send'));
    expect(await pane.getByText('are below the table').count()).toBe(0);
    expect((await page.evaluate(() => window.workbook.tables()))[0]!.address).toMatch(new RegExp(`${last + 2}$`));
    await press('Push 2 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText('2 applied'));
    expect((await product(articles[1]!)).Price).toBe('4');
  });

  it('sends no row in which a formula fails, and names its cell', async () => {
    await type('New sale price', 2, '#N/A');
    await type('New sale price', 3, '12');
    await press('Push this sheet');
    await seen(pane.getByText('1 row with errors, not sent'));
    await seen(pane.getByText('Row 2: New sale price: the formula in C2 returns #N/A; correct it or type a value'));
    await seen(pane.getByText('1 row ready to send'));
  });
});

describe('what is asked before a push', () => {
  it('shows old and new, and offers the visible rows only or the hidden too', async () => {
    for (const row of [2, 3, 4]) await type('New sale price', row, '10');
    await press('Push this sheet');
    await press('Push 3 rows to Elsewhere');
    const question = pane.getByRole('alertdialog');
    await question.waitFor();
    // The focus is not on a button with an irreversible action.
    expect(await focused()).toBe('Push to Elsewhere?');
    expect(await question.textContent()).toContain(`${articles[0]}New sale price: 10.00`);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await focused()).toBe('Push 3 rows to Elsewhere');
    await press('Push 3 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText('3 applied'));

    // Now the sheet knows the prices: a hundred times as much is asked about.
    await type('New sale price', 2, '1000');
    await type('New sale price', 3, '12');
    await page.getByRole('button', { name: 'Sort and filter Article number' }).click();
    await page.getByLabel('Show rows containing').fill(articles[1]!);
    await page.keyboard.press('Enter');
    await press('Check the rows again');
    await seen(pane.getByText('1 of them hidden'));
    await press('Push 2 rows to Elsewhere');
    expect(await question.textContent()).toContain('1 of these 2 rows are hidden');
    expect(await question.textContent()).toContain('10.00 › 12.00');
    expect(await question.textContent()).not.toContain('1,000.00');
    expect(await barriersIn(pane)).toEqual([]);
    await question.getByLabel('Hidden rows too: 2 rows').check();
    expect(await question.textContent()).toContain('10.00 › 1,000.00');
    expect(await question.textContent()).toContain('Sale prices raised: 2; lowered: 0');
    const push = question.getByRole('button', { name: 'Push' });
    expect(await push.getAttribute('aria-disabled')).toBe('true');
    await question.getByLabel('These prices are right').check();
    await push.click();
    await seen(pane.getByText('2 applied'));
    expect((await product(articles[0]!)).Price).toBe('1000');
    expect((await product(articles[1]!)).Price).toBe('12');
  });

  it('is whether a quantity that undo brought back is another delivery', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '3');
    await press('Push this sheet');
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText('1 applied'));
    await type('Stock quantity', 2, '3');
    await type('Status', 2, '');
    await press('Check the rows again');
    await seen(pane.getByText('1 row with a quantity that was added before'));
    await seen(pane.getByText('There is nothing to send'));
    expect((await stocks())[0]).toBe(before[0]! + 3);
    await press('This is another delivery: add it again');
    expect(await pane.getByRole('alertdialog').textContent()).toContain('the same quantity was added before');
    await confirm();
    await seen(pane.getByText('1 applied'));
    await expect.poll(async () => (await stocks())[0]).toBe(before[0]! + 6);
  });
});

describe('three tabs of one browser', () => {
  it('that each add a connection end with all of them', async () => {
    const tabs = await Promise.all(['One', 'Two', 'Three'].map(async () => paneOf(await otherWorkbook())));
    for (const [index, tab] of tabs.entries()) {
      await tab.getByRole('button', { name: 'Administrations' }).click();
      await tab.getByLabel('User name').fill(demo.username);
      await tab.getByLabel('API key').fill(demo.apiKey);
      await tab.getByLabel('Label').fill(['One', 'Two', 'Three'][index]!);
    }
    await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Connect', exact: true }).click()));
    await Promise.all(tabs.map((tab) => tab.getByRole('heading', { name: 'What do you want to do?' }).waitFor()));
    await pane.getByRole('button', { name: 'Administrations' }).click();
    for (const label of ['Elsewhere', 'One', 'Two', 'Three'])
      await seen(pane.getByRole('button', { name: `Use ${label}` }));
  });
});

describe('a push that takes its time', () => {
  it('shows how it goes, and writes into the right rows while they are sorted, hidden and moved', async () => {
    const before = await stocks();
    for (let row = 2; row <= 7; row++) await type('Stock quantity', row, String(row));
    await press('Push this sheet');
    line.letThrough(2);
    await press('Push 6 rows to Elsewhere');
    const question = pane.getByRole('alertdialog');
    expect(await question.textContent()).toContain('6 with Relative stock (added)');
    expect(await question.textContent()).toContain('6 rows will change products in the administration Elsewhere');
    await confirm();
    await seen(pane.getByText('2 applied, 4 waiting'));
    expect(await pane.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('2 of 6 rows');
    await seen(pane.getByText('You may close the pane or Excel'));
    expect(await barriersIn(pane)).toEqual([]);
    expect(await focused()).toContain('2 of 6 rows');
    expect(await resultsOf('Status')).toEqual(['Applied', 'Applied', 'Waiting', 'Waiting', 'Waiting', 'Waiting']);

    await page.getByRole('button', { name: 'Sort and filter Stock quantity' }).click();
    await page.getByRole('button', { name: 'Sort descending' }).click();
    await page.locator('#cell-3-0').click();
    await page.keyboard.press('Shift+F10');
    await page.getByText('Insert rows above').click();
    await page.getByRole('button', { name: 'Sort and filter Article number' }).click();
    await page.getByLabel('Show rows containing').fill(articles[0]!);
    await page.keyboard.press('Enter');
    expect((await page.evaluate(() => window.workbook.hiddenRows())).length).toBeGreaterThan(5);
    const numbers = (await rowsOf(page, SHEET)).map((row) => row['Article number']);
    expect(numbers.slice(0, 7)).not.toEqual([...articles, '']);
    line.release();
    await seen(pane.getByText(': 6 applied.'));
    await expect.poll(focused).toContain('6 applied.');
    expect(await resultsOf('Status')).toEqual(new Array(6).fill('Applied'));
    expect(await resultsOf('Stock quantity')).toEqual(new Array(6).fill(''));
    const after = await stocks();
    expect(after).toEqual(before.map((stock, index) => stock + index + 2));
    expect(await resultsOf('Stock now')).toEqual(after);
  });

  it('goes on without the pane, and is found again when it is opened', async () => {
    const before = await stocks();
    for (let row = 2; row <= 7; row++) await type('Stock quantity', row, '1');
    await press('Push this sheet');
    line.letThrough(2);
    await press('Push 6 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText('2 applied, 4 waiting'));
    await closePane();
    const elsewhere = await paneOf(await otherWorkbook());
    await elsewhere.getByRole('button', { name: 'Push products' }).click();
    await seen(elsewhere.getByText('2 of 6 rows done'));
    expect(await barriersIn(elsewhere)).toEqual([]);
    line.release();
    await expect.poll(stocks, { timeout: 30_000 }).toEqual(before.map((stock) => stock + 1));
    expect(await resultsOf('Status')).toEqual(['Applied', 'Applied', 'Waiting', 'Waiting', 'Waiting', 'Waiting']);
    await openPane();
    await seen(pane.getByText(': 6 applied.'));
    expect(await resultsOf('Status')).toEqual(new Array(6).fill('Applied'));
    expect(await resultsOf('Stock quantity')).toEqual(new Array(6).fill(''));
    await seen(pane.getByText('There is nothing to send'));
    expect(await stocks()).toEqual(before.map((stock) => stock + 1));
  });

  it('finds its push when the pane was closed before the answer came, and adds nothing twice', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '3');
    await press('Push this sheet');
    // The app accepts the push, and its response is lost.
    let arrived = () => {};
    const taken = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await context.route('**/pushes', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      arrived();
    });
    await press('Push 1 row to Elsewhere');
    await confirm();
    await taken;
    await closePane();
    await context.unroute('**/pushes');
    await openPane();
    await seen(pane.getByText(': 1 applied.'));
    expect(await stocks()).toEqual(before.map((stock, index) => stock + (index === 0 ? 3 : 0)));
  });

  it('stops when the person says so, and leaves the other rows alone', async () => {
    const before = await stocks();
    for (let row = 2; row <= 7; row++) await type('Stock quantity', row, '1');
    await press('Push this sheet');
    line.letThrough(2);
    await press('Push 6 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText('2 applied, 4 waiting'));
    // The app has heard of it by the time the row that is on its way gets through.
    const told = page.waitForResponse((response) => response.url().endsWith('/cancel'));
    await press('Stop the push');
    await seen(pane.getByText('Stopping: waiting for rows that were sent already'));
    await told;
    line.release();
    await seen(pane.getByText(/Stopped at (2 of 6 rows: 2 applied, 4|3 of 6 rows: 3 applied, 3) not sent/));
    const applied = (await resultsOf('Status')).filter((status) => status === 'Applied').length;
    expect(await resultsOf('Stock quantity')).toEqual(articles.map((_, index) => (index < applied ? '' : 1)));
    expect(await stocks()).toEqual(before.map((stock, index) => stock + (index < applied ? 1 : 0)));
  });

  it('says that there is no network, and goes on when it is back', async () => {
    for (let row = 2; row <= 7; row++) await type('New sale price', row, `${row}.50`);
    await press('Push this sheet');
    line.letThrough(2);
    await press('Push 6 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText('2 applied, 4 waiting'));
    await context.setOffline(true);
    await seen(pane.getByRole('status').getByText('cannot be reached'));
    await seen(pane.getByText('The request is repeated automatically'));
    line.release();
    await context.setOffline(false);
    await seen(pane.getByText(': 6 applied.'));
    expect(await resultsOf('Sale price now')).toEqual([2.5, 3.5, 4.5, 5.5, 6.5, 7.5]);
  });

  it('holds back a row whose addition is unknown, and sends it again only when the person says so', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '4');
    await type('New sale price', 3, '9.75');
    await press('Push this sheet');
    line.loseAnswers = 1;
    await press('Push 2 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 1 applied, 1 unknown.'));
    expect((await stocks())[0]).toBe(before[0]! + 4);
    await seen(pane.getByText('1 row held back'));
    await seen(pane.getByText('There is nothing to send'));
    expect((await resultsOf('Status')).slice(0, 2)).toEqual(['Unknown', 'Applied']);
    expect((await resultsOf('Stock quantity'))[0]).toBe(4);

    await press('Try the refused or unknown row again');
    const question = pane.getByRole('alertdialog');
    await seen(question.getByText('it will be added a second time'));
    expect(await question.textContent()).toContain('1 row will change products');
    expect(await barriersIn(pane)).toEqual([]);
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    expect((await stocks())[0]).toBe(before[0]! + 8);
    expect((await resultsOf('Stock quantity'))[0]).toBe('');
  });

  it('empties a quantity that was added while its row had another number, rather than adding it again', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '3');
    await press('Push this sheet');
    line.letThrough(0);
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText('0 applied, 1 waiting'));
    await type('Article number', 2, 'another');
    line.release();
    await seen(pane.getByText('Rows no longer in the sheet'));
    await type('Article number', 2, articles[0]!);
    await press('Check the rows again');
    await seen(pane.getByText('1 row held back'));
    await press('Try the refused or unknown row again');
    await expect.poll(async () => (await resultsOf('Stock quantity'))[0]).toBe('');
    await seen(pane.getByText('There is nothing to send'));
    expect((await resultsOf('Status'))[0]).toBe('Applied');
    expect(await pane.getByRole('alertdialog').count()).toBe(0);
    expect(await stocks()).toEqual(before.map((stock, index) => stock + (index === 0 ? 3 : 0)));
  });

  it('does not send a row again that was applied and has not changed', async () => {
    await type('New sale price', 2, '3.25');
    await type('New sale price', 3, '4.25');
    await press('Push this sheet');
    await press('Push 2 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 2 applied.'));
    await seen(pane.getByText('2 rows applied before and unchanged since'));
    await type('New sale price', 3, '5.25');
    await press('Check the rows again');
    line.updates.length = 0;
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    expect(line.updates).toMatchObject([{ ArticleNumber: articles[1] }]);
  });
});

/** The line to a service. */
type Line = {
  address: string;
  /** The updates that went over it. */
  updates: unknown[];
  /** Forwards so many updates; the others wait. */
  letThrough: (updates: number) => void;
  /** Forwards everything. */
  release: () => void;
  /** The number of responses to updates that will be lost. */
  loseAnswers: number;
  close: () => Promise<void>;
};

async function openLine(to: string): Promise<Line> {
  let allowed = Number.POSITIVE_INFINITY;
  let waiting: (() => void)[] = [];
  const line: Line = {
    address: '',
    updates: [],
    letThrough: (updates) => {
      allowed = updates;
    },
    release: () => {
      allowed = Number.POSITIVE_INFINITY;
      for (const go of waiting) go();
      waiting = [];
    },
    loseAnswers: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const isUpdate = request.url?.startsWith('/rest/updateproduct') ?? false;
    if (isUpdate) {
      if (allowed-- <= 0) await new Promise<void>((resolve) => waiting.push(resolve));
      line.updates.push(JSON.parse(body.toString()));
    }
    const { host, connection, 'content-length': length, 'transfer-encoding': coding, ...headers } = request.headers;
    const answer = await fetch(`${to}${request.url}`, {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(body.length === 0 ? {} : { body }),
    });
    const text = Buffer.from(await answer.arrayBuffer());
    if (isUpdate && line.loseAnswers > 0) {
      line.loseAnswers--;
      return void response.destroy();
    }
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? 'application/json' });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  line.address = `http://localhost:${(server.address() as AddressInfo).port}`;
  return line;
}
