import path from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { type App, startApp } from '../addin/e2e/app.ts';
import { connect, paneOf } from '../addin/e2e/pane.ts';
import { inFolder, type Ratio } from './measure.ts';
import { writeShop } from './shop.ts';
import { categories, longestTask } from './trace.ts';

const ROWS = 100_000;
const USER = 'bench@example.com';
const TIMEOUT = { timeout: 120_000 };

/** What is done with a hundred thousand rows, and the longest task of the page and its pane meanwhile. */
export const measurePageJobs = (browser: Browser): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const app = await startApp();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, locale: 'en-GB' });
      await page.goto(`${app.address}/?lang=en`);
      const pane = await paneOf(page);
      await connect(pane, { apiKey: await fill(app, folder), username: USER }, 'Bench');
      const ratios: Ratio[] = [];
      for (const { name, prepare, work } of jobsOf(page, pane)) {
        await prepare?.();
        await browser.startTracing(page, { categories });
        await work();
        const longest = longestTask(await browser.stopTracing());
        const what = `the longest task of the page while 100,000 rows are ${name}, against 50 ms`;
        ratios.push({ name: what, ours: longest, bare: 50, unit: 'ms', aim: 1 });
      }
      return ratios;
    } finally {
      await app.stop();
    }
  });

/** An administration with so many invoice lines. @returns its key */
async function fill({ administration }: App, folder: string): Promise<string> {
  const id = await administration('create', '--name', 'Bench', '--country', 'NL', '--years', '2026');
  const files = await writeShop(path.join(folder, 'shop'), ROWS);
  for (const [what, file] of Object.entries(files)) await administration('import', what, file, '--administration', id);
  const printed = await administration('key', 'issue', '--administration', id, '--username', USER);
  return /\S+$/.exec(printed)![0];
}

type Job = { name: string; prepare?: () => Promise<unknown>; work: () => Promise<unknown> };

/** Each job begins with what the one before it left. */
function jobsOf(page: Page, pane: Frame): Job[] {
  const press = (name: string | RegExp) => pane.getByRole('button', { name }).first().click(TIMEOUT);
  const seen = (text: string | RegExp) => pane.getByText(text).first().waitFor(TIMEOUT);
  const openMenu = (column: string) =>
    page.getByRole('button', { name: `Sort and filter ${column}`, exact: true }).click(TIMEOUT);
  const drawn = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  return [
    {
      name: 'pulled',
      work: async () => {
        await press('Sales invoices');
        await pane.getByLabel('From').fill('2026-01-01');
        await pane.getByLabel('Till').fill('2026-12-31');
        await pane.getByLabel('With invoice lines').check();
        await pane.getByLabel('With an ageing overview').uncheck();
        await press('Bring in sales invoices');
        await seen('on sheet “Invoice lines');
      },
    },
    {
      name: 'refreshed',
      prepare: () => press('Back'),
      work: async () => {
        await press(/^Refresh Sales invoices/);
        await seen('is up to date');
      },
    },
    {
      name: 'sorted',
      prepare: () => page.getByRole('tab', { name: /^Invoice lines/ }).click(),
      work: async () => {
        await openMenu('Customer');
        await page.getByRole('button', { name: 'Sort descending' }).click();
        await page.locator('#cell-1-4', { hasText: 'Customer 999' }).waitFor(TIMEOUT);
      },
    },
    {
      name: 'filtered',
      work: async () => {
        await openMenu('Customer');
        await page.getByLabel('Show rows containing').fill('99');
        await page.keyboard.press('Enter');
        await page.getByText(/ of 100000 rows shown/).waitFor(TIMEOUT);
        await drawn();
      },
    },
    {
      name: 'downloaded',
      work: async () => {
        const download = page.waitForEvent('download', TIMEOUT);
        await page.getByRole('button', { name: /^Download/ }).click();
        await download;
      },
    },
    {
      name: 'checked',
      prepare: async () => {
        await press('Product sheet');
        await pane.getByLabel('Article numbers').fill('A0');
        await press('Make the product sheet');
        await seen('is ready');
        await pane.evaluate(fillProducts, ROWS);
      },
      work: async () => {
        await press('Push this sheet');
        await pane.getByRole('button', { name: /^Push 100,000 rows to/ }).waitFor(TIMEOUT);
      },
    },
    {
      name: 'shown before a push',
      work: async () => {
        await press(/^Push 100,000 rows to/);
        await pane.getByRole('alertdialog').waitFor(TIMEOUT);
      },
    },
  ];
}

/** Fills the product sheet as a paste does. */
const fillProducts = (rows: number): Promise<void> =>
  Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    const table = sheet.tables.getItemAt(0);
    const header = table.getHeaderRowRange().load('values');
    await context.sync();
    const headings = header.values[0] as string[];
    table.resize(sheet.getRangeByIndexes(0, 0, rows + 1, headings.length));
    const columns = {
      'Article number': (row: number) => `A${row}`,
      'Stock quantity': (row: number) => 1 + (row % 9),
    };
    for (const [heading, content] of Object.entries(columns)) {
      const values = Array.from({ length: rows }, (_, row) => [content(row)]);
      for (let from = 0; from < rows; from += 10_000) {
        const part = values.slice(from, from + 10_000);
        sheet.getRangeByIndexes(1 + from, headings.indexOf(heading), part.length, 1).values = part;
        await context.sync();
      }
    }
  });
