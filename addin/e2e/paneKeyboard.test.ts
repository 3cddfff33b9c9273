import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { belgianDemo, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';

/*
 * The pane by the keyboard: the focus has a place in it at any moment, and leaves the worksheet only with the user.
 */

const appPage = withAppPage();
const { openView, press } = appPage;
let { context, page, pane } = appPage;
beforeEach(() => {
  ({ context, page, pane } = appPage);
});

/** Presses a button by the keyboard. */
const enter = (name: string) => pane.getByRole('button', { name, exact: true }).press('Enter');
/** The tag and the text of the focused element of the pane. */
const focused = () =>
  pane.evaluate(() => `${document.activeElement?.tagName} ${(document.activeElement as HTMLElement).innerText}`);

/** Holds back requests. @returns a function that lets them go on */
async function holdBack(address: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await context.route(address, async (route) => {
    await held.promise;
    // The pane may have cancelled it.
    await route.continue().catch(() => {});
  });
  return held.resolve;
}

/** Gives the pane a size of 320 pixels by a height. */
async function resizePane(height: number): Promise<void> {
  await page.locator('iframe').evaluate((frame, pixels) => {
    Object.assign(frame.style, { width: '320px', height: `${pixels}px`, flex: 'none' });
  }, height);
  await expect.poll(() => pane.evaluate(() => [innerWidth, innerHeight])).toEqual([320, height]);
}

/** Whether an element is out of sight: outside the pane, or behind the administration above it. */
const isOutOfSight = (locator: Locator) =>
  locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const above = document.querySelector('header')!.getBoundingClientRect();
    return bottom <= Math.max(above.bottom, 0) || top >= window.innerHeight;
  });

/** Makes a product sheet with new prices of two products, and opens the view that pushes it. */
async function openPush(): Promise<void> {
  await connect(pane, demo, 'Demo BV');
  await openView('Product sheet');
  await pane.getByLabel('Article numbers').fill('00001\n00002');
  await press('Make the product sheet');
  await press('Push this sheet');
  const canCheck = () => seen(pane.getByRole('button', { name: 'Check the rows again', disabled: false }));
  // The view checks the rows when it opens; a key pressed meanwhile does nothing. Before it begins, one can press too.
  await seen(pane.getByText('There is nothing to send'));
  await canCheck();
  await page.evaluate(() => {
    window.workbook.type("'Products to change'!E2", '11');
    window.workbook.type("'Products to change'!E3", '12');
  });
  await enter('Check the rows again');
  await seen(pane.getByText('2 rows ready to send'));
  await canCheck();
}

