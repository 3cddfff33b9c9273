import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { beforeEach, expect, it } from 'vitest';
import { messagesOf } from '../taskpane/locales/messages.ts';
import { lists } from '../taskpane/pulledLists/lists.ts';
import { accessibilityErrors } from './accessibility.ts';
import { belgianDemo, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { FAILED, failRequests } from './failedRequests.ts';
import { connect, seen } from './pane.ts';
import { rowsOf } from './sheetCells.ts';

/* Jobs of the pane that fail: each says why, leaves the workbook as it was, and does its work when it is asked again. */

const appPage = withAppPage();
const { press } = appPage;
let { app, page, pane } = appPage;
beforeEach(() => {
  ({ app, page, pane } = appPage);
});

const messages = messagesOf.en;
const sheets = () => page.evaluate(() => window.workbook.sheets());
const failAll = () => failRequests(page, /\/(rest|ledger|vat|products|pushes|exports|auditfiles)([/?]|$)/);

const open = async (view: string): Promise<void> => {
  await pane.getByRole('button', { name: view, exact: true }).click();
  await seen(pane.getByRole('heading', { level: 1, name: view }));
};

/** Has a job fail, and does it again by its button or another one. @param done what the pane says when it is done */
async function failAndRepeat(button: string, done: string | RegExp, again = button): Promise<void> {
  const before = await sheets();
  const end = await failAll();
  await pane.getByRole('button', { name: button, exact: true }).click();
  await seen(pane.getByText(FAILED));
  expect(await sheets()).toEqual(before);
  await end();
  await pane.getByRole('button', { name: again, exact: true }).click();
  await seen(pane.getByText(done));
  expect(await pane.getByText(FAILED).count()).toBe(0);
}

it('Every list that cannot be brought in says why, and comes when it is asked for again', async () => {
  await connect(pane, demo, 'Demo');
  for (const { view } of Object.values(lists)) {
    const { title, submit } = messages[view];
    await open(title);
    if (view === 'accountCard') await pane.getByLabel('Ledger accounts').fill('1300');
    await failAndRepeat(submit, /on sheet “/, messages.tryAgain);
    await press('Back');
  }
});

it('Sheets to fill in, and the file for Intervat, are made when they are asked for again', async () => {
  await connect(pane, belgianDemo, 'Demo');
  await open(messages.documentSheets.title);
  await failAndRepeat(messages.documentSheets.submit, /is ready/);
  await press('Back');
  await open(messages.vatReturn.title);
  const download = page.waitForEvent('download');
  await failAndRepeat(messages.vat.intervat.write, /\.xml/);
  expect((await download).suggestedFilename()).toMatch(/^vat-\d{4}-Q\d\.xml$/);
  expect(await accessibilityErrors(pane)).toEqual([]);
});

it('What a view reads when it opens is read again when somebody asks for it', async () => {
  await connect(pane, demo, 'Demo');
  const end = await failAll();
  await open(messages.activity.title);
  // The pushes and the exports are read by themselves.
  const again = pane.getByRole('button', { name: messages.tryAgain });
  await expect.poll(() => again.count()).toBe(2);
  await end();
  await again.first().click();
  await expect.poll(() => again.count()).toBe(1);
  await again.click();
  await seen(pane.getByText(messages.activity.noPushes));
  await expect.poll(() => pane.getByText(FAILED).count()).toBe(0);

  await press('Back');
  const endOthers = await failAll();
  await open(messages.exports.title);
  await seen(pane.getByText(FAILED));
  await endOthers();
  await press(messages.tryAgain);
  await seen(pane.getByText(messages.exports.none));
  await expect.poll(() => pane.getByText(FAILED).count()).toBe(0);
});

it('E-invoices of a selection come as a zip; it says, as the pane does, which were refused and why', async () => {
  await connect(pane, demo, 'Demo');
  const { documents, invoices } = messagesOf.nl;
  pane = await appPage.open('nl');
  await open(invoices.title);
  await press(invoices.submit);
  await seen(pane.getByText(`op blad “${invoices.sheet}”`));
  const numbers = (await rowsOf(page, invoices.sheet)).slice(0, 12).map((row) => String(row.Factuurnummer));
  const headers = { ApiKey: demo.apiKey, Username: demo.username };
  const asked = await Promise.all(
    numbers.map((number) => fetch(`${app.address}/documents/invoices/${number}.xml`, { headers })),
  );
  const refused = numbers.filter((_, index) => asked[index]!.status === 400);
  const made = numbers.filter((_, index) => asked[index]!.status === 200);
  expect([refused.length > 0, made.length > 1, refused.length + made.length]).toEqual([true, true, 12]);

  await page.evaluate((area) => window.workbook.select(area), `'${invoices.sheet}'!A2:A13`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    pane.getByRole('button', { name: documents.zip.xml }).click(),
  ]);
  const files = unzipSync(await readFile(await download.path()));
  const list = 'Lijst.txt';
  expect(Object.keys(files).sort()).toEqual([...made.map((number) => `${number}.xml`), list].sort());
  for (const number of made) expect(strFromU8(files[`${number}.xml`]!)).toContain(`<cbc:ID>${number}</cbc:ID>`);
  for (const number of refused) {
    expect(strFromU8(files[list]!)).toMatch(new RegExp(`^${number}: De e-factuur kan niet worden gemaakt: \\S`, 'm'));
    await seen(pane.getByText(`${number}: De e-factuur kan niet worden gemaakt:`));
  }
  expect(await accessibilityErrors(pane)).toEqual([]);
});
