import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { outsideTextsOf } from '../taskpane/locales/messages.ts';
import { withWorkbookPage } from './workbookPage.ts';

const workbookPage = withWorkbookPage();
const { open, paneFrame, values, press, accessibilityErrors } = workbookPage;
let { page } = workbookPage;
beforeEach(() => {
  ({ page } = workbookPage);
});

const ribbon = () => page.locator('.ribbon');

describe('The ribbon', () => {
  test.each(['en', 'nl', 'fr'] as const)(
    'has the buttons of the manifest, in the language of the page: %s',
    async (language) => {
      await open(`lang=${language}`);
      const manifest = readFileSync(path.resolve(import.meta.dirname, '../../manifest.xml'), 'utf8');
      const labels = [...manifest.matchAll(/<Control [^>]*>\s*<Label resid="([^"]+)"/g)].map(([, id]) => id!);
      const texts: Record<string, string> = outsideTextsOf[language].manifest;
      expect(labels.length).toBeGreaterThanOrEqual(6);
      expect(await ribbon().getByRole('button').allTextContents()).toEqual(labels.map((id) => texts[id]));
      const widths = () =>
        ribbon()
          .locator('img')
          .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
      await expect.poll(widths).toEqual(labels.map(() => 32));
      expect(await accessibilityErrors()).toEqual([]);
    },
  );

  test('opens a view of the pane, which stays loaded, and leaves the workbook as it is', async () => {
    await page.keyboard.type('kept');
    await press('Enter');
    const before = await paneFrame();
    await before.evaluate(() => Object.assign(window, { mark: true }));
    await ribbon().getByRole('button', { name: 'Product sheet' }).click();
    // The page has no app: the view that was asked for follows the connection.
    await before.getByRole('heading', { name: 'Connect an administration' }).waitFor();
    const after = await paneFrame();
    expect(await after.evaluate(() => 'mark' in window)).toBe(true);
    await page.getByRole('grid').focus();
    await page.keyboard.type('typed');
    await press('Enter');
    expect(await values('A1:A2')).toEqual([['kept'], ['typed']]);
  });

  test('shows a hidden pane, by the button of a view and by the one of the pane', async () => {
    for (const name of ['Sales invoices', 'Open Ledgerline']) {
      await page.getByRole('button', { name: 'Hide pane' }).click();
      await page.locator('iframe').waitFor({ state: 'hidden' });
      await ribbon().getByRole('button', { name }).click();
      await page.locator('iframe').waitFor();
    }
  });
});

test('The pane finds the requirement set of the manifest, a partition key and the colours of Excel', async () => {
  const facts = async () =>
    (await paneFrame()).evaluate(() => {
      const { requirements, officeTheme } = Office.context;
      return {
        sets: ['1.13', '1.14'].map((version) => requirements.isSetSupported('ExcelApi', version)),
        sharedRuntime: requirements.isSetSupported('SharedRuntime', '1.1'),
        partitionKey: (Office.context as { partitionKey?: string }).partitionKey,
        background: officeTheme?.bodyBackgroundColor,
      };
    });
  expect(await facts()).toEqual({
    sets: [true, false],
    sharedRuntime: true,
    partitionKey: expect.stringMatching(/./),
    background: '#FFFFFF',
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await open();
  expect((await facts()).background).not.toBe('#FFFFFF');
  expect(await accessibilityErrors()).toEqual([]);
});
