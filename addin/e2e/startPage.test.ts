import { describe, expect, it } from 'vitest';
import { messagesOf, outsideTextsOf } from '../taskpane/locales/messages.ts';
import { viewGroups } from '../taskpane/viewNames.ts';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, paneOf, seen } from './pane.ts';

/* The start page, and the pane that opens with a workbook, in the real app. */

const appPage = withAppPage();
const { press, openView } = appPage;

const OPENS = 'Open this pane with this workbook, for everybody who has the add-in';

async function bringInTaxCodes(): Promise<void> {
  await openView('Tax codes');
  await press('Bring in tax codes');
  await seen(appPage.pane.getByText('on sheet “Tax codes”'));
  await press('Back');
}

/** Downloads the workbook, hides the pane and opens the file, as somebody who gets it. */
async function reopenWithoutPane(): Promise<void> {
  const { page } = appPage;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download .xlsx' }).click(),
  ]);
  const file = await download.path();
  await page.getByRole('button', { name: 'Hide pane' }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Open .xlsx' }).click(),
  ]);
  const before = await page.locator('iframe').elementHandle();
  await chooser.setFiles(file);
  await expect.poll(() => before!.evaluate((frame) => frame.isConnected)).toBe(false);
}

describe('a workbook with tables of ours', () => {
  it('opens the pane by itself when the person wants it, and only then', async () => {
    const { page, pane } = appPage;
    await connect(pane, demo, 'Demo');
    expect(await pane.getByLabel(OPENS).count()).toBe(0);
    await bringInTaxCodes();
    const choice = pane.getByLabel(OPENS);
    await expect.poll(() => choice.isEnabled()).toBe(true);
    expect(await choice.isChecked()).toBe(false);
    await reopenWithoutPane();
    await page.frameLocator('iframe').locator('h1').waitFor({ state: 'attached' });
    expect(await page.locator('iframe').isVisible()).toBe(false);

    await page.getByRole('button', { name: 'Show pane' }).click();
    const closed = await paneOf(page);
    expect(await accessibilityErrors(closed)).toEqual([]);
    await expect.poll(() => closed.getByLabel(OPENS).isEnabled()).toBe(true);
    await closed.getByLabel(OPENS).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => closed.evaluate(() => Office.addin.getStartupBehavior())).toBe('Load');
    await reopenWithoutPane();
    await page.locator('iframe').waitFor({ state: 'visible' });
    const opened = await paneOf(page);
    await seen(opened.getByText('Tax codes').first());
    await expect.poll(() => opened.getByLabel(OPENS).isChecked()).toBe(true);
    await opened.getByLabel(OPENS).uncheck();
    await expect.poll(() => opened.evaluate(() => Office.addin.getStartupBehavior())).toBe('None');
  });

  it('shows the view of each button of the ribbon, also while the pane is hidden', async () => {
    const { page, pane } = appPage;
    await connect(pane, demo, 'Demo');
    const texts: Record<string, string> = outsideTextsOf.en.manifest;
    const inRibbon = Object.values(viewGroups).flat();
    expect(await page.locator('.ribbon').getByRole('button').count()).toBe(1 + inRibbon.length);
    for (const [index, view] of inRibbon.entries()) {
      const isHidden = index % 2 === 1;
      if (isHidden) {
        await page.getByRole('button', { name: 'Hide pane' }).click();
        await page.locator('iframe').waitFor({ state: 'hidden' });
      }
      const button = page
        .locator('.ribbon')
        .getByRole('button', { name: texts[`${view[0]!.toUpperCase()}${view.slice(1)}.Label`]!, exact: true });
      await button.click();
      await seen(pane.getByRole('heading', { level: 1, name: messagesOf.en[view].title, exact: true }));
    }
  });
});

describe('the start page', () => {
  it.each(['en', 'nl', 'fr'] as const)(
    'needs no scrolling at first in a narrow pane, with icons: %s',
    async (language) => {
      const { page } = appPage;
      await connect(appPage.pane, demo, 'Demo');
      const pane = await appPage.open(language);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.locator('iframe').evaluate((frame) => {
        frame.style.width = '320px';
      });
      const { scrollHeight, scrollWidth, height } = await pane.evaluate(() => ({
        scrollHeight: document.documentElement.scrollHeight,
        scrollWidth: document.documentElement.scrollWidth,
        height: window.innerHeight,
      }));
      expect(scrollWidth).toBeLessThanOrEqual(320);
      expect(scrollHeight).toBeLessThanOrEqual(height);
      const icons = pane.locator('li img');
      await expect
        .poll(() =>
          icons.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth === 0).length),
        )
        .toBe(0);
      expect(await icons.count()).toBeGreaterThan(10);
      expect(await accessibilityErrors(pane)).toEqual([]);
    },
  );

  it('has what the workbook holds before what can be brought in', async () => {
    const { pane } = appPage;
    await connect(pane, demo, 'Demo');
    expect(await pane.getByRole('heading', { name: 'In this workbook' }).count()).toBe(0);
    await bringInTaxCodes();
    await seen(pane.getByRole('heading', { name: 'In this workbook' }));
    const headings = await pane.getByRole('heading', { level: 2 }).allTextContents();
    const inOrder = ['In this workbook', 'Bring into the workbook', 'Books', 'Make and send'];
    expect(headings.filter((heading) => inOrder.includes(heading))).toEqual(inOrder);
    await pane.getByRole('button', { name: 'Tax codes', exact: true }).focus();
    await appPage.page.keyboard.press('Enter');
    await seen(pane.getByRole('heading', { level: 1, name: 'Tax codes' }));
  });
});

describe('a press that begins on a button', () => {
  /** Presses the pointer on a button of a view. @returns where it is */
  const pressOn = async (view: string, name: string) => {
    const { page, pane } = appPage;
    await connect(pane, demo, 'Demo');
    if (view !== 'start page') await press(view);
    if (view === 'Activity') await seen(pane.getByText('Nothing was brought into this workbook yet.'));
    const button = pane.getByRole('button', { name });
    await button.hover();
    await page.mouse.down();
    return async () => (await button.boundingBox())!;
  };

  it.each([
    ['start page', 'Make documents', 'Make the sheet'],
    ['start page', 'Activity', 'Nothing was brought into this workbook yet.'],
    ['Activity', 'Back', 'What do you want to do?'],
    ['Tax codes', 'Bring in tax codes', 'on sheet “Tax codes”'],
  ])(
    'presses it though it moves away meanwhile, as when sheets come in above it: %s, %s',
    async (view, name, shown) => {
      const { page, pane } = appPage;
      const box = await pressOn(view, name);
      const { y } = await box();
      await pane.locator('main').evaluate((main) => {
        main.style.paddingTop = '150px';
      });
      await expect.poll(async () => (await box()).y).not.toBe(y);
      await page.mouse.up();
      await seen(pane.getByText(shown));
    },
  );

  it('presses nothing when the pointer leaves the button, as people do who think better of it', async () => {
    const { page, pane } = appPage;
    const { x, y, width, height } = await (await pressOn('Tax codes', 'Bring in tax codes'))();
    await page.mouse.move(x + width / 2, y + height + 40, { steps: 4 });
    await page.mouse.up();
    await press('Back');
    await seen(pane.getByText('What do you want to do?'));
    expect(await page.evaluate(() => window.workbook.sheets())).toEqual(['Sheet1']);
    await press('Tax codes');
    await press('Bring in tax codes');
    await seen(pane.getByText('on sheet “Tax codes”'));
  });
});
