import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { type App, demo, startApp, withoutRateLimits } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { type ServiceProxy, startServiceProxy } from './serviceProxy.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';

/* An order whose response is lost, at a service elsewhere. */

const SHEET = 'Orders to make';
let service: App;
let proxy: ServiceProxy;
beforeAll(async () => {
  service = await startApp();
  proxy = await startServiceProxy(service.address);
});
afterAll(async () => {
  await proxy?.close();
  await service?.stop();
});
const orderPage = withAppPage(() => startApp({ ADMINISTRATION_URL: proxy.address, ...withoutRateLimits }));

it('an order whose response is lost is unknown, and is made again only when somebody says so', async () => {
  const { page, pane, press } = orderPage;
  await connect(pane, demo, 'Elsewhere');
  await press('Make documents');
  await pane.getByLabel('Orders and quotes').check();
  await press('Make the sheet');
  await seen(pane.getByText(`Sheet “${SHEET}” is ready`));
  const [customer] = (await service.clientOf(demo).listrelations({ Limit: 5 })).filter(
    ({ CustomerNumber }) => CustomerNumber,
  );
  const cells = {
    'Document *': 'A',
    'Customer number *': String(customer!.CustomerNumber),
    'Article number *': '01008',
    'Quantity *': '2',
    'Price excl. VAT *': '10',
  };
  for (const [heading, text] of Object.entries(cells)) await typeBelow(page, SHEET, heading, 2, text);
  const status = async () => (await rowsOf(page, SHEET))[0]!.Status;

  proxy.lostResponses = 1;
  await press('Push this sheet');
  await press(/^Push 1 document to /);
  await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
  await seen(pane.getByText('1 unknown'));
  expect(await status()).toBe('Unknown');
  expect(proxy.orders).toHaveLength(1);

  await seen(pane.getByText('1 held back: the outcome of an earlier push is unknown'));
  await seen(pane.getByText('There is nothing to send'));
  expect(await accessibilityErrors(pane)).toEqual([]);
  // A service may take long to look. Who cancels has the view as it was.
  const held = Promise.withResolvers<void>();
  await page.route('**/look-again', async (route) => {
    await held.promise;
    await route.continue().catch(() => {});
  });
  await press('Look again');
  await seen(pane.getByText('Looking in the books…'));
  await press('Cancel');
  await expect.poll(() => pane.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  expect(await pane.getByRole('alert').count()).toBe(0);
  held.resolve();
  await press('Look again');
  // Orders are in no list.
  await seen(pane.getByText('Nothing was found. Look into the books yourself.'));
  // What is known of it can be brought in, as of a push of last week.
  await press('Back');
  await press('Activity');
  await seen(pane.getByText('Only this API key sees this.'));
  await seen(pane.getByText('1 unknown'));
  await press(/^Bring into a sheet: push of/);
  await seen(pane.getByText(/on sheet “Push /));
  const [brought] = (await page.evaluate(() => window.workbook.sheets())).slice(-1);
  const sent = await rowsOf(page, brought!);
  expect(new Set(sent.map(({ Status }) => Status))).toEqual(new Set(['Unknown']));
  expect(sent.find(({ Field }) => String(Field).includes('Customer number'))!.Sent).toBe(cells['Customer number *']);
  await press('Back');
  await press('Push rows');
  // Not even with an empty status is it sent unasked.
  await typeBelow(page, SHEET, 'Status', 2, '');
  await press('Check the rows again');
  await seen(pane.getByText('1 held back: the outcome of an earlier push is unknown'));
  expect(proxy.orders).toHaveLength(1);

  await press('It is not in the books: send it again');
  const question = pane.getByRole('alertdialog');
  expect(await question.textContent()).toContain('Warning: 1 may be in the books already.');
  await question.getByRole('button', { name: 'Push' }).click();
  await seen(pane.getByText(': 1 applied.'));
  expect(await status()).toBe('Applied');
  expect(proxy.orders).toHaveLength(2);
});
