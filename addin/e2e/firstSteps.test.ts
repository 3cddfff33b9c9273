import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { withAppPage } from './appPage.ts';
import { typeBelow } from './sheetCells.ts';

/* A user opens the page for the first time, and follows the steps that the pane shows. */

const appPage = withAppPage();
const { press, reload } = appPage;
let { page, pane } = appPage;
beforeEach(() => {
  ({ page, pane } = appPage);
});

/** How far the pane is scrolled down. */
const scrolled = () => pane.evaluate(() => window.scrollY);
const currentStep = () => pane.locator('[aria-current=step]').textContent();

describe('the first steps', () => {
  it('lead from an empty pane to the first push of the demo', async () => {
    expect(await currentStep()).toMatch(/^Connect to an administration/);
    await press('Dutch demo books');
    expect(await pane.getByLabel('User name').inputValue()).toBe('demo@example.com');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Connect');

    await expect.poll(currentStep).toMatch(/^Choose “Product sheet”/);
    expect(await scrolled()).toBe(0);
    expect(await accessibilityErrors(pane)).toEqual([]);
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008');
    await press('Make the product sheet');
    await pane.getByText('is ready').waitFor();
    await press('Back');

    await expect.poll(currentStep).toMatch(/^Type a new sale price/);
    await typeBelow(page, 'Products to change', 'New sale price', 2, '12.95');
    await press('Push rows');
    await press(/^Push \d+ row/);
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
    await pane.getByText('Every row of the sheet has its result').waitFor();
    await press('Back');
    await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
    expect(await pane.locator('[aria-current=step]').count()).toBe(0);
  });

  it('are explained by the guide, which the help of a view opens in its language', async () => {
    const opened = appPage.context.waitForEvent('page');
    await pane.getByRole('link', { name: 'Help' }).click();
    const guide = await opened;
    expect(await guide.getByRole('heading', { level: 1 }).textContent()).toBe('Connect to administrations');
    expect(await accessibilityErrors(guide)).toEqual([]);
    await guide.getByRole('link', { name: 'From nothing to your first push' }).first().click();
    await guide.getByRole('heading', { level: 1, name: 'From nothing to your first push' }).waitFor();
    const picture = guide.getByRole('img').first();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(1000);

    pane = await appPage.open('nl');
    const inDutch = appPage.context.waitForEvent('page');
    await pane.getByRole('link', { name: 'Uitleg' }).click();
    await (await inDutch).getByRole('heading', { level: 1, name: 'Verbinden met administraties' }).waitFor();
  });

  it('offer only demo administrations that exist', async () => {
    await pane.getByRole('button', { name: 'Dutch demo books' }).waitFor();
    await appPage.app.administration('key', 'revoke', '--administration', '2', '2');
    pane = await reload();
    await pane.getByRole('button', { name: 'Dutch demo books' }).waitFor();
    expect(await pane.getByRole('button', { name: 'Belgian demo books' }).count()).toBe(0);

    await page.route('**/demo', (route) => route.fulfill({ status: 404, body: '{}' }));
    const inResponse = page.waitForResponse('**/demo');
    pane = await reload();
    await inResponse;
    await pane.getByLabel('User name').waitFor();
    expect(await pane.getByText('demo', { exact: false }).count()).toBe(0);
  });
});
