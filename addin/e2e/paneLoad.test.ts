import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, demo, startApp } from './app.ts';
import { withBrowserPage } from './browserPage.ts';
import { connect, paneOf, seen } from './pane.ts';

/* The pages load nothing from other hosts, but for Microsoft's client in Excel. */

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const current = withBrowserPage({ locale: 'en-GB' }, () => `${app.address}/taskpane/support.html`);

const OFFICE = 'https://appsforoffice.microsoft.com/lib/1/hosted/office.js';

/** Office.js as a browser without Excel has it: then the pane says that it belongs in Excel. */
const officeOfNoHost = `window.Office = { onReady: () => Promise.resolve({ host: null, platform: null }) };`;

/** Blocks every other host. @returns the requests to them, also those to come */
async function blockOthers(): Promise<string[]> {
  const blocked: string[] = [];
  await current.page.route(/.*/, (route) => {
    const url = route.request().url();
    if (new URL(url).origin === app.address || /^(data|blob):/.test(url)) return route.continue();
    blocked.push(url);
    return url === OFFICE
      ? route.fulfill({ contentType: 'text/javascript', body: officeOfNoHost })
      : route.abort('blockedbyclient');
  });
  return blocked;
}

it('the pane that Excel opens loads nothing of another host but Office.js', async () => {
  const blocked = await blockOthers();
  await current.page.goto(`${app.address}/taskpane/taskpane/index.html`, { waitUntil: 'networkidle' });
  await seen(current.page.getByText('This page works in Excel only'));
  expect(blocked).toEqual([OFFICE]);
});

it('the workbook page loads nothing of another host, from its first start to a list on a sheet', async () => {
  const blocked = await blockOthers();
  const { page } = current;
  await page.goto(`${app.address}/?lang=en`);
  const pane = await paneOf(page);
  await connect(pane, demo, 'Demo');
  await pane.getByRole('button', { name: 'Tax codes' }).click();
  await pane.getByRole('button', { name: 'Bring in tax codes' }).click();
  await seen(pane.getByText('on sheet “Tax codes”'));
  expect(blocked).toEqual([]);
});