describe('the keyboard', () => {
  it('is enough to connect and to open a view', async () => {
    await pane.getByLabel('User name').focus();
    for (const text of [demo.username, demo.apiKey, 'Demo BV']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
    expect(await focused()).toContain('MAIN');
    // The help of the view comes first.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await pane.getByRole('heading', { name: 'Sales invoices' }).waitFor();
  });

  it('has its focus at the result of a pull that it cancelled', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Ledger accounts');
    const release = await holdBack('**/rest/listledgeraccounts*');
    await press('Bring in ledger accounts');
    await enter('Cancel');
    await expect.poll(focused).toBe('DIV Cancelled. The workbook was not changed.');
    release();
  });

  it('is at the button that connects again after a slow connection was cancelled', async () => {
    const release = await holdBack('**/administration');
    await pane.getByLabel('User name').fill(demo.username);
    await pane.getByLabel('API key').fill(demo.apiKey);
    await enter('Connect');
    await enter('Cancel');
    await expect.poll(focused).toBe('BUTTON Connect');
    expect(await pane.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    expect(await pane.getByRole('alert').count()).toBe(0);
    expect(await pane.getByLabel('API key').inputValue()).toBe(demo.apiKey);
    release();
    await enter('Connect');
    await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
  });

  it.each([
    ['the products', '**/products?*'],
    ['the other pushes', '**/pushes'],
  ])('is at the button that pushes again after reading %s for its question was cancelled', async (_, address) => {
    await openPush();
    // So that the other pushes matter.
    await page.evaluate(() => window.workbook.type("'Products to change'!C2", '3'));
    const release = await holdBack(address);
    const button = 'Push 2 rows to De Zilverlinde Groothandel B.V.';
    await enter(button);
    await enter('Cancel');
    await expect.poll(focused).toBe(`BUTTON ${button}`);
    expect(await pane.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await seen(pane.getByText('2 rows ready to send'));
    release();
    // A second press asks, once.
    await enter(button);
    await seen(pane.getByRole('alertdialog'));
    expect(await pane.getByText('Warning: the other pushes could not be read').count()).toBe(0);
  });

  it('stays at a connection that it renames, and gets the reason why a name is refused', async () => {
    await connect(pane, demo, 'Demo BV');
    await press('Administrations');
    await connect(pane, belgianDemo, 'Demo BE');
    await press('Administrations');
    await enter('Rename Demo BV');
    const label = pane.getByRole('listitem').getByLabel('Label');
    await label.fill(' ');
    await enter('Save');
    await seen(pane.getByText('This field is required.'));
    expect(await focused()).toContain('INPUT');
    await label.fill('Bakery');
    await enter('Save');
    await expect.poll(focused).toMatch(/^LI .*Bakery/s);
    await enter('Remove Bakery');
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter');
    await expect.poll(focused).toMatch(/^(UL|DIV)/);
  });

  it.each([
    ['320 x 256 pixels, which is a zoom of 400%', 256],
    ['320 x 700 pixels', 700],
  ])('sees what has the focus, and a result, below the administration in a pane of %s', async (_, height) => {
    await connect(pane, demo, 'Demo BV');
    await openView('Sales invoices');
    await resizePane(height);
    const submit = pane.getByRole('button', { name: 'Bring in sales invoices' });
    await submit.focus();
    const hidden: string[] = [];
    for (const field of (await pane.locator('form :is(input, select)').all()).reverse()) {
      const isReached = () => field.evaluate((one) => one === document.activeElement);
      // A date has several parts.
      for (let parts = 0; parts < 8 && !(await isReached()); parts++) await page.keyboard.press('Shift+Tab');
      expect(await isReached()).toBe(true);
      if (await isOutOfSight(field)) hidden.push(await field.evaluate((one) => one.outerHTML));
    }
    expect(hidden).toEqual([]);
    await submit.press('Enter');
    expect(await isOutOfSight(await seen(pane.getByText('on sheet “Sales invoices”')))).toBe(false);
  });

  it('is at a date that is typed in part, instead of a list of all dates', async () => {
    await connect(pane, demo, 'Demo BV');
    await openView('Sales invoices');
    const till = pane.locator('[name=DateTill]');
    await till.focus();
    // A day or a month, without a year.
    await page.keyboard.type('12');
    await enter('Bring in sales invoices');
    await expect.poll(() => till.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Sheet1']);
    await till.fill('2026-06-30');
    await enter('Bring in sales invoices');
    await seen(pane.getByText(/on sheet “Sales invoices.*30-6-2026”/));
  });

  it('stays on the choice for rows without a stock change while they are checked again', async () => {
    await openPush();
    const choice = pane.getByRole('radiogroup');
    await choice.getByLabel('Relative').press('ArrowRight');
    await expect.poll(() => choice.getByLabel('Absolute').isChecked()).toBe(true);
    await seen(pane.getByRole('button', { name: 'Check the rows again', disabled: false }));
    expect(await choice.getByLabel('Absolute').evaluate((radio) => radio === document.activeElement)).toBe(true);
  });

  it('goes on in the worksheet when a push ends meanwhile', async () => {
    await openPush();
    const release = await holdBack('**/pushes/*');
    await press(/^Push 2 rows to De Zilverlinde/);
    await pane.getByRole('alertdialog').getByRole('button', { name: 'Push' }).click();
    await seen(pane.getByText('0 of 2 rows'));
    await page.evaluate(() => window.workbook.select("'Products to change'!M2"));
    await page.getByRole('grid').focus();
    release();
    await seen(pane.getByText(': 2 applied.'));
    await seen(pane.getByText('There is nothing to send'));
    await page.keyboard.type('A new name');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => window.workbook.values("'Products to change'!M2"))).toEqual([['A new name']]);
  });
});

describe('a very long name of an administration', () => {
  it('leaves room for the view, and for the button that selects another one', async () => {
    await connect(pane, demo, 'Holding'.repeat(30));
    await resizePane(700);
    const header = pane.locator('header');
    expect((await header.boundingBox())!.height).toBeLessThan(200);
    expect(await accessibilityErrors(pane)).toEqual([]);
    const [around, button] = [await header.boundingBox(), await header.getByRole('button').boundingBox()];
    expect(button!.y).toBeGreaterThanOrEqual(around!.y);
    expect(button!.y + button!.height).toBeLessThanOrEqual(around!.y + around!.height);
    await openView('Sales invoices');
    await press('Administrations');
    await pane.getByRole('heading', { name: 'Administrations' }).waitFor();
  });
});

describe('forced colours', () => {
  it('show the border of a question', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await connect(pane, demo, 'Demo BV');
    await press('Administrations');
    await press('Remove Demo BV');
    const border = await pane.getByRole('alertdialog').evaluate((dialog) => getComputedStyle(dialog).borderTopStyle);
    expect(border).toBe('solid');
  });
});
