import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type App, barriersIn, paneOf, startApp, typeBelow } from './app.ts';
import { launchChromium } from './chromium.ts';

/* A person who has just opened the page for the first time, and does what the pane says. */

let app: App;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let pane: Frame;

beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  await page.goto(`${app.address}/?lang=en`);
  pane = await paneOf(page);
});
afterEach(() => context.close());

/** How far the pane is scrolled down. */
const scrolled = () => pane.evaluate(() => window.scrollY);
const currentStep = () => pane.locator('[aria-current=step]').textContent();

test('the pane leads from nothing to the first push of the demo', async () => {
  expect(await currentStep()).toMatch(/^Connect to an administration/);
  await pane.getByRole('button', { name: 'Dutch demo books' }).click();
  expect(await pane.getByLabel('User name').inputValue()).toBe('demo@example.com');
  expect(await barriersIn(pane)).toEqual([]);
  await pane.getByRole('button', { name: 'Connect' }).click();

  await expect.poll(currentStep).toMatch(/^Choose “Product sheet”/);
  expect(await scrolled()).toBe(0);
  expect(await barriersIn(pane)).toEqual([]);
  await pane.getByRole('button', { name: 'Product sheet' }).click();
  await pane.getByLabel('Article numbers').fill('01008');
  await pane.getByRole('button', { name: 'Make the product sheet' }).click();
  await pane.getByText('is ready').waitFor();
  await pane.getByRole('button', { name: 'Back' }).click();

  await expect.poll(currentStep).toMatch(/^Type a new sale price/);
  await typeBelow(page, 'Products to change', 'New sale price', 2, '12.95');
  await pane.getByRole('button', { name: 'Push products' }).click();
  await pane.getByRole('button', { name: /^Push \d+ row/ }).click();
  await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
  await pane.getByText('Every row of the sheet has its result').waitFor();
  await pane.getByRole('button', { name: 'Back' }).click();
  await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
  expect(await pane.locator('[aria-current=step]').count()).toBe(0);
});

test('the demo is offered only for what is there, and its credentials nowhere else', async () => {
  await pane.getByRole('button', { name: 'Dutch demo books' }).waitFor();
  await app.administration('key', 'revoke', '--administration', '2', '2');
  await page.reload();
  pane = await paneOf(page);
  await pane.getByRole('button', { name: 'Dutch demo books' }).waitFor();
  expect(await pane.getByRole('button', { name: 'Belgian demo books' }).count()).toBe(0);

  await page.route('**/demo', (route) => route.fulfill({ status: 404, body: '{}' }));
  const answered = page.waitForResponse('**/demo');
  await page.reload();
  await answered;
  pane = await paneOf(page);
  await pane.getByLabel('User name').waitFor();
  expect(await pane.getByText('demo', { exact: false }).count()).toBe(0);
});
