import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPushClient } from '../../shared/client/pushClient.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { paneOf, seen } from './pane.ts';
import { withPushPage } from './pushPage.ts';

/* What became of rows: of another workbook, without a network, and of those that were pushed before. */

const pushPage = withPushPage();
const { confirm, press, resultsOf, stocks, type } = pushPage;
let { articles, context, page, pane, proxy } = pushPage;
beforeEach(() => {
  ({ articles, context, page, pane, proxy } = pushPage);
});

describe('a push of another workbook', () => {
  it('opens, with what was sent and why rows were refused, by the keyboard and in a narrow pane', async () => {
    const pushes = createPushClient({ base: pushPage.app.address, credential: demo, fetch });
    const refused = Array.from({ length: 22 }, (_, index) => ({
      row: index + 3,
      update: { ArticleNumber: `nowhere ${index + 3}`, NewSalePrice: '1234.5' },
    }));
    const sent = [
      { row: 2, update: { ArticleNumber: articles[0]!, NewStockQty: '4', NewName: '<b>Oak</b>' } },
      ...refused,
    ];
    const { id } = await pushes.begin(sent, randomUUID());
    await expect
      .poll(async () => (await pushes.changes(id, '')).push.counts)
      .toMatchObject({ applied: 1, refused: 22 });

    await page.locator('iframe').evaluate((frame) => {
      frame.style.width = '320px';
    });
    await press('Push this sheet');
    const section = pane.locator('section', { has: pane.getByRole('heading', { name: 'Other pushes' }) });
    const opener = section.getByRole('button', { name: `by ${demo.username}` }).first();
    await seen(section.getByText('1 applied, 22 refused'));
    await opener.focus();
    await page.keyboard.press('Enter');
    await seen(section.getByText('Rows 1 to 20 of 22'));
    await seen(section.getByText('Row 3: Refused'));
    expect(await section.getByText('New sale price: 1,234.50').count()).toBe(20);
    expect(await section.getByText(/ArticleNumber|Article number/).count()).toBeGreaterThan(20);
    expect(await accessibilityErrors(pane)).toEqual([]);
    expect(await pane.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

    // A focused button stays under the header that it is scrolled to.
    await opener.focus();
    const covered = await opener.evaluate((button) => {
      window.scrollBy(0, button.getBoundingClientRect().top);
      const { left, top } = button.getBoundingClientRect();
      return document.elementFromPoint(left + 5, top + 5)?.closest('header') !== null;
    });
    expect(covered).toBe(true);

    await section.getByRole('button', { name: 'Next rows' }).focus();
    await page.keyboard.press('Enter');
    await seen(section.getByText('Rows 21 to 22 of 22'));
    await section.getByLabel('Rows').selectOption('All rows (23)');
    await seen(section.getByText('Row 2: Applied'));
    await seen(section.getByText('Stock quantity: 4'));
    await seen(section.getByText('New name: <b>Oak</b>'));
    await opener.click();
    expect(await section.getByText('Row 2: Applied').count()).toBe(0);
  });
});

describe('a push without a network', () => {
  it('says that the service has not confirmed it, and nothing else, until it begins', async () => {
    await type('New sale price', 2, '7.25');
    await press('Push this sheet');
    await press('Push 1 row to Elsewhere');
    await pane.getByRole('alertdialog').waitFor();
    await context.setOffline(true);
    await confirm();
    await seen(pane.getByRole('status').getByText('It has not confirmed this push yet'));
    await seen(pane.getByText('Keep this pane open until the service has accepted the push.'));
    expect(await pane.getByText(/push continues|Nothing was sent|has this push/).count()).toBe(0);
    await context.setOffline(false);
    await seen(pane.getByText(': 1 applied.'));
  });
});

describe('a downloaded workbook', () => {
  it('is pushed from when the page opens it again, with what its sheet remembers', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '4');
    await press('Push this sheet');
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    // The same quantity once more is told from a mistake by what the sheet remembers.
    await type('Stock quantity', 2, '4');
    await type('New sale price', 3, '9.75');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download .xlsx' }).click(),
    ]);
    const file = await download.path();
    await page.getByRole('button', { name: 'Add sheet' }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Open .xlsx' }).click(),
    ]);
    await chooser.setFiles(file);
    await page.getByRole('dialog').getByRole('button', { name: 'Open it' }).click();
    // The pane of the workbook before stays until the other one is drawn.
    await expect.poll(() => pane.isDetached()).toBe(true);
    const opened = await paneOf(page);
    await opened.getByRole('button', { name: 'Push rows' }).click();
    await seen(opened.getByText('1 row with a quantity that was added before, not sent'));
    await opened.getByRole('button', { name: 'Push 1 row to Elsewhere' }).click();
    await opened.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
    await seen(opened.getByText(': 1 applied.'));
    expect((await resultsOf('Status'))[1]).toBe('Applied');
    expect(await stocks()).toEqual(before.map((stock, index) => stock + (index === 0 ? 4 : 0)));
  });
});

describe('a pushed row', () => {
  it('is held back when its addition is unconfirmed, and sent again only on request', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '4');
    await type('New sale price', 3, '9.75');
    await press('Push this sheet');
    proxy.lostResponses = 1;
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
    expect(await accessibilityErrors(pane)).toEqual([]);
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    expect((await stocks())[0]).toBe(before[0]! + 8);
    expect((await resultsOf('Stock quantity'))[0]).toBe('');
  });

  it('loses a quantity that was added while it had another article number, and adds it no second time', async () => {
    const before = await stocks();
    await type('Stock quantity', 2, '3');
    await press('Push this sheet');
    proxy.forward(0);
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText('0 applied, 1 waiting'));
    await type('Article number', 2, 'another');
    proxy.release();
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

  it('is not sent again while it is applied and unchanged', async () => {
    await type('New sale price', 2, '3.25');
    await type('New sale price', 3, '4.25');
    await press('Push this sheet');
    await press('Push 2 rows to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 2 applied.'));
    await seen(pane.getByText('2 rows applied before and unchanged since'));
    await type('New sale price', 3, '5.25');
    await press('Check the rows again');
    proxy.updates.length = 0;
    await press('Push 1 row to Elsewhere');
    await confirm();
    await seen(pane.getByText(': 1 applied.'));
    expect(proxy.updates).toMatchObject([{ ArticleNumber: articles[1] }]);
  });
});
