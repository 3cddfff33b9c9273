import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPushClient } from '../../shared/client/pushClient.ts';
import { accessibilityErrors } from './accessibility.ts';
import { belgianDemo, DUTCH, demo, startApp } from './app.ts';
import { withAppPage } from './appPage.ts';
import { FAILED, failRequests } from './failedRequests.ts';
import { connect, seen } from './pane.ts';
import { rowsOf } from './sheetCells.ts';

/* What was pushed, exported and pulled, in the pane of the real app. */

const appPage = withAppPage(() => startApp());
const { press } = appPage;

/** Pushes rows as another workbook does, and waits for its end. */
async function pushElsewhere(rows: readonly { row: number; update: object }[]) {
  const pushes = createPushClient({ base: appPage.app.address, credential: demo, fetch });
  const { id } = await pushes.begin(rows, randomUUID());
  await expect.poll(async () => (await pushes.changes(id, '')).push.state).toBe('ended');
}

const openActivity = async () => {
  await press('Activity');
  await appPage.pane.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
};

describe('the activity', () => {
  it('has pushes of others with who and what, and brings their rows into a sheet with the values before', async () => {
    const { page, pane } = appPage;
    const client = appPage.app.clientOf(demo);
    const before = await client.updateproduct({ ArticleNumber: '01008' });
    await pushElsewhere([
      { row: 2, update: { ArticleNumber: '01008', NewSalePrice: '19.95', NewStockQty: '5' } },
      { row: 3, update: { ArticleNumber: 'nowhere', NewSalePrice: '1' } },
    ]);
    await page.locator('iframe').evaluate((frame) => {
      frame.style.width = '320px';
    });
    await connect(pane, demo, 'Demo');
    await openActivity();
    await seen(pane.getByText('Everyone with a key of this administration sees this.'));
    const entry = pane.getByRole('list', { name: 'Pushes' }).getByRole('listitem').first();
    await seen(entry.getByText('1 applied, 1 refused'));
    await seen(entry.getByRole('button', { name: `by ${demo.username}` }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    expect(await pane.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

    await entry.getByRole('button', { name: /^Bring into a sheet: push of/ }).focus();
    await page.keyboard.press('Enter');
    await seen(pane.getByText(/on sheet “Push /));
    const sheet = (await page.evaluate(() => window.workbook.sheets())).find((name) => name.startsWith('Push '))!;
    const rows = await rowsOf(page, sheet);
    const sentOf = (field: string) => rows.find((row) => row.Row === 2 && row.Field === field)!;
    expect(sentOf('New sale price')).toMatchObject({ 'Made with': 'Product sheet', Status: 'Applied', Sent: '19.95' });
    expect(Number(String(sentOf('New sale price').Before).replaceAll(',', ''))).toBe(Number(before.Price));
    expect(sentOf('New sale price').Difference).toBeCloseTo(19.95 - Number(before.Price), 8);
    expect(sentOf('Stock quantity')).toMatchObject({ Sent: '5', Difference: 5 });
    expect(Number(String(sentOf('Stock quantity').Before).replaceAll(',', ''))).toBe(Number(before.StockQty));
    const refused = rows.filter((row) => row.Row === 3);
    expect(refused.map(({ Status, Before }) => [Status, Before])).toContainEqual(['Refused', 'Not changed']);
    expect(String(refused[0]!.Message)).toContain('nowhere');
  });

  it('has what was brought into the workbook, also after it is opened again, and asks for one page of pushes', async () => {
    const { page, pane } = appPage;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/pushes') asked.push(request.url());
    });
    await connect(pane, demo, 'Demo');
    await openActivity();
    await seen(pane.getByText('Nothing was brought into this workbook yet.'));
    expect(asked).toHaveLength(1);
    await press('Back');
    await press('Tax codes');
    await press('Bring in tax codes');
    await seen(pane.getByText('on sheet “Tax codes”'));
    await press('Back');
    const end = await failRequests(page, /\/listtaxcodes/);
    await press('Refresh Tax codes');
    await seen(pane.getByText(FAILED));
    await end();
    await press('Try again');
    await seen(pane.getByText('Sheet “Tax codes” is up to date'));
    await openActivity();
    await seen(pane.getByText(/^new, \d+ rows$/));
    await seen(pane.getByText(/^refreshed, \d+ rows: 0 new, 0 changed, 0 removed$/));
    expect(await pane.getByText('sheet “Tax codes”').count()).toBe(2);
    expect(await accessibilityErrors(pane)).toEqual([]);
    // What was brought in from other books than those of the pane says from which.
    const ofOthers = pane.getByRole('main').getByText(DUTCH);
    expect(await ofOthers.count()).toBe(0);
    await press('Administrations');
    await connect(pane, belgianDemo, 'Belgian');
    await openActivity();
    await expect.poll(() => ofOthers.count()).toBe(2);
  });

  it('is shown with a key that only reads', async () => {
    const { pane } = appPage;
    await pushElsewhere([{ row: 2, update: { ArticleNumber: '00123', NewSalePrice: '2.5' } }]);
    const issue = ['key', 'issue', '--administration', '1', '--username', demo.username];
    const printed = await appPage.app.administration(...issue, '--label', 'reader', '--scope', 'read');
    const apiKey = /\S+$/.exec(printed)![0];
    await connect(pane, { ...demo, apiKey }, 'Reader');
    await openActivity();
    const entry = pane.getByRole('list', { name: 'Pushes' }).getByRole('listitem').first();
    const end = await failRequests(appPage.page, /\/pushes\/[^/]+\/rows/);
    await entry.getByRole('button', { name: `by ${demo.username}` }).click();
    await seen(entry.getByText(FAILED));
    await end();
    await entry.getByRole('button', { name: 'Try again' }).click();
    await seen(entry.getByText('Row 2: Applied'));
    expect(await entry.getByText(FAILED).count()).toBe(0);
    await seen(entry.getByText(/^New sale price: 2\.50 \(before: /));
  });
});
